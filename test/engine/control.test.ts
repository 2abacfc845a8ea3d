/** Whose verdict a verification gives: its script's, or the work's (I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { control } from '../../src/engine/actions/trials/control.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import { world } from '../support/fakes.ts';
import { refOf } from './support/events.ts';
import * as p from './support/parts.ts';
import { play } from './support/play.ts';

const red = { exit: 1, output: 'wrong total' };
const work = { 'total.sh': 'echo $(($1 + $2))\n' };
const told = '|| { echo "wrong total"; exit 1; }';
const eggs = `[ "$(./total.sh 4 3)" = "7 eggs" ] ${told}\n`;

type Decide = (script: string) => Partial<Finished>;

/** What the control says about a script, and each text that ran over work that is not silent. */
async function controlled(script: string, decide: Decide, files: Record<string, string> = work): Promise<{ said: string; ran: string[] }> {
  const w = world({ files: {} });
  Object.assign(w.repo.files, files);
  await w.repo.commit('T1', {});
  const ran: string[] = [];
  w.runner.decide = (at, { run }) => {
    const isSilent = (at['total.sh'] ?? '').startsWith(': <<');
    if (isSilent) return red;
    ran.push('script' in run ? run.script : '');
    return decide(ran.at(-1) ?? '');
  };
  await w.payloads.put(script);
  w.journal.events.push(...p.green().events);
  const { kernel, context } = play(w);
  const added = Object.keys(files).map((path) => ({ path, kind: 'added' as const }));
  kernel.state.work = { ...kernel.state.work, tree: { ...kernel.state.work.tree, commits: [p.settled({ files: added })] } };
  const verification = p.verification({ script: refOf(script) });
  const found = (await control(context, [verification])).get(verification);
  return { said: `${found?.outcome}: ${found?.why}`, ran };
}

describe('the control of a script that wants something else', () => {
  const eggt = eggs.replace('7 eggs', '7 eggt');

  it('is not asked where a tool that it runs is the work’s own', async () => {
    const script = `python3 total.py | python3 -m json.tool | grep -q 7 ${told}\n`;
    const { said } = await controlled(script, (text) => (text === script ? {} : red), {
      ...work,
      'json/__init__.py': '',
      'json/tool.py': 'print(7)\n',
    });
    assert.match(said, /^not-red: it uses `python -m json\.tool`, and the work has a module of that name/);
  });

  it('takes it for its own verdict where the script is not green then', async () => {
    for (const end of [red, { exit: 1, output: 'TypeError' }, { exit: null, timedOut: true }, { exit: 127, output: '' }]) {
      const { said, ran } = await controlled(eggs, (script) => (script === eggs ? {} : end));
      assert.match(said, /^red: it goes by what the work does/, JSON.stringify(end));
      assert.deepEqual(ran, [eggs, eggt]);
    }
  });

  it('takes it for the work’s verdict where the script is green all the same, and says with what', async () => {
    const { said } = await controlled(eggs, () => ({}));
    assert.match(said, /^not-red: it stays green with ".*"7 eggt".*" for ".*"7 eggs".*" in its own text: .* Let it compare in a process/);
  });

  it('asks nothing of a script that is red there already, or that states nothing', async () => {
    const early = await controlled(eggs, () => red);
    assert.match(early.said, /^not-red: it fails in a checkout of its own/);
    assert.ok(!early.ran.includes(eggt));
    const order = './total.sh 4 3 | sort -c || { echo "wrong total"; exit 1; }\n';
    const { said, ran } = await controlled(order, () => ({}));
    assert.match(said, /^red: /);
    assert.deepEqual(ran, [order]);
  });

  it('asks for the values of a table only where the work could look at them', async () => {
    const rows = 'from roman import roman\nfor n, want in [(1, "I"), (4, "IV")]:\n  if roman(n) != want: sys.exit("wrong total")\n';
    const script = `python3 - <<END\n${rows}END\n`;
    const inside = await controlled(script, () => ({}), { 'roman.py': 'def roman(n): return n\n', ...work });
    assert.match(inside.said, /^not-red: it stays green with "for n, want in \[\(1, "J"\), \(4, "IW"\)\]:"/);
    assert.match((await controlled(script, () => ({}))).said, /^red: /);
  });
});

describe('the control of a script whose loop shares its input with the work', () => {
  const loop = `while read -r n; do ./total.sh "$n" ${told}; done < rows\n`;
  const apart = `while read -r n <&9; do ./total.sh "$n" ${told}; done 9< rows\n`;

  it('finds work that takes the loop’s rows, and says how to keep them from it', async () => {
    const { said, ran } = await controlled(loop, (script) => (script === loop ? {} : red));
    assert.match(said, /^not-red: what it starts takes the rows that its own loop reads, .* such as `<\/dev\/null`$/);
    assert.deepEqual(ran, [loop, apart, apart]);
  });

  it('says nothing of work that leaves them alone, nor where it is red once, or for another reason', async () => {
    const ends = [[{}], [red, {}], [{ exit: 2, output: 'sh: 9: bad descriptor' }], [{ exit: null, timedOut: true }]];
    for (const end of ends) {
      let n = 0;
      const { said } = await controlled(loop, (script) => (script === loop ? {} : (end[n++] ?? {})));
      assert.match(said, /^red: it goes by what the work does/, JSON.stringify(end));
    }
  });
});
