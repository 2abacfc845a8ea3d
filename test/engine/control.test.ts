/** Whose verdict a verification gives: its script's, or the work's (I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { control } from '../../src/engine/actions/control.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import type { ChangedFile } from '../../src/engine/work/tree.ts';
import { world } from '../support/fakes.ts';
import { refOf } from './support/events.ts';
import * as p from './support/parts.ts';
import { play } from './support/play.ts';

const red = { exit: 1, output: 'wrong total' };
const isSilent = (files: Record<string, string>): boolean => (files['total.sh'] ?? '').startsWith(': <<');

interface Setting {
  script: string;
  base?: Record<string, string>;
  work: Record<string, string>;
  /** What the script, with or without a fault in what it wants, does over these files; never green over silent work. */
  decide: (script: string, files: Record<string, string>) => Partial<Finished>;
}

/** What the control says about a verification, and how many runs that took. */
async function controlled({ script, base = {}, work, decide }: Setting): Promise<{ said: string; runs: number }> {
  const w = world({ files: base });
  Object.assign(w.repo.files, work);
  await w.repo.commit('T1', {});
  w.runner.decide = (files, { run }) => (isSilent(files) ? red : decide('script' in run ? run.script : '', files));
  await w.payloads.put(script);
  w.journal.events.push(...p.green().events);
  const { kernel, context } = play(w);
  const files = Object.keys(work).map((path): ChangedFile => ({ path, kind: path in base ? 'modified' : 'added' }));
  kernel.state.work = { ...kernel.state.work, tree: { ...kernel.state.work.tree, commits: [p.settled({ files })] } };
  const verification = p.verification({ script: refOf(script) });
  const found = (await control(context, [verification])).get(verification);
  return { said: `${found?.outcome}: ${found?.why}`, runs: w.runner.jobs.length };
}

const told = '|| { echo "wrong total"; exit 1; }';
const work = { 'total.sh': 'echo $(($1 + $2))\n' };

describe('what a verification wants', () => {
  const two = `[ "$(./total.sh 4 3)" = "7 eggs" ] ${told}\n[ "$(./total.sh 4 5)" = "9 eggs" ] ${told}\n`;

  it('is its own: one other value that turns it red is enough', async () => {
    const { said, runs } = await controlled({ script: two, work, decide: (script) => (script === two ? {} : red) });
    assert.match(said, /^red: it goes by what the work does/);
    assert.equal(runs, 2 + 2, 'green, once with another value, and silent work twice');
  });

  it('is not its own where it stays green with any other value', async () => {
    const { said, runs } = await controlled({ script: two, work, decide: () => ({}) });
    assert.match(said, /^not-red: it stays green with ".*7 eggt.*" for ".*7 eggs.*" in its own text/);
    assert.equal(runs, 3 + 2);
  });

  it('is asked of the second value where the first one is not looked at', async () => {
    const { said } = await controlled({ script: two, work, decide: (script) => (script.includes('9 eggt') ? red : {}) });
    assert.match(said, /^red: /);
  });

  it('tells nothing where a fault breaks the script, or the machine cuts it off', async () => {
    for (const end of [
      { exit: 1, output: 'TypeError' },
      { exit: null, timedOut: true },
      { exit: 127, output: 'wrong total' },
    ]) {
      const { said } = await controlled({ script: two, work, decide: (script) => (script === two ? {} : end) });
      assert.match(said, /^red: /, JSON.stringify(end));
    }
  });

  const table = 'while read -r n want; do\n  [ "$(./total.sh "$n")" = "$want" ] || exit 1\ndone <<END\n1 I\n4 IV\n9 IX\nEND\n';

  it('is read to the last row of a table whose first one counts', async () => {
    const first = await controlled({ script: table, work, decide: (script) => (script.includes('1 J') ? red : {}) });
    assert.match(first.said, /^not-red: it stays green with "9 IY" for "9 IX" in the last row .*<\/dev\/null$/);
    const all = await controlled({ script: table, work, decide: (script) => (script === table ? {} : red) });
    assert.match(all.said, /^red: /);
    const none = await controlled({ script: table, work, decide: () => ({}) });
    assert.match(none.said, /^red: /, 'its rows may be inputs alone');
  });

  const pairs = 'for n, name in [(1, "I"), (4, "IV")]:\n  if roman(n) != name: sys.exit("wrong total")\n';

  it('may be an input as well where it stands in a table, so that counts only in one process with the work', async () => {
    const inside = { 'roman.py': 'def roman(n): return n\n', ...work };
    const from = `from roman import roman\n${pairs}`;
    const script = `python3 - <<END\n${from}END\n`;
    assert.match((await controlled({ script, work: inside, decide: () => ({}) })).said, /^not-red: it stays green/);
    assert.match((await controlled({ script: `python3 - <<END\n${pairs}END\n`, work, decide: () => ({}) })).said, /^red: /);
  });

  const diff = 'sh total.sh > /tmp/got\ndiff data/want.txt /tmp/got || exit 1\n';
  const base = { 'data/want.txt': '7\n' };
  const byFile = (_: string, files: Record<string, string>): Partial<Finished> => (files['data/want.txt'] === '3\n' ? {} : red);

  it('is not what the work wrote over a file that was there before', async () => {
    const changed = { ...work, 'data/want.txt': '3\n' };
    const { said } = await controlled({ script: diff, base, work: changed, decide: byFile });
    assert.match(said, /^not-red: it goes by data\/want\.txt, which the work changed/);
    const stated = await controlled({ script: `${diff}${two}`, base, work: changed, decide: byFile });
    assert.doesNotMatch(stated.said, /it goes by data/);
  });

  it('may be such a file where nothing else is the work, or where it is green with the old one', async () => {
    const alone = await controlled({ script: diff, base, work: { 'data/want.txt': '3\n' }, decide: byFile });
    assert.match(alone.said, /^red: |^not-red: it stays green when the work/);
    const same = await controlled({ script: diff, base, work: { ...work, 'data/want.txt': '3\n' }, decide: () => ({}) });
    assert.match(same.said, /^red: /);
  });
});
