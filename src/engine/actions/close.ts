/**
 * Closes the sprint: always due, and last in the table. When the sprint is over for good, verifications and report are
 * committed on its branch. How it ended is worked out by `ending` from the journal, not decided here (I7).
 */
import { requireOwnTip } from '../branch.ts';
import { ending } from '../judge/ending.ts';
import { brokenByVerifications } from '../judge/guarded-suites.ts';
import type { Context } from '../context.ts';
import { InputError, RefusedChange } from '../ground/errors.ts';
import { isResumable } from '../core/fold.ts';
import { renderReport } from '../render/report.ts';
import { verificationFiles } from '../run/beside-verifications.ts';
import type { Action } from './action.ts';
import { stopCompose } from './compose.ts';

export const close: Action = {
  id: 'close',
  asksModel: false,
  afterQualifying: false,
  due: () => [{ target: '', burns: [], why: 'nothing else is due' }],
  async run(_target, context) {
    const { state } = context;
    if (isResumable(ending(state).stop) || !state.work.gates.includes('inputs')) return [];
    await stopCompose(context);
    const key = 'closing';
    await context.effect({ name: 'commit', key, detail: 'verifications and report' }, { run: () => commitResult(context, key) });
    return [];
  },
};

async function commitResult({ state, ports }: Context, key: string): Promise<string> {
  await requireOwnTip(state, ports.repo);
  const earlier = await ports.repo.findCommit(key);
  if (earlier) return earlier;
  const verifications = brokenByVerifications(state).length > 0 ? {} : await verificationFiles({ state, ports });
  const files = { 'DELIVERY_REPORT.md': renderReport(state), ...verifications };
  const subject = `Close sprint ${state.opened.sprint}: ${ending(state).stop}`;
  try {
    return await ports.repo.commitFiles(files, subject, { 'Loop-Step': key });
  } catch (error) {
    if (!(error instanceof RefusedChange || error instanceof InputError)) throw error;
    // A text that looks like a key, or a path that cannot be written, stays out of history; `.loop` has all of it anyway.
    await ports.repo.undo();
    ports.progress({ kind: 'note', text: `Verifications and report were not committed. ${error.message}` });
    return '';
  }
}
