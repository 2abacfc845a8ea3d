/** How a sprint that was off course goes on: one of six ways, each within the limits in force (I6). */
import * as z from 'zod';
import { factsIn, type State } from '../state/state.ts';
import { whyNoDoubt } from '../diagnose/doubt.ts';
import { correctionKind } from '../work/correction.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import { amendmentFact, amendmentInput } from './declaration.ts';
import { question } from './question.ts';
import { reportTool, ToolError, type Situation } from './tool.ts';

const input = z.strictObject({
  action: correctionKind,
  diagnosis: z.string().min(40).describe('Why the sprint was off course: which assumption was wrong'),
  guidance: z.string().min(20).max(2000).describe('What builders and fixers do differently from now on'),
  verifications: z.array(z.string()).default([]).describe('rewrite_verifications: ids of those that are wrong'),
  task_id: z.string().default('').describe('descope: the task that cannot be had'),
  question: z.string().default('').describe('escalate: one question to the person'),
  amend: amendmentInput.optional().describe('amend: what discovery declared wrongly or not at all'),
});
type Input = z.infer<typeof input>;

export const reportCourseCorrection = reportTool<Input>({
  name: 'report_course_correction',
  description: 'Submit the course correction: what was wrong and how it goes on. It ends the session.',
  input,
  handle(call, on) {
    const facts = factsFor[call.action](call, on);
    const { action: kind, diagnosis, guidance } = call;
    const correction = { kind, diagnosis, guidance: guidance.replaceAll(/\s+/g, ' ') };
    return { text: 'Taken; the sprint goes on from here.', facts: [...facts, { fact: 'course.corrected', correction }] };
  },
});

/** The facts of each way. A way that changes tasks must have done so with `manage_task` before. */
const factsFor: Record<Input['action'], (call: Input, on: Situation) => Fact[]> = {
  restructure: (_call, { state }) => requireChange(state, ['task.modified', 'task.descoped'], 'Modify or replace a pending task first'),
  new_tasks: (_call, { state }) => requireChange(state, ['task.added'], 'Add a task first'),
  rewrite_verifications: ({ verifications, diagnosis }, { state, step }) => {
    if (verifications.length === 0) throw new ToolError('Name the verifications that are wrong.');
    return verifications.map((id) => doubt(state, id, diagnosis, step));
  },
  descope: ({ task_id: id, diagnosis }, { state }) => {
    const task = Object.hasOwn(state.work.tasks, id) ? state.work.tasks[id] : undefined;
    if (!task || !isOpen(task)) throw new ToolError(`There is no open task ${id || '(none was named)'}.`);
    const words = `${task.description}\n\nWhy: ${diagnosis}\n\nSkip it to drop the task; the report will say that it is not delivered. Or say how it can be done, and it is tried again as far as its attempts go.`;
    return [question(state, { task: id, action: `Decide whether task ${id} is dropped: it cannot be done as planned`, words })];
  },
  amend: ({ amend, diagnosis }, { state }) => {
    if (!amend) throw new ToolError('Say in amend what is to be declared anew.');
    return [amendmentFact(state, amend, 'course correction', diagnosis)];
  },
  escalate: ({ question: asked, diagnosis }, { state }) => {
    if (asked.trim() === '') throw new ToolError('Ask the person one question.');
    return [question(state, { action: asked, words: `Why it matters: ${diagnosis}` })];
  },
};

/** @throws ToolError when no call of this session changed the plan in one of these ways, whatever the report claims. */
function requireChange({ open }: State, kinds: readonly Fact['fact'][], todo: string): Fact[] {
  if (!factsIn(open).some(({ fact }) => kinds.includes(fact))) throw new ToolError(`${todo}, with manage_task, or choose another action.`);
  return [];
}

/** Like a fixer's `verification_wrong`: QC answers it, on its own fuel (docs/decisions/0007). */
function doubt(state: State, id: string, evidence: string, step: string): Fact {
  const verification = Object.hasOwn(state.work.verifications, id) ? state.work.verifications[id] : undefined;
  if (!verification || verification.kind === 'criterion' || state.work.retired.includes(id))
    throw new ToolError(`There is no verification ${id}.`);
  const refusal = whyNoDoubt(state, verification);
  if (refusal !== undefined) throw new ToolError(`${refusal} Choose another action.`);
  const { lineage, script } = verification;
  const fix = { fixApplied: 'nothing: a course correction', filesChanged: [], reasoning: evidence };
  const signature = state.work.results[id]?.signature ?? '';
  return {
    fact: 'fix.reported',
    step,
    report: { lineage, verification: id, also: [], signature, ...fix, answer: { kind: 'doubt', evidence, script } },
  };
}
