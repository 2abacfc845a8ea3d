/** A finding says nothing of which requirement it belongs to: its task waits for nothing, and speaks for no verification. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { tasksFor } from '../../src/engine/actions/gap-tasks.ts';
import { renderTask } from '../../src/engine/render/plan-text.ts';
import { objection } from '../../src/engine/tools/guardrails.ts';
import { trustOf } from '../../src/engine/judge/trust.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { waitsFor } from '../../src/engine/work/human-action.ts';
import type { Task } from '../../src/engine/work/task.ts';
import type { State } from '../../src/engine/state/state.ts';
import type { Story } from './support/events.ts';
import * as p from './support/parts.ts';

const finding = {
  severity: 'critical',
  description: 'nothing is printed in the till',
  userImpact: 'nobody pays',
  suggestedFix: '',
  evidence: 'I tried it',
} as const;

/** T1 of requirement 1 is built and trusted by its red run; then it was found wrong elsewhere. */
function found(): { story: Story; task: Task } {
  const story = p.built();
  const { step } = story.state.work.tree.change ?? p.change();
  const files = [{ path: 'total.sh', kind: 'modified' as const }];
  const ran: Fact = { fact: 'verification.ran', run: p.run({ n: 2, code: 1 }) };
  const control: Fact = {
    fact: 'verification.proven',
    proof: { lineage: 'value/total', script: p.verification().script, kind: 'control', code: 1, outcome: 'red', why: '' },
  };
  story.act('settle', { fact: 'tree.settled', settled: p.settled({ step, files }) }, ran).act('prove', control);
  const facts = tasksFor(story.state, 'evaluation', p.evaluation({ findings: [finding] }));
  const [task] = facts.flatMap((fact) => (fact.fact === 'task.added' ? [fact.task] : []));
  assert.ok(task);
  return { story: story.act('final', ...facts), task };
}

describe('the task for a finding', () => {
  it('waits for nothing that a requirement waits for, and no skip of that drops it', () => {
    const { story, task } = found();
    const key = p.humanAction({ task: '', requirements: ['1', 'V1'] });
    story.act('plan', { fact: 'human-action.asked', humanAction: key });
    assert.equal(waitsFor(story.state.ledger.humanActions, task), undefined);
    story.said({ fact: 'human-action.answered', id: 'H1', answer: 'skip' });
    assert.equal(story.state.work.tasks[task.id]?.status, 'pending');
  });

  it('may create a file without a word on what was red before', () => {
    const { story, task } = found();
    assert.deepEqual(trustOf(story.state, p.verification()).trusted, true);
    const author = { kind: 'task' as const, task: task.id };
    const files = [{ path: 'till.sh', kind: 'added' as const }];
    story.act('settle', { fact: 'tree.settled', settled: p.settled({ code: 2, author, step: 's99', files }) });
    assert.deepEqual(trustOf(story.state, p.verification()).trusted, true);
  });

  it('may be changed without naming a requirement, says so to its builder, and a planned one may not', () => {
    const { story, task } = found();
    assert.equal(objection({ ...task, description: 'Print it in the till too' }, story.state, 'modify'), undefined);
    assert.match(objection(p.task({ prdSection: [] }), story.state, 'modify') ?? '', /serves no requirement/);
    assert.match(renderTask(task), /^Serves: what was found wrong$/m);
  });

  it('is made for each gap, however small, for which a final assessment does not recommend shipping', () => {
    const { state } = p.built();
    const gap = { id: 'g', description: 'a mark at the start is refused', severity: 'degraded' as const, suggestedTask: 'skip the mark' };
    const kinds = [
      { scope: 'final', recommendation: 'CONTINUE' },
      { scope: 'final', recommendation: 'SHIP_READY' },
      { scope: 'full', recommendation: 'CONTINUE' },
    ] as const;
    const made = kinds.map((kind) => tasksFor(state, 'vrc', p.vrc({ ...kind, gaps: [gap] })).length);
    assert.deepEqual(made, [1, 0, 0]);
    const slow = { severity: 'degraded' as const, description: 'slow', userImpact: 'waits', suggestedFix: 'cache', evidence: 'seen' };
    const used = p.evaluation({ findings: [slow] });
    const after = kinds.map((kind) => tasksFor(state, 'evaluation', used, p.vrc({ ...kind, gaps: [] })).length);
    assert.deepEqual(after, [1, 0, 0]);
  });

  it('is called by what was found; what its finder proposes, and how it was seen, stand behind that', () => {
    const { state } = p.built();
    const slow = { severity: 'critical' as const, description: 'slow', userImpact: 'waits', suggestedFix: 'cache', evidence: 'seen' };
    const made = (proposal: string): Partial<Task> | undefined => {
      const [fact] = tasksFor(state, 'evaluation', p.evaluation({ findings: [{ ...slow, suggestedFix: proposal }] }));
      return fact?.fact === 'task.added' ? fact.task : undefined;
    };
    const words = ({ description, value, acceptance }: Partial<Task> = {}): unknown[] => [description, value, acceptance];
    assert.deepEqual(words(made('cache')), ['slow', 'waits', 'That no longer holds. Proposed: cache. Seen: seen.']);
    assert.deepEqual(words(made('')), ['slow', 'waits', 'That no longer holds. Seen: seen.']);
    const gap = { id: 'g', description: 'a mark', severity: 'blocking' as const, suggestedTask: 'skip the mark' };
    const [fact] = tasksFor(state, 'vrc', p.vrc({ scope: 'final', recommendation: 'CONTINUE', gaps: [gap] }));
    const task = fact?.fact === 'task.added' ? fact.task : undefined;
    assert.deepEqual(words(task), ['a mark', 'an assessment calls this blocking', 'That no longer holds. Proposed: skip the mark.']);
  });

  it('is made for polish only where nothing worse holds the sprint back, and then asks for no verification', () => {
    const slow = { severity: 'degraded' as const, description: 'slow', userImpact: 'waits', suggestedFix: 'cache', evidence: 'seen' };
    const word = { ...slow, severity: 'polish' as const, description: 'a word', unseen: { by: ['value/total'], scripts: [] } };
    const held = p.vrc({ scope: 'final', recommendation: 'CONTINUE', gaps: [] });
    const made = (state: State, ...findings: (typeof slow | typeof word)[]): [string, string[]][] =>
      tasksFor(state, 'evaluation', p.evaluation({ findings }), held).flatMap((fact): [string, string[]][] =>
        fact.fact === 'task.added' ? [[fact.task.description, fact.task.prdSection]] : [],
      );
    const [ofSlow, ofWord] = ['slow', 'a word'];
    const { state } = p.built();
    assert.deepEqual(made(state, word, slow), [[ofSlow, []]]);
    assert.deepEqual(made(state, word), [[ofWord, []]]);
    const older = { ...state, opened: { ...state.opened, rules: 2 } };
    assert.deepEqual(made(older, word, slow), [[ofWord, ['1']]]);
  });
});
