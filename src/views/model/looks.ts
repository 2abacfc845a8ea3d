/** The words, icons and colours of every status. A new status does not compile until it has an entry here. */
import type { FinishWay } from '../../engine/work/finished.ts';
import type { Stop } from '../../engine/state/state.ts';
import type { TaskStatus } from '../../engine/picture/tasks.ts';
import { interruptedWords, statusWords, taskWords } from '../../engine/render/words.ts';
import type { Status } from '../../engine/judge/status.ts';
import type { Status as PipelineStatus } from '../../engine/work/pipeline.ts';
import type { StageView } from './pipeline-view.ts';
import { translated } from '../words.ts';

/** `icon` is a codicon's name, `colour` a theme colour's id; null means the theme's foreground. */
export interface Look {
  words: string;
  icon: string;
  colour: string | null;
}

export const taskLooks: Record<TaskStatus, Look> = {
  later: look(taskWords.later, 'circle-outline', 'disabledForeground'),
  ready: look(taskWords.ready, 'circle-large-outline'),
  'given-up': look(taskWords['given-up'], 'error', 'testing.iconFailed'),
  active: look(taskWords.active, 'sync', 'charts.blue'),
  waiting: look(taskWords.waiting, 'bell-dot', 'charts.yellow'),
  reported: look(taskWords.reported, 'circle-filled', 'charts.blue'),
  done: look(taskWords.done, 'pass-filled', 'testing.iconPassed'),
  descoped: look(taskWords.descoped, 'circle-slash', 'testing.iconSkipped'),
};

/** A task that was being built when the sprint stopped. */
export const interruptedTask: Look = look(interruptedWords, 'debug-pause');

export const verificationLooks: Record<Status, Look> = {
  pending: look(statusWords.pending, 'circle-large-outline', 'testing.iconUnset'),
  awaiting: look(statusWords.awaiting, 'watch', 'testing.iconQueued'),
  passed: look(statusWords.passed, 'pass-filled', 'testing.iconPassed'),
  failed: look(statusWords.failed, 'error', 'testing.iconFailed'),
  flaky: look(statusWords.flaky, 'warning', 'charts.yellow'),
  blocked: look(statusWords.blocked, 'circle-slash', 'testing.iconErrored'),
  retired: look(statusWords.retired, 'archive', 'testing.iconSkipped'),
};

/** The last probe of a service on the current code. */
export const serviceLooks: Record<'up' | 'down' | 'unknown', Look> = {
  up: look('came up', 'pass', 'testing.iconPassed'),
  down: look('down', 'error', 'testing.iconFailed'),
  unknown: look('not started yet', 'circle-large-outline', 'testing.iconUnset'),
};

export const stopLooks: Record<Stop, Look> = {
  delivered: look('delivered', 'verified-filled', 'testing.iconPassed'),
  complete: look('complete', 'pass', 'testing.iconPassed'),
  partial: look('partial', 'warning', 'charts.yellow'),
  failed: look('failed', 'error', 'testing.iconFailed'),
  waiting: look('waiting, and can be resumed', 'bell-dot', 'charts.yellow'),
  'out-of-budget': look('out of budget', 'credit-card', 'charts.yellow'),
};

export const finishedLooks: Record<FinishWay, Look> = {
  merge: look('merged', 'git-merge', 'testing.iconPassed'),
  squash: look('squashed', 'git-merge', 'testing.iconPassed'),
  keep: look('kept on its branch', 'git-branch'),
  drop: look('dropped', 'trash'),
};

/** What an iteration of a pipeline decided. */
export const decisionLooks: Record<PipelineStatus['decision'], Look> = {
  continue: look('continue', 'arrow-small-right'),
  stop: look('stop', 'pass', 'testing.iconPassed'),
  error: look('error', 'error', 'testing.iconFailed'),
};

/** How a stage of a pipeline stands. */
export const stageLooks: Record<StageView['standing'], Look> = {
  later: look('later', 'circle-outline', 'disabledForeground'),
  now: look('running', 'sync', 'charts.blue'),
  ended: look('ended by its rule', 'pass-filled', 'testing.iconPassed'),
  limit: look('stopped at its limit', 'warning', 'charts.yellow'),
  error: look('error', 'error', 'testing.iconFailed'),
};

/** What the journal cannot show: whether this window or another process runs the sprint, and whether it needs the person. */
export type Activity = 'running' | 'elsewhere' | 'needs-you' | 'interrupted' | 'pausing' | 'paused';

export const activityLooks: Record<Activity, Look> = {
  running: look('running', 'sync~spin', 'charts.blue'),
  elsewhere: look('running elsewhere', 'sync~spin', 'charts.blue'),
  'needs-you': look('needs you', 'bell-dot', 'charts.yellow'),
  interrupted: look('interrupted', 'debug-pause'),
  pausing: look('pausing after this step', 'sync~spin', 'charts.blue'),
  paused: look('paused', 'debug-pause'),
};

function look(words: string, icon: string, colour: string | null = null): Look {
  return { words: translated(words), icon, colour };
}
