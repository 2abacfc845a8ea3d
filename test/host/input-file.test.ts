/** What a person's input may be instead of a text file: each is refused at once, in one sentence with the next step. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readInputFile } from '../../src/host/input-file.ts';
import { readInputs } from '../../src/host/read-inputs.ts';

const names = ['VISION.md', 'PRD.md', 'ARCHITECTURE.md', 'services.yaml', 'loop.config.yaml'];
const text = '# PRD\n\n1.1 It prints what was asked for, and nothing else at all.\n';

describe('an input of a person', () => {
  let top: string;
  let folder: string;
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'loop-input-')));
    folder = join(top, 'repo', 'sprint');
    mkdirSync(join(top, 'repo', '.git'), { recursive: true });
    mkdirSync(folder);
    writeFileSync(join(top, 'secret'), 'the key of the house');
    writeFileSync(join(top, 'repo', 'docs.md'), text);
    for (const name of ['VISION.md', 'PRD.md']) writeFileSync(join(folder, name), text);
  });
  afterEach(() => rmSync(top, { recursive: true }));

  const kinds: { it: string; make: (path: string) => unknown; why: RegExp }[] = [
    { it: 'a folder', make: (path) => mkdirSync(path), why: / is a folder\.$/ },
    { it: 'a pipe that nobody writes', make: (path) => execFileSync('mkfifo', [path]), why: / is a named pipe\.$/ },
    { it: 'a link out of the repository', make: (path) => symlinkSync('../../secret', path), why: / leads out of the repository\.$/ },
    { it: 'a link to a file of the system', make: (path) => symlinkSync('/etc/passwd', path), why: / leads out of the repository\.$/ },
    { it: 'a link to an endless device', make: (path) => symlinkSync('/dev/zero', path), why: / leads out of the repository\.$/ },
    { it: 'a link to nothing', make: (path) => symlinkSync('nothing', path), why: / leads nowhere\.$/ },
    { it: 'a link to itself', make: (path) => symlinkSync(path, path), why: / leads in a circle\.$/ },
    { it: 'a link to a folder', make: (path) => symlinkSync('..', path), why: / is a folder\.$/ },
    { it: 'bytes that are no text', make: (path) => writeFileSync(path, Buffer.from([0x50, 0xff, 0xfe])), why: / is not UTF-8 text\.$/ },
    {
      it: 'far too large',
      make: (path) => writeFileSync(path, 'a'.repeat(5 * 1024 * 1024)),
      why: / is too large: 5 MiB, and at most 4 MiB are read\.$/,
    },
  ];
  for (const { it: what, make, why } of kinds)
    it(`is refused where it is ${what}`, async () => {
      for (const name of names) {
        const path = join(folder, name);
        rmSync(path, { force: true });
        make(path);
        await assert.rejects(readInputs(folder, {}), (error: Error & { next?: string }) => {
          assert.equal(error.name, 'InputError');
          assert.match(error.message, why);
          assert.ok(error.message.startsWith(`${path} `) && (error.next ?? '').length > 20);
          return true;
        });
        rmSync(path, { recursive: true });
        writeFileSync(path, text);
        if (!name.endsWith('.md')) rmSync(path);
      }
    });

  it('is refused where it is a socket', async () => {
    const server = createServer().listen(join(folder, 'services.yaml'));
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      await assert.rejects(readInputFile(folder, 'services.yaml'), { name: 'InputError', message: / is a socket\.$/ });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('is refused where nobody may read it', async function () {
    // Root may read everything.
    const path = join(folder, 'PRD.md');
    chmodSync(path, 0);
    if (process.getuid?.() === 0) assert.equal(await readInputFile(folder, 'PRD.md'), text);
    else await assert.rejects(readInputFile(folder, 'PRD.md'), { name: 'InputError', message: / its permissions do not allow it\.$/ });
  });

  it('may be a link to another file of the repository, and may be missing', async () => {
    rmSync(join(folder, 'PRD.md'));
    symlinkSync('../docs.md', join(folder, 'PRD.md'));
    assert.equal(await readInputFile(folder, 'PRD.md'), text);
    assert.equal(await readInputFile(folder, 'ARCHITECTURE.md'), undefined);
    assert.equal((await readInputs(folder, {})).reading.requirements.length, 1);
  });
});
