/**
 * One question to the person. A hint is about failures, and its answer goes to their fixers; advice is about how the sprint
 * goes on, and its answer goes to all agents.
 */
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { humanActionId, isUnresolved, questionOf } from '../work/human-action.ts';
import { ToolError } from './tool.ts';

interface Question {
  action: string;
  words: string;
  /** Task that waits for the answer; by default none. */
  task?: string;
  /** Failures that the person may know about; without any the question asks for advice. */
  lineages?: string[];
  /** What the agent that asks would take. */
  otherwise?: string;
}

/** @throws ToolError when such advice is asked for already. */
export function question({ ledger: { humanActions } }: State, { action, words, task = '', lineages = [], otherwise }: Question): Fact {
  const asked = { id: humanActionId(humanActions), action, instructions: words, task };
  const humanAction = questionOf({ ...asked, ...(otherwise === undefined ? {} : { otherwise }) }, lineages);
  const open = Object.values(humanActions).find((one) => isUnresolved(one) && one.task === task && one.kind === 'advice');
  if (open && humanAction.kind === 'advice') throw new ToolError(`The person is asked already: "${open.action}".`);
  return { fact: 'human-action.asked', humanAction };
}
