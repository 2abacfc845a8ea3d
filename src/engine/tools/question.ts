/** One question to the person: about failures, whose fixers then get what they say, or about how the sprint goes on, which guides all. */
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { askedFor, isUnresolved, pauseId } from '../work/pause.ts';
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
export function question({ ledger: { pauses } }: State, { action, words, task = '', lineages = [] }: Question): Fact {
  const asking = { task, lineages };
  const open = Object.values(pauses).find((p) => isUnresolved(p) && p.task === task && askedFor(p) === 'advice');
  if (open && askedFor(asking) === 'advice') throw new ToolError(`The person is asked already: "${open.action}".`);
  const pause = {
    id: pauseId(pauses),
    status: 'open' as const,
    action,
    instructions: words,
    paths: [],
    command: '',
    shown: false,
    unattended: false,
    missing: '',
    ...asking,
  };
  return { fact: 'pause.opened', pause };
}
