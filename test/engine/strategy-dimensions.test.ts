/** Each dimension of the strategy is read, and changes how the loop works and nothing else (I6). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { execute } from '../../src/engine/actions/execute.ts';
import { fix } from '../../src/engine/actions/fix.ts';
import { writeVerifications } from '../../src/engine/actions/write-verifications.ts';
import { research } from '../../src/engine/actions/research.ts';
import { triage } from '../../src/engine/actions/triage.ts';
import { effortOf } from '../../src/engine/agents/effort.ts';
import type { AskRequest } from '../../src/engine/ground/messages.ts';
import { roleNames, roles } from '../../src/engine/ground/roles.ts';
import { left, tank } from '../../src/engine/state/fuel.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Strategy } from '../../src/engine/work/strategy.ts';
import type { Task } from '../../src/engine/work/task.ts';
import { calls, world } from '../support/fakes.ts';
import type { Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const changed = (changes: Partial<Strategy>): Fact => ({ fact: 'strategy.changed', pattern: 'x', rationale: 'y', changes });

/** The words that a row's session is sent, under a strategy. */
async function sent(row: typeof fix, story: Story, target: string): Promise<AskRequest> {
  const w = await staged(world(), story.begin(row.id, target));
  w.payloads.texts.set(p.criterion().script, 'The tone is kind.');
  w.model.answers.push({ ...calls(), stop: 'end_turn' }, { ...calls(), stop: 'end_turn' });
  await row.run(target, play(w).context);
  const [request] = w.model.asked;
  assert.ok(request);
  return request;
}

function textOf(request: AskRequest | undefined): string {
  const [block] = request?.messages[0]?.content ?? [];
  return block?.type === 'text' ? block.text : '';
}

/** Red once all is built, for one missing module; with so many fixes that did not help. */
function broken(fixes: number, ...ids: string[]): Story {
  const named = (id: string) => p.verification({ id, lineage: id });
  const story = p.built(
    p.planned().act('write-verifications', ...ids.map((id): Fact => ({ fact: 'verification.written', verification: named(id) }))),
  );
  const { step } = story.state.work.tree.change ?? p.change();
  const red = (id: string, n: number): Fact => ({
    fact: 'verification.ran',
    run: p.run({
      verification: id,
      lineage: id,
      n,
      code: 1,
      verdict: 'red',
      summary: 'test failure\nno module',
      excerpt: "Cannot find module 'one'",
    }),
  });
  story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, ...ids.map((id) => red(id, 1)));
  for (let n = 0; n < fixes; n += 1)
    for (const of of ids) {
      const said = { signature: 'test_failure-1', fixApplied: 'x', filesChanged: [], reasoning: 'y' };
      const report = { lineage: of, verification: of, ...said, answer: { kind: 'fixed' as const }, also: [] };
      story.begin('fix', of, [`lineage/${of}`, `signature/${of}/test_failure-1`]);
      story.end({ fact: 'fix.reported', step: story.state.open?.id ?? '', report });
    }
  return story;
}

describe('each dimension changes how the loop works', () => {
  const targets = (row: typeof fix, { state }: Story): string[] => row.due(state).map((d) => d.target);

  it('order: which of the ready tasks is built first; what was found in use stays before all', () => {
    const task = (id: string, change: Partial<Task> = {}): Fact => ({
      fact: 'task.added',
      task: p.task({ id, description: id, ...change }),
    });
    const story = (change: Partial<Strategy>): Story =>
      p
        .awaiting()
        .act(
          'plan',
          task('A'),
          task('B', { prdSection: ['1', 'V1'] }),
          task('C'),
          task('D', { dependencies: ['C'] }),
          task('E', { dependencies: ['D'] }),
          task('F', { dependencies: ['A'] }),
          task('G', { source: 'final' }),
        )
        .act('strategy', changed(change));
    assert.deepEqual(targets(execute, story({})), ['G', 'T1', 'A', 'B', 'C']);
    assert.deepEqual(targets(execute, story({ order: 'value' })), ['G', 'B', 'T1', 'A', 'C']);
    assert.deepEqual(targets(execute, story({ order: 'risk' })), ['G', 'C', 'A', 'T1', 'B']);
  });

  it('fix: what fixers are told, and how hard they think where they rewrite', async () => {
    const at = (change: Partial<Strategy>) => sent(fix, broken(0, 'value/total').act('strategy', changed(change)), 'value/total');
    const [usual, rewrite, revert] = [await at({}), await at({ fix: 'rewrite' }), await at({ fix: 'revert' })];
    assert.doesNotMatch(textOf(usual), /How to go about it now/);
    assert.match(textOf(rewrite), /write that part anew/);
    assert.match(textOf(revert), /take back the part of it that is at fault/);
    assert.deepEqual([usual.effort, rewrite.effort, revert.effort], ['medium', 'high', 'medium']);
  });

  it('tests: what QC is told', async () => {
    const at = async (change: Partial<Strategy>) =>
      textOf(await sent(writeVerifications, p.planned().act('strategy', changed(change)), 'plan'));
    assert.doesNotMatch(await at({}), /How to go about it now/);
    assert.match(await at({ tests: 'smaller' }), /verify the first observable step/);
  });

  it('scope: what builders are told', async () => {
    const at = async (change: Partial<Strategy>) => textOf(await sent(execute, p.awaiting().act('strategy', changed(change)), 'T1'));
    assert.doesNotMatch(await at({}), /How to go about it now/);
    assert.match(await at({ scope: 'smallest' }), /Do the smallest change that meets the acceptance/);
  });

  it('triage: one fix for all that has one cause, or each alone, each on its own fuel', () => {
    const story = broken(0, 'a', 'b', 'c');
    assert.deepEqual(targets(fix, story), ['a']);
    story.act('strategy', changed({ triage: 'one_by_one' }));
    assert.deepEqual(
      fix.due(story.state).map((d) => [d.target, d.burns.length]),
      [
        ['a', 2],
        ['b', 2],
        ['c', 2],
      ],
    );
  });

  it('triage: nobody is asked for common causes where each is mended alone', () => {
    const story = broken(0, 'a', 'b', 'c');
    for (const id of ['a', 'b', 'c'])
      story.state.ledger.runs[id] = (story.state.ledger.runs[id] ?? []).map((run) => ({
        ...run,
        signature: id,
        summary: `x\n${id}`,
        excerpt: id,
      }));
    assert.equal(triage.due(story.state).length, 1);
    assert.equal(triage.due(story.act('strategy', changed({ triage: 'one_by_one' })).state).length, 0);
  });

  it('research: after two failed fixes instead of when they are out, once, and the fixes that are left stay as many', () => {
    const story = broken(2, 'a');
    assert.deepEqual([targets(fix, story), targets(research, story)], [['a'], []]);
    story.act('strategy', changed({ research: 'early' }));
    assert.deepEqual([targets(fix, story), targets(research, story)], [[], ['a']]);
    assert.match(research.due(story.state)[0]?.why ?? '', /two fixes failed/);
    story.begin('research', 'a', ['research/a']).end();
    assert.deepEqual([targets(fix, story), targets(research, story)], [['a'], []]);
    assert.deepEqual(
      [left(story.state.ledger, tank('lineage', 'a')), left(story.state.ledger, tank('signature', 'a/test_failure-1'))],
      [3, 1],
    );
    assert.deepEqual(targets(research, broken(1, 'a').act('strategy', changed({ research: 'early' }))), []);
  });

  it('effort: those who do the work think a step harder, those who judge it as ever; turns and tokens stay', async () => {
    const { ledger } = p.awaiting().act('strategy', changed({ effort: 'raised' })).state;
    assert.deepEqual(
      roleNames.filter((role) => effortOf(ledger, role) !== roles[role].effort),
      ['researcher', 'builder', 'fixer', 'qc'],
    );
    const usual = await sent(execute, p.awaiting(), 'T1');
    const raised = await sent(execute, p.awaiting().act('strategy', changed({ effort: 'raised' })), 'T1');
    assert.deepEqual([usual.effort, raised.effort, raised.maxTokens], ['medium', 'high', usual.maxTokens]);
    assert.equal(effortOf(p.awaiting().act('strategy', changed({ effort: 'raised', fix: 'rewrite' })).state.ledger, 'fixer'), 'high');
  });
});
