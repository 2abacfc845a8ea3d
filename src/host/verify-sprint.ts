/**
 * A person's own run of a sprint's verifications, without a model (I11): through the engine's one runner, in throw-away checkouts
 * prepared like the worktree, so that the person's checkout is not touched. Nothing is recorded.
 */
import { createHash } from 'node:crypto';
import { InputError, Interruption } from '../engine/ground/errors.ts';
import { statusOf } from '../engine/judge/status.ts';
import type { AbortSignal as Signal, Payloads, ScratchSpec, WriteFiles } from '../engine/ports.ts';
import { runApart } from '../engine/run/apart.ts';
import type { Ground } from '../engine/run/ground.ts';
import { liveRunnable } from '../engine/state/covers.ts';
import type { State } from '../engine/state/state.ts';
import { testCase, type CaseSummary, type TestCase } from '../engine/work/case.ts';
import type { Place } from '../engine/work/job.ts';
import type { Run, Runnable } from '../engine/work/verification.ts';
import { systemClock } from './clock.ts';
import { inspectRepository } from './git/inspect.ts';
import type { Checkout, SprintRepo } from './git/repo.ts';
import { acquireLock } from './lock.ts';
import { openLoopFolder } from './loop-folder.ts';
import { openPayloads } from './payloads.ts';
import { readSprint } from './sprint.ts';
import { createVariables } from './variables.ts';
import { createSprintRunner, openRepo } from './world.ts';

export interface Verified {
  id: string;
  title: string;
  verdict: Run['verdict'];
  /** Null when it was killed. */
  exit: number | null;
  timedOut: boolean;
  /** Milliseconds. */
  duration: number;
  /** What went wrong, one to three lines; empty where it is green. */
  summary: string;
  output: string;
  /** What its framework reports of single cases. */
  cases?: Pick<CaseSummary, 'total' | 'failed' | 'skipped'> & { cases: TestCase[] };
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
    const verifications = chosen(state, only, failed);
    await repo.openWorktree();
    const scratch: ScratchCheckout = (spec, use) => repo.scratch(spec, use);
    return await verifyIn({ sprintDir, state, repo, signal, scratch }, verifications, onResult);
  } finally {
    await lock.release();
  }
}

/** A sprint's state and repository, not finished yet. @throws InputError */
export async function openSprint(sprintDir: string): Promise<{ state: State; repo: SprintRepo }> {
  const state = await readSprint(sprintDir);
  if (!state) throw new InputError(`No sprint was started in ${sprintDir}.`, 'Start one first.');
  if (state.ledger.finished)
    throw new InputError(`Sprint ${state.opened.sprint} was finished already.`, 'Start a new one; this one stays in .loop/archive.');
  return { state, repo: await openRepo(await inspectRepository(sprintDir), state) };
}

/** Gives a throw-away checkout to `use`, as `Repo.scratch` does. */
type ScratchCheckout = <T>(spec: ScratchSpec, use: (at: Place, write: WriteFiles) => Promise<T>) => Promise<T>;

/** Checkouts of a merged tree, with the tests of the branch that it is merged into. */
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
}

/**
 * As a sprint runs them in a clean checkout, but for its gates: a person asked for just these.
 * @returns in the order of `verifications`, without those that a stop kept from beginning.
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
    const before = results.get(run.verification);
    const title = verifications.find(({ id }) => id === run.verification)?.title ?? '';
    results.set(run.verification, receive(verifiedOf(run, title, payloads), before));
  };
  const receive = async (found: Promise<Verified>, earlier: Promise<Verified> | undefined): Promise<Verified> => {
    const [result, before] = [await found, await earlier];
    if (before?.verdict === result.verdict) return result;
    // What a stop killed says nothing about what the others wrote.
    const news = before && !about.signal.aborted ? { ...result, apart: true } : result;
    onResult?.(news);
    return news;
  };
  try {
    await runApart(ground, { verifications, where: 'clean', code: null, onRun });
  } catch (error) {
    // Who stopped it wants what there is.
    if (!(error instanceof Interruption && error.reason === 'cancelled')) throw error;
  }
  return Promise.all(verifications.flatMap(({ id }) => results.get(id) ?? []));
}

async function verifiedOf(run: Run, title: string, payloads: Payloads): Promise<Verified> {
  const { verification: id, verdict, exit, timedOut, duration, summary, cases } = run;
  const found = { id, title, verdict, exit, timedOut, duration, summary, output: await payloads.get(run.output) };
  if (!cases) return found;
  const { total, failed, skipped, ref } = cases;
  return { ...found, cases: { total, failed, skipped, cases: testCase.array().parse(JSON.parse(await payloads.get(ref))) } };
}

async function groundOf({ sprintDir, state, repo, signal, scratch }: Verifying): Promise<Ground> {
  const { network, environment } = state.config;
  const variables = createVariables(environment, process.env);
  const runner = createSprintRunner(repo, { sprintDir, network, variables });
  const payloads = forgetting(openPayloads(await openLoopFolder(sprintDir)));
  const checkouts = { scratch, fingerprint: (at: Place) => repo.fingerprint(at) };
  return { state, signal, ports: { payloads, runner, clock: systemClock, progress: () => undefined, repo: checkouts } };
}

/** Reads what the sprint wrote, and keeps what is put there in memory only. */
function forgetting(kept: Payloads): Payloads {
  const texts = new Map<string, string>();
  return {
    put(text) {
      const ref = createHash('sha256').update(text).digest('hex');
      texts.set(ref, text);
      return Promise.resolve(ref);
    },
    get: (ref) => {
      const text = texts.get(ref);
      return text === undefined ? kept.get(ref) : Promise.resolve(text);
    },
  };
}

/** @throws InputError for an id that there is not, or where none is left. */
function chosen(state: State, only: readonly string[] | undefined, failed: boolean | undefined): Runnable[] {
  const all = liveRunnable(state.work);
  const unknown = (only ?? []).filter((id) => !all.some((c) => c.id === id));
  if (unknown.length > 0)
    throw new InputError(`There is no verification ${unknown.join(', ')}.`, `There are: ${all.map((c) => c.id).join(', ') || 'none yet'}.`);
  if (all.length === 0)
    throw new InputError(`Sprint ${state.opened.sprint} has no verification yet.`, 'Let it get as far as writing them.');
  return all.filter((c) => only === undefined || only.includes(c.id)).filter((c) => failed !== true || statusOf(state, c) !== 'passed');
}
