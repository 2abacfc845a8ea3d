/** What a builder could read before it built: nothing that it wrote itself. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exampleTexts } from '../../../src/engine/run/documents.ts';
import { world } from '../../support/fakes.ts';
import { changed } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { adds } from '../prove/support.ts';

describe('the examples of a repository', () => {
  const readme = '# Total\nIt adds 2 and 3.\n';
  const patch =
    'diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,2 +1,3 @@\n # Total\n It adds 2 and 3.\n+It says: no number.\n';

  it('have what the sprint took out of them, so that no edit of a builder makes a value unknown', async () => {
    const w = world({ files: { 'README.md': '# Total\nIt adds 2 and 3. \n' } });
    const edit = (path: string, lines: string[]): string =>
      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n${lines.join('\n')}\n`;
    const twice = [
      ['-It adds 2 and 3.', '+It adds them.'],
      ['-It adds them.', '+It adds 2 and 3. '],
    ].map((lines) => edit('README.md', lines));
    const patches = await Promise.all(
      [...twice, edit('examples/a.txt', ['-7 8']).replace('+++ b/examples/a.txt', '+++ /dev/null')].map((text) => w.payloads.put(text)),
    );
    const built = changed(p.planned().state, ({ work }) => {
      for (const [i, ref] of patches.entries()) work.tree.commits.push(p.settled({ patch: ref, code: i + 1, files: [] }));
    });
    assert.deepEqual(await exampleTexts(built, w.ports), ['# Total\n\nIt adds 2 and 3.', '7 8']);
  });

  it('are without the files that the sprint made, and without the lines that it added to others', async () => {
    const w = world({ files: { 'README.md': `${readme}It says: no number.\n`, 'test/new.test.js': 'it()\n', 'src/a.js': 'a()\n' } });
    const text = await w.payloads.put(`${patch}${adds('test/new.test.js', ['it()'])}`);
    const files = [
      { path: 'README.md', kind: 'modified' as const },
      { path: 'test/new.test.js', kind: 'added' as const },
    ];
    const built = changed(p.planned().state, ({ work }) => void work.tree.commits.push(p.settled({ patch: text, files })));
    assert.deepEqual(await exampleTexts(built, w.ports), [readme]);
    assert.deepEqual(await exampleTexts(p.planned().state, w.ports), [`${readme}It says: no number.\n`, 'it()\n']);
  });
});
