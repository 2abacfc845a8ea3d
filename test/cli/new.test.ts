/** The built `loop new`: what is written, what is said about it, and what is refused. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { loop } from './loop.ts';

const kiro = join('test', 'fixtures', 'requirements', '11-kiro.md');

describe('loop new', () => {
  let folder: string;
  const at = (...names: string[]): string => join(folder, ...names);
  const made = async (name: string, ...more: string[]) => ({ ...(await loop(['new', at(name), ...more])), dir: at(name) });

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'loop-new-')));
    await mkdir(at('kiro'));
    await writeFile(at('kiro', 'requirements.md'), await readFile(kiro));
    await writeFile(at('kiro', 'design.md'), '# Design\n');
    await writeFile(at('kiro', 'sketch.png'), Buffer.from([0x89, 0x50]));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('writes documents that explain themselves, and no sprint starts with their examples', async () => {
    const { code, out, dir } = await made('plain');
    assert.deepEqual([code, await readdir(dir)], [0, ['PRD.md', 'VISION.md']]);
    assert.match(out, /VISION\.md and PRD\.md explain themselves/);
    assert.match((await loop(['lint', dir])).out, /This is still the example of the template/);
  });

  it('names the next command as it can be pasted, whatever the name of the folder', async () => {
    const { out } = await made("it's a rép o");
    assert.ok(out.endsWith(`; then: loop run '${at("it'\\''s a rép o")}'\n`), out);
  });

  it('writes a sentence as what it became', async () => {
    const { code, out, dir } = await made('words', 'A clerk adds two amounts. `add 1 2` prints 3.');
    assert.equal(code, 0);
    assert.match(out, /PRD\.md was read as 2 requirements\.\n/);
    assert.match(await readFile(join(dir, 'PRD.md'), 'utf8'), /\n1\. A clerk adds two amounts\.\n2\. `add 1 2` prints 3\.\n$/);
    assert.doesNotMatch((await loop(['lint', dir])).out, /error/);
  });

  it('reads a folder of Kiro, and says what became of each file', async () => {
    const { code, out, dir } = await made('passkeys', '--from', at('kiro'));
    assert.equal(code, 0, out);
    assert.match(out, /^requirements\.md: PRD\.md has its words as they are\.\n/);
    assert.match(out, /\ndesign\.md: stands in ARCHITECTURE\.md/);
    assert.match(out, /\nsketch\.png: left where it is\. It is no markdown/);
    assert.match(out, /\nPRD\.md was read as 7 requirements/);
    assert.equal(await readFile(join(dir, 'PRD.md'), 'utf8'), await readFile(kiro, 'utf8'));
  });

  it('reads one file', async () => assert.match((await made('file', '--from', kiro)).out, /^11-kiro\.md: PRD\.md has its words/));

  it('says where it cannot write, in a sentence', async () => {
    const { code, err } = await loop(['new', '/sys/loop-sprint', 'A clerk adds two amounts.']);
    assert.match(err, /^Cannot write in \/sys\/loop-sprint \(.*\)\. Mend that, or give another folder\.\n$/);
    assert.equal(code, 4);
  });

  it('overwrites nothing, and writes nothing where it cannot read', async () => {
    const untouched = await readFile(at('words', 'PRD.md'), 'utf8');
    const { code, err } = await made('words', 'Something else.');
    assert.deepEqual([code, /VISION\.md is there already\. .*another folder/.test(err)], [4, true], err);
    assert.equal(await readFile(at('words', 'PRD.md'), 'utf8'), untouched);
    await writeFile(at('latin.md'), Buffer.from([0x23, 0x20, 0xe9]));
    await symlink('/etc/hostname', at('kiro', 'outside.md'));
    for (const [source, refusal] of [
      ['latin.md', /is not UTF-8 text/],
      ['nothing', /nothing is not there\./],
      ['kiro', /outside\.md is a symbolic link that leads out of the repository/],
    ] as const) {
      const refused = await made('refused', '--from', at(source));
      assert.deepEqual([refused.code, refusal.test(refused.err)], [4, true], refused.err);
    }
    assert.ok(!(await readdir(folder)).includes('refused'));
    assert.match((await made('both', 'Words.', '--from', kiro)).err, /Give the words or --from, not both/);
  });
});
