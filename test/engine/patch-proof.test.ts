/** Trying QC's patches with a runner that looks at the files: what counts for a proof, and the bound of what may be offered. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { tryPatches } from '../../src/engine/actions/patch-proof.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import type { State } from '../../src/engine/state/state.ts';
import { toolsNamed } from '../../src/engine/tools/registry.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import { mayBeProven, trustOf, untriedPatches } from '../../src/engine/judge/trust.ts';
import type { OfferedPatch, Proof } from '../../src/engine/work/check.ts';
import { world } from '../support/fakes.ts';
import { changed, refOf } from './support/events.ts';
import { play } from './support/play.ts';
import * as p from './support/parts.ts';

const work = 'rate 2\nprint\n';
const patch = 'diff --git a/total.x b/total.x\n--- a/total.x\n+++ b/total.x\n@@ -0,0 +1,2 @@\n+rate 2\n+print\n';
const { lineage, script } = p.check();
const offer = (over: Partial<OfferedPatch> = {}): OfferedPatch => ({
  lineage,
  script,
  path: 'total.x',
  before: 'rate 2',
  after: 'rate 3',
  why: 'too much would be charged',
  ...over,
});
const proof = (kind: Proof['kind'], outcome: Proof['outcome']): Proof => ({
  lineage,
  script,
  kind,
  code: 1,
  outcome,
  why: 'it was so',
});

async function at() {
  const w = world({ files: { 'total.x': work } });
  await w.payloads.put('script of value/total');
  await w.payloads.put(patch);
  w.journal.events.push(...p.green().events);
  const { kernel, context } = play(w);
  kernel.state.work = {
    ...kernel.state.work,
    tree: { ...kernel.state.work.tree, commits: [p.settled({ patch: refOf(patch) })] },
  };
  return { w, state: kernel.state, context };
}

/** What the check prints when the work is this. */
const honest = (text: string): Partial<Finished> => {
  if (text === work) return {};
  return { exit: 1, output: `wrong total: expected 4, got ${/rate (\d)\nprint/.exec(text)?.[1] ?? 'nothing'}` };
};

async function tried(decide: (text: string) => Partial<Finished>, ...offers: OfferedPatch[]) {
  const { w, state, context } = await at();
  state.ledger.offers = offers;
  w.runner.decide = (files) => decide(files['total.x'] ?? '');
  return { ...(await tryPatches(context, p.check())), runs: w.runner.jobs.length, left: w.repo.files };
}

describe("a trial of QC's patches", () => {
  it('is proof when the check names the fault, otherwise than a blank file, and is green again without it', async () => {
    const { outcome, why, run, runs, left } = await tried(honest, offer());
    assert.equal(outcome, 'red');
    assert.equal(
      why,
      `with QC's patch "rate 3" for "rate 2" in total.x it fails for its stated reason: too much would be charged`,
    );
    assert.deepEqual([run?.where, run?.code, run?.verdict, runs], ['revert', null, 'red', 5]);
    assert.deepEqual(left, { 'total.x': work }, 'the worktree is as it was');
  });

  it('goes on to the next one', async () => {
    const { outcome, runs } = await tried(honest, offer({ before: 'print', after: 'stop' }), offer());
    assert.deepEqual([outcome, runs], ['red', 9]);
  });

  const nothing: [string, (text: string) => Partial<Finished>, OfferedPatch, RegExp][] = [
    ['it stays green', () => ({}), offer(), /it stays green$/],
    ['it is red and green by turns', byTurns(), offer(), /not for its stated reason/],
    ['the RED text is missing', (t) => (t === work ? {} : { exit: 1, output: 'boo' }), offer(), /not for its stated reason/],
    ['the program is missing', (t) => (t === work ? {} : { exit: 127, output: 'wrong total' }), offer(), /not for its stated reason/],
    ['the work crashes in plain sight', (t) => (t === work ? {} : { exit: 1, output: `wrong total: expected 4, got TypeError in ${t}` }), offer(), /breakdown/],
    ['it fails just so with a blank file', honest, offer({ before: 'print', after: 'stop' }), /just as it does with total\.x blank/],
    ['the check says no more than that it failed', (t) => (t === work ? {} : { exit: 1, output: 'wrong total' }), offer(), /blank/],
    ['it stays red without the patch', sticky(), offer(), /still does when that is taken out/],
    ['the work has changed since', honest, offer({ before: 'rate 1' }), /occurs 0 times/],
  ]; // prettier-ignore
  for (const [when, decide, offered, why] of nothing)
    it(`is none when ${when}`, async () => {
      const found = await tried(decide, offered);
      assert.equal(found.outcome, 'not-red');
      assert.match(found.why, why);
    });
});

/** Red at every first look at what is no longer the work. */
function byTurns(): (text: string) => Partial<Finished> {
  let looks = 0;
  return (text) => (text !== work && looks++ % 2 === 0 ? honest(text) : {});
}

/** Red for ever once it was red, as a check that trips over what it left behind. */
function sticky(): (text: string) => Partial<Finished> {
  let spoiled = false;
  return (text) => {
    spoiled ||= text !== work;
    return spoiled ? { exit: 1, output: `wrong total: expected 4, got ${text}` } : {};
  };
}

describe('offer_mutant', () => {
  const [tool] = toolsNamed(['offer_mutant']);
  const input = {
    check: 'value/total',
    path: 'total.x',
    old_text: 'rate 2',
    new_text: 'rate 3',
    why: 'too much would be charged',
  };
  const handle = (state: State, over: Partial<typeof input> = {}) => {
    assert.ok(tool?.kind === 'report');
    return tool.handle(tool.input.parse({ ...input, ...over }), { state, target: '', step: 's9', kept: '' });
  };
  const unproven = (...proofs: Proof[]): State => changed(p.green().state, (s) => { s.ledger.proofs = proofs; }); // prettier-ignore

  it('keeps the patch, for this script', () => {
    const { facts, text } = handle(unproven(proof('control', 'red'), proof('revert', 'not-red')));
    assert.deepEqual(facts, [{ fact: 'patch.offered', patch: offer() }]);
    assert.match(text, /2 more may be offered/);
  });

  it('looks at the work before it takes one, and writes nothing', async () => {
    const { w, state } = await at();
    assert.ok(tool?.kind === 'report' && tool.look);
    await tool.look(input, { state, ports: w.ports });
    const bad = tool.look({ ...input, old_text: 'rate 9' }, { state, ports: w.ports });
    await assert.rejects(bad, new ToolError('That would prove nothing: the text before occurs 0 times in total.x; it must occur exactly once.'));
  }); // prettier-ignore

  const refusals: [string, State, RegExp, Partial<typeof input>?][] = [
    ['a fourth for a lineage, whatever its script', changed(p.green().state, (s) => { s.ledger.offers = [1, 2, 3].map(() => offer({ script: refOf('old') })); }), /3 patches were offered/],
    ['one for a check that is proven', p.proven().state, /is proven already/],
    ['one for a script whose patches were tried', unproven(proof('patches', 'not-red')), /No patch can prove value\/total as it is: it was so/],
    ['one for a script that the control refused', unproven(proof('control', 'not-red')), /No patch can prove/],
    ['one for a criterion', p.green().state, /no verification value\/tone/, { check: 'value/tone' }],
    ['one for nothing', p.green().state, /no verification x/, { check: 'x' }],
  ]; // prettier-ignore
  for (const [what, state, why, over] of refusals)
    it(`refuses ${what}`, () => assert.throws(() => handle(state, over), (error) => error instanceof ToolError && why.test(error.message))); // prettier-ignore
});

describe('an offered patch', () => {
  const offered = (...proofs: Proof[]): State =>
    changed(p.green().act('generate-checks', { fact: 'patch.offered', patch: offer() }).state, (s) => void (s.ledger.proofs = proofs)); // prettier-ignore
  const failed = [proof('control', 'red'), proof('revert', 'not-red'), proof('mutants', 'impossible')];

  it('is still to be tried, so that nothing better needs to be written, until it was', () => {
    const state = offered(...failed);
    assert.deepEqual(untriedPatches(state, p.check()), [offer()]);
    assert.equal(mayBeProven(state, p.check()), true);
    assert.equal(mayBeProven(offered(...failed, proof('patches', 'not-red')), p.check()), false);
    assert.equal(mayBeProven(changed(state, (s) => { s.ledger.burned[`proof/${lineage}/${script.slice(0, 8)}/patches`] = 1; }), p.check()), false); // prettier-ignore
  });

  it('goes with its script', () => {
    assert.deepEqual(untriedPatches(offered(...failed), p.check({ script: refOf('new') })), []);
  });

  it('is a proof of its own kind', () => {
    const trust = trustOf(offered(...failed, proof('patches', 'red')), p.check());
    assert.deepEqual(trust, { trusted: true, by: 'patch', why: 'it was so' });
  });
});
