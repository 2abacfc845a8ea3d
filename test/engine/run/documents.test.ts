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
