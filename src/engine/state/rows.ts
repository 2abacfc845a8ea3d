/**
 * The rows of the decision tables, each with what it does in words for the person. `decide` walks a table from the top, so the
 * order has a meaning. Rows that protect the tree come first, then those that qualify the work; evidence comes before building,
 * building before judging. Only closing comes after waiting for the person.
 */
const sprintRows = {
  settle: 'Keeping or undoing the last change',
  inputs: 'Reading what is asked for',
  discovery: 'Finding out what is to be delivered',
  'review-documents': 'Judging Vision and PRD',
  plan: 'Planning',
  'review-plan': 'Reviewing the plan',
  'approve-plan': 'Asking you to approve the plan',
  prepare: 'Preparing the worktree',
  characterise: 'Running the tests that were there before',
  environment: 'Looking at what the environment lacks',
  'service-fix': 'Mending a service that is down',
  strategy: 'Changing how the work is done',
  'course-correct': 'Correcting the course',
  'write-verifications': 'Writing verifications',
  'run-verifications': 'Running verifications',
  triage: 'Looking for common causes',
  fix: 'Mending a failed verification',
  research: 'Looking for what the fixers do not know',
  'plan-health': 'Reviewing tasks that were added',
  vrc: 'Assessing the value',
  'critical-eval': 'Using it as its user would',
  'run-hidden': 'Running hidden verifications',
  execute: 'Building',
  prove: 'Proving that verifications can fail',
  measure: 'Measuring what verifications see',
  'write-hidden': 'Writing hidden verifications',
  final: 'Checking the final tree',
  wait: 'Waiting for you',
  close: 'Closing',
};

const { settle, inputs, close } = sprintRows;

/** A pipeline settles its change first, looks at its queue before an iteration, and verifies a stop after it. */
const pipelineRows = {
  settle,
  inputs,
  queue: 'Looking at what is left to do',
  verify: 'Verifying a decision to stop',
  iterate: 'Running an iteration',
  close,
};

export const actionWords = { ...sprintRows, ...pipelineRows };
export type SprintRow = keyof typeof sprintRows;
export const sprintRowIds = Object.keys(sprintRows) as SprintRow[];
export type PipelineRow = keyof typeof pipelineRows;
export const pipelineRowIds = Object.keys(pipelineRows) as PipelineRow[];
export type ActionId = keyof typeof actionWords;
export const actionIds = Object.keys(actionWords) as [ActionId, ...ActionId[]];

/** Closing may always begin: without fuel, after the time, despite a pause. There is no row behind it, and the run stops with it. */
export function isClosing(action: ActionId): boolean {
  return action === 'close';
}
