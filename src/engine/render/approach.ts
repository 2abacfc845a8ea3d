/** What a role is told of how it goes about its work, where the strategy is not the usual one (spec/1 §11.2). */
import { promptText } from '../ground/prompts.ts';
import type { State } from '../state/state.ts';
import { strategyOf } from '../work/strategy.ts';

export function approach({ ledger }: State, role: 'builder' | 'fixer' | 'qc'): string {
  const { fix, tests, scope } = strategyOf(ledger);
  if (role === 'builder') return scope === 'smallest' ? promptText('approach-smallest') : '';
  if (role === 'qc') return tests === 'smaller' ? promptText('approach-smaller') : '';
  return fix === 'targeted' ? '' : promptText(`approach-${fix}`);
}
