/** Sessions are shown the files that they would read first: those that the documents name, and those that a task expects to change. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { expectedTexts, madeTexts, repositoryTexts } from '../../src/engine/actions/shown-texts.ts';
import { firstLook } from '../../src/engine/actions/first-look.ts';
import { world } from '../support/fakes.ts';
import { changed } from './support/events.ts';
import * as p from './support/parts.ts';
import { staged, play } from './support/play.ts';

const shown = (files: Record<string, string>, filesExpected: string[]): Promise<string> =>
  expectedTexts(world({ files }), p.task({ filesExpected }));

describe('the files that a task expects to change', () => {
  it('are shown whole, in the order of the task', async () => {
    assert.equal(
      await shown({ 'a.js': 'let a;\n', 'b.js': 'let b;', 'c.js': 'let c;\n' }, ['b.js', 'new.js', 'a.js']),
      'The files that it expects to change, as they stand now:\n\nb.js:\n\n```\nlet b;\n```\n\na.js:\n\n```\nlet a;\n```',
    );
  });

  it('are only named where they are too long together', async () => {
    const long = 'x'.repeat(8000);
    const text = await shown({ 'a.js': long, 'b.js': long, 'c.js': 'let c;\n' }, ['a.js', 'b.js', 'c.js']);
    assert.match(text, /now:\n\na\.js:\n\n```\nx+\n```\n\nb\.js: 8000 characters, not shown here\.\n\nc\.js:\n\n```\nlet c;\n```$/);
  });

  it('stand in fences that none of their own ends', async () => {
    const readme = '```sh\nnpm start\n```\n';
    assert.match(await shown({ 'README.md': readme }, ['README.md']), /\n````\n```sh\nnpm start\n```\n````$/);
  });

  it('are also those that its words name, as those of a finding do', async () => {
    const files = { 'docs/card.md': 'Call 12.\n', 'other.md': 'x', '.env': 'KEY=1' };
    const task = p.task({ filesExpected: [], description: 'Say it in `card.md`', acceptance: 'other than .env' });
    const text = await expectedTexts(world({ files }), task);
    assert.match(text, /docs\/card\.md:\n\n```\nCall 12\./);
    assert.doesNotMatch(text, /other\.md|KEY/);
  });

  it('may all be new', async () => {
    assert.equal(await shown({}, ['a.js']), '');
  });
});

describe('the files that Vision and PRD name', () => {
  const prd = '# PRD\n\n1. `report.md` is made from `notes.md` and `data/log.csv`, as PRD.md says. No `.env`.\n';
  const files = {
    'data/log.csv': 'id\n1\n',
    'notes.md': 'Call 12.\n',
    'other.md': 'x',
    'sprint/PRD.md': prd,
    '.env': 'KEY=1',
    'log.csv': 'y',
  };
  const ground = async (more: Record<string, string> = {}) => {
    const w = await staged(world({ files: { ...files, ...more } }), p.planned().begin('plan', ''));
    const [vision, ref] = await Promise.all(['# Vision', prd].map((text) => w.payloads.put(text)));
    const { context } = play(w);
    const inputs = [
      { name: 'VISION.md', ref: vision ?? '' },
      { name: 'PRD.md', ref: ref ?? '' },
    ];
    return { w, at: { ...context, state: { ...context.state, opened: { ...context.state.opened, inputs } } } };
  };

  it('are shown in the order in which they are named, without the documents and what holds a secret', async () => {
    const { at } = await ground();
    const text = await repositoryTexts(at, 'named');
    assert.match(text, /^Files of the repository, as they stand now:\n\nnotes\.md:\n\n```\nCall 12\.\n```\n\ndata\/log\.csv:/);
    assert.doesNotMatch(text, /other|KEY|# PRD|\ny\n/);
    assert.equal(await repositoryTexts(at, 'named', ['notes.md', 'data/log.csv']), '');
  });

  it('come first where the repository is so small that it is shown whole, with what the sprint made only to who builds on it', async () => {
    const { at } = await ground({ 'made.md': 'new', 'package-lock.json': '{}' });
    const made = [{ path: 'made.md', kind: 'added' as const }];
    const built = { ...at, state: changed(at.state, (s) => void s.work.tree.commits.push(p.settled({ files: made }))) };
    const pathsIn = (text: string): string[] => [...text.matchAll(/^(\S+):$/gm)].flatMap(([, path]) => path ?? []);
    const [before, now] = [await repositoryTexts(built, 'before'), await repositoryTexts(built, 'now')];
    assert.deepEqual(pathsIn(before), ['notes.md', 'data/log.csv', 'log.csv', 'other.md']);
    assert.deepEqual(pathsIn(now), ['notes.md', 'data/log.csv', 'log.csv', 'made.md', 'other.md']);
    const { at: large } = await ground({ 'long.md': 'x'.repeat(9000) });
    assert.deepEqual(pathsIn(await repositoryTexts(large, 'before')), ['notes.md', 'data/log.csv']);
  });

  it('hold no secret, as little as those that a task expects to change', async () => {
    const key = `sk-ant-api03-${'a1B2'.repeat(12)}`;
    const { at } = await ground({ 'notes.md': `Call with ${key}\n` });
    for (const text of [await repositoryTexts(at, 'named'), await expectedTexts(at, p.task({ filesExpected: ['notes.md'] }))]) {
      assert.doesNotMatch(text, /a1B2/);
      assert.match(text, /\[redacted\]/);
    }
  });

  it('are told to discovery, with what else is there and the tools of the machine', async () => {
    const { w, at } = await ground();
    w.machine.tools.set('node', '20.20.2').set('git', '');
    const text = await firstLook(at);
    assert.match(
      text,
      /^The files that are there:\n\n(?:.+\n)*notes\.md\n(?:.+\n)*\nOn the PATH of commands: node 20\.20\.2, git\n\nFiles of/,
    );
    assert.doesNotMatch(text, /PRD\.md\n/);
    assert.match(
      await firstLook({ ...at, ports: { ...at.ports, tree: { ...at.ports.tree, glob: () => Promise.resolve([]) } } }),
      /Nothing but the documents\.\n/,
    );
  });

  it('are not those that the sprint made: who uses the result is shown its texts', async () => {
    const { at } = await ground({ 'report.md': 'All is well.\n', 'tool.js': 'run()\n' });
    const added = ['report.md', 'tool.js'].map((path) => ({ path, kind: 'added' as const }));
    const made = { ...at, state: changed(at.state, (s) => s.work.tree.commits.push(p.settled({ files: added }))) };
    assert.doesNotMatch(await repositoryTexts(made, 'before'), /All is well/);
    assert.equal(
      await madeTexts(made),
      'Texts that this sprint wrote or changed, as they stand now:\n\nreport.md:\n\n```\nAll is well.\n```',
    );
    assert.equal(await madeTexts(at), '');
  });
});
