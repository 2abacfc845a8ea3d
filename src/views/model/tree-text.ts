/** The trees as texts, for who reads them with a screen reader: each row in the words that are spoken for it. */
import { pipelineNodes, type ShownPipeline } from './pipeline-nodes.ts';
import { sprintNodes, type Here } from './sprint-nodes.ts';
import type { SprintView } from './sprint-view.ts';
import { taskNodes } from './task-nodes.ts';
import type { TreeNode } from './tree-node.ts';
import { verificationNodes } from './verification-nodes.ts';
import { t } from '../words.ts';

/** The trees of a sprint as one. */
export function treesText(view: SprintView, isRunning: boolean, here: Here): string {
  const trees: [string, TreeNode[]][] = [
    [t('Sprint'), sprintNodes(view, isRunning, here)],
    [t('Tasks'), taskNodes(view, isRunning)],
    [t('Verifications'), verificationNodes(view)],
  ];
  return trees.map(([title, rows]) => treeText(title, rows)).join('\n');
}

export function pipelinesText(runs: readonly ShownPipeline[]): string {
  return treeText(t('Pipelines'), pipelineNodes(runs));
}

function treeText(title: string, rows: readonly TreeNode[]): string {
  return `# ${title}\n\n${linesOf(rows, '').join('\n') || t('Nothing yet.')}\n`;
}

function linesOf(rows: readonly TreeNode[], indent: string): string[] {
  return rows.flatMap(({ label, description, spoken, children }) => [
    `${indent}- ${spoken || [label, description].filter((part) => part !== '').join(', ')}`,
    ...linesOf(children, `${indent}  `),
  ]);
}
