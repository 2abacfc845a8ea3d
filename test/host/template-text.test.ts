/** The templates of a new sprint: what still stands there as it was is refused at its line. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'mocha';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { readInputs } from '../../src/host/read-inputs.ts';
import { findingsOf } from '../../src/language/findings.ts';

const template = { vision: read('VISION.md'), prd: read('PRD.md') };
const own = {
  vision: '# Vision\n\nWho types forty receipts a week has their sums in ten minutes, without a wrong one.\n',
  prd: '# Requirements\n\n1.1 `receipts total spring.csv` prints the sum of its receipts with two decimals.\n',
};

function read(name: string): string {
  return readFileSync(join('media', 'templates', name), 'utf8');
}

function linesFound(kind: 'vision' | 'prd', text: string): number[] {
  const found = findingsOf(TextDocument.create('file:///s/X.md', 'markdown', 1, text), kind);
  return found.filter(({ severity }) => severity === 'error').map(({ range }) => range.start.line + 1);
}

describe('a template that nobody wrote in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loop-template-'));
  after(() => rmSync(folder, { recursive: true }));
  const start = (vision: string, prd: string): Promise<unknown> => {
    writeFileSync(join(folder, 'VISION.md'), vision);
    writeFileSync(join(folder, 'PRD.md'), prd);
    return readInputs(folder, {});
  };

  const refused = [
    { what: 'VISION.md', files: [template.vision, own.prd], at: 'VISION.md:10' },
    { what: 'PRD.md', files: [own.vision, template.prd], at: 'PRD.md:11' },
    { what: 'one example that was left in PRD.md', files: [own.vision, `${own.prd}\n${template.prd.split('\n')[14]}\n`], at: 'PRD.md:5' },
    {
      what: 'a template with another end of its lines',
      files: [template.vision.replaceAll('\n', '\r\n'), own.prd],
      at: 'VISION.md:10',
    },
  ] as const;
  for (const { what, files, at } of refused)
    it(`is refused at its line: ${what}`, () =>
      assert.rejects(start(files[0], files[1]), {
        name: 'InputError',
        message: `${at}: this is still the example of the template.`,
        next: /^Write in its place/,
      }));

  it('does not keep a sprint from going on that was begun before', async () => {
    writeFileSync(join(folder, 'VISION.md'), template.vision);
    writeFileSync(join(folder, 'PRD.md'), template.prd);
    assert.ok(await readInputs(folder, {}, undefined, () => Promise.resolve(true)));
  });

  it('is underlined at each example while it is written', () => {
    assert.deepEqual(linesFound('vision', template.vision), [10, 14, 18]);
    assert.deepEqual(linesFound('prd', template.prd), [11, 13, 15]);
  });

  it('is not refused once it is written', async () => {
    await start(own.vision, own.prd);
    assert.deepEqual([linesFound('vision', own.vision), linesFound('prd', own.prd)], [[], []]);
    await start(
      own.vision,
      own.prd.replace('# Requirements\n', '## Out of scope\n\nWhat you do not want built, so that nobody builds it.\n\n## What\n'),
    );
  });
});
