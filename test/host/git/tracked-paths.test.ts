/** Git's own list is what the reader of its file is compared with, for each form that the file can have. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { callGit } from '../../../src/host/git/call.ts';
import { openGit } from '../../../src/host/git/git.ts';
import { trackedPaths } from '../../../src/host/git/tracked-paths.ts';
import { git, put, repository, type Fixture } from './fixture.ts';

const base = { 'a.txt': 'one\n', 'deep/er/b.txt': 'two\n', 'in it/ü\n"x".txt': 'three\n', '1234567': '', '12345678': '', 'eight/90': '' };

interface Form {
  form: string;
  /** Whether git is asked. */
  asked: boolean;
  make(root: string): void;
}

const forms: Form[] = [
  { form: 'as a commit leaves it', asked: false, make: () => undefined },
  { form: 'with nothing in it', asked: false, make: (root) => git(root, 'read-tree', '--empty') },
  {
    form: 'with a file that is only announced',
    asked: false,
    make: (root) => {
      put(root, { 'new/soon.txt': '' });
      git(root, 'add', '-N', 'new/soon.txt');
    },
  },
  {
    form: 'with a name that is longer than its length can say',
    asked: false,
    make: (root) => {
      const blob = git(root, 'hash-object', '-w', 'a.txt').trim();
      execFileSync('git', ['update-index', '--index-info'], {
        cwd: root,
        input: `100644 ${blob}\t${'x'.repeat(200)}${'/long'.repeat(1000)}\n`,
      });
    },
  },
  { form: 'with optional extensions', asked: false, make: (root) => git(root, 'update-index', '--force-untracked-cache') },
  { form: 'in version 4', asked: true, make: (root) => git(root, 'update-index', '--index-version', '4') },
  { form: 'split in two', asked: true, make: (root) => git(root, 'update-index', '--split-index') },
  { form: 'sparse', asked: true, make: (root) => git(root, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'eight') },
  { form: 'not there', asked: true, make: (root) => rmSync(join(root, '.git/index')) },
  { form: 'half written', asked: true, make: (root) => appendFileSync(join(root, '.git/index'), '\0') },
  {
    form: 'without a checksum',
    asked: true,
    make: (root) => {
      const index = join(root, '.git/index');
      const bytes = readFileSync(index);
      writeFileSync(index, bytes.fill(0, bytes.length - 20));
    },
  },
];

describe('what the index holds', () => {
  let at: Fixture;
  afterEach(() => at.dispose());

  for (const { form, asked, make } of forms)
    it(`is what git says of an index ${form}`, async () => {
      at = repository(base);
      make(at.root);
      await compare(asked);
    });

  it('is what git says where objects are named by SHA-256', async () => {
    at = repository();
    rmSync(join(at.root, '.git'), { recursive: true });
    git(at.root, 'init', '-q', '--object-format=sha256');
    put(at.root, base);
    git(at.root, 'add', '--all');
    await compare(true);
  });

  async function compare(asked: boolean): Promise<void> {
    let calls = 0;
    const call: typeof callGit = (one, signal) => {
      calls += 1;
      return callGit(one, signal);
    };
    const opened = openGit({ folder: at.root, gitDir: join(at.root, '.git'), call });
    // Git refuses a damaged index, and so must this.
    const theirs = await opened.list(['ls-files', '-z']).catch(() => 'refused');
    calls = 0;
    const ours = await trackedPaths(opened).catch(() => 'refused');
    assert.deepEqual(ours, theirs);
    assert.equal(calls, asked ? 1 : 0);
  }
});
