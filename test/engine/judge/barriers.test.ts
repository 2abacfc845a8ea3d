/** Barriers: a broken verification of a lower tier stops the higher tiers from running, until it is green or blocked. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actions } from '../../../src/engine/actions/table.ts';
import { runVerificationsAction } from '../../../src/engine/actions/run-verifications.ts';
import { ending } from '../../../src/engine/judge/ending.ts';
import type { State } from '../../../src/engine/state/state.ts';
import { standingWords } from '../../../src/engine/render/standing.ts';
import { standingOf } from '../../../src/engine/picture/picture.ts';
import { barriersOf, barrierOf } from '../../../src/engine/judge/barriers.ts';
import { statusOf } from '../../../src/engine/judge/status.ts';
import { triage } from '../../../src/engine/diagnose/triage.ts';
import type { Run, Runnable } from '../../../src/engine/work/verification.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { world } from '../../support/fakes.ts';
import { changed, nameOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { play, staged } from '../support/play.ts';

const tiers = ['health', 'smoke', 'feature', 'value', 'integration', 'e2e'];
/** One verification of each tier, and one of a tier that only an old journal contains. */
const all = [...tiers, 'old word'].map((tier) => p.verification({ id: `all/${tier}`, lineage: `all/${tier}`, tier }));
const written = all.map((verification): Fact => ({ fact: 'verification.written', verification }));
const ran = (tier: string, over: Partial<Run>): Fact => ({
  fact: 'verification.ran',
  run: p.run({ verification: `all/${tier}`, lineage: `all/${tier}`, ...over }),
});

/** Everything is built as code 1, and these runs are on it. */
function built(...facts: Fact[]): Story {
  const story = p.built(p.planned().act('write-verifications', ...written));
  const { step } = story.state.work.tree.change ?? p.change();
  return story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, ...facts);
}
const red = (tier: string): Fact => ran(tier, { verdict: 'red', code: 1 });
const tiersHeldBack = (state: State): string[] => all.filter((v) => barrierOf(v, barriersOf(state))).map((v) => v.tier);
const burnedTiers = (state: State): string[] =>
  runVerificationsAction.due(state).flatMap(({ burns }) => burns.map((tank) => nameOf(tank).split(/[/@]/)[2] ?? ''));

describe('the barriers between tiers', () => {
  const above = (tier: string): string[] => [...tiers, 'old word'].slice(tiers.indexOf(tier) + 1);
  const states: { what: string; state: State; heldBack: string[] }[] = [
    { what: 'no tier when all are green', state: built(...tiers.map((t) => ran(t, { code: 1 }))).state, heldBack: [] },
    { what: 'no tier when nothing ran', state: built().state, heldBack: [] },
    { what: 'all tiers above a broken health verification', state: built(red('health')).state, heldBack: above('health') },
    {
      what: 'all tiers above a broken smoke verification',
      state: built(ran('health', { code: 1 }), red('smoke')).state,
      heldBack: above('smoke'),
    },
    { what: 'no tier above a broken feature verification', state: built(red('feature')).state, heldBack: [] },
    { what: 'no tier above a broken end-to-end verification', state: built(red('e2e')).state, heldBack: [] },
    { what: 'no tier above a flaky smoke verification', state: built(ran('smoke', { verdict: 'flaky', code: 1 })).state, heldBack: [] },
    {
      what: 'no tier above one that is red before its work is built',
      state: p
        .planned()
        .act('write-verifications', ...written)
        .act('run-verifications', ran('smoke', { verdict: 'red' })).state,
      heldBack: [],
    },
    {
      what: 'no tier above one that was red on older code',
      state: changed(built(red('smoke')).state, (s) => void (s.work.tree.code = 2)),
      heldBack: [],
    },
    {
      what: 'no tier above one without a fix left',
      state: changed(built(red('smoke')).state, (s) => void (s.ledger.burned.lineage['all/smoke'] = 5)),
      heldBack: [],
    },
    {
      what: 'no tier above one without a fix left for this failure',
      state: changed(built(red('smoke')).state, (s) => void (s.ledger.burned.signature['all/smoke/test_failure-1'] = 3)),
      heldBack: [],
    },
    {
      what: 'no tier above a retired one',
      state: built(red('smoke')).act('write-verifications', { fact: 'verification.retired', id: 'all/smoke', why: 'x' }).state,
      heldBack: [],
    },
    {
      what: 'no tier when no fix is affordable, or an unaffordable verification would hold back forever',
      state: changed(built(red('smoke')).state, (s) => void (s.ledger.budgetReached = 'money')),
      heldBack: [],
    },
  ];
  for (const { what, state, heldBack } of states)
    it(`close for ${what}`, () => {
      assert.deepEqual(tiersHeldBack(state), heldBack);
    });

  it('never close for a criterion, because it is not run', () => {
    assert.equal(barrierOf(p.criterion(), barriersOf(built(red('health')).state)), undefined);
  });

  it('name the broken verification of the lowest tier', () => {
    const { state } = built(red('smoke'), red('health'));
    assert.equal(barrierOf(p.verification(), barriersOf(state))?.id, 'all/health');
  });

  it('take what they hold back out of run-verifications and say so; the fix is due instead', () => {
    const { state } = built(ran('health', { code: 1 }), red('smoke'));
    assert.deepEqual(runVerificationsAction.due(state), []);
    assert.deepEqual(
      actions.fix.due(state).map(({ target }) => target),
      ['all/smoke'],
    );
    const open = built(red('health'));
    assert.deepEqual(burnedTiers(open.state), []);
    const some = built(red('smoke'));
    assert.deepEqual(burnedTiers(some.state), ['health']);
    assert.match(runVerificationsAction.due(some.state)[0]?.why ?? '', /for 1 verification; 5 held back by all\/smoke$/);
  });

  it('open when the broken one is green or blocked, and what they held back runs', () => {
    const story = built(ran('health', { code: 1 }), red('smoke'));
    const rest = above('smoke');
    const blocked = changed(story.state, (s) => void (s.ledger.burned.lineage['all/smoke'] = 5));
    assert.deepEqual(burnedTiers(blocked), rest);
    assert.deepEqual(burnedTiers(story.act('run-verifications', ran('smoke', { n: 2, code: 1 })).state), rest);
  });

  it('never show what is held back as green from older code', () => {
    const story = built(...tiers.map((t) => ran(t, { code: 1 })));
    const feature = all.find((v) => v.tier === 'feature') ?? p.verification();
    assert.equal(statusOf(story.state, feature), 'passed');
    const later = changed(story.state, (s) => {
      s.work.tree.code = 2;
      s.work.results['all/smoke'] = { code: 2, verdict: 'red', signature: 'x', n: 1 };
      delete s.work.verifications['all/health'];
      Object.assign(s.work.verifications['all/smoke'] ?? {}, { prd: ['V1'] });
    });
    assert.equal(statusOf(later, feature), 'pending');
    assert.equal(standingWords(standingOf(later, feature)), 'not run: held back by all/smoke');
    const reasons = ending(later).reasons.join('\n');
    assert.match(reasons, /all\/feature was not run on the final tree: all\/smoke is broken, and holds it back/);
  });
});

describe('a batch of several tiers', () => {
  /** Runs the due batch, in which the verification named `fails` is red. @returns among others the order of the starts. */
  async function batch(story: Story, fails: string) {
    const [due] = runVerificationsAction.due(story.state);
    assert.ok(due);
    const w = await staged(world(), story.begin('run-verifications', '', due.burns.map(nameOf)));
    w.repo.base = 'c1';
    const started: string[] = [];
    let running = 0;
    let most = 0;
    w.ports.runner = {
      async run({ run }) {
        assert.ok('name' in run);
        started.push(run.name);
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
        return { exit: run.name === fails ? 1 : 0, timedOut: false, duration: 5, output: 'wrong total', dropped: 0 };
      },
    };
    const facts = await runVerificationsAction.run('', play(w).context);
    return { started, facts, most, state: story.end(...facts).state };
  }
  const ids = (facts: Fact[]): string[] => facts.flatMap((f) => (f.fact === 'verification.ran' ? [f.run.verification] : []));

  it('runs the tiers in ascending order', async () => {
    const { started, most } = await batch(built(), '');
    assert.deepEqual(started, ['all-health', 'all-smoke', 'all-feature', 'all-value', 'all-old-word', 'all-integration', 'all-e2e']);
    assert.equal(most, 5, 'tiers without a barrier run at the same time');
  });

  it('stops the higher tiers when a gating tier breaks, and they get no result', async () => {
    const { started, facts, state } = await batch(built(), 'all-smoke');
    assert.deepEqual(started, ['all-health', 'all-smoke', 'all-smoke'], 'a red one runs once more');
    assert.deepEqual(ids(facts), ['all/health', 'all/smoke']);
    assert.equal(state.work.results['all/feature'], undefined);
    assert.deepEqual(
      actions.fix.due(state).map(({ target }) => target),
      ['all/smoke'],
    );
  });

  it('goes on after a red one that waits for its work, and after a break in a tier that is no barrier', async () => {
    const before = await batch(p.planned().act('write-verifications', ...written), 'all-smoke');
    assert.equal(before.facts.length, all.length);
    const soft = await batch(built(), 'all-feature');
    assert.equal(soft.facts.length, all.length);
  });

  it('keeps fuel for verifications that two barriers stopped one after the other', async () => {
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

describe('the order of fixing', () => {
  it('takes the lowest tier first, and in a tier the cause with the most verifications', () => {
    const failure = (verification: Runnable, output: string) => ({
      verification,
      run: { excerpt: '', summary: `red\n${output}`, signature: output },
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
      groups.map(({ verifications }) => verifications.map((v) => v.id)),
      [['all/smoke'], ['all/feature', 'all/value'], ['value/total'], ['all/e2e', 'all/integration']],
    );
  });
});
