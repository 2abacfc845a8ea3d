/** An action whose session reported before a crash ends as it would have ended without one (I1). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Action } from '../../src/engine/actions/action.ts';
import { execute } from '../../src/engine/actions/execute.ts';
import { final } from '../../src/engine/actions/final.ts';
import { fix } from '../../src/engine/actions/fix.ts';
import { writeVerifications } from '../../src/engine/actions/write-verifications.ts';
import { RefusedChange } from '../../src/engine/ground/errors.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { calls, world, type World } from '../support/fakes.ts';
import type { Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { again, play, reported, staged } from './support/play.ts';

interface Case {
  story: Story;
  action: Action;
  target: string;
  reply: Parameters<typeof calls>[0];
  /** Set before the action runs. */
  change?: (w: World) => void;
}

/** What the action ends with, without a crash and after one behind each of its journal lines. */
async function endings({ story, action, target, reply, change }: Case): Promise<Fact['fact'][][]> {
  const run = async (lines: number): Promise<{ facts: Fact[]; lines: number }> => {
    const w = await staged(world({ files: { 'total.sh': 'a + b' } }), story);
    w.model.answers.push(calls(reply));
    change?.(w);
    const { context, kernel } = play(w);
    const before = kernel.state.n;
    w.journal.crashAt = before + lines + 1;
    const facts = await action.run(target, context).catch(() => undefined);
    if (facts && lines === Infinity) return { facts, lines: kernel.state.n - before };
    return { facts: await action.run(target, (await again(w)).context), lines };
  };
  const whole = await run(Infinity);
  // From the second line on the reply is on disk: a model that is asked again has no answer here.
  const crashed = await Promise.all(Array.from({ length: whole.lines - 1 }, (_, index) => run(index + 2)));
  return [whole, ...crashed].map(({ facts }) => facts.map(({ fact }) => fact));
}

function assertAlike(all: readonly Fact['fact'][][], expected: Fact['fact'][]): void {
  assert.ok(all.length > 1, 'it has a line behind which it can crash');
  for (const one of all) assert.deepEqual(one, expected);
}

describe('an action that goes on after a crash', () => {
  it('has what the final evaluation found mended, also where its assessment alone holds the sprint back', async () => {
    const finding = { severity: 'degraded', description: 'slow', user_impact: 'waits', suggested_fix: 'cache', evidence: 'two seconds' };
    const reply = {
      summary: 'I used it as the clerk would, and it added up, but slowly.',
      findings: [finding, { ...finding, severity: 'polish', description: 'a word is missing' }],
      criteria: [{ id: 'value/tone', met: true, evidence: 'I read the greeting: it is kind.' }],
      assessment: { value_score: 0.5, recommendation: 'CONTINUE' },
    };
    const story = p.proven().begin('final', 'evaluation', ['final/evaluation']);
    const all = await endings({ story, action: final, target: 'evaluation', reply: ['report_evaluation', reply] });
    assertAlike(all, ['task.added']);
  });

  it('asks nobody about a declaration that was upheld', async () => {
    const story = p.built(p.planned().act('write-verifications', { fact: 'verification.written', verification: p.verification() }));
    const { step } = story.state.work.tree.change ?? p.change();
    const red: Fact = { fact: 'verification.ran', run: p.run({ code: 1, verdict: 'red' }) };
    story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, red);
    const [due] = fix.due(story.state);
    assert.ok(due);
    story.begin('fix', due.target, ['lineage/value/total']);
    const answer = { kind: 'declaration' as const, evidence: 'The install is another one.', amendments: 0 };
    const said = {
      lineage: 'value/total',
      verification: 'value/total',
      also: [],
      signature: '',
      fixApplied: '',
      filesChanged: [],
      reasoning: '',
    };
    story.end({ fact: 'fix.reported', step: story.state.open?.id ?? '', report: { ...said, answer } });
    story.begin('write-verifications', 'value/total', ['rewrite/value/total']);
    const reply = { why: 'The install is what the manifests say, and it works.' };
    const all = await endings({ story, action: writeVerifications, target: 'value/total', reply: ['uphold_declaration', reply] });
    assertAlike(all, []);
  });

  it('tells its builder why nothing of a change was kept that cannot become a commit', async () => {
    const story = p.awaiting().begin('execute', 'T1', ['execute/T1']);
    const refuses = (w: World): void => {
      w.ports.tree.changes = () =>
        w.repo.undone > 0
          ? Promise.resolve({ files: [], patch: '' })
          : Promise.reject(new RefusedChange(['total.sh holds the value of API_KEY']));
    };
    const all = await endings({ story, action: execute, target: 'T1', reply: ['report_task_complete', reported], change: refuses });
    assertAlike(all, ['tree.undone', 'task.returned']);
  });
});
