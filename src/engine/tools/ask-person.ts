/**
 * Asks the person one question whose answer only they know. What hangs on it waits for the answer, and goes on by what the agent
 * would take if they skip it. Later agents read the question with what became of it.
 */
import * as z from 'zod';
import { alsoFixed } from '../judge/status.ts';
import type { Fact } from '../work/facts.ts';
import { isAgents } from '../work/human-action.ts';
import { serviceLineage } from '../work/service.ts';
import { isOpen } from '../work/task.ts';
import { question } from './question.ts';
import { reportTool, ToolError, type Situation } from './tool.ts';

/** Questions of agents in one sprint: more are no delivery that somebody can leave alone. */
const mostQuestions = 6;
const words = z.string().trim().min(1).max(600);

const input = z.strictObject({
  question: words.describe('One question, for someone who has not seen the code'),
  why: words.describe('What hangs on it, and what is not in the documents'),
  otherwise: words.describe('What you take if they do not answer'),
  task_id: z.string().default('').describe('Task that waits for the answer; a builder and a fixer leave it out'),
});
type Input = z.infer<typeof input>;

export const askPerson = reportTool<Input>({
  name: 'ask_person',
  description:
    'Ask the person one question that the documents leave open and that would cost them much if you guessed wrong. What hangs on it waits for the answer; decide everything else yourself.',
  input,
  handle(call, on) {
    const asked = Object.values(on.state.ledger.humanActions).filter(isAgents).length;
    if (asked >= mostQuestions)
      throw new ToolError(
        `The person was asked ${mostQuestions} questions already. Decide it yourself, and say in your report what you took.`,
      );
    const about = waiting(call, on);
    const text = `${call.why}\n\nSkip it and the agents take this: ${call.otherwise}`;
    const fact: Fact = question(on.state, { action: call.question, words: text, otherwise: call.otherwise, ...about });
    return { text: 'Asked. What hangs on it waits for the answer; do no more of it.', facts: [fact] };
  },
});

/** What waits: the failures that a fixer mends, the task that is built, or the one that is named. */
function waiting({ task_id: named }: Input, { state, target }: Situation): { task?: string; lineages?: string[] } {
  const action = state.open?.decision.action;
  if (action === 'service-fix') return { lineages: [serviceLineage(target)] };
  const broken = action === 'fix' ? state.work.verifications[target] : undefined;
  if (broken) return { lineages: [broken, ...alsoFixed(state, target)].map(({ lineage }) => lineage) };
  const task = action === 'execute' ? target : named;
  const known = Object.hasOwn(state.work.tasks, task) ? state.work.tasks[task] : undefined;
  if (known && isOpen(known)) return { task };
  const open = Object.values(state.work.tasks).flatMap((one) => (isOpen(one) ? [one.id] : []));
  throw new ToolError(`task_id: name an open task that waits for the answer; there are: ${open.join(', ') || 'none'}.`);
}
