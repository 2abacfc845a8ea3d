/** How a role goes about its work, for its prompt; empty where the strategy is the usual one. */
import { promptText } from '../ground/prompts.ts';
import type { State } from '../state/state.ts';
import { strategyOf } from '../work/strategy.ts';

export function approach({ ledger }: State, role: 'builder' | 'fixer' | 'qc'): string {
  const { fix, tests, scope } = strategyOf(ledger);
  if (role === 'builder') return scope === 'smallest' ? promptText('approach-smallest') : '';
  if (role === 'qc') return tests === 'smaller' ? promptText('approach-smaller') : '';
  return fix === 'targeted' ? '' : promptText(`approach-${fix}`);
}
