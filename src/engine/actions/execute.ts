/** Builds the next task (spec/1 §6.1). What the builder says is a claim; `settle` looks at what really changed. */
import { guidance } from '../render/guidance.ts';
import { renderPlan, renderTask } from '../render/plan.ts';
import { guardedText } from '../render/suites.ts';
import type { State } from '../state.ts';
import { waitsFor } from '../work/pause.ts';
import { isOpen, type Task } from '../work/task.ts';
import type { Fact } from '../work/facts.ts';
import type { Action } from './action.ts';
import { changeOf } from './change.ts';
import { isQualified } from './gate-row.ts';
import { factsOf, runSession } from './session-action.ts';

/** Gaps found in use go before what was planned (spec/1 §6.1). */
const order: Record<Task['source'], number> = { final: 0, evaluation: 1, vrc: 2, course_correction: 2, plan: 3 };

export const execute: Action = {
  id: 'execute',
  asksModel: true,
  due(state) {
    if (!isQualified(state)) return [];
    const ready = Object.values(state.work.tasks).filter((t) => isReady(state, t));
    return ready
      .sort((a, b) => order[a.source] - order[b.source])
      .map((t) => ({ target: t.id, burns: [`execute/${t.id}`], why: `task ${t.id} is ready` }));
  },
  async run(target, context) {
    const { state } = context;
    const task = state.work.tasks[target];
    if (!task) return [];
    const values = {
      task: renderTask(task),
      plan: renderPlan(state),
      setback: await setback(task, context),
      guarded: guardedText(state),
      guidance: guidance(state),
    };
    const end = await runSession(context, { prompt: 'execute', values, target });
    const changed = await changeOf(context, { kind: 'task', task: target });
    const reported = state.work.tasks[target]?.status === 'reported';
    const silent = (why: string): Fact[] => (changed.length === 0 ? [{ fact: 'task.returned', id: target, why }] : []);
    if (reported && changed.length === 0)
      return [{ fact: 'task.returned', id: target, why: 'it was reported complete, but nothing changed' }];
    return [...changed, ...factsOf(end, silent)];
  },
};

/** Pending, waits for nobody, and all that it depends on is done or dropped. */
function isReady({ work, ledger }: State, task: Task): boolean {
  if (task.status !== 'pending' || waitsFor(ledger.pauses, task)) return false;
  return task.dependencies.every((id) => !work.tasks[id] || !isOpen(work.tasks[id]));
}

/** What became of the last attempt, with its diff, so that the next one does not repeat it. */
async function setback(task: Task, { state, ports }: Parameters<Action['run']>[1]): Promise<string> {
  if (!task.setback) return 'This is the first attempt.';
  const last = state.ledger.undone.findLast(({ change }) => change.author.kind === 'task' && change.author.task === task.id);
  const diff = last
    ? `\n\nIts diff, which was taken back:\n\n${(await ports.payloads.get(last.change.patch)).slice(0, 20_000)}`
    : '';
  return `The last attempt was not kept: ${task.setback}.${diff}`;
}
