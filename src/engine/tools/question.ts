/** One question to the person about how the sprint goes on; what they answer guides all later sessions. */
import type { State } from '../state.ts';
import type { Fact } from '../work/facts.ts';
import { isUnresolved } from '../work/pause.ts';
import { ToolError } from './tool.ts';

/** @throws ToolError when they are asked already. */
export function question({ ledger }: State, { task, action, words }: { task: string; action: string; words: string }): Fact {
  const pauses = Object.values(ledger.pauses);
  if (pauses.some((p) => isUnresolved(p) && p.task === task && p.lineages))
    throw new ToolError('The person is asked that already.');
  const pause = {
    id: `H${pauses.length + 1}`,
    status: 'open' as const,
    action,
    instructions: words,
    paths: [],
    command: '',
    task,
    shown: false,
    unattended: false,
    missing: '',
    lineages: [],
  };
  return { fact: 'pause.opened', pause };
}
