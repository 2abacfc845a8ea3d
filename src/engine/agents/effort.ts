/** How hard a role thinks: as its table says, or a step harder by strategy. Turns and tokens of a reply stay as they are (I6). */
import type { Ledger } from '../state/ledger.ts';
import { strategyOf } from '../work/strategy.ts';
import { roles, type Role, type RoleName } from '../ground/roles.ts';

const steps: readonly Role['effort'][] = ['low', 'medium', 'high', 'max'];
/** Those who do the work; who judges it thinks as ever. */
const workers: readonly RoleName[] = ['builder', 'fixer', 'qc', 'researcher'];

export function effortOf(ledger: Pick<Ledger, 'strategies'>, role: RoleName): Role['effort'] {
  const { effort, fix } = strategyOf(ledger);
  const usual = roles[role].effort;
  const isHarder = (effort === 'raised' && workers.includes(role)) || (fix === 'rewrite' && role === 'fixer');
  return isHarder ? (steps[steps.indexOf(usual) + 1] ?? usual) : usual;
}
