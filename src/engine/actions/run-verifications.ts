/** Runs every verification that has no result on this code and is not held back by a broken one of a lower tier: one batch, no model (I11). */
import { counted } from '../ground/text.ts';
import type { State } from '../state/state.ts';
import { askForInstalls } from '../judge/install-fault.ts';
import { barriersOf, barrierOf } from '../judge/barriers.ts';
import { askForServices, probeServices } from '../run/probe-services.ts';
import { runVerifications } from '../run/batch.ts';
import { waitsForItsTask } from '../judge/ready-tasks.ts';
import { isCurrent } from '../judge/status.ts';
import { isRunFor, isUnsettled, runTank, waitsForInstall } from '../judge/unsettled.ts';
import { downFor } from '../services/services.ts';
import { liveRunnable } from '../state/covers.ts';
import { canBurn } from '../state/fuel.ts';
import type { Runnable } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import type { Action } from './action.ts';
import { installMissing } from './change.ts';

export const runVerificationsAction: Action = {
  id: 'run-verifications',
  asksModel: false,
  afterQualifying: true,
  due(state) {
    const barriers = barriersOf(state);
    const waiting = unrun(state);
    const verifications = waiting.filter((v) => !barrierOf(v, barriers));
    if (verifications.length === 0) return [];
    const { code } = state.work.tree;
    const heldBack =
      verifications.length < waiting.length
        ? `; ${waiting.length - verifications.length} held back by ${barriers.map(({ id }) => id).join(', ')}`
        : '';
    const why = `no result on code ${code} yet for ${counted(verifications.length, 'verification')}${heldBack}`;
    return [{ target: '', burns: verifications.map((v) => runTank(state, v)), why }];
  },
  async run(_target, context) {
    const { state, open } = context;
    const { code } = state.work.tree;
    await installMissing(context);
    const verifications = liveRunnable(state.work).filter((v) => isRunFor(open.decision, state, v));
    const { probes, ready } = await probeServices(context, { verifications, at: 'worktree', code });
    const runs = await runVerifications(context, { verifications: ready, at: 'worktree', where: 'tree', code, withBarriers: true });
    return [
      ...probes.map((probe): Fact => ({ fact: 'service.probed', probe })),
      ...runs.map((run): Fact => ({ fact: 'verification.ran', run })),
      ...askForServices(state, probes),
      ...askForInstalls(state, runs, probes),
    ];
  },
};

function unrun(state: State): Runnable[] {
  const { work, ledger } = state;
  return liveRunnable(work)
    .filter((v) => !isCurrent(state, v) && !downFor(state, v))
    .filter((v) => !isUnsettled(state, v) && !waitsForInstall(state, v) && canBurn(ledger, [runTank(state, v)]))
    .filter((v) => !waitsForItsTask(state, v));
}
