/**
 * Runs a sprint's verifications without a model (I11): in a throw-away checkout of its branch, prepared like the worktree, so
 * that the person's checkout is not touched. Nothing is recorded; a result is the exit status (I8).
 */
import type { AbortSignal as Signal, Payloads, Runner } from '../engine/ports.ts';
import type { Place } from '../engine/work/job.ts';
import { InputError, Interruption } from '../engine/ground/errors.ts';
import type { State } from '../engine/state/state.ts';
import { runOrder } from '../engine/judge/order.ts';
import { inOrder } from '../engine/run/schedule.ts';
import { startOnce } from '../engine/run/services.ts';
import { tell, toldDead } from '../engine/diagnose/run-text.ts';
import { requiredBy, servicesOf } from '../engine/services/services.ts';
import { casesOf, type Cases } from '../engine/diagnose/reports/cases.ts';
import { statusOf } from '../engine/judge/status.ts';
import { liveChecks } from '../engine/state/covers.ts';
import type { Check } from '../engine/work/check.ts';
import { inspectRepository } from './git/inspect.ts';
import type { Checkout, SprintRepo } from './git/repo.ts';
import { acquireLock } from './lock.ts';
import { openPayloads } from './payloads.ts';
import { readSprint } from './sprint.ts';
import { openLoopFolder } from './loop-folder.ts';
import { createVariables } from './variables.ts';
import { createSprintRunner, openRepo } from './world.ts';

export interface Verified {
  id: string;
  title: string;
  green: boolean;
  /** Null when it was killed. */
  exit: number | null;
  timedOut: boolean;
  /** Milliseconds. */
  duration: number;
  output: string;
  /** What its framework reports of single cases. */
  cases?: Cases;
  /** It was run again in a checkout of its own, where its verdict became another; `apartWords` say why. */
  apart?: boolean;
}

export interface VerifyOptions {
  sprintDir: string;
  /** Ids; all where it is left out. */
  only?: readonly string[] | undefined;
  /** Only those that have not passed on the sprint's code as it is, like _Run Failed_ in the Test Explorer. */
  failed?: boolean | undefined;
  signal: AbortSignal & Signal;
  /** As they come; one whose verdict is another in a checkout of its own comes again. */
  onResult?: ((result: Verified) => void) | undefined;
}

/** @throws InputError when there is nothing to verify, or the sprint is running. */
export async function verifySprint({ sprintDir, only, failed, signal, onResult }: VerifyOptions): Promise<Verified[]> {
  // A scratch checkout is one process's; a running sprint has its own.
  const lock = await acquireLock(sprintDir);
  try {
    const { state, repo } = await openSprint(sprintDir);
    const checks = chosen(state, only, failed);
    await repo.openWorktree();
    const checkout: Checkout = (use) => repo.scratch({ revert: [] }, use);
    return await verifyAt({ sprintDir, state, repo, signal }, { checkout, checks, onResult });
  } finally {
    await lock.release();
  }
}

/** A sprint's state and repository, not finished yet. @throws InputError */
export async function openSprint(sprintDir: string): Promise<{ state: State; repo: SprintRepo }> {
  const state = await readSprint(sprintDir);
  if (!state) throw new InputError(`No sprint was started in ${sprintDir}.`, 'Start one first.');
  if (state.ledger.finished)
    throw new InputError(
      `Sprint ${state.opened.sprint} was finished already.`,
      'Start a new one; this one stays in .loop/archive.',
    );
  return { state, repo: await openRepo(await inspectRepository(sprintDir), state) };
}

export interface Verifying {
  /** Commit whose tests the repository's suites run with; the sprint's base where it is left out. */
  testsOf?: string;
  sprintDir: string;
  state: State;
  repo: SprintRepo;
  signal: AbortSignal & Signal;
}

/** Seconds. */
const installTimeout = 600;

/**
 * Runs checks as a sprint does, but for its gates: a person asked for just these. Together, and once more each in a checkout of
 * its own where any of them wrote into it: one may not do the others' work, as in the clean run. The repository's own suites
 * have one each. Results in the order of `checks`, without those that a stop kept from beginning.
 */
export async function verifyAt(
  about: Verifying,
  { checkout, checks, onResult }: { checkout: Checkout; checks: readonly Check[]; onResult?: VerifyOptions['onResult'] },
): Promise<Verified[]> {
  const { repo, signal, testsOf } = about;
  const running = await runningOf(about);
  const results = new Map<string, Verified>();
  const receive = (result: Verified): void => {
    const before = results.get(result.id);
    if (before?.green === result.green) return void results.set(result.id, result);
    // What a stop killed says nothing about what the others wrote.
    const news = before && !signal.aborted ? { ...result, apart: true } : result;
    results.set(result.id, news);
    onResult?.(news);
  };
  const suites = checks.filter((check) => check.guard);
  const own = checks.filter((check) => !check.guard);
  const wrote = own.length > 0 && (await checkout((at) => runTogether(running, own, { at, receive })));
  for (const check of [...(wrote && own.length > 1 ? own : []), ...suites]) {
    if (signal.aborted) break;
    await checkout(async (at) => {
      await install(running, at);
      if (check.guard) await repo.putTests(at, check.guard, testsOf);
      await runAll(running, [check], { at, receive });
    });
  }
  return checks.flatMap(({ id }) => results.get(id) ?? []);
}

interface Running extends Pick<Verifying, 'state' | 'repo' | 'signal'> {
  runner: Runner;
  payloads: Payloads;
}

async function runningOf({ sprintDir, state, repo, signal }: Verifying): Promise<Running> {
  const { network, environment = [] } = state.config;
  const variables = createVariables(environment, process.env);
  const runner = createSprintRunner(repo, { sprintDir, network, variables });
  return { state, repo, signal, runner, payloads: openPayloads(await openLoopFolder(sprintDir)) };
}

/** Dependencies, as in the sprint's worktree. */
async function install({ state, runner, signal }: Running, at: Place): Promise<void> {
  const command = state.work.context?.install ?? '';
  const network = state.config.network !== 'none';
  if (command !== '') await runner.run({ run: { command }, at, timeout: installTimeout, network }, signal);
}

interface Into {
  at: Place;
  receive: (result: Verified) => void;
}

/** @returns whether any of them, or of the services that they require, wrote into the checkout. */
async function runTogether(running: Running, checks: readonly Check[], into: Into): Promise<boolean> {
  await install(running, into.at);
  const before = await running.repo.fingerprint(into.at);
  await runAll(running, checks, into);
  return (await running.repo.fingerprint(into.at)) !== before;
}

async function runAll(running: Running, checks: readonly Check[], { at, receive }: Into): Promise<void> {
  const { state, payloads, signal } = running;
  const dead = await behindDead(running, checks, at);
  const run = async (check: Check): Promise<void> => {
    const script = await payloads.get(check.script);
    receive(dead.get(check) ?? (await verifyOne(running, { check, at, script })));
  };
  const goesOn = (): boolean => !signal.aborted;
  await inOrder(runOrder(checks, state.ledger.runs), { parallel: state.config.checkParallelism, goesOn, run });
}

async function verifyOne(
  { state, runner, signal }: Running,
  { check, at, script }: { check: Check; at: Place; script: string },
): Promise<Verified> {
  const run = { script, ext: check.ext, name: check.id.replace('/', '-') };
  const services = requiredBy(state.work, check);
  const job = { run, at, timeout: check.timeout, network: state.config.network === 'all' };
  const done = await runner.run(services.length === 0 ? job : { ...job, services }, signal);
  const { exit, timedOut, duration } = done;
  const green = exit === 0 && !timedOut;
  const { own, whole } = tell(state.work, check, done);
  const cases = casesOf({ ...done, output: own }, !green);
  const common = { id: check.id, title: check.title, green, exit, timedOut, duration, output: green ? own : whole };
  return cases ? { ...common, cases } : common;
}

/** Red without being run, since a service that they require does not come up: each service is tried once, alone. */
async function behindDead(
  { state, runner, signal }: Running,
  checks: readonly Check[],
  at: Place,
): Promise<Map<Check, Verified>> {
  const network = state.config.network === 'all';
  const needed = servicesOf(state.work).filter((s) => checks.some((c) => c.requires.includes(s.name)));
  const seen = await Promise.all(needed.map((service) => startOnce(runner, service, { at, network }, signal))).catch(ifStopped);
  return new Map(
    checks.flatMap((check): [Check, Verified][] => {
      const down = seen.find(({ name, cause }) => cause && check.requires.includes(name));
      if (!down?.cause) return [];
      const { whole } = toldDead({ name: down.name, why: down.cause.why }, down.log);
      const { id, title } = check;
      return [[check, { id, title, green: false, exit: null, timedOut: false, duration: 0, output: whole }]];
    }),
  );
}

/** Who stopped it wants no results. */
function ifStopped(error: unknown): never[] {
  if (error instanceof Interruption && error.reason === 'cancelled') return [];
  throw error;
}

/** @throws InputError for an id that there is not, or where none is left. */
function chosen(state: State, only: readonly string[] | undefined, failed: boolean | undefined): Check[] {
  const all = liveChecks(state.work).filter((c) => c.kind === 'command');
  const unknown = (only ?? []).filter((id) => !all.some((c) => c.id === id));
  if (unknown.length > 0)
    throw new InputError(
      `There is no verification ${unknown.join(', ')}.`,
      `There are: ${all.map((c) => c.id).join(', ') || 'none yet'}.`,
    );
  if (all.length === 0)
    throw new InputError(`Sprint ${state.opened.sprint} has no verification yet.`, 'Let it get as far as writing them.');
  return all
    .filter((c) => only === undefined || only.includes(c.id))
    .filter((c) => failed !== true || statusOf(state, c) !== 'passed');
}
