/** A review of the plan: the verdict of every lens. What it says of a task is compared with the session's own changes. */
import * as z from 'zod';
import { factsIn, type State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { lens } from '../work/plan-review.ts';
import { reportTool, ToolError } from './tool.ts';

const mostFindings = 20;
/** Characters. */
const longestText = 300;
const sentence = z.string().trim().min(1).max(longestText, `at most ${longestText} characters: one fault a finding`);

const input = z.strictObject({
  approves: z.array(lens).default([]).describe('Lenses without a finding'),
  findings: z
    .array(
      z.strictObject({
        lens,
        task_id: z.string().describe('The task that you changed, or that should change'),
        wrong: sentence.describe('What was wrong, one sentence'),
        change: sentence.describe('What to change, one sentence'),
      }),
    )
    .max(mostFindings, `at most ${mostFindings} findings: those that cost most`)
    .default([]),
  value_score: z.number().min(0).max(1).describe('How much of the Vision’s value there is once all tasks are done'),
});
type Input = z.infer<typeof input>;

export const reportPlanReview = reportTool<Input>({
  name: 'report_plan_review',
  description: 'Submit the verdict of every lens: approved, or its findings. It ends a review of the plan.',
  input,
  handle(call, { state, target }) {
    if (!state.work.gates.includes('plan'))
      throw new ToolError('There is no complete plan to review. Finish it with report_plan_complete.');
    const touched = touchedTasks(state);
    refuseVerdicts(call, target);
    refuseTasks(call, state, touched);
    const findings = call.findings.map(({ task_id: task, ...one }) => ({ ...one, task, mended: touched.has(task) }));
    const open = findings.filter(({ mended }) => !mended).length;
    const text = findings.length === 0 ? 'The plan is approved.' : `Review taken: ${findings.length - open} mended, ${open} not.`;
    const by = state.open?.decision.action === 'plan' ? { own: true as const } : {};
    const lenses = target === '' ? {} : { lenses: target };
    return { text, facts: [{ fact: 'plan.judged', review: { findings, value: call.value_score, ...lenses, ...by } }] };
  },
});

/** Each lens says one thing; in a closer look only its own ones say something. */
function refuseVerdicts({ approves, findings }: Input, target: string): void {
  const own = lens.options.filter((one) => target === '' || target.split(', ').includes(one));
  const found = new Set(findings.map((one) => one.lens));
  const both = lens.options.filter((one) => found.has(one) && approves.includes(one));
  if (both.length > 0) throw new ToolError(`${both.join(', ')} cannot approve and have findings. Take it out of approves.`);
  const other = lens.options.filter((one) => found.has(one) && !own.includes(one));
  if (other.length > 0) throw new ToolError(`This look is through ${target} alone. Take out what you found by ${other.join(', ')}.`);
  const silent = own.filter((one) => !found.has(one) && !approves.includes(one));
  if (silent.length > 0) throw new ToolError(`No verdict of ${silent.join(', ')}. Name each lens in approves, or give its findings.`);
}

/** Findings name tasks of the plan, and every task that was changed has a finding, so that a later review looks at it. */
function refuseTasks({ findings }: Input, { work }: State, touched: ReadonlySet<string>): void {
  const named = findings.map((one) => one.task_id);
  const unknown = named.filter((id) => !Object.hasOwn(work.tasks, id) && !touched.has(id));
  if (unknown.length > 0)
    throw new ToolError(`There is no task ${unknown.join(', ')}. Name one of ${Object.keys(work.tasks).join(', ')} in task_id.`);
  const unsaid = [...touched].filter((id) => !named.includes(id));
  if (unsaid.length > 0)
    throw new ToolError(`You changed ${unsaid.join(', ')}. Say in findings what was wrong with it, and by which lens.`);
}

/** Tasks that this session changed once the plan was complete, or whose requests to the person, by the engine's own record (I5). */
function touchedTasks({ open, ledger }: State): Set<string> {
  const facts = factsIn(open);
  const touched = (fact: Fact): string | undefined => {
    switch (fact.fact) {
      case 'task.added':
        return fact.task.id;
      case 'task.modified':
      case 'task.removed':
        return fact.id;
      case 'human-action.asked':
        return fact.humanAction.task;
      case 'human-action.not-needed':
        return ledger.humanActions[fact.id]?.task;
      default:
        return undefined;
    }
  };
  const completed = facts.findLastIndex(({ fact }) => fact === 'gate.passed');
  return new Set(facts.slice(completed + 1).flatMap((fact) => touched(fact) ?? []));
}
