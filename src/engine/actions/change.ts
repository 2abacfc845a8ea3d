/** Captures what a session really changed, as git reports it: the open change that `settle` keeps or takes back (I5). */
import type { Context } from '../context.ts';
import { RefusedChange } from '../ground/errors.ts';
import { counted } from '../ground/text.ts';
import { tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Action } from './action.ts';
import type { Ports } from '../ports.ts';
import { notableIn } from '../judge/notable-changes.ts';
import { installInWorktree } from '../run/installs.ts';
import type { Fact } from '../work/facts.ts';
import type { Author, Change, ChangedFile } from '../work/tree.ts';

/** @returns the change as one fact, and what was left out of it; none when the tree is unchanged. What cannot become a commit is taken back. */
export async function captureOrUndo(context: Context, author: Author): Promise<Fact[]> {
  const { ports, open } = context;
  const { leftOut, refused, ...found } = await changesOrRefusal(context);
  const secrets: Fact[] = leftOut.length > 0 ? [{ fact: 'secrets.left-out', paths: leftOut, author }] : [];
  if (found.files.length === 0 && refused === undefined) return secrets;
  const change = await changeOf(context, author, found);
  if (refused === undefined) return [...secrets, { fact: 'tree.changed', change }];
  await context.effect({ name: 'undo', key: open.id, detail: refused }, { run: () => ports.repo.undo().then(() => '') });
  const returned: Fact[] = author.kind === 'task' ? [{ fact: 'task.returned', id: author.task, why: refused }] : [];
  return [{ fact: 'tree.undone', change, why: refused, broke: [] }, ...returned];
}

/** What was found in the tree, as the next change of the sprint. */
export async function changeOf(
  { state, ports, open }: Context,
  author: Author,
  { files, patch, tree }: Omit<Changes, 'leftOut'>,
): Promise<Change> {
  const notable = notableIn(files, patch);
  const named = notable.length > 0 ? { notable } : {};
  const kept = { patch: await ports.payloads.put(patch), ...(tree === undefined ? {} : { tree }) };
  return { n: state.ledger.changes + 1, author, step: open.id, files, ...named, ...kept };
}

/** What changed, or why none of it can be kept; also where a crash came after the undo had begun. */
async function changesOrRefusal({ ports, open }: Context): Promise<Changes & { refused?: string }> {
  const nothing = { files: [], patch: '', leftOut: [] };
  const undoing = open.parts.get(`${open.id}/undo:${open.id}`)?.begun;
  if (undoing?.kind === 'effect') return { ...nothing, refused: undoing.effect.detail };
  try {
    return await changesNoted(ports);
  } catch (error) {
    if (error instanceof RefusedChange) return { ...nothing, refused: error.message };
    throw error;
  }
}

/** A fixer's change; where there is none, that its report of a fix came to nothing. */
export async function captureFix(context: Context, author: Extract<Author, { kind: 'fix' }>): Promise<Fact[]> {
  const changed = await captureOrUndo(context, author);
  const { state, open } = context;
  const report = state.ledger.fixes[author.lineage]?.find(({ step }) => step === open.id);
  return !isChanged(changed) && !isTakenBack(changed) && report?.answer.kind === 'fixed' ? [{ fact: 'fix.idle', step: open.id }] : changed;
}

/** A change of a session that has ended becomes open once more, to be settled as any. */
export async function restoreChange(context: Context, { author, step, patch, tree }: Change): Promise<Fact[]> {
  const { ports } = context;
  const run = async (): Promise<string> => {
    await ports.repo.restore({ patch: await ports.payloads.get(patch), tree });
    return '';
  };
  await context.effect({ name: 'restore', key: step, detail: 'the change that was taken back' }, { run });
  return captureOrUndo(context, author);
}

/** An open change is settled before anything else is decided. */
export function changeDue({ work: { tree } }: State): ReturnType<Action['due']> {
  if (!tree.change) return [];
  const { n, files } = tree.change;
  return [{ target: String(n), burns: [tank('settle', String(n))], why: `${counted(files.length, 'file')} changed` }];
}

/** Whether anything is left to settle. */
export function isChanged(facts: readonly Fact[]): boolean {
  return facts.some(({ fact }) => fact === 'tree.changed');
}

/** Nothing of it could become a commit. */
export function isTakenBack(facts: readonly Fact[]): boolean {
  return facts.some(({ fact }) => fact === 'tree.undone');
}

export interface Changes {
  files: ChangedFile[];
  patch: string;
  tree?: string | undefined;
  /** Paths that look secret. */
  leftOut: string[];
}

/** What changed; what was put back or removed is said. @throws RefusedChange when it cannot become a commit. */
export async function changesNoted(ports: Ports): Promise<Changes> {
  const { putBack = [], leftOut = [], ...changed } = await ports.tree.changes();
  if (putBack.length > 0) ports.progress({ kind: 'note', text: `Put back, because nobody changes it: ${putBack.join(', ')}.` });
  if (leftOut.length > 0)
    ports.progress({ kind: 'note', text: `Removed, because it looks secret and is never committed: ${leftOut.join(', ')}.` });
  return { ...changed, leftOut };
}

/** Removes what a command of the engine or a crash left in the tree, so that verifications judge the change and nothing else. */
export async function tidy({ ports }: Context, change: Change | null): Promise<void> {
  const patch = change ? await ports.payloads.get(change.patch) : '';
  if ((await patchNow(ports)) !== patch) await ports.repo.restore({ patch, tree: change?.tree });
}

/** A tree that cannot become a commit is undone, because nothing of it can be kept or shown. */
async function patchNow(ports: Ports): Promise<string> {
  try {
    return (await changesNoted(ports)).patch;
  } catch (error) {
    if (!(error instanceof RefusedChange)) throw error;
    ports.progress({ kind: 'note', text: error.message });
    await ports.repo.undo();
    return '';
  }
}

/**
 * Makes what is declared and not installed, before anything runs on a settled tree: a change that is settled forgets an install that
 * failed, and each checkout is prepared as the worktree is. Else a red would say nothing of the work.
 */
export async function installMissing(context: Context): Promise<void> {
  if (await installInWorktree(context, 'changed')) await tidy(context, null);
}
