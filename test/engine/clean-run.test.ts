/** The clean run: no verification does the work that another one looks for (I7, docs/decisions/0017). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Action } from '../../src/engine/actions/action.ts';
import { final } from '../../src/engine/actions/final.ts';
import { measure } from '../../src/engine/actions/measure.ts';
import { runHidden } from '../../src/engine/actions/run-hidden.ts';
import { prove } from '../../src/engine/actions/prove.ts';
import { ending, finalOf } from '../../src/engine/judge/ending.ts';
import type { Run } from '../../src/engine/work/verification.ts';
import { fact as factSchema, type Fact, type FactOf } from '../../src/engine/work/facts.ts';
import { says, world } from '../support/fakes.ts';
import { refOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

/** What a clean run of two verifications found and says; the first to run does this to its checkout, the other one looks for `work`. */
async function cleanRun(
  first: (files: Record<string, string>) => void,
): Promise<{ said: FactOf<'clean.ran'>['clean']; found: string[]; checkouts: number }> {
  const other = p.verification({ id: 'value/other', lineage: 'value/other' });
  const story = p
    .proven()
    .act('write-verifications', { fact: 'verification.written', verification: other })
    .begin('final', 'clean-run', ['final/clean-run']);
  const w = await staged(world(), story);
  w.runner.decide = (files, { run }) => {
    if (!('name' in run)) return {};
    if (run.name === 'value-total') first(files);
    return run.name === 'value-total' || files['work'] !== undefined ? {} : { exit: 1, output: 'wrong total' };
  };
  const facts = await final.run('clean-run', play(w).context);
  const said = facts.find((fact) => fact.fact === 'clean.ran')?.clean;
  assert.ok(said);
  const found = facts.flatMap((fact) => (fact.fact === 'verification.ran' ? [`${fact.run.verification} ${fact.run.verdict}`] : []));
  return { said, found, checkouts: new Set(w.runner.jobs.map(({ at }) => JSON.stringify(at))).size };
}

describe('the clean run', () => {
  it('is made in one checkout, and no verification does the work that another one looks for', async () => {
    const { found, checkouts } = await cleanRun((files) => (files['work'] = 'done by a verification'));
    assert.deepEqual([found, checkouts], [['value/total green', 'value/other red'], 1]);
  });

  const rows: [action: Action, target: string, burns: string[]][] = [
    [final, 'clean-run', ['final/clean-run']],
    [prove, '', []],
    [measure, '', []],
    [runHidden, '', []],
    [final, 'evaluation', ['final/evaluation']],
  ];
  for (const [action, target, burns] of rows)
    it(`is prepared as the worktree is: what is declared and was not installed is made first (${action.id})`, async () => {
      const story = p.proven().begin(action.id, target, burns);
      // An evaluator that says nothing is asked twice.
      const answers = [says('I looked.'), says('I looked.'), says('I looked.')];
      const w = await staged(world({ files: { 'package.json': '{ "dependencies": { "a": "1" } }\n' }, answers }), story);
      const { kernel, context } = play(w);
      assert.deepEqual(kernel.state.ledger.installs, {});
      await action.run(target, context);
      const installs = w.runner.jobs.flatMap(({ run, at }) => ('command' in run && run.command.includes('npm') ? [at] : []));
      assert.ok(installs.includes('worktree'), JSON.stringify(w.runner.jobs));
      const exits = Object.values(kernel.state.ledger.installs).map(({ exit }) => exit);
      assert.deepEqual(exits, [0]);
    });

  it('says besides its runs only of which code it was and why, also in a journal that says more', async () => {
    const { said } = await cleanRun(() => undefined);
    assert.deepEqual(said, { code: 1, why: 'the first look at it' });
    const old = { code: 1, commit: 'c1', green: [], red: ['value/total'], flaky: ['value/other'], why: '' };
    assert.deepEqual(factSchema.parse({ fact: 'clean.ran', clean: old }), { fact: 'clean.ran', clean: { code: 1, why: '' } });
  });
});

describe('a clean look', () => {
  const ran = (over: Partial<Run>): Fact => ({ fact: 'verification.ran', run: p.run({ n: 4, code: 1, ...over }) });
  const looked = (story: Story, verdict: Run['verdict']): Story => {
    const clean: Fact = { fact: 'clean.ran', clean: { code: 1, why: '' } };
    return story.act('final', ran({ where: 'clean', verdict }), clean);
  };
  const rewritten = (story: Story): Story => {
    const script = refOf('written again');
    const verification = p.verification({ script });
    return story.act('write-verifications', { fact: 'verification.written', verification }).act('run-verifications', ran({ n: 5, script }));
  };
  const due = ({ state }: Story): string[] => final.due(state).map(({ target }) => target);

  for (const verdict of ['red', 'flaky', 'green'] as const)
    it(`that was ${verdict} says nothing of another script: it is taken again on the same code`, () => {
      const story = rewritten(looked(p.proven(), verdict));
      assert.deepEqual(due(story), ['clean-run']);
      assert.equal(finalOf(story.state).clean, undefined);
      const { reasons } = ending(story.state);
      assert.ok(reasons.includes('These did not run in a clean checkout of the final tree as they are now: value/total.'));
      assert.ok(!reasons.some((why) => why.startsWith('In a clean checkout')), reasons.join());
    });

  it('counts once the new script was run', () => {
    const story = rewritten(looked(p.proven(), 'red'));
    const clean: Fact = { fact: 'clean.ran', clean: { code: 1, why: 'again' } };
    story.act('final', ran({ n: 6, where: 'clean', script: refOf('written again') }), clean);
    assert.deepEqual(finalOf(story.state).clean, { green: ['value/total'], red: [], flaky: [], why: 'again' });
    assert.deepEqual(due(story), ['evaluation']);
  });

  it('that was red is no reason against what is left once that verification is retired', () => {
    const other = p.verification({ id: 'value/other', lineage: 'value/other' });
    const about = { verification: other.id, lineage: other.lineage, n: 1 };
    const story = p
      .proven()
      .act('write-verifications', { fact: 'verification.written', verification: other })
      .act('run-verifications', ran(about));
    const clean: Fact = { fact: 'clean.ran', clean: { code: 1, why: '' } };
    story.act('final', ran({ where: 'clean' }), ran({ ...about, n: 2, where: 'clean', verdict: 'red' }), clean);
    assert.deepEqual(finalOf(story.state).clean?.red, [other.id]);
    story.act('characterise', { fact: 'verification.retired', id: other.id, why: 'a requirement contradicts it' });
    assert.deepEqual(due(story), ['evaluation']);
    assert.ok(!ending(story.state).reasons.some((why) => why.startsWith('In a clean checkout')));
  });

  it('says of each why it was taken', async () => {
    const story = rewritten(looked(p.proven(), 'red')).begin('final', 'clean-run', ['final/clean-run']);
    const w = await staged(world(), story);
    await w.payloads.put('written again');
    const facts = await final.run('clean-run', play(w).context);
    const [said] = facts.flatMap((fact) => (fact.fact === 'clean.ran' ? [fact.clean.why] : []));
    assert.equal(said, 'one more look, since value/total did not run in the others as it is now');
  });
});
