/** One question to the person: about failures, whose fixers then get what they say, or about how the sprint goes on, which guides all. */
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { humanActionId, isUnresolved, questionOf } from '../work/human-action.ts';
import { ToolError } from './tool.ts';

interface Question {
  action: string;
  words: string;
  /** Task that waits for the answer; none where it is left out. */
  task?: string;
  /** What fails and they may know of; without any it is about how the sprint goes on. */
  lineages?: string[];
}

/** @throws ToolError when such a question about how the sprint goes on is open already. */
export function question({ ledger: { humanActions } }: State, { action, words, task = '', lineages = [] }: Question): Fact {
  const humanAction = questionOf({ id: humanActionId(humanActions), action, instructions: words, task }, lineages);
  const open = Object.values(humanActions).find((one) => isUnresolved(one) && one.task === task && one.kind === 'advice');
  if (open && humanAction.kind === 'advice') throw new ToolError(`The person is asked already: "${open.action}".`);
  return { fact: 'human-action.asked', humanAction };
}
