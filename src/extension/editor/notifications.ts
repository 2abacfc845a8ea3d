/** Notifications: failures with the next step, and how a sprint ended. Text of models is made inert first. */
import * as vscode from 'vscode';
import type { Stop } from '../../engine/state/state.ts';
import { plain } from '../../views/model/display-text.ts';
import { withoutInView } from '../../views/model/requirement-words.ts';
import { stopLooks } from '../../views/model/looks.ts';
import type { AboutSprint } from './about-sprint.ts';
import { commands } from './names.ts';
import type { Failure } from '../protocol.ts';
import { canResume } from '../../views/model/pipeline-nodes.ts';
import type { PipelineOutcome } from './pipeline-store.ts';
import { byPerson, failureOf, type Outcome } from './sprint-store.ts';
import { plural, t } from '../../views/words.ts';

const maxLength = 400;

/** Runs a command's work; whatever it throws is shown with its next step and logged. */
export async function reporting(work: () => Promise<void>, log: vscode.LogOutputChannel): Promise<void> {
  try {
    await work();
  } catch (error) {
    await tellFailure(failureOf(error), log);
  }
}

export async function tellFailure(failure: Failure, log: vscode.LogOutputChannel, steps: readonly NextStep[] = []): Promise<void> {
  logFailure(failure, log);
  const text = failure.kind === 'error' ? failure.message : `${failure.message} ${failure.next}`;
  const show = t('Show Log');
  const chosen = await vscode.window.showErrorMessage(`Loop: ${plain(text, maxLength)}`, ...steps.map((s) => s.label), show);
  if (chosen === show) log.show(true);
  else await runNextStep(chosen, steps);
}

function logFailure(failure: Failure, log: vscode.LogOutputChannel): void {
  log.error(failure.kind === 'error' ? `${failure.message}\n${failure.detail}` : `${failure.message} ${failure.next}`);
}

interface NextStep {
  label: string;
  command: string;
  argument: unknown;
}

async function runNextStep(chosen: string | undefined, steps: readonly NextStep[]): Promise<void> {
  const step = steps.find((s) => s.label === chosen);
  if (step) await vscode.commands.executeCommand(step.command, step.argument);
}

/** How a sprint ended, or that the person stopped or paused it, which is no ending. */
type Stopping = Stop | 'cancelled' | 'paused';

/** The buttons that help after each way to stop. */
function nextSteps(stop: Stopping, about: AboutSprint): NextStep[] {
  const [go, end, read] = [resume(commands.resume, about), finish(commands.finish, about), report(about)];
  const raise = { label: t('Raise and Resume…'), command: commands.resume, argument: { ...about, raise: true } };
  const steps: Record<Stopping, NextStep[]> = {
    delivered: [end, read],
    complete: [end],
    partial: [read, end],
    failed: [read, end],
    waiting: [go],
    'out-of-budget': [read, raise],
    cancelled: [go],
    paused: [go],
  };
  return steps[stop];
}

/** One notification when a sprint ended or stopped. A queue says at its end how each of its sprints stands. */
export async function tellOutcome(outcome: Outcome, log: vscode.LogOutputChannel): Promise<void> {
  const name = outcome.view?.name ?? t('the sprint');
  const about: AboutSprint = { sprintDir: outcome.dir };
  const stopped = byPerson(outcome);
  if (outcome.queued) {
    if ('failure' in outcome && !stopped) logFailure(outcome.failure, log);
    return;
  }
  if (stopped) return notifyStop({ name, stop: stopped, reasons: [], steps: nextSteps(stopped, about) }, log);
  if ('failure' in outcome) {
    const { failure } = outcome;
    return tellFailure(failure, log, failure.kind === 'interruption' ? [resume(commands.resume, about)] : [tryAgain(about)]);
  }
  const { stop, reasons } = outcome.ending;
  const without = stop === 'delivered' && outcome.view ? withoutInView(outcome.view) : '';
  const why = without === '' ? reasons : [t('It is {0}.', without)];
  return notifyStop({ name, stop, reasons: why, steps: nextSteps(stop, about) }, log);
}

/** The same for a pipeline. Its commands are told which run they are about. */
export async function tellPipelineOutcome(outcome: PipelineOutcome, log: vscode.LogOutputChannel): Promise<void> {
  const { dir, view } = outcome;
  const name = t('the pipeline {0}', view?.session ?? '').trimEnd();
  const [go, end] = [resume(commands.resumePipeline, dir), finish(commands.finishPipeline, dir)];
  const stopped = byPerson(outcome);
  if (stopped) return notifyStop({ name, stop: stopped, reasons: [], steps: [go] }, log);
  if ('failure' in outcome) return tellFailure(outcome.failure, log, view ? [go] : []);
  const { stop, reasons } = outcome.ending;
  return notifyStop({ name, stop, reasons, steps: view && canResume({ view, running: false }) ? [go, end] : [end] }, log);
}

interface Stopped {
  name: string;
  stop: Stopping;
  reasons: readonly string[];
  steps: readonly NextStep[];
}

async function notifyStop({ name, stop, reasons, steps }: Stopped, log: vscode.LogOutputChannel): Promise<void> {
  const [first, ...more] = reasons;
  const why = first ? ` ${first}${more.length > 0 ? t(' (and {0})', plural(more.length, '{0} more reason', '{0} more reasons')) : ''}` : '';
  const text = t('Loop: {0} {1}.{2}', plain(name, 80), stoppingWords[stop], plain(why, maxLength) && ` ${plain(why, maxLength)}`);
  log.info(
    `ended: ${stop === 'cancelled' ? 'stopped' : stop === 'paused' ? stop : stopLooks[stop].words}${reasons.map((r) => `\n  - ${plain(r, maxLength)}`).join('')}`,
  );
  const show = ['delivered', 'complete', 'cancelled', 'paused'].includes(stop)
    ? vscode.window.showInformationMessage
    : vscode.window.showWarningMessage;
  await runNextStep(await show(text, ...steps.map((s) => s.label)), steps);
}

const stoppingWords: Record<Stopping, string> = {
  delivered: t('is delivered: every requirement in it is proven on the final tree'),
  complete: t('is complete'),
  partial: t('ended partial'),
  failed: t('failed'),
  waiting: t('waits, and can be resumed'),
  'out-of-budget': t('stopped: the budget is reached'),
  cancelled: t('is stopped; it goes on from here when you resume it'),
  paused: t('is paused, as you asked; it goes on from here when you resume it'),
};

function finish(command: string, argument: unknown): NextStep {
  return { label: t('Finish…'), command, argument };
}
function report(argument: AboutSprint): NextStep {
  return { label: t('Open Report'), command: commands.report, argument };
}
function tryAgain(argument: AboutSprint): NextStep {
  return { label: t('Try Again'), command: commands.tryAgain, argument };
}
function resume(command: string, argument: unknown): NextStep {
  return { label: t('Resume'), command, argument };
}
