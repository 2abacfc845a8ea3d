/**
 * Runs a sprint's verifications by hand, without a model (I11): with the engine's runner, in scratch checkouts that are prepared
 * like the worktree; of a finished sprint, in those of the person's checkout as it is. That is not touched, and nothing is recorded.
 */
import { InputError, Interruption } from '../engine/ground/errors.ts';
import type { Progress } from '../engine/ground/progress.ts';
import { statusOf } from '../engine/judge/status.ts';
import type { AbortSignal as Signal, Payloads, ScratchSpec, WriteFiles } from '../engine/ports.ts';
import { runInCheckout } from '../engine/run/in-checkout.ts';
import type { Ground } from '../engine/run/ground.ts';
import { liveRunnable } from '../engine/state/covers.ts';
import { nounOf } from '../engine/render/words.ts';
import type { State } from '../engine/state/state.ts';
import { testCase, type CaseSummary, type TestCase } from '../engine/work/case.ts';
import type { Place } from '../engine/work/job.ts';
import type { Run, Runnable } from '../engine/work/verification.ts';
import { systemClock } from './clock.ts';
import { inspectRepository } from './git/inspect.ts';
import { ownCheckout } from './git/own-checkout.ts';
import type { Checkout, SprintRepo } from './git/repo.ts';
import { acquireLock } from './lock.ts';
import { openLoopFolder } from './loop-folder.ts';
import { openPayloads, refOf } from './payloads.ts';
import { readSprint } from './sprint.ts';
import { createVariables } from './variables.ts';
import { createSprintRunner, openRepo } from './ports.ts';

export interface Verified {
  id: string;
  title: string;
  verdict: Run['verdict'];
  /** Null when it was killed. */
  exit: number | null;
  timedOut: boolean;
  /** Milliseconds. */
  duration: number;
  /** The failure in one to three lines; empty where it is green. */
  summary: string;
  output: string;
  /** Single cases that its test framework reports. */
  cases?: Pick<CaseSummary, 'total' | 'failed' | 'skipped'> & { cases: TestCase[] };
}

export interface VerifyOptions {
  sprintDir: string;
  /** Ids; left out for all. */
  only?: readonly string[] | undefined;
  /** Only those that have not passed on the sprint's current code, like _Run Failed_ in the Test Explorer. */
  failed?: boolean | undefined;
  signal: AbortSignal & Signal;
  /** Called for each result. */
  onResult?: ((result: Verified) => void) | undefined;
  /** Gets the id of each verification that begins. */
  onBegin?: ((id: string) => void) | undefined;
}

/** @throws InputError when there is nothing to verify; Refusal when the sprint is running. */
export async function verifySprint({ sprintDir, only, failed, signal, onResult, onBegin }: VerifyOptions): Promise<Verified[]> {
  // Two processes cannot share a scratch checkout, and a running sprint uses one.
  const lock = await acquireLock(sprintDir);
  try {
    const { state, repo } = await openLatest(sprintDir);
    const verifications = selectVerifications(state, only, failed);
    const verify = (scratch: ScratchCheckout): Promise<Verified[]> =>
      verifyIn({ sprintDir, state, repo, signal, scratch, onBegin }, verifications, onResult);
    if (state.ledger.finished) return await onOwnCheckout(state, repo, verify);
    await repo.openWorktree();
    return await verify((spec, use) => repo.scratch(spec, use));
  } finally {
    await lock.release();
  }
}

/** Verifies what the person has now, with their own tests, and what they supplied to the sprint. Nothing of it stays. */
async function onOwnCheckout(
  state: State,
  repo: SprintRepo,
  verify: (scratch: ScratchCheckout) => Promise<Verified[]>,
): Promise<Verified[]> {
  if (state.ledger.finished?.how === 'drop')
    throw new InputError(`Sprint ${state.opened.sprint} was dropped, and its work with it.`, 'Start a new one.');
  const supplied = Object.values(state.ledger.humanActions).flatMap((one) =>
    one.kind === 'deed' && one.status === 'fulfilled' ? one.paths : [],
  );
  try {
    await repo.inputs.take(supplied);
    const checkout = await ownCheckout(repo);
    return await verify((_spec, use) => checkout((at) => use(at, () => Promise.resolve())));
  } finally {
    await repo.removeState();
  }
}

/** Where verifications by hand run, for places in their outputs. @throws InputError where no sprint was started. */
export async function treeOf(sprintDir: string): Promise<string> {
  const { state, repo } = await openLatest(sprintDir);
  return state.ledger.finished ? repo.options.repository.root : repo.path;
}

/** Opens a sprint that is not finished yet. @param signal stops its calls of git. @throws InputError where there is none. */
export async function openSprint(sprintDir: string, signal?: AbortSignal): Promise<{ state: State; repo: SprintRepo }> {
  const { state, repo } = await openLatest(sprintDir, signal);
  const { opened, ledger } = state;
  if (ledger.finished)
    throw new InputError(
      `${nounOf(opened)} ${opened.sprint} was finished already.`,
      opened.kind === 'sprint' ? 'Start a new one; this one stays in .loop/archive.' : 'Start another one with --session NAME.',
    );
  return { state, repo };
}

async function openLatest(sprintDir: string, signal?: AbortSignal): Promise<{ state: State; repo: SprintRepo }> {
  const state = await readSprint(sprintDir);
  if (!state) throw new InputError(`No sprint was started in ${sprintDir}.`, 'Start one first.');
  return { state, repo: await openRepo(await inspectRepository(sprintDir), state, signal) };
}

/** Gives a scratch checkout to `use`, as `Repo.scratch` does. */
type ScratchCheckout = <T>(spec: ScratchSpec, use: (at: Place, write: WriteFiles) => Promise<T>) => Promise<T>;

/** Scratch checkouts of a merged tree, with the tests of the branch that it is merged into. */
export function scratchOf(repo: SprintRepo, checkout: Checkout, testsOf: string | undefined): ScratchCheckout {
  return ({ tests }, use) =>
    checkout(async (at) => {
      if (tests) await repo.putTests(at, tests, testsOf);
      return use(at, () => Promise.resolve());
    });
}

export interface Verifying {
  sprintDir: string;
  state: State;
  repo: SprintRepo;
  signal: AbortSignal & Signal;
  scratch: ScratchCheckout;
  onBegin?: VerifyOptions['onBegin'];
}

/**
 * Runs verifications as a sprint does in a clean checkout, but without barriers, because the person asked for exactly these.
 * @returns results in the order of `verifications`, without those that did not start before a stop.
 */
export async function verifyIn(
  about: Verifying,
  verifications: readonly Runnable[],
  onResult?: VerifyOptions['onResult'],
): Promise<Verified[]> {
  const ground = await groundOf(about);
  const { payloads } = ground.ports;
  const results = new Map<string, Promise<Verified>>();
  const onRun = (run: Run): void => {
    const title = verifications.find(({ id }) => id === run.verification)?.title ?? '';
    results.set(run.verification, receive(verifiedOf(run, title, payloads)));
  };
  const receive = async (verified: Promise<Verified>): Promise<Verified> => {
    const result = await verified;
    onResult?.(result);
    return result;
  };
  try {
    await runInCheckout(ground, { verifications, where: 'clean', code: null, onRun });
  } catch (error) {
    // After a stop, the person still gets the results so far.
    if (!(error instanceof Interruption && error.reason === 'cancelled')) throw error;
  }
  return Promise.all(verifications.flatMap(({ id }) => results.get(id) ?? []));
}

async function verifiedOf(run: Run, title: string, payloads: Payloads): Promise<Verified> {
  const { verification: id, verdict, exit, timedOut, duration, summary, cases } = run;
  const result = { id, title, verdict, exit, timedOut, duration, summary, output: await payloads.get(run.output) };
  if (!cases) return result;
  const { total, failed, skipped, ref } = cases;
  return { ...result, cases: { total, failed, skipped, cases: testCase.array().parse(JSON.parse(await payloads.get(ref))) } };
}

async function groundOf({ sprintDir, state, repo, signal, scratch, onBegin }: Verifying): Promise<Ground> {
  const { network, allowedHosts, environment } = state.config;
  const variables = createVariables(environment, process.env);
  const runner = createSprintRunner(repo, sprintDir, { network, allowedHosts }, variables);
  const payloads = inMemoryOver(openPayloads(await openLoopFolder(sprintDir)));
  const progress = (item: Progress): void => (item.kind === 'verification-began' ? onBegin?.(item.id) : undefined);
  return { state, signal, ports: { payloads, runner, clock: systemClock, progress, repo: { scratch } } };
}

/** Reads the sprint's payloads, but keeps new ones in memory only. */
function inMemoryOver(kept: Payloads): Payloads {
  const texts = new Map<string, string>();
  return {
    put(text) {
      const ref = refOf(text);
      texts.set(ref, text);
      return Promise.resolve(ref);
    },
    get: (ref) => {
      const text = texts.get(ref);
      return text === undefined ? kept.get(ref) : Promise.resolve(text);
    },
  };
}

/** @throws InputError for an unknown id, or where there is no verification. */
function selectVerifications(state: State, only: readonly string[] | undefined, failed: boolean | undefined): Runnable[] {
  const all = liveRunnable(state.work);
  const unknown = (only ?? []).filter((id) => !all.some((v) => v.id === id));
  if (unknown.length > 0)
    throw new InputError(`There is no verification ${unknown.join(', ')}.`, `There are: ${all.map((v) => v.id).join(', ') || 'none yet'}.`);
  if (all.length === 0)
    throw new InputError(`Sprint ${state.opened.sprint} has no verification yet.`, 'Let it get as far as writing them.');
  return all.filter((v) => only === undefined || only.includes(v.id)).filter((v) => failed !== true || statusOf(state, v) !== 'passed');
}
