/** Trying QC's mutants with a runner that looks at the files: what counts for a proof, and the bound of what may be offered. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { tryOffers } from '../../src/engine/actions/trials/offered-proof.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import type { State } from '../../src/engine/state/state.ts';
import { toolsNamed } from '../../src/engine/tools/registry.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import { mayBeProven, trustOf, untriedMutants } from '../../src/engine/judge/trust.ts';
import type { OfferedMutant, Proof } from '../../src/engine/work/verification.ts';
import { world } from '../support/fakes.ts';
import { changed, refOf } from './support/events.ts';
import { play } from './support/play.ts';
import * as p from './support/parts.ts';

const work = 'rate 2\nprint\n';
const patch = 'diff --git a/total.x b/total.x\n--- a/total.x\n+++ b/total.x\n@@ -0,0 +1,2 @@\n+rate 2\n+print\n';
const { lineage, script } = p.verification();
const offer = (over: Partial<OfferedMutant> = {}): OfferedMutant => ({
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

async function at(files: Record<string, string> = {}) {
  const w = world({ files: { 'total.x': work, ...files } });
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

/** What the verification prints when the work is this. */
const honest = (text: string): Partial<Finished> => {
  if (text === work) return {};
  return { exit: 1, output: `wrong total: expected 4, got ${/rate (\d)\nprint/.exec(text)?.[1] ?? 'nothing'}` };
};

async function tried(decide: (text: string) => Partial<Finished>, ...offers: OfferedMutant[]) {
  const { w, state, context } = await at();
  state.ledger.offers = offers;
  w.runner.decide = (files) => decide(files['total.x'] ?? '');
  return { ...(await tryOffers(context, p.verification())), runs: w.runner.jobs.length, left: w.repo.files };
}

describe("a trial of QC's mutants", () => {
  it('is proof when the verification names the fault, otherwise than a blank file, and is green again without it', async () => {
    const { outcome, why, run, runs, left } = await tried(honest, offer());
    assert.equal(outcome, 'red');
    assert.equal(why, `with QC's mutant "rate 3" for "rate 2" in total.x it fails for its stated reason: too much would be charged`);
    assert.deepEqual([run?.where, run?.code, run?.verdict, runs], ['revert', null, 'red', 5]);
    assert.deepEqual(left, { 'total.x': work }, 'the worktree is as it was');
  });

  it('goes on to the next one', async () => {
    const { outcome, runs } = await tried(honest, offer({ before: 'print', after: 'stop' }), offer());
    assert.deepEqual([outcome, runs], ['red', 9]);
  });

  it('is none where only the tests that the builder wrote notice the fault', async () => {
    const { w, state, context } = await at({ 'total.test.js': "assert(total === 'rate 2')" });
    const files = ['total.x', 'total.test.js'].map((path) => ({ path, kind: 'added' as const }));
    state.work = { ...state.work, tree: { ...state.work.tree, commits: [p.settled({ patch: refOf(patch), files })] } };
    state.ledger.offers = [offer()];
    w.runner.decide = (now) => (now['total.test.js']?.startsWith('assert(') ? honest(now['total.x'] ?? '') : {});
    const { outcome, why } = await tryOffers(context, p.verification());
    assert.equal(outcome, 'not-red');
    assert.match(why, /it stays green$/);
  });

  const nothing: [string, (text: string) => Partial<Finished>, OfferedMutant, RegExp][] = [
    ['it stays green', () => ({}), offer(), /it stays green$/],
    ['it is red and green by turns', byTurns(), offer(), /not for its stated reason/],
    ['the RED text is missing', (t) => (t === work ? {} : { exit: 1, output: 'boo' }), offer(), /not for its stated reason/],
    ['the program is missing', (t) => (t === work ? {} : { exit: 127, output: 'wrong total' }), offer(), /not for its stated reason/],
    [
      'the work crashes in plain sight',
      (t) => (t === work ? {} : { exit: 1, output: `wrong total: expected 4, got TypeError in ${t}` }),
      offer(),
      /breakdown/,
    ],
    ['it fails just so with a blank file', honest, offer({ before: 'print', after: 'stop' }), /just as it does with total\.x blank/],
    ['the verification says no more than that it failed', (t) => (t === work ? {} : { exit: 1, output: 'wrong total' }), offer(), /blank/],
    ['it stays red without the mutant', sticky(), offer(), /still does when that is taken out/],
    ['the work has changed since', honest, offer({ before: 'rate 1' }), /occurs 0 times/],
  ];
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

/** Red for ever once it was red, as a verification that trips over what it left behind. */
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
    verification: 'value/total',
    path: 'total.x',
    old_string: 'rate 2',
    new_string: 'rate 3',
    why: 'too much would be charged',
  };
  const handle = (state: State, over: Partial<typeof input> = {}) => {
    assert.ok(tool?.kind === 'report');
    return tool.handle(tool.input.parse({ ...input, ...over }), { state, target: '', step: 's9', kept: '' });
  };
  const unproven = (...proofs: Proof[]): State => changed(p.green().state, (s) => void (s.ledger.proofs = proofs));

  it('keeps the mutant, for this script', () => {
    const { facts, text } = handle(unproven(proof('control', 'red'), proof('revert', 'not-red')));
    assert.deepEqual(facts, [{ fact: 'mutant.offered', mutant: offer() }]);
    assert.match(text, /2 more may be offered/);
  });

  it('looks at the work before it takes one, and writes nothing', async () => {
    const { w, state } = await at();
    assert.ok(tool?.kind === 'report' && tool.look);
    await tool.look(input, { state, ports: w.ports });
    const bad = tool.look({ ...input, old_string: 'rate 9' }, { state, ports: w.ports });
    await assert.rejects(
      bad,
      new ToolError('That would prove nothing: the text before occurs 0 times in total.x; it must occur exactly once.'),
    );
  });

  const refusals: [string, State, RegExp, Partial<typeof input>?][] = [
    [
      'a fourth for a lineage, whatever its script',
      changed(p.green().state, (s) => void (s.ledger.offers = [1, 2, 3].map(() => offer({ script: refOf('old') })))),
      /3 mutants were offered/,
    ],
    ['one for a verification that is proven', p.proven().state, /can fail, as it is known already/],
    [
      'one for a script whose mutants were tried',
      unproven(proof('offered', 'not-red')),
      /No mutant can prove value\/total as it is: it was so/,
    ],
    ['one for a script that the control refused', unproven(proof('control', 'not-red')), /No mutant can prove/],
    ['one for a criterion', p.green().state, /no verification value\/tone/, { verification: 'value/tone' }],
    ['one for nothing', p.green().state, /no verification x/, { verification: 'x' }],
  ];
  for (const [what, state, why, over] of refusals)
    it(`refuses ${what}`, () =>
      assert.throws(
        () => handle(state, over),
        (error) => error instanceof ToolError && why.test(error.message),
      ));
});

describe('an offered mutant', () => {
  const offered = (...proofs: Proof[]): State =>
    changed(
      p.green().act('write-verifications', { fact: 'mutant.offered', mutant: offer() }).state,
      (s) => void (s.ledger.proofs = proofs),
    );
  const failed = [proof('control', 'red'), proof('revert', 'not-red'), proof('mutants', 'impossible')];

  it('is still to be tried, so that nothing better needs to be written, until it was', () => {
    const state = offered(...failed);
    assert.deepEqual(untriedMutants(state, p.verification()), [offer()]);
    assert.equal(mayBeProven(state, p.verification()), true);
    assert.equal(mayBeProven(offered(...failed, proof('offered', 'not-red')), p.verification()), false);
    assert.equal(
      mayBeProven(
        changed(state, (s) => {
          s.ledger.burned.proof[`${lineage}/${script.slice(0, 8)}/offered`] = 3;
        }),
        p.verification(),
      ),
      false,
    );
  });

  it('goes with its script', () => {
    assert.deepEqual(untriedMutants(offered(...failed), p.verification({ script: refOf('new') })), []);
  });

  it('is a proof of its own kind', () => {
    const trust = trustOf(offered(...failed, proof('offered', 'red')), p.verification());
    assert.deepEqual(trust, { trusted: true, by: 'offered mutant', why: 'it was so' });
  });
});
