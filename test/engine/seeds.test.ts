/** A verification that varies runs with seeds that nobody could know, and with the one that it failed with first (I3, I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { final } from '../../src/engine/actions/final.ts';
import { evidenceOf } from '../../src/engine/actions/told/verification-values.ts';
import { seedFrom, usualSeed } from '../../src/engine/ground/seed.ts';
import { finalOf } from '../../src/engine/judge/ending.ts';
import { seedsOf } from '../../src/engine/judge/seeds.ts';
import { fact as factSchema, type Fact } from '../../src/engine/work/facts.ts';
import { world, type World } from '../support/fakes.ts';
import { changed, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const varying = p.verification({ varies: true });
const ready = (): Story => p.proven().act('write-verifications', { fact: 'verification.written', verification: varying });

/** One clean run in which the verification is red with these seeds. */
async function clean(story: Story, isRed: (seed: string, nth: number) => boolean): Promise<World> {
  const w = await staged(world(), story.begin('final', 'clean-run', ['final/clean-run']));
  const seen: string[] = [];
  w.runner.decide = (_files, { seed = '' }) => {
    if (!seen.includes(seed)) seen.push(seed);
    return isRed(seed, seen.indexOf(seed)) ? { exit: 1, output: 'wrong total' } : { output: 'right' };
  };
  story.end(...(await final.run('clean-run', play(w).context)));
  return w;
}
const seedsIn = ({ runner }: World): (string | undefined)[] => runner.jobs.map(({ seed }) => seed);

describe('the seeds of a verification', () => {
  const { state } = ready();
  const drawn = seedsOf(state, varying, 'clean');

  it('are three in a clean checkout, the same each time', () => {
    assert.equal(new Set(drawn).size, 3);
    for (const seed of drawn) assert.match(seed, /^[1-9]\d{0,9}$/);
    assert.deepEqual(seedsOf(ready().state, varying, 'clean'), drawn);
  });

  it('follow from the commit, the code, the sprint and the verification', () => {
    const others = [
      changed(state, (s) => Object.assign(s.work.tree.commits[0] ?? {}, { commit: 'c2' })),
      changed(state, (s) => Object.assign(s.work.tree, { code: 2 })),
      changed(state, (s) => Object.assign(s.opened, { sprint: 'sprints/other' })),
    ].map((other) => seedsOf(other, varying, 'clean'));
    for (const other of [...others, seedsOf(state, { ...varying, id: 'value/other' }, 'clean')])
      assert.deepEqual(
        other.filter((seed) => drawn.includes(seed)),
        [],
      );
  });

  it('are one and the same in its ordinary runs, and none where it does not vary', () => {
    assert.equal(seedsOf(state, varying, 'tree').length, 1);
    assert.deepEqual(seedsOf(state, varying, 'revert'), seedsOf(state, varying, 'tree'));
    assert.deepEqual(seedsOf(state, p.verification(), 'clean'), []);
    assert.deepEqual(seedsOf(state, p.suite(), 'clean'), []);
  });

  it('begin with the one that it failed with, until it is green again', () => {
    const ran = (over: Parameters<typeof p.run>[0]): Fact => ({ fact: 'verification.ran', run: p.run({ code: 1, ...over }) });
    const story = ready().act('final', ran({ n: 4, where: 'clean', verdict: 'red', seed: '77' }));
    assert.equal(seedsOf(story.state, varying, 'tree')[0], '77');
    assert.deepEqual(seedsOf(story.state, varying, 'clean'), ['77', ...drawn]);
    story.act('prove', ran({ n: 5, where: 'revert', code: null, verdict: 'green' }));
    assert.equal(seedsOf(story.state, varying, 'tree')[0], '77');
    story.act('settle', ran({ n: 6 }));
    assert.deepEqual(seedsOf(story.state, varying, 'tree'), seedsOf(state, varying, 'tree'));
  });

  it('are spread: those of texts that differ in one letter have nothing in common', () => {
    const many = Array.from({ length: 500 }, (_, i) => Number(usualSeed(`./total ${i}`)));
    assert.equal(new Set(many).size, 500);
    const tenths = new Set(many.map((seed) => Math.floor(seed / 2 ** 31 / 0.1)));
    assert.equal(tenths.size, 10);
    assert.notEqual(seedFrom(['a', 'bc']), seedFrom(['ab', 'c']));
  });
});

describe('a clean run of a verification that varies', () => {
  it('is green only with all three', async () => {
    const story = ready();
    const drawn = seedsOf(story.state, varying, 'clean');
    const w = await clean(story, () => false);
    assert.deepEqual(seedsIn(w), drawn);
    assert.deepEqual(finalOf(story.state).clean?.green, ['value/total']);
    const run = story.state.ledger.runs['value/total']?.at(-1);
    assert.deepEqual([run?.duration, run?.seed], [15, undefined]);
  });

  it('keeps the seed that it failed with, and says it to the fixer', async () => {
    const story = ready();
    const [first, second] = seedsOf(story.state, varying, 'clean');
    const w = await clean(story, (_seed, nth) => nth === 1);
    // The second run with it tells a failure from a flake; the third seed would tell nothing more.
    assert.deepEqual(seedsIn(w), [first, second, second]);
    const run = story.state.ledger.runs['value/total']?.at(-1);
    assert.deepEqual([run?.verdict, run?.seed], ['red', second]);
    assert.ok(run && evidenceOf(run).includes(`with SEED=${second}.`));
    assert.deepEqual(finalOf(story.state).clean?.red, ['value/total']);
    assert.equal(seedsOf(story.state, varying, 'tree')[0], second);
  });

  it('is not asked for by a script of an older journal', () => {
    const { varies: _varies, ...older } = p.verification();
    const read = factSchema.parse({ fact: 'verification.written', verification: older });
    assert.ok(read.fact === 'verification.written' && read.verification.kind === 'script');
    assert.equal(read.verification.varies, false);
  });
});
