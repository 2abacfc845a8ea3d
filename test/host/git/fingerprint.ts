/**
 * Everything in a person's repository that a sprint must leave alone (I10), as one record to compare: HEAD, refs, index,
 * stash, settings, operations in progress, and each file of the checkout, tracked or not, with its mode. `.loop` is left out.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** @param root of the checkout. @returns a record with keys `HEAD`, `ref <name>`, `index <path>`, `file <path>` and so on */
export async function fingerprint(root: string): Promise<Record<string, string>> {
  const folders = git(root, 'rev-parse', '--git-dir', '--git-common-dir').split('\n');
  const [gitDir = '', commonDir = ''] = folders.map((folder) => resolve(root, folder));
  const print: Record<string, string> = { HEAD: await readFile(join(gitDir, 'HEAD'), 'utf8') };
  for (const line of lines(git(root, 'for-each-ref', '--format=%(objectname) %(refname)'))) {
    print[`ref ${line.slice(line.indexOf(' ') + 1)}`] = line.slice(0, line.indexOf(' '));
  }
  for (const entry of git(root, 'ls-files', '-s', '-z').split('\0').filter(Boolean)) {
    const [meta = '', path = ''] = entry.split('\t', 2);
    print[`index ${path}:${meta.at(-1)}`] = meta;
  }
  lines(git(root, 'stash', 'list', '--format=%H %gs')).forEach((line, n) => (print[`stash ${n}`] = line));
  for (const name of ['config', 'info/exclude', 'info/attributes', 'hooks', 'packed-refs']) await addFiles(print, commonDir, name, 'git');
  for (const name of ['MERGE_HEAD', 'ORIG_HEAD', 'REBASE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'FETCH_HEAD', 'index.lock'])
    if (existsSync(join(gitDir, name))) print[`git ${name}`] = await readFile(join(gitDir, name), 'utf8');
  for (const name of await readdir(root)) if (name !== '.git') await addFiles(print, root, name, 'file');
  return print;
}

/** Keys whose values differ. */
export function differences(before: Record<string, string>, after: Record<string, string>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => before[key] !== after[key]).sort();
}

/** Each file below a folder by content and mode, to compare two trees that are not repositories. */
export async function treePrint(root: string): Promise<Record<string, string>> {
  const print: Record<string, string> = {};
  for (const name of await readdir(root)) if (name !== '.git') await addFiles(print, root, name, 'file');
  return print;
}

async function addFiles(print: Record<string, string>, root: string, path: string, kind: string): Promise<void> {
  const at = join(root, path);
  const stat = await lstat(at).catch(() => undefined);
  if (!stat || path.split('/').at(-1) === '.loop') return;
  if (stat.isDirectory()) {
    const names = await readdir(at);
    if (names.length === 0) print[`${kind} ${path}/`] = 'empty folder';
    for (const name of names) await addFiles(print, root, `${path}/${name}`, kind);
    return;
  }
  const content = stat.isSymbolicLink() ? `link ${await readlink(at)}` : stat.isFile() ? await hash(at) : 'special';
  print[`${kind} ${path}`] = `${(stat.mode & 0o777).toString(8)} ${content}`;
}

async function hash(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['--no-optional-locks', ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
}
function lines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}
