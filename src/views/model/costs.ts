/** What the parts of a sprint cost, for the row *Cost*: by kind of work, by role, and by phase and task. */
import type { Costs } from '../../engine/picture/costs.ts';
import { actionWords } from '../../engine/state/rows.ts';
import { tokensOf, type Spend } from '../../engine/work/spend.ts';
import { titleOf } from '../../engine/work/task.ts';
import { t, translated } from '../words.ts';
import { roleName } from './activity.ts';
import { countWords, spentWords, usdWords } from './display-text.ts';
import { node, type TreeNode } from './tree-node.ts';

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

/** `$0.41, 12.3k tokens`, or tokens alone where no price is known. */
export function costWords({ usd, unpriced, tokens }: Omit<CostView, 'of'>): string {
  if (unpriced > 0) return spentWords({ usd, unpriced });
  return t('{0}, {1} tokens', usdWords(usd), countWords(tokens));
}

/** None before the first model call. */
export function costNodes({ steps, roles, phases }: CostsView): TreeNode[] {
  const builders = t('What the builders of each task cost. Mending and judging serve several tasks, so they stand by kind of work.');
  return [
    groupNode(
      'steps',
      t('By Kind of Work'),
      '',
      steps.map((cost) => costNode('steps', cost)),
    ),
    groupNode(
      'roles',
      t('By Role'),
      '',
      roles.map((cost) => costNode('roles', cost)),
    ),
    groupNode('tasks', t('By Phase and Task'), builders, phases.map(phaseNode)),
  ].filter(({ children }) => children.length > 0);
}

function phaseNode({ tasks, ...phase }: CostsView['phases'][number]): TreeNode {
  const inside = tasks.map((cost) => costNode(`tasks/${phase.of}`, cost));
  return { ...costNode('tasks', phase), expanded: true, children: inside };
}

function groupNode(id: string, label: string, tooltip: string, children: TreeNode[]): TreeNode {
  return node(`spend/${id}`, label, { spoken: label, tooltip: tooltip === '' ? [] : [tooltip], children });
}

function costNode(group: string, cost: CostView): TreeNode {
  return node(`spend/${group}/${cost.of}`, cost.of, { description: costWords(cost), spoken: t('{0}: {1}', cost.of, costWords(cost)) });
}
