/** The views of the side bar. */
import { sprintNodes, type Here } from './sprint-nodes.ts';
import type { SprintView } from './sprint-view.ts';
import { taskNodes } from './task-nodes.ts';
import type { TreeNode } from './tree-node.ts';
import { verificationNodes } from './verification-nodes.ts';

/** The view whose badge, description and message are the sprint's. */
export const sprintViewId = 'loop.sprint';

/** What each view shows, by its id in package.json; a test compares the two. */
export const views: Readonly<Record<string, (view: SprintView, isRunning: boolean, here: Here) => TreeNode[]>> = {
  [sprintViewId]: sprintNodes,
  'loop.tasks': taskNodes,
  'loop.verifications': verificationNodes,
};
