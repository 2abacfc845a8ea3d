/** Words that more than one rendering uses for the same thing: files, trees, pages and the log say it alike. */
import type { ActionId } from '../state/events.ts';
import type { Status } from '../judge/status.ts';
import type { FailureKind, Run, Verification } from '../work/verification.ts';
import type { FixRecord } from '../work/fix.ts';

/**
 * What a sprint that starts from a commit lacks; empty where it lacks nothing.
 * @param files how many of the checkout are not as in it; undefined where git could not tell.
 */
export function uncommittedWords(files: number | undefined): string {
  const start = 'the sprint starts from your last commit, without';
  if (files === 0) return '';
  if (files === undefined)
    return `Git could not tell what in your checkout is not committed (git status tells, or says why not): ${start} any of it.`;
  const which = files === 1 ? '1 file of your checkout has' : `${files} files of your checkout have`;
  return `${which} changes that are not committed: ${start} them.`;
}

/** How a run ended, by the engine's own record (I8). */
export function exitWords(run: Pick<Run, 'exit' | 'timedOut'>): string {
  if (run.timedOut) return 'timed out';
  return run.exit === null ? 'killed' : `exit status ${run.exit}`;
}

/** Why a verification's verdict became another when it was run again, in a checkout of its own. @param green there. */
export function apartWords(green: boolean): string {
  const [alone, before] = green ? ['passes', 'failed'] : ['fails', 'passed'];
  return `alone, in a checkout of its own, it ${alone}: it ${before} by what another verification wrote, or by chance`;
}

export const statusWords: Record<Status, string> = {
  pending: 'not run yet',
  awaiting: 'red, its work is not done yet',
  passed: 'passed',
  failed: 'failed',
  flaky: 'flaky: green and red on the same tree',
  blocked: 'blocked',
  retired: 'retired',
};

/** ` (proves 2.1, V1)`; nothing of a suite, which proves no requirement. */
export function provesWords(verification: Verification): string {
  return verification.kind === 'suite' ? '' : ` (proves ${verification.prd.join(', ')})`;
}

/** Of a verification that was adopted from an edit. */
export const personWrote = 'Written by the person, adopted from their edit.';

/** What a person can do where no agent may. */
export const personCan = {
  blocked: 'Run the verification yourself, then mend the cause or the requirement and start again.',
  flaky: 'Look for what it depends on besides the tree: time, order, ports, what an earlier run left.',
};

export const failureWords: Record<FailureKind, string> = {
  test_failure: 'test failure',
  lint_failure: 'lint failure',
  compile_error: 'compile error',
  runtime_error: 'runtime error',
  tooling_error: 'tooling error',
  timeout: 'timeout',
  service_down: 'service down',
  unknown: 'unknown kind',
};

export const outcomeWords: Record<FixRecord['outcome'], string> = {
  open: 'not settled yet',
  kept: 'kept',
  undone: 'undone',
  'no change': 'changed nothing',
};

/** What a row of the table does, for a person who has not read the design. */
export const actionWords: Record<ActionId, string> = {
  settle: 'Keeping or undoing the last change',
  inputs: 'Reading Vision and PRD',
  discovery: 'Finding out what is to be delivered',
  plan: 'Planning',
  prepare: 'Preparing the worktree',
  characterise: 'Running the tests that were there before',
  'service-fix': 'Mending a service that is down',
  strategy: 'Changing how the work is done',
  'course-correct': 'Correcting the course',
  'write-verifications': 'Writing verifications',
  'run-verifications': 'Running verifications',
  triage: 'Looking for common causes',
  fix: 'Mending a failed verification',
  research: 'Looking for what the fixers do not know',
  'plan-health': 'Reviewing tasks that were added',
  'critical-eval': 'Using it as its user would',
  execute: 'Building',
  prove: 'Proving that verifications can fail',
  vrc: 'Assessing the value',
  final: 'Checking the final tree',
  wait: 'Waiting for you',
  close: 'Closing the sprint',
};
