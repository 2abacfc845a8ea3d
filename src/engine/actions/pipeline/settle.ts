/** Keeps the change of an iteration as a commit (I10). What it may change was judged when it ended. */
import { requireOwnTip } from '../../branch.ts';
import type { Context } from '../../context.ts';
import { Bug, RefusedChange } from '../../ground/errors.ts';
import { authorWords, type Change } from '../../work/tree.ts';
import type { Action } from '../action.ts';
import { changeDue } from '../change.ts';

export const settle: Action = {
  id: 'settle',
  asksModel: false,
  afterQualifying: false,
  due: changeDue,
  async run(_target, context) {
    const { state, ports } = context;
    const { change } = state.work.tree;
    if (!change) throw new Bug('nothing to settle');
    try {
      const commit = await commitOf(context, change);
      const { author, step, files, notable, patch } = change;
      const code = state.work.tree.code + 1;
      return [{ fact: 'tree.settled', settled: { code, commit, author, step, files, ...(notable ? { notable } : {}), patch } }];
    } catch (error) {
      if (!(error instanceof RefusedChange)) throw error;
      const why = error.message;
      await context.effect({ name: 'undo', key: change.step, detail: why }, { run: () => ports.repo.undo().then(() => '') });
      return [{ fact: 'tree.undone', change, why, broke: [] }];
    }
  },
};

async function commitOf(context: Context, { step, author }: Change): Promise<string> {
  const { state, ports } = context;
  await requireOwnTip(state, ports.repo);
  const message = `${state.opened.sprint}: ${authorWords(author)}`;
  const find = (): Promise<string | undefined> => ports.repo.findCommit(step);
  const trailers = { 'Loop-Task': authorWords(author), 'Loop-Step': step };
  return context.effect({ name: 'commit', key: step, detail: message }, { find, run: () => ports.repo.commit(message, trailers) });
}
