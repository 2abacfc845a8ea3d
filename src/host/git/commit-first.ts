/**
 * Makes a git repository of a plain folder. The person sees which files the first commit would contain and which are left out,
 * and only the shown files are committed.
 */
import { lstat, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';
import { neverOurs } from './excludes.ts';
import { openGit } from './git.ts';
import { identity } from './identity.ts';
import { keysIn } from '../../engine/ground/keys.ts';
import { looksSecret } from '../../engine/ground/secret-names.ts';

export interface FirstCommitPreview {
  files: string[];
  leftOut: { path: string; why: string }[];
}
const maxScanned = 1024 * 1024;

/** The files of a first commit of `folder`: none that is ignored or looks like a key. Writes nothing. */
export async function firstCommitPreview(folder: string): Promise<FirstCommitPreview> {
  const { committable, ignored } = await listFiles(folder);
  const preview: FirstCommitPreview = { files: [], leftOut: ignored.map((path) => ({ path, why: 'it is ignored' })) };
  for (const path of committable) {
    const why = await reasonAgainst(folder, path);
    if (why === undefined) preview.files.push(path);
    else preview.leftOut.push({ path, why });
  }
  return preview;
}

/**
 * `git init` and a first commit of exactly these files. @returns the commit.
 * @throws InputError when the folder lies in a repository with commits or no file is named.
 */
export async function initialise(folder: string, files: string[]): Promise<string> {
  if (files.length === 0) throw new InputError(`${folder} has no file to commit.`, 'Write VISION.md and PRD.md first.');
  await refuseExisting(folder);
  await openGit({ folder }).run(['init', '-q']);
  const git = openGit({ folder, gitDir: join(folder, '.git') });
  const input = files.map((path) => `:(top,literal)${path}`).join('\0');
  await git.run(['add', '--pathspec-from-file=-', '--pathspec-file-nul'], { input });
  await git.run(['commit', '-q', '--no-verify', '--no-gpg-sign', '-m', 'First commit'], { config: await identity(git) });
  return (await git.run(['rev-parse', 'HEAD'])).trim();
}

/** True also when git fails for another reason: a first commit could do harm then, so it is not offered. */
export async function hasCommit(root: string): Promise<boolean> {
  const head = ['rev-parse', '-q', '--verify', 'HEAD'];
  return openGit({ folder: root })
    .test(head)
    .catch(() => true);
}

/** An empty repository in this folder is no problem: an interrupted `initialise` leaves one. */
async function refuseExisting(folder: string): Promise<void> {
  const ask = ['rev-parse', '--path-format=absolute', '--show-toplevel'];
  const root = (await openGit({ folder }).run(ask, { answers: [128] })).replace(/\n$/, '');
  if (root === '') return;
  const head = await openGit({ folder }).run(['rev-parse', '-q', '--verify', 'HEAD'], { answers: [1] });
  if (head === '' && (await realpath(root)) === (await realpath(folder))) return;
  throw new InputError(`${folder} is already in the repository ${root}.`, 'Commit there what the sprint should start from.');
}

/** The paths that git would commit and those that it ignores. An empty repository elsewhere answers, so nothing is written here. */
async function listFiles(folder: string): Promise<{ committable: string[]; ignored: string[] }> {
  const gitDir = await mkdtemp(join(tmpdir(), 'loop-preview-'));
  try {
    await openGit({ folder: gitDir }).run(['init', '-q', '--bare', gitDir]);
    const git = openGit({ folder, gitDir });
    const exclude = ['--exclude-standard', ...neverOurs.map((pattern) => `--exclude=${pattern}`)];
    const committable = await git.list(['ls-files', '-z', '-o', ...exclude]);
    const ignored = await git.list(['ls-files', '-z', '-o', '-i', '--directory', ...exclude]);
    return { committable: committable.sort(), ignored: ignored.sort() };
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

async function reasonAgainst(folder: string, path: string): Promise<string | undefined> {
  if (path.endsWith('/')) return 'it is a repository of its own';
  if (looksSecret(path)) return 'its name says that it holds a key or a password';
  const file = join(folder, path);
  const stat = await lstat(file);
  if (!stat.isFile() || stat.size > maxScanned) return undefined;
  const hit = keysIn((await readFile(file, 'utf8')).split('\n'))[0];
  return hit && `line ${hit.line} holds ${hit.what}`;
}
