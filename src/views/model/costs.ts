/** What the parts of a sprint cost: by kind of work, by role, and by phase and task. The worker makes it, since it reads the engine. */
import type { Costs } from '../../engine/picture/costs.ts';
import { actionWords } from '../../engine/state/rows.ts';
import { tokensOf, type Spend } from '../../engine/work/spend.ts';
import { titleOf } from '../../engine/work/task.ts';
import { t, translated } from '../words.ts';
import { roleName } from './activity.ts';

export interface CostView {
  of: string;
  usd: number;
  unpriced: number;
  tokens: number;
}

export interface CostsView {
  steps: CostView[];
  roles: CostView[];
  phases: (CostView & { tasks: CostView[] })[];
}

export function costView(of: string, spend: Spend): CostView {
  return { of, usd: spend.usd, unpriced: spend.unpriced ?? 0, tokens: tokensOf(spend) };
}

export function costsView({ steps, roles, phases }: Costs): CostsView {
  return {
    steps: steps.map(({ of, spend }) => costView(translated(actionWords[of]), spend)),
    roles: roles.map(({ of, spend }) => costView(roleName(of), spend)),
    phases: phases.map(({ of, spend, tasks }) => ({
      ...costView(of || t('Tasks'), spend),
      tasks: tasks.map((task) => costView(`${task.of.id} ${titleOf(task.of)}`, task.spend)),
    })),
  };
}
