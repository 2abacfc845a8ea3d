/** Builds the next task. The builder's report is a claim; `settle` looks at what really changed (I5). */
import { approach } from '../render/approach.ts';
import { guidance } from '../render/guidance.ts';
import { renderOtherTasks, renderTask } from '../render/plan-text.ts';
import { guardedText } from '../render/suite-words.ts';
import { liveVerifications } from '../state/covers.ts';
import { attemptTank } from '../state/fuel.ts';
import { hasAsked, type State } from '../state/state.ts';
import { holdsStill } from '../judge/revision.ts';
import { foundNothingToDo } from '../judge/missing-proofs.ts';
import { readyTasks } from '../judge/ready-tasks.ts';
import { restorableWork } from '../judge/restorable.ts';
import { isShown } from '../judge/trust.ts';
import { isFinding, type Task } from '../work/task.ts';
import { requirementsOf } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import type { Action } from './action.ts';
import { captureOrUndo, isChanged, isTakenBack, restoreChange } from './change.ts';
import { setbackText } from './told/last-attempt.ts';
import { textsToBuildOn } from './told/shown-texts.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const execute: Action = {
  id: 'execute',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    return readyTasks(state).map((t) => ({
      target: t.id,
      burns: [attemptTank(state.ledger, t.id)],
      why: whyDue(state, t),
    }));
  },
  async run(target, context) {
    const { state } = context;
    const task = state.work.tasks[target];
    if (!task) return [];
    if (task.report && isShownSince(state, task))
      return [
        { fact: 'task.reported', id: target, report: task.report },
        { fact: 'task.shown', id: target },
      ];
    const before = hasAsked(context.open) ? undefined : restorableWork(state, task);
    if (before) return [{ fact: 'task.reported', id: target, report: before.report }, ...(await restoreChange(context, before.change))];
    const values = async () => ({
      task: renderTask(task),
      others: renderOtherTasks(state, target),
      files: await textsToBuildOn(context, task),
      setback: await setbackText(task, context),
      guarded: guardedText(state),
      guidance: guidance(state),
      approach: approach(state, 'builder'),
    });
    const end = await runSession(context, { prompt: 'execute', values });
    const changed = await captureOrUndo(context, { kind: 'task', task: target });
    if (isTakenBack(changed)) return [...changed, ...unreportedFacts(end, () => [])];
    const reported = state.work.tasks[target]?.status === 'reported';
    const unreported = (why: string): Fact[] => (isChanged(changed) ? [] : [{ fact: 'task.returned', id: target, why }]);
    if (reported && !isChanged(changed) && isDone(state, task)) return [...changed, { fact: 'task.shown', id: target }];
    if (reported && !isChanged(changed))
      return [
        ...changed,
        {
          fact: 'task.returned',
          id: target,
          why: 'it was reported complete, but nothing changed, and its verifications do not show it done',
        },
      ];
    return [...changed, ...unreportedFacts(end, unreported)];
  },
};

function whyDue(state: State, task: Task): string {
  if (isShownSince(state, task)) return `task ${task.id} is shown done`;
  return restorableWork(state, task) ? `what the work of ${task.id} broke is judged otherwise now` : `task ${task.id} is ready`;
}

/**
 * Whether a task that changed nothing is done. What only criteria judge, no script can show: the final evaluation sees it before
 * anything is delivered. A task that serves nothing else must say so twice.
 */
function isDone(state: State, task: Task): boolean {
  const verifications = liveVerifications(state.work);
  const isJudged = (id: string): boolean => {
    const own = verifications.filter((one) => requirementsOf(one).includes(id));
    return own.length > 0 && own.every(({ kind }) => kind === 'criterion');
  };
  const prdSection = task.prdSection.filter((id) => !isJudged(id));
  if (prdSection.length > 0 || task.prdSection.length === 0) return isShown(state, { ...task, prdSection });
  return task.setback !== undefined && !isFinding(task);
}

/** Since its last attempt other work or a proof shows it done: nobody is asked to build it again. A session that a crash broke off goes on. */
function isShownSince(state: State, task: Task): boolean {
  if (task.status !== 'pending') return false;
  return task.reopened === undefined ? foundNothingToDo(state, task) && isShown(state, task) : holdsStill(state, task);
}
