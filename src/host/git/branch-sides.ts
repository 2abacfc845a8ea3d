/** Both sides of every file that a sprint's branch changes, also after *Finish*: commits outlive the branch until git collects them. */
import type { Opened } from '../../engine/state/state.ts';
import type { BranchSides, FileSides, Settled } from '../../engine/work/tree.ts';
import { openGit } from './git.ts';
import { commitOf } from './worktree.ts';

/** @returns null where the branch has no change, or git no longer has it. */
export async function branchSides(
  folder: string,
  { base, branch }: Pick<Opened, 'base' | 'branch'>,
  commits: readonly Pick<Settled, 'commit'>[],
): Promise<BranchSides | null> {
  const git = openGit({ folder });
  const tip = (await commitOf(git, `refs/heads/${branch}`)) ?? (await commitOf(git, commits.at(-1)?.commit ?? ''));
  if (tip === undefined || (await commitOf(git, base.commit)) === undefined) return null;
  const range = [base.commit, tip, '--'];
  const [raw, numbers] = await Promise.all([
    git.list(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', ...range]),
    git.list(['diff-tree', '-r', '-z', '--numstat', '--no-renames', ...range]),
  ]);
  const binary = new Set(numbers.flatMap((line) => /^-\t-\t(.*)$/s.exec(line)?.[1] ?? []));
  const changed = sidesIn(raw);
  const files = changed.filter(({ path, isFile }) => isFile && !binary.has(path));
  const others = changed.filter((file) => !files.includes(file)).map(({ path }) => path);
  return changed.length === 0 ? null : { files: files.map(({ path, before, after }) => ({ path, before, after })), others };
}

/** `:<mode> <mode> <hash> <hash> <kind>` and the path, by turns (git-diff-tree, raw output format with `-z`). */
function sidesIn(raw: readonly string[]): (FileSides & { isFile: boolean })[] {
  const changes: (FileSides & { isFile: boolean })[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [from = '', to = '', before = '', after = ''] = (raw[at] ?? '').slice(1).split(' ');
    const isFile = [from, to].every((mode) => /^(100|000)/.test(mode));
    changes.push({ path: raw[at + 1] ?? '', before: textOf(before), after: textOf(after), isFile });
  }
  return changes;
}

function textOf(hash: string): string | null {
  return /^0+$/.test(hash) ? null : hash;
}
