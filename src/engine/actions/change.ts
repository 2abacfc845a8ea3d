/** Captures what a session really changed, as git reports it: the open change that `settle` keeps or takes back (I5). */
import type { Context } from '../context.ts';
import { RefusedChange } from '../ground/errors.ts';
import type { Change as Changed, Ports } from '../ports.ts';
import { notableIn } from '../judge/notable-changes.ts';
import type { Fact } from '../work/facts.ts';
import type { Author, Change } from '../work/tree.ts';

/** @returns the change as one fact; none when the tree is unchanged, or was undone because it cannot become a commit. */
export async function captureOrUndo({ state, ports, open }: Context, author: Author): Promise<Fact[]> {
  const { files, patch } = await diffOrUndo(ports);
  if (files.length === 0) return [];
  const notable = notableIn(files, patch);
  const named = notable.length > 0 ? { notable } : {};
  const change = { n: state.ledger.changes + 1, author, step: open.id, files, ...named, patch: await ports.payloads.put(patch) };
  return [{ fact: 'tree.changed', change }];
}

/** A fixer's change; where there is none, that its report of a fix came to nothing. */
export async function captureFix(context: Context, author: Extract<Author, { kind: 'fix' }>): Promise<Fact[]> {
  const changed = await captureOrUndo(context, author);
  const { state, open } = context;
  const report = state.ledger.fixes[author.lineage]?.find(({ step }) => step === open.id);
  return changed.length === 0 && report?.answer.kind === 'fixed' ? [{ fact: 'fix.idle', step: open.id }] : changed;
}

/** A tree that cannot become a commit is undone, because nothing of it can be kept or shown. */
async function diffOrUndo(ports: Ports): Promise<{ files: Changed[]; patch: string }> {
  try {
    const { putBack = [], ...changed } = await ports.tree.changes();
    if (putBack.length > 0) ports.progress({ kind: 'note', text: `Put back, because nobody changes it: ${putBack.join(', ')}.` });
    return changed;
  } catch (error) {
    if (!(error instanceof RefusedChange)) throw error;
    ports.progress({ kind: 'note', text: error.message });
    await ports.repo.undo();
    return { files: [], patch: '' };
  }
}

/** Removes what a command of the engine or a crash left in the tree, so that verifications judge the change and nothing else. */
export async function tidy({ ports }: Context, change: Change | null): Promise<void> {
  const expected = change ? await ports.payloads.get(change.patch) : '';
  const { patch } = await diffOrUndo(ports);
  if (patch !== expected) await ports.repo.restore(expected);
}
