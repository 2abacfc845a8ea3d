/** Sessions are shown the files that they would read first: those that the documents name, and those that a task expects to change. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { textsThere, textsToBuildOn, textsToUse } from '../../src/engine/actions/told/shown-texts.ts';
import { firstLook } from '../../src/engine/actions/told/first-look.ts';
import { world } from '../support/fakes.ts';
import { changed } from './support/events.ts';
import * as p from './support/parts.ts';
import { staged, play } from './support/play.ts';

const prd = '# PRD\n\n1. `report.md` is made from `notes.md` and `data/log.csv`, as PRD.md says. No `.env`.\n';

/** A sprint with these files, whose documents are `prd` and a Vision that names none. */
async function ground(files: Record<string, string>) {
  const w = await staged(world({ files }), p.planned().begin('plan', ''));
  const [vision, ref] = await Promise.all(['# Vision', prd].map((text) => w.payloads.put(text)));
  const { context } = play(w);
  const inputs = [
    { name: 'VISION.md', ref: vision ?? '' },
    { name: 'PRD.md', ref: ref ?? '' },
  ];
  return { w, at: { ...context, state: { ...context.state, opened: { ...context.state.opened, inputs } } } };
}

/** Too much to be shown whole, as a file of the repository and as one of its programs. */
const large = { 'zz/large.js': 'x'.repeat(41_000) };
const pathsIn = (text: string): string[] => [...text.matchAll(/^(\S+):$/gm)].flatMap(([, path]) => path ?? []);
const shown = async (files: Record<string, string>, filesExpected: string[]): Promise<string> =>
  textsToBuildOn((await ground({ ...files, ...large })).at, p.task({ filesExpected, description: 'Build it', acceptance: 'It is built' }));

describe('what no work is about', () => {
  it('is shown to nobody', async () => {
    const formal = Object.fromEntries(
      ['LICENSE', 'license.md', '.github/security.md', 'docs/CODE_OF_CONDUCT.md'].map((path) => [path, 'x']),
    );
    const { at } = await ground({ ...formal, 'a.js': 'let a;\n' });
    assert.deepEqual(pathsIn(await textsThere(at)), ['a.js']);
  });
});

describe('the files that a task expects to change', () => {
  it('are shown whole, in the order of the task', async () => {
    assert.equal(
      await shown({ 'a.js': 'let a;\n', 'b.js': 'let b;', 'c.js': 'let c;\n' }, ['b.js', 'new.js', 'a.js']),
      'The files that it expects to change, names, or builds on, as they stand now:\n\nb.js:\n\n```\nlet b;\n```\n\na.js:\n\n```\nlet a;\n```',
    );
  });

  it('are only named where they are too long together', async () => {
    const long = 'x'.repeat(21_000);
    const text = await shown({ 'a.js': long, 'b.js': long, 'c.js': 'let c;\n' }, ['a.js', 'b.js', 'c.js']);
    assert.match(text, /now:\n\na\.js:\n\n```\nx+\n```\n\nb\.js: 21000 characters, not shown here\.\n\nc\.js:\n\n```\nlet c;\n```$/);
  });

  it('are outlined where they are programs that are too long: what begins at which line', async () => {
    const filler = 'x = 1\n'.repeat(8000);
    const python = `import os\n\ndef total(rows):\n    def one(row):\n        return 1\n    return one\n\n@frozen\nclass Table:\n    def fit(self):\n        pass\n${filler}`;
    const script = `export const add = (a) => a;\nlet b = [() => 1];\nexport class Box {\n  get() {}\n}\n${'// x\n'.repeat(9000)}`;
    const text = await shown({ 'a.py': python, 'b.js': script }, ['a.py', 'b.js']);
    const outline = (...lines: string[]): string => `not shown here. By line, it has:\n\n\`\`\`\n${lines.join('\n')}\n\`\`\``;
    assert.ok(text.includes(outline('3: def total(rows):', '9: class Table:', '10:     def fit(self):')), text);
    assert.ok(text.includes(outline('1: export const add = (a) => a;', '3: export class Box {', '4:   get() {}')), text);
  });

  it('are outlined by what is in nothing else where there is very much', async () => {
    const many = Array.from({ length: 160 }, (_, n) => `class C${n}:\n    def go(self):\n${'        pass\n'.repeat(25)}`).join('');
    const text = await shown({ 'a.py': many }, ['a.py']);
    assert.match(text, /```\n1: class C0:\n28: class C1:\n/);
    assert.match(text, /: class C99:\nand 60 more\n```$/);
  });

  it('go before shorter ones that they are only built on, and before tests', async () => {
    const long = 'x'.repeat(30_000);
    const text = await shown({ 'a.js': long, 'a.test.js': 'y'.repeat(10_001) }, ['a.test.js', 'a.js']);
    assert.match(text, /a\.test\.js: 10001 characters, not shown here\.\n\na\.js:\n\n```\nx+\n```$/);
    assert.match(await shown({ 'a.js': long, 'a.test.js': 'y' }, ['a.test.js', 'a.js']), /a\.test\.js:\n\n```\ny\n```\n\na\.js:/);
  });

  it('are shown in part where they are a log of changes, whose older entries nobody changes', async () => {
    const log = `# Changes\n\n## 2\n${'- new\n'.repeat(10)}\n## 1\n${'- something older\n'.repeat(900)}`;
    const text = await shown({ 'CHANGELOG.md': log, 'a.js': 'let a;\n' }, ['CHANGELOG.md', 'a.js']);
    assert.match(
      text,
      /CHANGELOG\.md:\n\n```\n# Changes\n\n## 2\n(- new\n){10}\n## 1\n(- something older\n)+\[\d+ more characters of older entries\]\n```/,
    );
    assert.ok(text.length < 2500);
    assert.match(await shown({ 'HISTORY.rst': '# 1\n' }, ['HISTORY.rst']), /# 1\n```$/, 'a short one whole');
  });

  it('stand in fences that none of their own ends', async () => {
    const readme = '```sh\nnpm start\n```\n';
    assert.match(await shown({ 'README.md': readme }, ['README.md']), /\n````\n```sh\nnpm start\n```\n````$/);
  });

  it('are also those that its words name, as those of a finding do', async () => {
    const files = { 'docs/card.md': 'Call 12.\n', 'other.md': 'x', '.env': 'KEY=1' };
    const task = p.task({ filesExpected: [], description: 'Say it in `card.md`, as PRD.md does', acceptance: 'other than .env' });
    const { at } = await ground({ ...files, ...large, 'sprint/PRD.md': prd });
    assert.equal(
      await textsToBuildOn(at, task),
      'The files that it expects to change, names, or builds on, as they stand now:\n\ndocs/card.md:\n\n```\nCall 12.\n```',
    );
  });

  it('are also those that the tasks before it wrote, and those before these, but for their tests', async () => {
    const { at } = await ground({
      ...large,
      'read.py': 'r',
      'test_read.py': 't',
      'tests/conftest.py': 'c',
      'other.py': 'o',
      'old.py': 'x',
    });
    const files = [
      { path: 'read.py', kind: 'added' as const },
      { path: 'test_read.py', kind: 'added' as const },
      { path: 'tests/conftest.py', kind: 'added' as const },
      { path: 'old.py', kind: 'modified' as const },
    ];
    const commits = [
      p.settled({ files }),
      p.settled({ code: 2, author: { kind: 'task', task: 'T2' }, files: [{ path: 'other.py', kind: 'added' }] }),
      p.settled({ code: 3, author: { kind: 'task', task: 'T3' }, files: [{ path: 'gone.py', kind: 'deleted' }] }),
    ];
    const tasks = { T1: p.task(), T3: p.task({ id: 'T3', dependencies: ['T1'] }) };
    const after = { ...at, state: { ...at.state, work: { ...at.state.work, tasks, tree: { ...at.state.work.tree, commits } } } };
    const task = p.task({ id: 'T4', filesExpected: [], description: 'Sum', acceptance: 'It sums', dependencies: ['T3'] });
    assert.deepEqual(pathsIn(await textsToBuildOn(after, task)), ['read.py', 'tests/conftest.py', 'old.py']);
  });

  it('are the README at the top where words say README alone', async () => {
    const { at } = await ground({ ...large, 'README.md': 'a', 'docs/README.md': 'b' });
    const task = p.task({ filesExpected: [], description: 'Say so in the README.', acceptance: 'It is said' });
    assert.deepEqual(pathsIn(await textsToBuildOn(at, task)), ['README.md']);
  });

  it('are none of several that have the name which its words say', async () => {
    const { at } = await ground({ ...large, 'a/index.js': 'a', 'b/index.js': 'b' });
    assert.equal(await textsToBuildOn(at, p.task({ filesExpected: [], description: 'Mend index.js', acceptance: 'It runs' })), '');
    const task = p.task({ filesExpected: [], description: 'Mend b/index.js', acceptance: 'It runs' });
    assert.deepEqual(pathsIn(await textsToBuildOn(at, task)), ['b/index.js']);
  });

  it('may all be new', async () => {
    assert.equal(await shown({}, ['a.js']), '');
  });
});

describe('the files of the repository', () => {
  const files = {
    'data/log.csv': 'id\n1\n',
    'notes.md': 'Call 12.\n',
    'other.md': 'x',
    'sprint/PRD.md': prd,
    '.env': 'KEY=1',
    'package-lock.json': '{}',
  };

  it('are those that the documents name, in their order, without the documents and what holds a secret', async () => {
    const { at } = await ground({ ...files, ...large });
    const text = await textsThere(at);
    assert.equal(
      text,
      'Files of the repository, as they stand now:\n\nnotes.md:\n\n```\nCall 12.\n```\n\ndata/log.csv:\n\n```\nid\n1\n```',
    );
  });

  it('are all of them where they are few and short, with what the sprint made only for who builds on it', async () => {
    const { at } = await ground({ ...files, 'made.md': 'new' });
    const made = [{ path: 'made.md', kind: 'added' as const }];
    const built = { ...at, state: changed(at.state, (s) => void s.work.tree.commits.push(p.settled({ files: made }))) };
    assert.deepEqual(pathsIn(await textsThere(built)), ['notes.md', 'data/log.csv', 'other.md']);
    const task = p.task({ filesExpected: ['other.md'], description: 'Go on', acceptance: 'It is there' });
    assert.deepEqual(pathsIn(await textsToBuildOn(built, task)), ['other.md', 'notes.md', 'data/log.csv', 'made.md']);
  });

  it('are the programs without their tests where these are short, beside what the documents name', async () => {
    const programs = { 'db/old.sql': 's', 'src/read.py': 'x'.repeat(12_000), 'src/sum.py': 'y', 'test_sum.py': 'z' };
    const { at } = await ground({ ...files, ...programs });
    assert.deepEqual(pathsIn(await textsThere(at)), ['notes.md', 'data/log.csv', 'db/old.sql', 'src/read.py', 'src/sum.py']);
    const task = p.task({ filesExpected: ['src/sum.py'], description: 'Go on', acceptance: 'It is there' });
    assert.deepEqual(pathsIn(await textsToBuildOn(at, task)), ['src/sum.py', 'notes.md', 'data/log.csv', 'db/old.sql', 'src/read.py']);
    const longer = await ground({ ...files, ...programs, 'src/sum.py': 'y'.repeat(29_000) });
    assert.deepEqual(pathsIn(await textsThere(longer.at)), ['notes.md', 'data/log.csv']);
    const between = await ground({ ...files, ...programs, 'src/sum.py': 'y'.repeat(9000) });
    assert.deepEqual(pathsIn(await textsThere(between.at)), ['notes.md', 'data/log.csv', 'db/old.sql', 'src/read.py', 'src/sum.py']);
    const other = p.task({ filesExpected: ['notes.md'], description: 'Go on', acceptance: 'It is there' });
    assert.deepEqual(pathsIn(await textsToBuildOn(between.at, other)), ['notes.md', 'data/log.csv'], 'a builder has its own to read');
  });

  it('are the programs also among many files that are none', async () => {
    const others = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`docs/${i}.md`, '']));
    const { at } = await ground({ ...files, ...others, 'src/sum.py': 'y'.repeat(9000) });
    assert.deepEqual(pathsIn(await textsThere(at)), ['notes.md', 'data/log.csv', 'src/sum.py']);
  });

  it('are for discovery also what tells how it is installed and checked', async () => {
    const settings = { 'tox.ini': '[tox]', 'pyproject.toml': '[project]', '.github/workflows/ci.yml': 'jobs: {}', 'poetry.lock': '' };
    const { at } = await ground({ ...files, ...settings, 'src/sum.py': 'x'.repeat(9000) });
    assert.deepEqual(pathsIn(await textsThere(at)), ['notes.md', 'data/log.csv', 'src/sum.py']);
    assert.deepEqual(pathsIn(await firstLook(at)).toSorted(), [
      '.github/workflows/ci.yml',
      'data/log.csv',
      'notes.md',
      'pyproject.toml',
      'src/sum.py',
      'tox.ini',
    ]);
  });

  it('are not all of them where there are many', async () => {
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`src/${i}.js`, '']));
    assert.deepEqual(pathsIn(await textsThere((await ground({ ...files, ...many })).at)), ['notes.md', 'data/log.csv']);
  });

  it('are for who uses the result the texts that were written, each once, and what the documents name besides', async () => {
    const { at } = await ground({ ...files, 'report.md': 'All is well.\n', 'tool.js': 'run()\n' });
    assert.deepEqual(pathsIn(await textsToUse(at)), ['report.md', 'notes.md', 'data/log.csv'], 'nothing is written yet');
    const touched = [
      { path: 'report.md', kind: 'added' as const },
      { path: 'notes.md', kind: 'modified' as const },
      { path: 'tool.js', kind: 'added' as const },
    ];
    const used = { ...at, state: changed(at.state, (s) => void s.work.tree.commits.push(p.settled({ files: touched }))) };
    const text = await textsToUse(used);
    assert.deepEqual(pathsIn(text), ['notes.md', 'report.md', 'data/log.csv']);
    assert.match(text, /^Texts that this sprint wrote or changed, as they stand now:\n\nnotes\.md:[^]*\n\nFiles of the repository/);
  });

  it('hold no secret, wherever they are shown', async () => {
    const { at } = await ground({ ...files, 'notes.md': `Call with sk-ant-api03-${'a1B2'.repeat(12)}\n` });
    const task = p.task({ filesExpected: ['notes.md', '.env'], description: 'Go on', acceptance: 'It is there' });
    for (const text of [await textsThere(at), await textsToBuildOn(at, task), await textsToUse(at)]) {
      assert.doesNotMatch(text, /a1B2|KEY=1/);
      assert.match(text, /\[redacted\]/);
    }
  });

  it('are told to discovery, with what else is there and the tools of the machine', async () => {
    const { w, at } = await ground(files);
    w.machine.tools.set('node', '20.20.2').set('git', '');
    const text = await firstLook(at);
    assert.match(
      text,
      /^The files that are there:\n\n(?:.+\n)*notes\.md\n(?:.+\n)*\nOn the PATH of commands: node 20\.20\.2, git\n\nFiles of/,
    );
    assert.doesNotMatch(text, /PRD\.md\n/);
    const empty = { ...at.ports.tree, glob: () => Promise.resolve([]) };
    assert.match(await firstLook({ ...at, ports: { ...at.ports, tree: empty } }), /Nothing but the documents\.\n/);
  });
});
