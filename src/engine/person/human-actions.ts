/**
 * Looks whether human actions are done, before each decision and while the sprint waits, and carries out the person's answers.
 * A look burns no fuel. It is journaled only when something changed, at most twice for each action besides the answers, so it
 * cannot go on for ever (I4). Nothing is copied from the person's checkout before the action was shown to them. A file that was
 * there before counts only after they say so (I10).
 */
import type { Context } from '../context.ts';
import { stopForPause } from '../kernel.ts';
import { InputError } from '../ground/errors.ts';
import type { AbortSignal } from '../ports.ts';
import type { State } from '../state/state.ts';
import { heeded } from '../judge/heeded.ts';
import { answeredEdits } from '../judge/open-edits.ts';
import { lackOf } from '../judge/preflight.ts';
import { revisionDue } from '../judge/revision.ts';
import { probeOf, servicesOf } from '../services/services.ts';
import { isForInstall } from '../judge/install-fault.ts';
import { liveVerifications } from '../state/covers.ts';
import { isSaidOfTask } from './tasks.ts';
import type { Verification } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import { concerns, isObservable, type Deed, type HumanAction } from '../work/human-action.ts';
import { serviceLineage } from '../work/service.ts';

/** Looks once at each open human action, and carries out each answer; appends one line when anything changed. */
export async function updateHumanActions(context: Context): Promise<void> {
  const facts: Fact[] = [];
  for (const one of heeded(context.state))
    facts.push(...(one.status === 'answered' ? await carryOut(context, one) : await lookAt(context, one, context.signal)));
  if (facts.length > 0) await context.append({ type: 'person.said', facts });
}

/**
 * Milliseconds between two looks while nothing else is due. After a slow look, Loop waits ten times as long as the look took, but a
 * minute at most: a machine may have slept in it.
 */
const lookEvery = 2000;
const restAfterLook = 10;
const longestRest = 60_000;

/**
 * Waits until the person answered, a human action is done, or an edit is due.
 * @param asked the human action that was open when the wait began.
 * @returns the facts of the last look. @throws Interruption when the signal aborts, or the person asks for a pause.
 */
export async function untilChanged(context: Context, asked: string, signal: AbortSignal): Promise<Fact[]> {
  const { clock } = context.ports;
  for (let took = 0; ;) {
    await context.untilAppended(Math.min(longestRest, Math.max(lookEvery, restAfterLook * took)), signal);
    stopForPause(context.state);
    // Words, a choice and an approval are taken at once, whoever brought them; nothing is left to carry out.
    if (isAnswered(context.state) || context.state.ledger.humanActions[asked]?.status !== 'open') return [];
    const begun = clock.now();
    const facts: Fact[] = [];
    for (const one of heeded(context.state)) facts.push(...(await lookAt(context, one, signal)));
    if (facts.length > 0 || isAnswered(context.state)) return facts;
    took = clock.now() - begun;
  }
}

/** Describes for the person what a deed still lacks; undefined when it is done. */
export async function stillMissing(context: Context, deed: Deed): Promise<string | undefined> {
  const { signal } = context;
  return (await missingParts(context, deed, signal)) ?? copyAndTest(context, deed, context.state.config.commandTimeout, signal);
}

export function fulfilled({ id }: Pick<HumanAction, 'id'>): Fact {
  return { fact: 'human-action.verified', id, fulfilled: true, missing: '' };
}

/** Whether an answer waits to be carried out, which happens before the next decision. */
export function isAnswered(state: State): boolean {
  const isSaid = answeredEdits(state).length > 0 || isSaidOfTask(state) || revisionDue(state) !== undefined;
  return isSaid || heeded(state).some(({ status }) => status === 'answered');
}

/** A skip drops the tasks that wait. A deed that is reported as done is tested; what is missing is asked for again. */
async function carryOut(context: Context, answered: HumanAction): Promise<Fact[]> {
  const { id, answer } = answered;
  if (answer === 'skip') return [{ fact: 'human-action.skipped', id }];
  const missing = answered.kind === 'deed' ? await stillMissing(context, answered) : undefined;
  return [missing === undefined ? fulfilled(answered) : { fact: 'human-action.verified', id, fulfilled: false, missing }];
}

function lookAt(context: Context, open: HumanAction, signal: AbortSignal): Promise<Fact[]> | Fact[] {
  if (open.kind === 'choice' || open.kind === 'approval') return [];
  const dropped = closeIfDropped(context.state, open);
  const closed = dropped.length > 0 || open.kind === 'advice' ? dropped : closeIfGone(context.state, open);
  if (open.kind === 'hint' || closed.length > 0) return closed;
  return isObservable(open) ? lookAtDeed(context, open, signal) : [];
}

/** What was asked for tasks is not needed any more once all of them are dropped. */
function closeIfDropped({ work }: State, asked: HumanAction): Fact[] {
  const tasks = Object.values(work.tasks).filter((task) => concerns(asked, task));
  if (tasks.length === 0 || tasks.some(({ status }) => status !== 'descoped')) return [];
  const why = `${tasks.map(({ id }) => id).join(', ')}, which waited for it, ${tasks.length === 1 ? 'is' : 'are'} dropped`;
  return [{ fact: 'human-action.not-needed', id: asked.id, why }];
}

/** What was asked because of failures is not needed any more once all of them are green, up or retired. */
function closeIfGone(state: State, { id, lineages }: Pick<Deed, 'id' | 'lineages'>): Fact[] {
  if (lineages.length === 0) return [];
  const { work } = state;
  const live = liveVerifications(work).filter((v) => lineages.includes(v.lineage));
  const services = servicesOf(work).filter(({ name }) => lineages.includes(serviceLineage(name)));
  const isGreen = ({ id: verification }: Verification): boolean => currentGreen(state, verification);
  if (!live.every(isGreen) || !services.every(({ name }) => probeOf(state, name)?.up === true)) return [];
  const ids = [...live.map((v) => v.id), ...services.map(({ name }) => `service ${name}`)];
  if (ids.length === 0 && isForInstall(state, id)) return [];
  const why = ids.length > 0 ? `${ids.join(', ')} does not fail any more` : 'what failed is retired';
  return [{ fact: 'human-action.not-needed', id, why }];
}

function currentGreen({ work }: State, verification: string): boolean {
  const result = work.results[verification];
  return result?.code === work.tree.code && result.verdict === 'green';
}

/** Seconds that a deed's command may take in a look that nobody asked for. */
const lookTimeout = 10;

async function lookAtDeed(context: Context, deed: Deed, signal: AbortSignal): Promise<Fact[]> {
  const { state, ports } = context;
  const timeout = Math.min(lookTimeout, state.config.commandTimeout);
  if (!deed.shown) {
    if (!ports.person.available) return [];
    const isThere = (await missingParts(context, deed, signal)) === undefined;
    const held = isThere && (deed.paths.length > 0 || (await copyAndTest(context, deed, timeout, signal)) === undefined);
    return [{ fact: 'human-action.shown', id: deed.id, held }];
  }
  if (deed.unattended || (await missingParts(context, deed, signal)) !== undefined) return [];
  return (await copyAndTest(context, deed, timeout, signal)) === undefined ? [fulfilled(deed)] : [];
}

/** Describes the files and needs that are not there yet. Changes nothing. */
async function missingParts({ ports }: Context, { paths, needs }: Deed, signal: AbortSignal): Promise<string | undefined> {
  const files = paths.length > 0 ? await missingFilesWords(ports.repo, paths) : [];
  const answers = needs.length > 0 ? await ports.machine.look(needs, signal) : [];
  const lacks = needs.flatMap((need, index) => {
    const answer = answers[index];
    const lack = answer && lackOf(need, answer);
    return lack ? [`${lack.lacks}.`] : [];
  });
  const words = [...files, ...lacks];
  return words.length > 0 ? words.join(' ') : undefined;
}

async function missingFilesWords(repo: Context['ports']['repo'], paths: string[]): Promise<string[]> {
  try {
    const missing = await repo.missingInputs(paths);
    return missing.length > 0 ? [`There is no ${missing.join(', ')} in your checkout yet.`] : [];
  } catch (error) {
    return [refusalWords(error)];
  }
}

/** A refused path does not stop the sprint: it counts as missing, and the person reads why. */
function refusalWords(error: unknown): string {
  if (!(error instanceof InputError)) throw error;
  return `${error.message} ${error.next}`;
}

/** Copies the files into the worktree and runs the deed's own command. @returns what is wrong; undefined when nothing is. */
async function copyAndTest(
  { state, ports }: Context,
  { paths, command }: Deed,
  timeout: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    if (paths.length > 0) await ports.repo.copyInputs(paths);
  } catch (error) {
    return refusalWords(error);
  }
  if (command.trim() === '') return undefined;
  const network = state.config.network === 'all';
  const done = await ports.runner.run({ run: { command }, at: 'worktree', timeout, network, readonly: true }, signal);
  if (done.exit === 0 && !done.timedOut) return undefined;
  const lastLines = done.output.trim().split('\n').slice(-3).join('\n');
  const status = `its command ended with status ${done.exit ?? 'none'}`;
  return lastLines ? `${lastLines} (${status})` : `It is not done yet: ${status}, ${command.split('\n')[0] ?? ''}`;
}
