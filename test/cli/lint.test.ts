/** `loop lint` says the same as the editor, in the terminal and as JSON, and by its exit status whether a sprint could start. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { temporaryFolder } from '../editor/temporary.ts';
import { prd as good, vision } from '../support/greeter.ts';
import { prd } from '../language/documents.ts';
import { loop } from './loop.ts';

describe('loop lint', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => void (folder = await temporaryFolder('lint')));
  after(() => folder.remove());

  async function sprint(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const dir = join(folder.path, name);
    await mkdir(dir);
    for (const [file, text] of Object.entries(files)) await writeFile(join(dir, file), text);
    return dir;
  }

  it('finds nothing in good documents', async () =>
    assert.deepEqual(await loop(['lint', await sprint('good', { 'VISION.md': vision, 'PRD.md': good })]), {
      code: 0,
      out: 'Nothing was found.\n',
      err: '',
    }));

  it('exits with 4 where a sprint would be refused, and names each place', async () => {
    const dir = await sprint('refused', { 'VISION.md': vision, 'PRD.md': prd('- 2.1 A total.', '- 2.1 Refactor it.') });
    const { code, out } = await loop(['lint', dir]);
    assert.equal(code, 4);
    assert.equal(
      out,
      [
        'PRD.md:7:1: warning activity-for-outcome: Requirement 2.1 names work, and nothing that someone could observe when it is done. Say what a user sees, or what a program prints, answers or refuses, then.',
        'PRD.md:7:3: error duplicate-number: Requirement 2.1 is there already, in line 6. Give each requirement a number of its own.',
        '1 error, 1 warning, 0 for information.',
        '',
      ].join('\n'),
    );
  });

  it('exits with 0 for warnings, and gives them as JSON with what mends them', async () => {
    const dir = await sprint('warned', { 'VISION.md': vision, 'PRD.md': prd('- 2.1 A total.', '- A tax.') });
    const { code, out } = await loop(['lint', dir, '--json']);
    assert.equal(code, 0);
    const [{ message, next, ...found }] = JSON.parse(out) as [Record<string, string>];
    assert.ok(message && next);
    assert.deepEqual(found, {
      file: 'PRD.md',
      line: 7,
      column: 1,
      endLine: 7,
      endColumn: 9,
      severity: 'warning',
      code: 'missing-number',
      fixes: ['Number it 2.2', 'Indent it'],
    });
  });

  it('refuses a folder without a PRD', async () => {
    const { code, err } = await loop(['lint', await sprint('half', { 'VISION.md': vision })]);
    assert.equal(code, 4);
    assert.match(err, /is not a sprint: it has no PRD\.md\. Write in it/);
  });

  it('names what is wrong in loop.config.yaml and services.yaml, at its value', async () => {
    const services = '- name: api\n  start: { command: node server.js }\n  ready: { tcp: 70000 }\n';
    const files = { 'VISION.md': vision, 'PRD.md': good, 'loop.config.yaml': 'docker: true\nbudgetUsd: 50\n', 'services.yaml': services };
    const { code, out } = await loop(['lint', await sprint('settings', files)]);
    assert.equal(code, 4);
    assert.deepEqual(
      out.split('\n').map((line) => line.split(': ').slice(0, 2).join(': ')),
      [
        'loop.config.yaml:1:1: error not-here',
        'loop.config.yaml:2:12: warning above-limit',
        'services.yaml:3:17: error unusable',
        '2 errors, 1 warning, 0 for information.',
        '',
      ],
    );
  });
});
