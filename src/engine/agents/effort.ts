/** How hard a role thinks: as its table says, or one step harder by strategy. The turns and tokens of a reply stay the same (I6). */
import type { Ledger } from '../state/ledger.ts';
import { strategyOf } from '../work/strategy.ts';
import { roles, type Role, type RoleName } from '../ground/roles.ts';

const steps: readonly Role['effort'][] = ['low', 'medium', 'high', 'max'];
/** Roles that do the work. Strategy does not change the effort of those that judge it. */
const workingRoles: readonly RoleName[] = ['builder', 'fixer', 'qc', 'researcher'];

export function effortOf(ledger: Pick<Ledger, 'strategies'>, role: RoleName): Role['effort'] {
  const { effort, fix } = strategyOf(ledger);
  const usual = roles[role].effort;
  const isHarder = (effort === 'raised' && workingRoles.includes(role)) || (fix === 'rewrite' && role === 'fixer');
  return isHarder ? (steps[steps.indexOf(usual) + 1] ?? usual) : usual;
}
