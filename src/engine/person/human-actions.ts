/**
 * What a person was asked for, looked at by the engine itself: before each decision and while it waits for them. A look
 * burns no fuel, and is written down only when something changed: at most twice for an action, so it cannot go on for ever
 * (I4). A question about failures is closed once these are gone. Nothing of the person's checkout is copied before they were
 * told of it, nor what was there already when they were: then their word is asked for (I10).
 */
import { isQualified } from '../work/gate.ts';
import type { Context } from '../context.ts';
import { InputError } from '../ground/errors.ts';
import type { AbortSignal } from '../ports.ts';
import type { State } from '../state/state.ts';
import { answeredEdits } from '../judge/edits.ts';
import { lackOf } from '../judge/preflight.ts';
import { liveChecks } from '../state/covers.ts';
import type { Check } from '../work/check.ts';
import type { Fact } from '../work/facts.ts';
import { isSeen, isUnresolved, type Pause } from '../work/pause.ts';

/** Looks once at each open action; appends one line if one was told, or is fulfilled by now. */
export async function lookAtBlockers(context: Context): Promise<void> {
  const facts = await changed(context, context.signal);
  if (facts.length > 0) await context.append({ type: 'person.said', facts });
}

/** Milliseconds between two looks while nothing else is to be done, and how much longer than a look the pause after it is. */
const lookEvery = 2000;
const restAfterLook = 10;

/** Looks again and again. @returns once something is fulfilled or there is an edit to take. @throws when the signal aborts. */
export async function untilFulfilled(context: Context, signal: AbortSignal): Promise<Fact[]> {
  const { clock } = context.ports;
  for (let took = 0; ;) {
    await clock.sleep(Math.max(lookEvery, restAfterLook * took), signal);
    const begun = clock.now();
    const facts = await changed(context, signal);
    if (facts.length > 0 || answeredEdits(context.state).length > 0) return facts;
    took = clock.now() - begun;
  }
}

/** What is still missing after the person said that it was done, in words for them; undefined when it is there. */
export async function stillMissing(context: Context, pause: Pause): Promise<string | undefined> {
  const { commandTimeout } = context.state.config;
  return (
    (await absent(context, pause, context.signal)) ?? tried(context, pause, { timeout: commandTimeout, signal: context.signal })
  );
}

export function fulfilled({ id }: Pause): Fact {
  return { fact: 'pause.checked', id, fulfilled: true, missing: '' };
}

async function changed(context: Context, signal: AbortSignal): Promise<Fact[]> {
  const { state } = context;
  const open = isQualified(state) ? Object.values(state.ledger.pauses).filter(isUnresolved) : [];
  const facts: Fact[] = [];
  for (const pause of open) facts.push(...(isSeen(pause) ? await changeOf(context, pause, signal) : mooted(state, pause)));
  return facts;
}

/** A question has no answer but the person's; one about failures needs none once each of them is known to be gone. */
function mooted({ work }: State, { id, lineages = [] }: Pause): Fact[] {
  const left = liveChecks(work).filter((c) => lineages.includes(c.lineage));
  const isGone = ({ id: check }: Check): boolean => {
    const result = work.results[check];
    return result?.code === work.tree.code && result.verdict === 'green';
  };
  if (lineages.length === 0 || !left.every(isGone)) return [];
  const why = left.length > 0 ? `${left.map((c) => c.id).join(', ')} does not fail any more` : 'what failed is retired';
  return [{ fact: 'pause.mooted', id, why }];
}

/** Seconds that a command may take in a look that nobody asked for. */
const glance = 10;

async function changeOf(context: Context, pause: Pause, signal: AbortSignal): Promise<Fact[]> {
  const { state, ports } = context;
  const how = { timeout: Math.min(glance, state.config.commandTimeout), signal };
  if (!pause.shown) {
    if (!ports.person.available) return [];
    const isThere = (await absent(context, pause, signal)) === undefined;
    const held = isThere && (pause.paths.length > 0 || (await tried(context, pause, how)) === undefined);
    return [{ fact: 'pause.told', id: pause.id, held }];
  }
  if (pause.unattended || (await absent(context, pause, signal)) !== undefined) return [];
  return (await tried(context, pause, how)) === undefined ? [fulfilled(pause)] : [];
}

/** What is not there yet. Only looks. */
async function absent({ ports }: Context, { paths, needs = [] }: Pause, signal: AbortSignal): Promise<string | undefined> {
  const files = paths.length > 0 ? await filesMissing(ports.repo, paths) : [];
  const answers = needs.length > 0 ? await ports.machine.look(needs, signal) : [];
  const lacks = needs.flatMap((need, index) => {
    const answer = answers[index];
    const lack = answer && lackOf(need, answer);
    return lack ? [`${lack.lacks}.`] : [];
  });
  const words = [...files, ...lacks];
  return words.length > 0 ? words.join(' ') : undefined;
}

async function filesMissing(repo: Context['ports']['repo'], paths: string[]): Promise<string[]> {
  try {
    const missing = await repo.missingInputs(paths);
    return missing.length > 0 ? [`There is no ${missing.join(', ')} in your checkout yet.`] : [];
  } catch (error) {
    return [refusal(error)];
  }
}

/** A path that is refused stops no sprint: it is never there, and the person reads why. */
function refusal(error: unknown): string {
  if (!(error instanceof InputError)) throw error;
  return `${error.message} ${error.next}`;
}

/** Takes the files in and runs the action's own check. @returns what is wrong; undefined when all is well. */
async function tried(
  { state, ports }: Context,
  { paths, command }: Pause,
  { timeout, signal }: { timeout: number; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    if (paths.length > 0) await ports.repo.copyInputs(paths);
  } catch (error) {
    return refusal(error);
  }
  if (command.trim() === '') return undefined;
  const network = state.config.network === 'all';
  const done = await ports.runner.run({ run: { command }, at: 'worktree', timeout, network, readonly: true }, signal);
  if (done.exit === 0 && !done.timedOut) return undefined;
  const said = done.output.trim().split('\n').slice(-3).join('\n');
  const status = `its check ended with status ${done.exit ?? 'none'}`;
  return said ? `${said} (${status})` : `It is not done yet: ${status}, ${command.split('\n')[0] ?? ''}`;
}
