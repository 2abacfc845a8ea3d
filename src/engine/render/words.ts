/** Words that several renderings share, so that files, trees, pages and the log say the same thing alike. */
import type { TaskStatus } from '../picture/tasks.ts';
import { counted, firstWords, withoutControls } from '../ground/text.ts';
import type { Reading } from '../parse/requirements.ts';
import type { Passage } from '../work/requirement.ts';
import type { Status } from '../judge/status.ts';
import type { State } from '../state/state.ts';
import type { FailureKind, Run, Verification } from '../work/verification.ts';
import type { FixRecord } from '../work/fix.ts';

/**
 * Warns that a sprint starts from the last commit, without uncommitted changes; empty when there are none.
 * @param files how many files of the checkout differ from that commit; undefined when git could not tell.
 */
export function uncommittedWords(files: number | undefined, what: 'sprint' | 'run' = 'sprint'): string {
  const start = `the ${what} starts from your last commit, without`;
  if (files === 0) return '';
  if (files === undefined)
    return `Git could not tell what in your checkout is not committed (git status tells, or says why not): ${start} any of it.`;
  const which = files === 1 ? '1 file of your checkout has' : `${files} files of your checkout have`;
  return `${which} changes that are not committed: ${start} them.`;
}

/** What a run of a sprint, or of a pipeline, is called. */
export function nounOf({ kind }: Pick<State['opened'], 'kind'>): string {
  return kind === 'sprint' ? 'Sprint' : 'Session';
}

/** Behind how a session ended whose decisions are made up. */
export function mockWords({ mock }: Pick<State['opened'], 'mock'>): string {
  return mock ? ' (mock: no model was asked)' : '';
}

/** `13 requirements, 3 constraints, 2 sections read as background (Errors, Users)`. */
export function readingWords({ requirements, constraints, background }: Reading): string {
  return [
    counted(requirements.length, 'requirement'),
    ...(constraints.length > 0 ? [counted(constraints.length, 'constraint')] : []),
    ...(background.length > 0 ? [`${counted(background.length, 'section')} read as background (${sectionNames(background)})`] : []),
  ].join(', ');
}

/** Which sections nothing is proven of: somebody who meant one of them as a requirement sees it here. */
export function sectionNames(sections: readonly Pick<Passage, 'title'>[]): string {
  const names = sections.slice(0, mostNames).map(({ title }) => firstWords(withoutControls(title), 40));
  return [...names, ...(sections.length > mostNames ? ['…'] : [])].join(', ');
}

const mostNames = 5;

/** What a person should look at before a start, one line each. */
export function readingWarnings({ problems }: Reading): string[] {
  return problems.map(({ line, message, next }) => `PRD.md:${line}: ${message}. ${next}`);
}

/** How a run ended, by the engine's own record (I8). */
export function exitWords(run: Pick<Run, 'exit' | 'timedOut' | 'looks'>): string {
  const alone = run.looks === undefined ? '' : `, looked at alone ${run.looks === 1 ? 'once' : `${run.looks} times`}`;
  if (run.timedOut) return `timed out${alone}`;
  return `${run.exit === null ? 'killed' : `exit status ${run.exit}`}${alone}`;
}

export const verdictWords: Record<Run['verdict'], string> = { green: 'green', red: 'red', flaky: 'flaky', none: 'no result' };

export const statusWords: Record<Status, string> = {
  pending: 'no result yet',
  awaiting: 'red, its work is not done yet',
  passed: 'passed',
  failed: 'failed',
  flaky: 'flaky: green and red on the same tree',
  blocked: 'blocked',
  retired: 'retired',
};

export const taskWords: Record<TaskStatus, string> = {
  later: 'waits for other tasks',
  ready: 'ready',
  'given-up': 'given up',
  active: 'being worked on',
  waiting: 'waits for you',
  reported: 'reported, not settled yet',
  done: 'done',
  descoped: 'dropped',
};

/** Of a task that was being built when the sprint stopped. */
export const interruptedWords = 'interrupted';

/** ` (proves 2.1, V1)`; empty for a suite, which proves no requirement. */
export function provesWords(verification: Verification): string {
  return verification.kind === 'suite' ? '' : ` (proves ${verification.prd.join(', ')})`;
}

/** For a verification that was adopted from an edit. */
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

/** What became of a fix; of an answer that something else is at fault, what came of that. */
export function fixWords({ answer, outcome, why, reasoning, idle, tried }: FixRecord): string {
  if (answer.kind === 'environment')
    return `the environment is at fault, ${answer.missing}. ${tried ? `Loop tried: ${tried.why}` : 'Loop tries to mend it'}`;
  if (answer.kind === 'declaration') return why;
  if (idle) return `${outcomeWords[outcome]}, because: ${reasoning}`;
  return `${outcomeWords[outcome]}${why ? `, ${why}` : ''}`;
}

export const outcomeWords: Record<FixRecord['outcome'], string> = {
  open: 'not settled yet',
  kept: 'kept',
  undone: 'undone',
  'no change': 'changed nothing',
};
