/** Which verifications a broken one of a lower tier keeps from being run, and when it no longer does. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actions } from '../../../src/engine/actions/table.ts';
import { runVerificationsAction } from '../../../src/engine/actions/run-verifications.ts';
import { ending } from '../../../src/engine/judge/ending.ts';
import type { State } from '../../../src/engine/state/state.ts';
import { standingWords } from '../../../src/engine/render/standing.ts';
import { standingOf } from '../../../src/engine/picture/picture.ts';
import { closedGates, gateOf } from '../../../src/engine/judge/gates.ts';
import { statusOf } from '../../../src/engine/judge/status.ts';
import { triage } from '../../../src/engine/diagnose/triage.ts';
import type { Run, Runnable } from '../../../src/engine/work/verification.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { world } from '../../support/fakes.ts';
import { changed, nameOf, type Loose, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { play, staged } from '../support/play.ts';

const tiers = ['health', 'smoke', 'feature', 'value', 'integration', 'e2e'];
/** One of each tier, and one of a tier that only an old journal has. */
const all = [...tiers, 'old word'].map((tier) => p.verification({ id: `all/${tier}`, lineage: `all/${tier}`, tier }));
const written = all.map((verification): Fact => ({ fact: 'verification.written', verification }));
const ran = (tier: string, over: Partial<Run>): Fact => ({
  fact: 'verification.ran',
  run: p.run({ verification: `all/${tier}`, lineage: `all/${tier}`, ...over }),
});

/** Everything is built, as code 1; these have run on it. */
function built(...facts: Fact[]): Story {
  const story = p.built(p.planned().act('write-verifications', ...written));
  const { step } = story.state.work.tree.change ?? p.change();
  return story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, ...facts);
}
const red = (tier: string): Fact => ran(tier, { verdict: 'red', code: 1 });
const gated = (state: State): string[] => all.filter((c) => gateOf(c, closedGates(state))).map((c) => c.tier);
const burned = (state: State): string[] =>
  runVerificationsAction.due(state).flatMap((d) => d.burns.map((tank) => nameOf(tank).split(/[/@]/)[2] ?? ''));

describe('the gates between tiers', () => {
  const above = (tier: string): string[] => [...tiers, 'old word'].slice(tiers.indexOf(tier) + 1);
  const states: [string, State, string[]][] = [
    ['nothing where all is green', built(...tiers.map((t) => ran(t, { code: 1 }))).state, []],
    ['nothing where nothing ran', built().state, []],
    ['all above a broken health verification', built(red('health')).state, above('health')],
    ['all above a broken smoke verification', built(ran('health', { code: 1 }), red('smoke')).state, above('smoke')],
    ['nothing for a broken feature', built(red('feature')).state, []],
    ['nothing for a broken end to end verification', built(red('e2e')).state, []],
    ['nothing for a flaky smoke verification', built(ran('smoke', { verdict: 'flaky', code: 1 })).state, []],
    [
      'nothing for one that is red before its work is built',
      p
        .planned()
        .act('write-verifications', ...written)
        .act('run-verifications', ran('smoke', { verdict: 'red' })).state,
      [],
    ],
    ['nothing for one that was red on older code', changed(built(red('smoke')).state, (s) => void (s.work.tree.code = 2)), []],
    ['nothing for one without a fix left', changed(built(red('smoke')).state, (s) => void (s.ledger.burned.lineage['all/smoke'] = 5)), []],
    [
      'nothing for one without a fix left for this failure',
      changed(built(red('smoke')).state, (s) => void (s.ledger.burned.signature['all/smoke/test_failure-1'] = 3)),
      [],
    ],
    [
      'nothing for one that was retired',
      built(red('smoke')).act('write-verifications', { fact: 'verification.retired', id: 'all/smoke', why: 'x' }).state,
      [],
    ],
    ['nothing once no fix can be paid for', changed(built(red('smoke')).state, (s) => void (s.ledger.budgetReached = 'money')), []],
  ];
  for (const [what, state, expected] of states)
    it(`close for ${what}`, () => {
      assert.deepEqual(gated(state), expected);
    });

  it('never close for a criterion, which nobody runs', () => {
    assert.equal(gateOf(p.criterion(), closedGates(built(red('health')).state)), undefined);
  });

  it('name the lowest tier that is broken', () => {
    const { state } = built(red('smoke'), red('health'));
    assert.equal(gateOf(p.verification(), closedGates(state))?.id, 'all/health');
  });

  it('keep what is gated out of run-verifications, and say so; the fix comes instead', () => {
    const { state } = built(ran('health', { code: 1 }), red('smoke'));
    assert.deepEqual(runVerificationsAction.due(state), []);
    assert.deepEqual(
      actions.fix.due(state).map((d) => d.target),
      ['all/smoke'],
    );
    const open = built(red('health'));
    assert.deepEqual(burned(open.state), []);
    const some = built(red('smoke'));
    assert.deepEqual(burned(some.state), ['health']);
    assert.match(runVerificationsAction.due(some.state)[0]?.why ?? '', /for 1 verification; 5 gated by all\/smoke$/);
  });

  it('open once the broken one is green or blocked: what was gated is run', () => {
    const story = built(ran('health', { code: 1 }), red('smoke'));
    const rest = above('smoke');
    const blocked = changed(story.state, (s: Loose<State>) => {
      s.ledger.burned.lineage['all/smoke'] = 5;
    });
    assert.deepEqual(burned(blocked), rest);
    assert.deepEqual(burned(story.act('run-verifications', ran('smoke', { n: 2, code: 1 })).state), rest);
  });

  it('never show a green of older code for what they keep from being run', () => {
    const story = built(...tiers.map((t) => ran(t, { code: 1 })));
    const feature = all.find((c) => c.tier === 'feature') ?? p.verification();
    assert.equal(statusOf(story.state, feature), 'passed');
    const later = changed(story.state, (s) => {
      s.work.tree.code = 2;
      s.work.results['all/smoke'] = { code: 2, verdict: 'red', signature: 'x' };
      delete s.work.verifications['all/health'];
      Object.assign(s.work.verifications['all/smoke'] ?? {}, { prd: ['V1'] });
    });
    assert.equal(statusOf(later, feature), 'pending');
    assert.equal(standingWords(standingOf(later, feature)), 'not run: gated by all/smoke');
    const reasons = ending(later).reasons.join('\n');
    assert.match(reasons, /all\/feature was not run on the final tree: all\/smoke is broken, and gates it/);
  });
});

describe('a batch of several tiers', () => {
  /** Runs the batch that is due, with this one red. @returns the order in which they began. */
  async function batch(story: Story, fails: string) {
    const [due] = runVerificationsAction.due(story.state);
    assert.ok(due);
    const w = await staged(world(), story.begin('run-verifications', '', due.burns.map(nameOf)));
    w.repo.base = 'c1';
    const began: string[] = [];
    let running = 0;
    let most = 0;
    w.ports.runner = {
      async run({ run }) {
        assert.ok('name' in run);
        began.push(run.name);
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
        return { exit: run.name === fails ? 1 : 0, timedOut: false, duration: 5, output: 'wrong total', dropped: 0 };
      },
    };
    const facts = await runVerificationsAction.run('', play(w).context);
    return { began, facts, most, state: story.end(...facts).state };
  }
  const ids = (facts: Fact[]): string[] => facts.flatMap((f) => (f.fact === 'verification.ran' ? [f.run.verification] : []));

  it('runs them in ascending order', async () => {
    const { began, most } = await batch(built(), '');
    assert.deepEqual(began, ['all-health', 'all-smoke', 'all-feature', 'all-value', 'all-old word', 'all-integration', 'all-e2e']);
    assert.equal(most, 5, 'those that nothing gates run at the same time');
  });

  it('stops the higher ones at a hard tier’s fresh break: they have no result', async () => {
    const { began, facts, state } = await batch(built(), 'all-smoke');
    assert.deepEqual(began, ['all-health', 'all-smoke', 'all-smoke'], 'a red one is run once more');
    assert.deepEqual(ids(facts), ['all/health', 'all/smoke']);
    assert.equal(state.work.results['all/feature'], undefined);
    assert.deepEqual(
      actions.fix.due(state).map((d) => d.target),
      ['all/smoke'],
    );
  });

  it('goes on past red that waits for its work, and past a soft tier’s break', async () => {
    const before = await batch(p.planned().act('write-verifications', ...written), 'all-smoke');
    assert.equal(before.facts.length, all.length);
    const soft = await batch(built(), 'all-feature');
    assert.equal(soft.facts.length, all.length);
  });

  it('leaves fuel for what two gates, one after the other, kept from being run', async () => {
    const story = built();
    await batch(story, 'all-health');
    const block = (id: string): void => {
      for (let n = 0; n < 5; n++) story.begin('fix', id, [`lineage/${id}`]).end();
    };
    block('all/health');
    await batch(story, 'all-smoke');
    block('all/smoke');
    const { facts } = await batch(story, '');
    assert.deepEqual(ids(facts).sort(), ['all/e2e', 'all/feature', 'all/integration', 'all/old word', 'all/value']);
  });
});

describe('the order of mending', () => {
  it('takes the lowest tier first, and in a tier the cause that unblocks most', () => {
    const failure = (verification: Runnable, said: string) => ({
      verification,
      run: { excerpt: '', summary: `red\n${said}`, signature: said },
    });
    const [health, smoke, feature, value, integration, e2e] = all;
    assert.ok(health && smoke && feature && value && integration && e2e);
    const groups = triage([
      failure(e2e, 'a'),
      failure(integration, 'a'),
      failure(p.verification(), 'b'),
      failure(feature, 'c'),
      failure(value, 'c'),
      failure(smoke, 'd'),
    ]);
    assert.deepEqual(
      groups.map(({ verifications }) => verifications.map((c) => c.id)),
      [['all/smoke'], ['all/feature', 'all/value'], ['value/total'], ['all/e2e', 'all/integration']],
    );
  });
});
