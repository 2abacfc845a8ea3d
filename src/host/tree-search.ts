/** Searches in the sprint's worktree. Ignored files are not listed or searched. Time and output of a search are limited. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../engine/ground/errors.ts';
import { globMatcher, plainGlobs } from '../engine/ground/glob.ts';
import { pieceOf } from '../engine/ground/text.ts';
import type { Found, GrepQuery } from '../engine/ports.ts';
import { unlessMissing } from './disk.ts';
import { GitFailed, GitOverflowed, GitTimedOut } from './git/git.ts';
import { realNames } from './git/inside.ts';
import type { SprintRepo } from './git/repo.ts';
import { posixPattern } from './git/search-pattern.ts';

const maxMebibytes = 4;
const searchTimeout = 20_000;
/** Characters shown of a matching line. Longer lines are minified code. */
const maxLineLength = 400;

/** The pattern is relative to `under`; the returned paths are relative to the root. @throws InputError where `under` is not there. */
export async function glob(repo: SprintRepo, pattern: string, under: string): Promise<string[]> {
  const scope = await scopeOf(repo, under);
  const matches = globMatcher(pattern);
  const present = await listFiles(repo, literally(scope));
  return present.filter((path) => matches(path.slice(scope.above)));
}

/** @returns `path:line:text`. A glob without `/` matches names in any folder. @throws InputError for a pattern or a place that is wrong. */
export async function grep(repo: SprintRepo, query: GrepQuery): Promise<Found> {
  const scope = await scopeOf(repo, query.under);
  const wanted = query.glob === undefined || query.glob.includes('/') ? query.glob : `**/${query.glob}`;
  const matches = wanted === undefined ? () => true : globMatcher(wanted);
  const { output, ...cut } = await search(repo, posixPattern(query.pattern), pathspecs(scope, wanted));
  const lines: string[] = [];
  for (const line of output.split('\n')) {
    const [path = '', number, ...text] = line.split('\0');
    // The last line of a search that was cut may be cut itself.
    if (text.length === 0 || !matches(path.slice(scope.above))) continue;
    if (lines.length >= query.limit) break;
    lines.push(`${path}:${number}:${pieceOf(text.join('\0'), 0, maxLineLength)}`);
  }
  return { lines, ...cut };
}

/** A folder below which a search looks, or one file. */
interface Scope {
  names: readonly string[];
  isFolder: boolean;
  /** Characters of a found path that a glob is not about. */
  above: number;
}

async function scopeOf({ path: root }: SprintRepo, under: string): Promise<Scope> {
  const names = await realNames(root, under);
  const found = await unlessMissing(lstat(join(root, ...names)));
  if (!found)
    throw new InputError(`There is no "${under}" to search in.`, 'Look at the folders there are with glob_search, without a path.');
  const folders = found.isDirectory() ? names : names.slice(0, -1);
  return { names, isFolder: found.isDirectory(), above: folders.join('/').length + Math.sign(folders.length) };
}

function literally({ names }: Scope): string {
  return names.length === 0 ? ':(top)' : `:(top,literal)${names.join('/')}`;
}

/** Git then reads only files that may be meant: one large file would else hide all others behind the limit of a search. */
function pathspecs(scope: Scope, wanted: string | undefined): string[] {
  if (wanted === undefined || !scope.isFolder) return [literally(scope)];
  const folder = scope.names.map((name) => `${name.replaceAll(/[*?[\]\\]/g, String.raw`\$&`)}/`).join('');
  return plainGlobs(wanted).map((plain) => `:(top,glob)${folder}${plain}`);
}

async function listFiles(repo: SprintRepo, where: string): Promise<string[]> {
  // One call lists all, each with a letter; a file that is gone stands there once more, with R.
  const entries = await repo.git.list(['ls-files', '-z', '-t', '-c', '-o', '-d', '--exclude-standard', '--', where]);
  const missing = new Set(entries.filter((entry) => entry.startsWith('R ')).map(pathIn));
  return [...new Set(entries.map(pathIn))].filter((path) => !missing.has(path) && !path.endsWith('/')).sort();
}

function pathIn(entry: string): string {
  return entry.slice(2);
}

async function search(repo: SprintRepo, pattern: string, where: readonly string[]): Promise<{ output: string; cut?: string }> {
  const args = ['grep', '--untracked', '-n', '-I', '-E', '-z', '--full-name', '--no-color', '--no-textconv', '--no-recurse-submodules'];
  const bounds = { answers: [1], maxBytes: maxMebibytes * 1024 * 1024, timeout: searchTimeout };
  try {
    return { output: await repo.git.run([...args, '-e', pattern, '--', ...where], bounds) };
  } catch (error) {
    if (error instanceof GitOverflowed) return { output: error.output, cut: `${maxMebibytes} MiB` };
    if (error instanceof GitTimedOut)
      throw new InputError(
        `The search for "${pattern}" took longer than ${searchTimeout / 1000} s.`,
        'Use a simpler pattern or a smaller folder.',
      );
    if (error instanceof GitFailed)
      throw new InputError(
        `The pattern "${pattern}" cannot be searched for: ${error.stderr.trim()}`,
        'Write a POSIX extended regular expression.',
      );
    throw error;
  }
}
