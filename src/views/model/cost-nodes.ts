/** The row *Cost* and what stands below it. */
import { t } from '../words.ts';
import type { CostsView, CostView } from './costs.ts';
import { countWords, spentWords, usdWords } from './display-text.ts';
import { node, type TreeNode } from './tree-node.ts';

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
