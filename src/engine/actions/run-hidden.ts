/**
 * Runs the hidden verifications in a clean checkout, on every code: after each settled change, and before the final looks. Those
 * who wrote what is red look at it first; once they cannot, its requirement and its title become a task.
 */
import { canBurn, hasBurned } from '../state/fuel.ts';
import { canReview, isTold, unrunHidden } from '../judge/hidden.ts';
import { runInCheckout } from '../run/in-checkout.ts';
import type { Fact } from '../work/facts.ts';
import type { Script } from '../work/verification.ts';
import type { Action } from './action.ts';
import { installMissing } from './change.ts';
import { tasksForHidden } from './gap-tasks.ts';

export const runHidden: Action = {
  id: 'run-hidden',
  asksModel: false,
  afterQualifying: true,
  due(state) {
    const unrun = unrunHidden(state).filter(({ burns }) => canBurn(state.ledger, [burns]));
    if (unrun.length === 0) return [];
    const why = `hidden verifications have no result on code ${state.work.tree.code} yet`;
    return [{ target: '', burns: unrun.map(({ burns }) => burns), why }];
  },
  async run(_target, context) {
    const { state, open } = context;
    await installMissing(context);
    const verifications = unrunHidden(state)
      .filter(({ burns }) => hasBurned(open.decision, burns))
      .map(({ verification }) => verification);
    const runs = await runInCheckout(context, { verifications, where: 'clean', code: state.work.tree.code });
    const facts = runs.map((run): Fact => {
      const n = state.ledger.hidden.runs.filter(({ lineage }) => lineage === run.lineage).length + 1;
      return { fact: 'hidden.ran', run: { ...run, n } };
    });
    const isRed = (one: Script): boolean => !isTold(state, one) && runs.some((run) => run.verification === one.id && run.verdict === 'red');
    return [
      ...facts,
      ...tasksForHidden(
        state,
        verifications.filter((one) => isRed(one) && !canReview(state, one)),
      ),
    ];
  },
};
