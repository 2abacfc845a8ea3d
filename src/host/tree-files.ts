/**
 * The engine's `Tree` (I10): the files of the sprint's worktree, for the agents' tools. Paths never leave the tree
 * (`git/inside.ts`).
 */
import { isUtf8 } from 'node:buffer';
import { InputError, RefusedChange } from '../engine/ground/errors.ts';
import { redact, redactedMark } from '../engine/ground/redact.ts';
import type { Changes, Tree } from '../engine/ports.ts';
import type { ChangedFile } from '../engine/work/tree.ts';
import { readInside, realNames, replaceFolder, writeAt } from './git/inside.ts';
import { refuseSecretFile } from './git/left-out.ts';
import { foldersAbove, isAmong } from './git/own-documents.ts';
import type { SprintRepo } from './git/repo.ts';
import { glob, grep } from './tree-search.ts';
import { createVariables, type Variables } from './variables.ts';
import { changedBeneath, veiled } from './veiled.ts';

/** Keeps secret values of the person's variables, which a command may have written to a file, out of results and changes. */
type Veil = Pick<Variables, 'secretsIn' | 'heldIn'>;

/** @param repo its worktree must be open when a method is called. @throws InputError from methods, for a refused path or pattern. */
export function createTree(repo: SprintRepo, veil: Veil = createVariables([], {})): Tree {
  const shown = (text: string) => veiled(text, veil.secretsIn(text));
  const put = async (path: string, text: string) => {
    const names = await realNames(repo.path, path);
    refuseOwnDocument(repo, path, names);
    await refuseSecretFile(repo.git, path);
    await writeAt(repo.path, names, Buffer.from(text));
  };
  return {
    async read(path, links) {
      const bytes = await readInside(repo.path, path, links);
      return bytes && shown(textOf(bytes, path));
    },
    async write(path, text) {
      if (text.includes(redactedMark)) await refuseOverSecrets(repo, path, (before) => redact(shown(before)));
      await put(path, text);
    },
    async edit(path, change) {
      const bytes = await readInside(repo.path, path);
      if (!bytes) return false;
      const text = textOf(bytes, path);
      const secrets = veil.secretsIn(text);
      const changed = changedBeneath(text, secrets, change(veiled(text, secrets)));
      if (changed === undefined) throw refusedMark(path, `Edit around it: give an old_string that holds no part of that ${redactedMark}.`);
      await put(path, changed);
      return true;
    },
    replace: (folder, files) => replaceFolder(repo.path, folder, files),
    glob: (pattern, under) => glob(repo, pattern, under),
    grep: async (query) => {
      const { lines, ...found } = await grep(repo, query);
      return { ...found, lines: lines.map(shown) };
    },
    changes: () => changes(repo, veil),
  };
}

/** @throws InputError for a file that is not UTF-8: an edit would write it back garbled. */
function textOf(bytes: Buffer, path: string): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  throw new InputError(`"${path}" is not UTF-8 text.`, 'Look at it and change it with a command that knows its format.');
}

/** A mark that is written over a file with secrets would take the place of one. @param shown the text as agents see it. */
async function refuseOverSecrets(repo: SprintRepo, path: string, shown: (text: string) => string): Promise<void> {
  const bytes = await readInside(repo.path, path);
  const text = bytes?.toString('utf8') ?? '';
  if (shown(text) !== text) throw refusedMark(path, 'Change this file with edit_file, which leaves what you were not shown.');
}

function refusedMark(path: string, next: string): InputError {
  return new InputError(`In "${path}" ${redactedMark} stands for a secret that you were not shown.`, next);
}

/** Goes by where the path leads, because a link inside the tree may lead to a document. @throws InputError for such a path. */
function refuseOwnDocument({ ownDocuments }: SprintRepo, path: string, names: readonly string[]): void {
  const real = names.join('/').toLowerCase();
  const own = ownDocuments.map((document) => document.toLowerCase());
  if (!isAmong(real, own) && !foldersAbove(own).includes(real)) return;
  throw new InputError(
    `"${path}" is a document of the sprint, what the work is judged by or compared with, or what git-lfs goes by: nobody changes it during the sprint.`,
    'Write to another file. If the document is wrong, report that, so that the person can change it.',
  );
}

/**
 * A nested repository is listed as its `.git`, because git commits nothing below it.
 * @throws RefusedChange when the change contains the value of a variable.
 */
async function changes(repo: SprintRepo, veil: Veil): Promise<Changes> {
  const { isEmpty, nested, putBack, leftOut } = await repo.stage();
  if (isEmpty) return { files: [], patch: '' };
  const { files, patch } = await repo.stagedChange();
  const foreign = nested.map((path): ChangedFile => ({ path: `${path}/.git`, kind: 'added' }));
  const added = patch.split('\n').filter((line) => line.startsWith('+'));
  const held = veil.heldIn(added.join('\n'));
  if (held.length > 0) throw new RefusedChange(held.map((name) => `it holds the value of the variable ${name}`));
  return {
    files: [...files, ...foreign],
    patch,
    ...(isWhole(patch) ? {} : { tree: await repo.stagedTree() }),
    ...(putBack.length > 0 ? { putBack } : {}),
    ...(leftOut.length > 0 ? { leftOut } : {}),
  };
}

/** A text has this character for each byte that is no UTF-8, such as those of a file in Latin-1. */
function isWhole(patch: string): boolean {
  return !patch.includes('\u{FFFD}');
}
