/** The row `prove` with a runner that looks at the files: what it takes for a proof, and what it does not (I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { prove } from '../../src/engine/actions/prove.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { Script } from '../../src/engine/work/verification.ts';
import { world, type World } from '../support/fakes.ts';
import { play } from './support/play.ts';
import { refOf, tankOf } from './support/events.ts';
import * as p from './support/parts.ts';
import { adds } from './prove/support.ts';

const base = 'echo $(($1 + $2))\n';
const work = 'sum=$(($1 + $2))\nif [ "$sum" -ge 0 ]; then\n  echo "$sum"\nfi\n';
const patchOfWork = `diff --git a/total.sh b/total.sh\n--- a/total.sh\n+++ b/total.sh\n@@ -1 +1,4 @@\n-${base}${work.replaceAll(/^(?=.)/gm, '+')}`;
const red = { exit: 1, output: 'wrong total' };

/** Runs the row on a tree where T1 rewrote what was there. */
async function proven(
  decide: (text: string, at: World) => Partial<Finished>,
  more: Record<string, string> = {},
  known: readonly Fact[] = [],
  others: readonly Script[] = [],
  later?: readonly [path: string, text: string],
): Promise<{ w: World; facts: Fact[]; said: string[] }> {
  const patch = [patchOfWork, ...Object.entries(more).map(([path, text]) => adds(path, text.trimEnd().split('\n')))].join('');
  const w = world({ files: { 'total.sh': base } });
  Object.assign(w.repo.files, { 'total.sh': work }, more);
  await w.repo.commit('T1', {});
  w.runner.decide = (files) =>
    decide(['total.sh', 'tests/total.sh', 'src/a.rs', 'src/a.php', 'src/b.php'].map((path) => files[path] ?? '').join(''), w);
  await w.payloads.put('script of value/total');
  await w.payloads.put(patch);
  w.journal.events.push(...(known.length > 0 ? p.green().act('prove', ...known) : p.green()).events);
  const { kernel, context } = play(w);
  const added = Object.keys(more).map((path) => ({ path, kind: 'added' as const }));
  const commits = [p.settled({ patch: refOf(patch), files: [{ path: 'total.sh', kind: 'modified' }, ...added] })];
  if (later) {
    const [path, text] = later;
    w.repo.files[path] = text;
    const commit = await w.repo.commit('T9', {});
    const patchOfT9 = await w.payloads.put(adds(path, text.trimEnd().split('\n')));
    commits.push(p.settled({ commit, code: 2, author: { kind: 'task', task: 'T9' }, files: [{ path, kind: 'added' }], patch: patchOfT9 }));
  }
  const { verifications, results } = kernel.state.work;
  kernel.state.work = {
    ...kernel.state.work,
    tree: { ...kernel.state.work.tree, commits },
    verifications: { ...verifications, ...Object.fromEntries(others.map((one) => [one.id, one])) },
    results: { ...results, ...Object.fromEntries(others.map(({ id }) => [id, results['value/total']])) } as typeof results,
  };
  for (const { id } of others) await w.payloads.put(`script of ${id}`);
  const burns = [p.verification(), ...others].flatMap(({ lineage, script }) =>
    ['control', 'revert', 'mutants'].map((kind) => tankOf(`proof/${lineage}/${script.slice(0, 8)}/${kind}`)),
  );
  await kernel.append({
    type: 'step.begun',
    step: { id: 's9', kind: 'action', decision: { action: 'prove', target: '', why: '', burns, behind: [] } },
    burns,
  });
  const facts = await prove.run('', context);
  const said = facts.flatMap((f) => (f.fact === 'verification.proven' ? [`${f.proof.kind} ${f.proof.outcome}: ${f.proof.why}`] : []));
  return { w, facts, said };
}

const isSilent = (text: string): boolean => text.startsWith(': <<');
/** Stays green on the base too: only a wrong line of the work shows that it looks. */
const honest = (text: string): Partial<Finished> => (text.startsWith(work) || text === base ? {} : red);

describe('proving', () => {
  it('goes from the control by the revert to a mutant, and keeps the runs that tell, numbered', async () => {
    const { facts, said } = await proven(honest);
    assert.deepEqual(
      said.map((s) => s.split(':')[0]),
      ['control red', 'revert not-red', 'mutants red'],
    );
    assert.match(said[2] ?? '', /with ".*" for ".*" in total\.sh:\d it fails for its stated reason$/);
    const runs = facts.flatMap((f) => (f.fact === 'verification.ran' ? [[f.run.n, f.run.where, f.run.verdict, f.run.code]] : []));
    assert.deepEqual(runs, [
      [3, 'revert', 'green', null],
      [4, 'revert', 'red', null],
    ]);
  });

  it('proves each of two that share a lineage, as an older journal may have, by its own run', async () => {
    const other = p.verification({ id: 'value/other', script: refOf('script of value/other') });
    const { facts } = await proven((text) => (text === base ? red : isSilent(text) ? red : {}), {}, [], [other]);
    const runs = facts.flatMap((f) =>
      f.fact === 'verification.ran' && f.run.verdict === 'red' ? [[f.run.verification, f.run.script]] : [],
    );
    assert.deepEqual(runs, [
      ['value/total', p.verification().script],
      ['value/other', other.script],
    ]);
  });

  it('records each fault that it tried, and tries none again that it did not see', async () => {
    const first = await proven(honest);
    const tried = first.facts.filter((f) => f.fact === 'fault.tried');
    assert.deepEqual(
      tried.map((f) => [f.tried.path, f.tried.code, f.tried.end]),
      [['total.sh', 1, 'red']],
    );
    const again = await proven(honest, {}, tried);
    assert.match(again.said.at(-1) ?? '', /^mutants red: with ".*" for ".*" in total\.sh:\d it fails for its stated reason$/);
    assert.equal(again.w.runner.jobs.length, first.w.runner.jobs.length, 'its red run is the evidence, so it is made again');
    assert.deepEqual(
      again.facts.filter((f) => f.fact === 'fault.tried'),
      [],
    );
    const unseen = tried.map((f) => ({ ...f, tried: { ...f.tried, end: 'green' as const } }));
    const other = await proven(honest, {}, unseen);
    assert.ok(
      !other.facts.some((f) => f.fact === 'fault.tried' && f.tried.line === tried[0]?.tried.line && f.tried.now === tried[0].tried.now),
    );
  });

  it('takes no known end for another work, another world or another script', async () => {
    const tried = (await proven(honest)).facts.filter((f) => f.fact === 'fault.tried');
    const count = (await proven(honest)).w.runner.jobs.length;
    for (const other of [{ code: 9 }, { world: 9 }, { script: refOf('another') }, { lineage: 'another' }, { now: 'another' }]) {
      const facts = tried.map((f) => ({ ...f, tried: { ...f.tried, ...other } }));
      assert.equal((await proven(honest, {}, facts)).w.runner.jobs.length, count);
    }
  });

  it('tries no mutant where taking the work out is proof', async () => {
    const { said } = await proven((text) => (text.startsWith(work) ? {} : red));
    assert.deepEqual(
      said.map((s) => s.split(':')[0]),
      ['control red', 'revert red'],
    );
  });

  it('takes all work out where nothing runs without its own, because later work was built on it', async () => {
    const needs = 'needs sum';
    const breaks = { exit: 1, output: 'SyntaxError: no sum' };
    const of = async (without: Partial<Finished>): Promise<string[]> => {
      const decide = (text: string): Partial<Finished> => {
        if (text.startsWith(work)) return {};
        return text.includes(needs) ? breaks : without;
      };
      const { said } = await proven(decide, {}, [], [], ['src/a.rs', needs]);
      return said.slice(1);
    };
    assert.deepEqual(await of(red), ['revert red: with all work of the sprint taken out it fails for its stated reason']);
    for (const other of [{}, breaks])
      assert.match((await of(other))[0] ?? '', /^revert not-red: it fails without the work, but not for its stated reason/);
    assert.match((await proven(() => ({}), {}, [], [], ['src/a.rs', needs])).said.join(), /^control not-red/);
    const { said } = await proven(
      (text) => (text.startsWith(work) ? {} : text.includes(needs) ? { exit: 1, output: 'other words' } : red),
      {},
      [],
      [],
      ['src/a.rs', needs],
    );
    assert.match(said[1] ?? '', /^revert not-red/, 'it ran, and failed for another reason than its own');
  });

  it('refuses at the control what stays green with the text alone, and tries nothing more', async () => {
    const { said, w } = await proven((text) => (text.includes('echo "$sum"') ? {} : red));
    assert.deepEqual(
      said.map((s) => s.split(':')[0]),
      ['control not-red'],
    );
    assert.equal(w.runner.jobs.length, 2);
  });

  it('refuses at the control what fails for other words, but not for one flaky run', async () => {
    const fails = (times: number) => (text: string) => (text.includes('change nothing') && times-- > 0 ? red : honest(text));
    assert.match((await proven(fails(9))).said.join(), /^control not-red: it fails .* only comments were added/);
    assert.match((await proven(fails(1))).said.join(), /^control red/);
  });

  it('adds a line end alone where a comment would be an error of the work’s', async () => {
    const seen: string[] = [];
    const files = { 'src/a.php': '<?php f("\n?>");\n', 'src/b.php': '<? f();\n' };
    await proven((text) => (seen.push(text), honest(text)), files);
    const [reworded = ''] = seen.filter((text) => text.startsWith(`${work}#`));
    assert.match(reworded, /f\("\n\?>"\);\n# These words change nothing\.\n<\? f\(\);\n\n$/);
  });

  const hangs = { exit: null, timedOut: true };
  const hasWrongLine = (text: string): boolean => !text.startsWith(work) && text !== base && !isSilent(text);

  it('looks at no run without the work that ran out of time, where a wrong line is proof', async () => {
    const { said, facts, w } = await proven((text) => (text === base ? hangs : honest(text)));
    assert.deepEqual(
      said.map((s) => s.split(':')[0]),
      ['control red', 'mutants red'],
    );
    assert.ok(facts.every((f) => f.fact !== 'verification.ran' || f.run.verdict !== 'none'));
    assert.equal(w.runner.jobs.length, 7, 'three for the control, one without the work, two with a wrong line, one without it again');
  });

  it('blames wrong lines for running out of time only where the sound work does not, too', async () => {
    const hanging = (text: string): Partial<Finished> => (hasWrongLine(text) || text === base ? hangs : honest(text));
    const { said } = await proven(hanging);
    assert.deepEqual(
      said.map((s) => s.split(':')[0]),
      ['control red', 'mutants not-red', 'revert not-red'],
    );
    let isBusy = false;
    const busy = await proven((text) => {
      isBusy ||= hasWrongLine(text);
      return isBusy ? hangs : hanging(text);
    });
    assert.deepEqual(
      busy.said.map((s) => s.split(':')[0]),
      ['control red', 'revert not-red', 'mutants impossible'],
    );
    assert.equal(busy.facts.filter((f) => f.fact === 'verification.ran').at(-1)?.run.looks, 2);
  });

  const own = { 'tests/total.sh': 'FAIL() { echo FAIL; }\n' };
  const runsOwn = (text: string): boolean => text.includes(own['tests/total.sh']) && !text.includes(`THE_WORDS_ALONE`);

  it('refuses at the control what is not green without the tests that the sprint wrote, and says which', async () => {
    const { said } = await proven((text) => (runsOwn(text.replace(/# These.*\n/, '')) && !isSilent(text) ? {} : red), own);
    assert.match(
      said.join(),
      /^control not-red: .* own tests were silenced: tests\/total\.sh\. There it ended with: test failure, exit status 1 wrong total$/,
    );
  });

  it('lets these run in no checkout in which the verification is to turn red', async () => {
    const seen: boolean[] = [];
    const { said } = await proven((text) => (seen.push(runsOwn(text)), honest(text.replace(/: <<'THE[^]*/, ''))), own);
    assert.deepEqual(
      said.map((s) => s.split(':')[0]),
      ['control red', 'revert not-red', 'mutants red'],
    );
    assert.ok(seen.length > 3 && !seen.includes(true));
  });

  const rust = { 'src/a.rs': 'pub fn g() -> i32 { 7 }\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn f() { assert_eq!(1, 1); }\n}\n' };
  const runsInner = (text: string): boolean => text.includes('}\n#[cfg(test)]') && !isSilent(text);

  it('refuses what is not green without tests that stand in a file of the work', async () => {
    const { said } = await proven((text) => (runsInner(text) ? {} : red), rust);
    assert.match(
      said.join(),
      /^control not-red: .* own tests were silenced: src\/a\.rs\. There it ended with: test failure, exit status 1 wrong total$/,
    );
  });

  it('lets these run nowhere, and writes back no work that it took out', async () => {
    const seen: string[] = [];
    const { said } = await proven((text) => (seen.push(text), honest(text.replace(/pub fn[^]*/, ''))), rust);
    assert.deepEqual(
      said.map((s) => s.split(':')[0]),
      ['control red', 'revert not-red', 'mutants red'],
    );
    assert.ok(seen.length > 3 && !seen.some(runsInner));
    assert.ok(seen.some((text) => text.startsWith(base) && !text.includes('pub fn')));
  });

  it('lets these not run beside a fault in the same file either', async () => {
    const seen: string[] = [];
    const { said } = await proven((text) => (seen.push(text), isSilent(text) || text.includes('{ 8 }') ? red : {}), rust);
    assert.match(said.at(-1) ?? '', /^mutants red: with "pub fn g\(\) -> i32 \{ 8 \}"/);
    assert.ok(!seen.some(runsInner));
  });

  it('takes no run at the control that was cut off for one that looks at the work, but tries it again', async () => {
    const slow = (times: number) => (text: string) => (isSilent(text) ? (times-- > 0 ? { exit: null, timedOut: true } : {}) : honest(text));
    assert.match((await proven(slow(9))).said.join(), /^control not-red: it does not end .* tells nothing$/);
    assert.match((await proven(slow(1))).said.join(), /^control not-red: it stays green when/);
    const hangsOnce = (times: number) => (text: string) => (isSilent(text) && times-- > 0 ? { exit: null, timedOut: true } : honest(text));
    assert.match((await proven(hangsOnce(1))).said.join(), /^control red/);
  });

  const chances: [string, (text: string) => boolean, string[]][] = [
    ['at the control', isSilent, ['control not-red']],
    ['without the work', (text) => text === base, ['control red', 'revert not-red', 'mutants red']],
    ['with a line made wrong', (text) => !isSilent(text) && text !== base, ['control red', 'revert not-red', 'mutants not-red']],
  ];
  for (const [where, isThere, expected] of chances)
    it(`takes no chance for proof: red and green by turns ${where}`, async () => {
      const flips = byTurns();
      const { said } = await proven((text) => (isThere(text) ? flips(text) : honest(text)));
      assert.deepEqual(
        said.map((s) => s.split(':')[0]),
        expected,
      );
      const chance = said.find((s) => s.includes('not-red') && s.includes('by turns'));
      assert.equal(chance !== undefined, where !== 'with a line made wrong');
    });

  const noProof: [string, (text: string, w: World) => Partial<Finished>, RegExp][] = [
    ['a red without its RED text', (text) => (honest(text).exit === 1 ? { exit: 1, output: 'boo' } : {}), /none of \d+ lines/],
    [
      'a program that falls over',
      (text) => (honest(text).exit === 1 ? { exit: 1, output: 'wrong total: TypeError: no' } : {}),
      /none of \d+ lines/,
    ],
    [
      'a program that is none any more',
      (text) => (honest(text).exit === 1 ? { exit: 1, output: 'wrong total: SyntaxError' } : {}),
      /none of \d+ lines/,
    ],
    ['a checkout that stays red when the line is put back', spoiled(), /still does when that is put back/],
    ['green for every wrong line', (text) => (isSilent(text) ? red : {}), /none of \d+ lines/],
  ];
  for (const [what, decide, why] of noProof)
    it(`does not take for proof ${what}`, async () => {
      const { said, w } = await proven(decide);
      assert.match(said[2] ?? '', /^mutants not-red: /);
      assert.match(said[2] ?? '', why);
      assert.ok(w.runner.jobs.length <= 4 + 2 * 8);
    });
});

/** Of what should stay green it says so; of all else it is red at every first look and green at every second. */
function byTurns(): (text: string) => Partial<Finished> {
  let looks = 0;
  return (text) => (!text.startsWith(work) && looks++ % 2 === 0 ? red : {});
}

/** Red for ever once the fourth run was over, as a verification is that trips over what it left behind. */
function spoiled(): (text: string) => Partial<Finished> {
  let runs = 0;
  return (text) => (isSilent(text) || ++runs > 3 ? red : {});
}
