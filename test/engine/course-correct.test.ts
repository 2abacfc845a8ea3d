/** Changing course: when it is due and when not again, what each way does, and what it can never do (I4, I6, I7). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { courseCorrect, stalledAfter } from '../../src/engine/actions/course-correct.ts';
import { execute } from '../../src/engine/actions/execute.ts';
import { writeVerifications } from '../../src/engine/actions/write-verifications.ts';
import { planHealth } from '../../src/engine/actions/plan-health.ts';
import { vrcAction } from '../../src/engine/actions/vrc.ts';
import { ending } from '../../src/engine/judge/ending.ts';
import { tank } from '../../src/engine/state/fuel.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import { guidance } from '../../src/engine/render/guidance.ts';
import { manageTask } from '../../src/engine/tools/manage-task.ts';
import { reportCourseCorrection } from '../../src/engine/tools/report-course-correction.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Task } from '../../src/engine/work/task.ts';
import { calls, world } from '../support/fakes.ts';
import type { Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const why = ({ state }: Story): string[] => courseCorrect.due(state).map((d) => d.why);
const corrected: Fact = {
  fact: 'course.corrected',
  correction: { kind: 'restructure', diagnosis: 'x', guidance: 'Use the parser.' },
};
const extra = (id: string, change: Partial<Task> = {}): Fact => ({
  fact: 'task.added',
  task: p.task({ id, source: 'course_correction', ...change }),
});

/** The one task's attempts are used up: nothing can be done for it. */
function deadEnd(): Story {
  const story = p.awaiting();
  for (const _ of [1, 2, 3]) story.begin('execute', 'T1', ['execute/T1']).end();
  return story;
}
function idle(story: Story, decisions: number): Story {
  for (let n = 0; n < decisions; n += 1) story.act('execute');
  return story;
}

describe('course-correct', () => {
  it('is due after decisions without a milestone, counted anew from a milestone and from a correction', () => {
    const story = p.awaiting();
    const reached = story.state.ledger.lastMilestone ?? 0;
    idle(story, stalledAfter - 1 - (story.state.ledger.decisions.length - reached));
    assert.deepEqual(why(story), []);
    idle(story, 1);
    assert.deepEqual(why(story), [`${stalledAfter} decisions were made without a milestone`]);
    assert.deepEqual(why(story.act('course-correct', corrected)), []);
    idle(story, stalledAfter - 1);
    assert.deepEqual(why(story), []);
    assert.equal(why(idle(story, 1)).length, 1);
    story.act('settle', p.gate('plan'), {
      fact: 'verification.ran',
      run: p.run({ verdict: 'green', lineage: 'another', code: 1 }),
    });
    assert.deepEqual(why(story), [], 'a milestone');
  });

  it('is due when an assessment asks for it, once for each, and not for a fallback', () => {
    const story = p.awaiting();
    const ask = (change: object): Fact => ({
      fact: 'vrc.reported',
      vrc: p.vrc({ scope: 'full', recommendation: 'COURSE_CORRECT', summary: 'Wrong way.', ...change }),
    });
    assert.deepEqual(why(story.act('vrc', ask({ fallback: true }))), []);
    assert.deepEqual(why(story.act('vrc', ask({}))), ['the last assessment recommends COURSE_CORRECT: Wrong way.']);
    assert.deepEqual(why(story.act('course-correct', corrected)), []);
    assert.equal(why(story.act('vrc', ask({ recommendation: 'DESCOPE' }))).length, 1);
  });

  it('is due when something is open and nothing is left to do for it, and not twice in a row', () => {
    const story = deadEnd();
    assert.deepEqual(why(story), ['something is open, and nothing is left to do for it']);
    assert.deepEqual(why(story.act('course-correct', corrected)), []);
    assert.equal(why(story.act('vrc')).length, 1);
  });

  it('is due once more when a person was asked, and then not before anything else was done', () => {
    const story = deadEnd().act('course-correct', corrected).act('wait');
    assert.equal(why(story).length, 1);
    assert.deepEqual(why(story.act('course-correct', corrected).act('wait')), []);
    assert.equal(why(story.act('prove')).length, 1);
  });

  it('is due for a task that waits for one that cannot be done', () => {
    const story = deadEnd().act('final', extra('T2', { dependencies: ['T1'] }));
    assert.deepEqual(
      execute.due(story.state).filter((d) => d.target === 'T2'),
      [],
    );
    assert.equal(why(story).length, 1);
  });

  it('is not due while a person is asked, nor when all is done', () => {
    assert.deepEqual(why(deadEnd().act('plan', { fact: 'human-action.asked', humanAction: p.humanAction() })), []);
    assert.deepEqual(why(idle(p.proven(), 3 * stalledAfter)), []);
  });

  it('shows what was tried, and counts a session without a report as a correction that changed nothing', async () => {
    const story = deadEnd().begin('course-correct', '', ['correct']);
    const w = await staged(world(), story);
    w.model.answers.push({ ...calls(), stop: 'end_turn' }, { ...calls(), stop: 'end_turn' });
    const facts = await courseCorrect.run('', play(w).context);
    assert.deepEqual(
      facts.map((f) => f.fact === 'course.corrected' && f.correction.kind),
      ['unreported'],
    );
    assert.match(
      renderReport(story.end(...facts).state),
      /- After \d+ decisions the course was to be corrected, and nobody said how\. Why: /,
    );
    const [block] = w.model.asked[0]?.messages[0]?.content ?? [];
    const text = block?.type === 'text' ? block.text : '';
    for (const part of ['Task T1 was given up', '**T1**', '- execute T1: because']) assert.ok(text.includes(part), `${part}\n${text}`);
  });
});

describe('report_course_correction', () => {
  const words = {
    diagnosis: 'The plan took for granted that the file has a header, and it has none.',
    guidance: 'Read the first line as data.',
  };
  const report = (call: object, story: Story = deadEnd().begin('course-correct', '', ['correct'])): Fact[] => {
    const input = reportCourseCorrection.input.parse({ ...words, ...call });
    return reportCourseCorrection.handle(input, { state: story.state, target: '', step: story.state.open?.id ?? '', kept: '' }).facts;
  };
  const kinds = (facts: Fact[]): string[] => facts.map((f) => f.fact);

  it('takes no word for a change that was not made', () => {
    assert.throws(() => report({ action: 'restructure' }), ToolError);
    assert.throws(() => report({ action: 'new_tasks' }), ToolError);
    const story = deadEnd().begin('course-correct', '', ['correct']);
    story.add({ type: 'step.ended', id: 'a1/c1', outcome: 'done', facts: [extra('T1a')] });
    assert.deepEqual(kinds(report({ action: 'new_tasks' }, story)), ['course.corrected']);
    assert.throws(() => report({ action: 'restructure' }, story), ToolError);
  });

  it('has QC look at a verification that it calls wrong, on QC’s own fuel', () => {
    const story = deadEnd();
    const facts = report({ action: 'rewrite_verifications', verifications: ['value/total'] }, story.begin('course-correct'));
    assert.deepEqual(kinds(facts), ['fix.reported', 'course.corrected']);
    story.end(...facts);
    assert.deepEqual(
      writeVerifications.due(story.state).map((d) => [d.target, d.burns]),
      [['value/total', [tank('rewrite', 'value/total')]]],
    );
    story.state.ledger.burned.rewrite['value/total'] = 3;
    assert.throws(() => report({ action: 'rewrite_verifications', verifications: ['value/total'] }, story), ToolError);
    assert.throws(() => report({ action: 'rewrite_verifications', verifications: ['value/none'] }, story), ToolError);
    assert.throws(() => report({ action: 'rewrite_verifications' }, story), ToolError);
  });

  it('drops nothing itself: only the person who skips the question does', () => {
    const story = deadEnd().begin('course-correct');
    const facts = report({ action: 'descope', task_id: 'T1' }, story);
    const [asked] = facts;
    assert.ok(asked?.fact === 'human-action.asked' && asked.humanAction.task === 'T1');
    story.end(...facts);
    assert.equal(story.state.work.tasks['T1']?.status, 'pending');
    assert.equal(ending(story.state).stop, 'waiting');
    story.said({ fact: 'human-action.answered', id: asked.humanAction.id, answer: 'skip' });
    assert.equal(story.state.work.tasks['T1']?.status, 'pending', 'not carried out yet');
    story.said({ fact: 'human-action.skipped', id: asked.humanAction.id });
    assert.equal(story.state.work.tasks['T1']?.status, 'descoped');
    assert.ok(!ending(story.state).reasons.some((r) => r.includes('consent')));
    assert.throws(() => report({ action: 'descope', task_id: 'T9' }), ToolError);
  });

  it('asks the person one question, and what they say guides all later sessions', () => {
    const story = deadEnd().begin('course-correct');
    story.end(...report({ action: 'escalate', question: 'Which file is the right one?' }, story));
    story.said({ fact: 'human-action.answered', id: 'H1', answer: 'done', said: 'The second one.' });
    assert.equal(story.state.ledger.humanActions['H1']?.status, 'fulfilled');
    assert.match(guidance(story.state), /- Read the first line as data\.\n- The person says: The second one\./);
    assert.throws(() => report({ action: 'escalate' }), ToolError);
  });

  it('asks it though a hint about failures is asked for, and not while another one is open', () => {
    const ask = (lineages: string[]): Fact[] => {
      const story = deadEnd().act('research', { fact: 'human-action.asked', humanAction: p.asked(lineages) });
      return report({ action: 'escalate', question: 'Which file?' }, story.begin('course-correct'));
    };
    const [asked] = ask(['value/total']);
    assert.ok(asked?.fact === 'human-action.asked' && asked.humanAction.id === 'H2');
    assert.throws(() => ask([]), new ToolError('The person is asked already: "Say what you know".'));
  });
});

describe('a task that others replace', () => {
  const replaced = (...ids: string[]): Fact => ({ fact: 'task.descoped', id: 'T1', why: 'split', replacedBy: ids });
  const call = (story: Story, input: object) =>
    manageTask.handle(manageTask.input.parse(input), { state: story.state, target: '', step: '', kept: '' });

  it('is dropped without anybody’s consent, and what waited for it waits for them', () => {
    const story = deadEnd().act(
      'final',
      extra('T1a', { description: 'Half of it' }),
      extra('T3', { dependencies: ['T1'], description: 'After it' }),
    );
    const { facts } = call(story, { action: 'remove', task_id: 'T1', replaced_by: ['T1a'], reason: 'too big' });
    assert.deepEqual(facts, [{ fact: 'task.descoped', id: 'T1', why: 'replaced by T1a: too big', replacedBy: ['T1a'] }]);
    story.act('course-correct', ...facts);
    assert.deepEqual(story.state.work.tasks['T3']?.dependencies, ['T1a']);
    assert.ok(!ending(story.state).reasons.some((r) => r.includes('T1 ') && r.includes('consent')));
    assert.deepEqual(
      execute.due(story.state).map((d) => d.target),
      ['T1a'],
    );
  });

  it('loses no requirement', () => {
    const story = deadEnd().act('final', extra('T1a', { prdSection: ['V1'], description: 'Half of it' }));
    assert.throws(() => call(story, { action: 'remove', task_id: 'T1', replaced_by: ['T1a'] }), /Nothing would serve 1/);
  });

  it('keeps what is left of it in the reasons when those that replace it are not done', () => {
    const story = deadEnd().act('final', extra('T1a')).act('course-correct', replaced('T1a'));
    assert.ok(ending(story.state).reasons.some((r) => r.startsWith('Task T1a is not settled')));
  });
});

describe('plan-health', () => {
  const due = ({ state }: Story): number => planHealth.due(state).length;

  it('looks at tasks of a correction at once, at others when three wait, and at each once', () => {
    assert.equal(due(deadEnd().act('final', extra('A'))), 1);
    const story = p.awaiting().act('final', extra('G1', { source: 'final' }), extra('G2', { source: 'vrc' }));
    assert.equal(due(story), 0);
    assert.equal(due(story.act('final', extra('G3', { source: 'evaluation' }))), 1);
    story.act('plan-health', { fact: 'plan.reviewed', tasks: ['G1', 'G2', 'G3'], why: 'fine' });
    assert.equal(due(story), 0);
  });

  it('adds nothing', () => {
    const { state } = deadEnd().begin('plan-health', '', ['review']);
    const input = { action: 'add', task_id: 'X', description: 'x', value: 'x', acceptance: 'x', prd_section: ['1'] };
    assert.throws(() => manageTask.handle(input, { state, target: '', step: '', kept: '' }), /adds nothing/);
  });
});

describe('an assessment after a correction', () => {
  it('is full, and comes with the first change that is settled', () => {
    const due = (change: boolean): (string | undefined)[] => {
      const story = p.awaiting().act('vrc', { fact: 'vrc.reported', vrc: p.vrc({ scope: 'full', code: 0 }) });
      if (change) story.act('course-correct', corrected);
      story.state.work = { ...story.state.work, tree: { ...story.state.work.tree, code: 1 } };
      return vrcAction.due(story.state).map((d) => d.target);
    };
    assert.deepEqual([due(false), due(true)], [[], ['full']]);
  });
});
