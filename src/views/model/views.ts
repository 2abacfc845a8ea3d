/** The views of the side bar; that of pipelines is made by `pipeline-nodes.ts`. */
import { sprintNodes, type Here } from './sprint-nodes.ts';
import type { SprintView } from './sprint-view.ts';
import { taskNodes } from './task-nodes.ts';
import type { TreeNode } from './tree-node.ts';
import { verificationNodes } from './verification-nodes.ts';

/** The view whose badge, description and message are the sprint's. */
export const sprintViewId = 'loop.sprint';

/** The view of pipelines, which shows all runs of the workspace. */
export const pipelinesViewId = 'loop.pipelines';

/** What each view of a sprint shows, by its id in package.json; a test compares the two. */
export const views: Readonly<Record<string, (view: SprintView, isRunning: boolean, here: Here) => TreeNode[]>> = {
  [sprintViewId]: sprintNodes,
  'loop.tasks': taskNodes,
  'loop.verifications': verificationNodes,
};
