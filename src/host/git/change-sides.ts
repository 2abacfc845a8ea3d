/**
 * A change file by file, before and after, told from its patch alone: git's object store keeps each side under the hash that
 * the patch names, whether the change was kept or undone, also when worktree and branch are gone, until git collects it.
 */
import { redact } from '../../engine/ground/redact.ts';
import type { FileSides } from '../../engine/work/tree.ts';
import { openGit } from './git.ts';

/**
 * @param folder inside the repository.
 * @returns null where a side is no text or is no longer there: then the patch itself is all there is to show.
 */
export async function changeSides(folder: string, patch: string): Promise<FileSides[] | null> {
  const files = patch.split(/^(?=diff --git )/m).map(sidesIn);
  const known = files.filter((file) => file !== null);
  if (known.length < files.length || known.length === 0) return null;
  const named = known.flatMap(({ before, after }) => [before, after].filter((hash) => hash !== null));
  const whole = await wholeHashes(folder, [...new Set(named)]);
  if (!whole) return null;
  const full = (hash: string | null): string | null => (hash === null ? null : (whole.get(hash) ?? null));
  return known.map(({ path, before, after }) => ({ path, before: full(before), after: full(after) }));
}

/** One side's text, without secrets. @param hash from `changeSides`. @throws GitFailed when it is gone. */
export async function sideText(folder: string, hash: string): Promise<string> {
  return redact(await openGit({ folder }).run(['cat-file', 'blob', hash]));
}

/** What a patch without renames says of one file, whose own lines all begin with a sign; a change of mode names no hash. */
function sidesIn(section: string): FileSides | null {
  const [, names = ''] = /^diff --git (.*)$/m.exec(section) ?? [];
  const path = names.slice(2, (names.length - 1) / 2);
  const [, before = '', after = ''] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/m.exec(section) ?? [];
  const isText = !/^(?:GIT binary patch|Binary files )/m.test(section);
  if (names !== `a/${path} b/${path}` || before === '' || !isText) return null;
  return { path, before: unlessNone(before), after: unlessNone(after) };
}

function unlessNone(hash: string): string | null {
  return /^0+$/.test(hash) ? null : hash;
}

/** Patches name objects by their first digits. @returns undefined when one of them is gone, ambiguous or no file. */
async function wholeHashes(folder: string, named: readonly string[]): Promise<Map<string, string> | undefined> {
  const said = await openGit({ folder }).run(['cat-file', '--batch-check'], { input: `${named.join('\n')}\n` });
  const whole = said.split('\n').map((line) => /^([0-9a-f]{40,64}) blob /.exec(line)?.[1]);
  const found = named.flatMap((hash, i): [string, string][] => (whole[i] === undefined ? [] : [[hash, whole[i]]]));
  return found.length === named.length ? new Map(found) : undefined;
}
