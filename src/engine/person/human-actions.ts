/**
 * What a person was asked for: whether it was done, looked at by the engine itself before each decision and while it waits; and
 * what they answered, carried out. A look burns no fuel, and is written down only when something changed: at most twice for an
 * action beside what they say, so it cannot go on for ever (I4). Nothing of the person's checkout is copied before they were told
 * of it, nor what was there already when they were: then their word is asked for (I10).
 */
import { isQualified } from '../work/gate.ts';
import type { Context } from '../context.ts';
import { InputError } from '../ground/errors.ts';
import type { AbortSignal } from '../ports.ts';
import type { State } from '../state/state.ts';
import { answeredEdits } from '../judge/open-edits.ts';
import { lackOf } from '../judge/preflight.ts';
import { liveVerifications } from '../state/covers.ts';
import type { Verification } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import { isObservable, isUnresolved, type Deed, type HumanAction } from '../work/human-action.ts';

/** Looks once at each that is open, and acts on each that is answered; appends one line where anything came of it. */
export async function updateHumanActions(context: Context): Promise<void> {
  const facts: Fact[] = [];
  for (const one of unresolved(context.state))
    facts.push(...(one.status === 'answered' ? await actOn(context, one) : await newsOf(context, one, context.signal)));
  if (facts.length > 0) await context.append({ type: 'person.said', facts });
}

/** Milliseconds between two looks while nothing else is to be done. After a slow look the next one waits ten times as long as it took. */
const lookEvery = 2000;
const restAfterLook = 10;

/**
 * Waits until the person answered something, something was done, or there is an edit to take.
 * @returns what a look found. @throws when the signal aborts.
 */
export async function untilChanged(context: Context, signal: AbortSignal): Promise<Fact[]> {
  const { clock } = context.ports;
  for (let took = 0; ;) {
    await context.untilAppended(Math.max(lookEvery, restAfterLook * took), signal);
    if (isAnswered(context.state)) return [];
    const begun = clock.now();
    const facts: Fact[] = [];
    for (const one of unresolved(context.state)) facts.push(...(await newsOf(context, one, signal)));
    if (facts.length > 0 || isAnswered(context.state)) return facts;
    took = clock.now() - begun;
  }
}

/** What is still missing of a deed, in words for the person; undefined when it is all there. */
export async function stillMissing(context: Context, deed: Deed): Promise<string | undefined> {
  const { signal } = context;
  return (await absent(context, deed, signal)) ?? tried(context, deed, { timeout: context.state.config.commandTimeout, signal });
}

export function fulfilled({ id }: Pick<HumanAction, 'id'>): Fact {
  return { fact: 'human-action.verified', id, fulfilled: true, missing: '' };
}

function unresolved(state: State): HumanAction[] {
  return isQualified(state) ? Object.values(state.ledger.humanActions).filter(isUnresolved) : [];
}

/** Their word is there, and is acted on before the next decision. */
export function isAnswered(state: State): boolean {
  return unresolved(state).some(({ status }) => status === 'answered') || answeredEdits(state).length > 0;
}

/** A skip drops what waits for it; that a deed is done is looked at, and what is missing is asked for again. */
async function actOn(context: Context, answered: HumanAction): Promise<Fact[]> {
  const { id, answer } = answered;
  if (answer === 'skip') return [{ fact: 'human-action.skipped', id }];
  const missing = answered.kind === 'deed' ? await stillMissing(context, answered) : undefined;
  return [missing === undefined ? fulfilled(answered) : { fact: 'human-action.verified', id, fulfilled: false, missing }];
}

function newsOf(context: Context, open: HumanAction, signal: AbortSignal): Promise<Fact[]> | Fact[] {
  if (open.kind === 'hint') return goneOf(context.state, open);
  return isObservable(open) ? newsOfDeed(context, open, signal) : [];
}

/** A question has no answer but the person's; one about failures needs none once each of them is known to be gone. */
function goneOf({ work }: State, { id, lineages }: Extract<HumanAction, { kind: 'hint' }>): Fact[] {
  const left = liveVerifications(work).filter((c) => lineages.includes(c.lineage));
  const isGone = ({ id: verification }: Verification): boolean => {
    const result = work.results[verification];
    return result?.code === work.tree.code && result.verdict === 'green';
  };
  if (!left.every(isGone)) return [];
  const why = left.length > 0 ? `${left.map((c) => c.id).join(', ')} does not fail any more` : 'what failed is retired';
  return [{ fact: 'human-action.not-needed', id, why }];
}

/** Seconds that a command may take in a look that nobody asked for. */
const glance = 10;

async function newsOfDeed(context: Context, deed: Deed, signal: AbortSignal): Promise<Fact[]> {
  const { state, ports } = context;
  const how = { timeout: Math.min(glance, state.config.commandTimeout), signal };
  if (!deed.shown) {
    if (!ports.person.available) return [];
    const isThere = (await absent(context, deed, signal)) === undefined;
    const held = isThere && (deed.paths.length > 0 || (await tried(context, deed, how)) === undefined);
    return [{ fact: 'human-action.shown', id: deed.id, held }];
  }
  if (deed.unattended || (await absent(context, deed, signal)) !== undefined) return [];
  return (await tried(context, deed, how)) === undefined ? [fulfilled(deed)] : [];
}

/** What is not there yet. Only looks. */
async function absent({ ports }: Context, { paths, needs }: Deed, signal: AbortSignal): Promise<string | undefined> {
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

/** Takes the files in and runs the deed's own command. @returns what is wrong; undefined when all is well. */
async function tried(
  { state, ports }: Context,
  { paths, command }: Deed,
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
  const status = `its command ended with status ${done.exit ?? 'none'}`;
  return said ? `${said} (${status})` : `It is not done yet: ${status}, ${command.split('\n')[0] ?? ''}`;
}
