/** A question that an agent asks: what waits for its answer, what a skip means, and who reads it (docs/person.md). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { execute } from '../../src/engine/actions/execute.ts';
import { fix } from '../../src/engine/actions/fix.ts';
import { ending } from '../../src/engine/judge/ending.ts';
import { frontOf, type PromptName } from '../../src/engine/ground/prompts.ts';
import { decisionLines } from '../../src/engine/render/decisions.ts';
import { guidance } from '../../src/engine/render/guidance.ts';
import { settledText } from '../../src/engine/render/point-words.ts';
import { askPerson } from '../../src/engine/tools/ask-person.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { refOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';

const call = {
  question: 'Are cents rounded up?',
  why: 'The PRD says only "rounded".',
  otherwise: 'they are rounded to the nearest',
  task_id: '',
};

/** The facts of a call in the open action. */
function ask({ state }: Story, target: string, over: Partial<typeof call> = {}): Fact[] {
  return askPerson.handle({ ...call, ...over }, { state, target, step: 's9', kept: refOf('kept') }).facts;
}

/** The builder of T1 asks. */
function asked(): Story {
  const story = p.awaiting().begin('execute', 'T1', ['execute/T1']);
  return story.end(...ask(story, 'T1'));
}

/** `value/total` is red, and its fixer asks. */
function askedByFixer(): Story {
  const story = p.built().act('run-verifications', { fact: 'verification.ran', run: p.run({ n: 2, code: 1, verdict: 'red' }) });
  const { step } = story.state.work.tree.change ?? p.change();
  story.act(
    'settle',
    { fact: 'tree.settled', settled: p.settled({ step }) },
    { fact: 'verification.ran', run: p.run({ n: 3, code: 1, verdict: 'red' }) },
  );
  assert.equal(mended(story).length, 1);
  story.begin('fix', 'value/total', ['lineage/value/total']);
  return story.end(...ask(story, 'value/total'));
}

const ready = ({ state }: Story): string[] => execute.due(state).map(({ target }) => target);
const mended = ({ state }: Story): string[] => fix.due(state).map(({ target }) => target);
const answer = (said: string): Fact => ({ fact: 'human-action.answered', id: 'H1', answer: 'done', said });

describe('a question that an agent asks', () => {
  it('lets the task of its builder wait, and is read by later agents with its answer, once', () => {
    const story = asked();
    assert.deepEqual(ready(story), []);
    assert.equal(settledText(story.state), '');
    story.said(answer('Up, always.'));
    assert.deepEqual(ready(story), ['T1']);
    assert.equal(settledText(story.state), '- Are cents rounded up? The person said: Up, always.');
    assert.doesNotMatch(guidance(story.state), /Up, always/);
    assert.deepEqual(
      decisionLines(story.state).filter((line) => line.includes('cents')),
      ['- Are cents rounded up? You said: Up, always.'],
    );
  });

  it('drops no task where the person skips it: the agents take what they said they would', () => {
    const story = asked();
    story.said({ fact: 'human-action.answered', id: 'H1', answer: 'skip' }, { fact: 'human-action.skipped', id: 'H1' });
    assert.deepEqual(ready(story), ['T1']);
    assert.equal(settledText(story.state), '- Are cents rounded up? The person did not say; assumed: they are rounded to the nearest');
  });

  it('lets failures wait where a fixer asks, and brings their next fixer the question with the answer', () => {
    const story = askedByFixer();
    assert.deepEqual(mended(story), []);
    story.said(answer('Up, always.'));
    assert.deepEqual(mended(story), ['value/total']);
    assert.deepEqual(
      story.state.ledger.briefs.map(({ findings, by }) => [findings, by]),
      [['Are cents rounded up? Up, always.', 'person']],
    );
    assert.equal(settledText(story.state), '', 'fixers read it as what is known of the failure');
  });

  it('keeps the sprint from ending as delivered while it is open', () => {
    assert.notEqual(ending(asked().state).stop, 'delivered');
  });

  it('is refused without a task that waits, a second time for one task, and after six', () => {
    const planning = p.awaiting().begin('plan-health', '', []);
    assert.throws(() => ask(planning, ''), new ToolError('task_id: name an open task that waits for the answer; there are: T1.'));
    planning.end(...ask(planning, '', { task_id: 'T1' }));
    planning.begin('plan-health', '', []);
    assert.throws(() => ask(planning, '', { task_id: 'T1' }), new ToolError('The person is asked already: "Are cents rounded up?".'));
    for (let n = 1; n <= 6; n += 1) {
      if (n > 1) planning.end(...ask(planning, '', { task_id: 'T1' })).begin('plan-health', '', []);
      planning.end({ fact: 'human-action.answered', id: `H${n}`, answer: 'done', said: 'Up.' }).begin('plan-health', '', []);
    }
    assert.throws(() => ask(planning, '', { task_id: 'T1' }), /The person was asked 6 questions already/);
  });

  it('may be asked by all who plan, verify, build and mend', () => {
    const callable = (name: PromptName): boolean => frontOf(name).tools.includes('ask_person');
    const who: PromptName[] = [
      'plan',
      'review-plan',
      'plan-health',
      'course-correct',
      'write-verifications',
      'execute',
      'fix',
      'service-fix',
    ];
    assert.deepEqual(who.filter(callable), who);
  });
});
