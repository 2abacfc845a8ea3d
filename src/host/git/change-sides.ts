/**
 * Finds both sides of each changed file from the patch alone. Git's object store keeps each side under the hash in the patch,
 * also for an undone change or a removed branch, until git collects it.
 */
import { redact } from '../../engine/ground/redact.ts';
import type { FileSides } from '../../engine/work/tree.ts';
import { openGit } from './git.ts';

/**
 * @param folder inside the repository.
 * @returns null where a side is not text or no longer exists; then only the patch can be shown.
 */
export async function changeSides(folder: string, patch: string): Promise<FileSides[] | null> {
  const files = patch.split(/^(?=diff --git )/m).map(sidesIn);
  const known = files.filter((file) => file !== null);
  if (known.length < files.length || known.length === 0) return null;
  const named = known.flatMap(({ before, after }) => [before, after].filter((hash) => hash !== null));
  const whole = await fullHashes(folder, [...new Set(named)]);
  if (!whole) return null;
  const full = (hash: string | null): string | null => (hash === null ? null : (whole.get(hash) ?? null));
  return known.map(({ path, before, after }) => ({ path, before: full(before), after: full(after) }));
}

/** The text of one side, redacted. @param hash from `changeSides`. @throws GitFailed when it is gone. */
export async function sideText(folder: string, hash: string): Promise<string> {
  return redact(await openGit({ folder }).run(['cat-file', 'blob', hash]));
}

/** Reads one file's section of a patch without renames. Null for a binary file or a change of the mode only, which has no hashes. */
function sidesIn(section: string): FileSides | null {
  const [, names = ''] = /^diff --git (.*)$/m.exec(section) ?? [];
  const path = names.slice(2, (names.length - 1) / 2);
  const [, before = '', after = ''] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/m.exec(section) ?? [];
  const isText = !/^(?:GIT binary patch|Binary files )/m.test(section);
  if (names !== `a/${path} b/${path}` || before === '' || !isText) return null;
  return { path, before: nullIfZeros(before), after: nullIfZeros(after) };
}

function nullIfZeros(hash: string): string | null {
  return /^0+$/.test(hash) ? null : hash;
}

/** Completes the abbreviated hashes of a patch. @returns undefined when one of them is gone, ambiguous or not a file. */
async function fullHashes(folder: string, named: readonly string[]): Promise<Map<string, string> | undefined> {
  const output = await openGit({ folder }).run(['cat-file', '--batch-check'], { input: `${named.join('\n')}\n` });
  const whole = output.split('\n').map((line) => /^([0-9a-f]{40,64}) blob /.exec(line)?.[1]);
  const found = named.flatMap((hash, i): [string, string][] => (whole[i] === undefined ? [] : [[hash, whole[i]]]));
  return found.length === named.length ? new Map(found) : undefined;
}
