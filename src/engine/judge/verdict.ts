/**
 * The verdict of a run: by its exit status, never by what it prints (I8). The flake rule is the same wherever a verification
 * runs. A red that the machine may have caused is no verdict: the run is looked at alone (docs/machine.md).
 */
import type { DeadService, Finished, Pressure, Stopped } from '../work/job.ts';
import { looksNeeded } from '../state/tanks.ts';
import type { Run } from '../work/verification.ts';

type End = Pick<Finished, 'exit' | 'timedOut' | 'hung' | 'stopped' | 'dead' | 'traffic'>;

export function isGreen({ exit, timedOut }: Pick<End, 'exit' | 'timedOut'>): boolean {
  return exit === 0 && !timedOut;
}

/** Whether to run it again beside the others, to tell a flake from a failure. */
export function isRepeated(first: End): boolean {
  return !isGreen(first) && !mayBeMachine(first);
}

/** @param again the second run, where there was one. */
export function verdictOf(first: End, again: End | undefined): Run['verdict'] {
  if (isGreen(first)) return 'green';
  return again !== undefined && isGreen(again) ? 'flaky' : 'red';
}

const machineStops: readonly (Stopped | undefined)[] = ['disk', 'signal', 'slow'];

/**
 * Whether the machine may have caused this end: it ran out of time while it did something, was struck from outside, was refused a
 * port, or a host that it may reach did not answer.
 */
export function mayBeMachine(end: End): boolean {
  if ((end.timedOut && end.hung !== true) || machineStops.includes(end.stopped)) return true;
  return silentHost(end) !== undefined || (end.dead !== undefined && mayBeMachineFor(end.dead));
}

/** A host that did not answer a run that is not green. */
export function silentHost(end: End): string | undefined {
  return isGreen(end) ? undefined : end.traffic?.unreachable?.[0];
}

/** A service that was not ready in time, or whose port somebody else holds. */
export function mayBeMachineFor(dead: Pick<DeadService, 'how' | 'holder'>): boolean {
  return dead.how === 'not-ready' || isRefusedPort(dead);
}

/** Somebody else's process holds its port. */
export function isRefusedPort({ how, holder }: Pick<DeadService, 'how' | 'holder'>): boolean {
  return how === 'taken' || holder !== undefined;
}

/** Clean checkouts for one script and code: a second one only where the first left a flake, or what is green since, and nothing worse. */
export const mostCleanRuns = 2;

/** A run alone, and how busy the machine was before it. */
export interface Look {
  done: End & Pick<Finished, 'given'>;
  before: Pressure;
}

/**
 * Green once is green, unless it also failed by itself. Only what is red in every look, each on a calm enough machine, is red.
 * `none`: nobody can tell.
 */
export function verdictOfLooks(looks: readonly Look[]): Run['verdict'] {
  const isPlain = ({ done }: Look): boolean => !isGreen(done) && !mayBeMachine(done);
  if (looks.some(({ done }) => isGreen(done))) return looks.some(isPlain) ? 'flaky' : 'green';
  return looks.length >= looksNeeded && looks.every(isOwn) ? 'red' : 'none';
}

/** Whether a red look is the work's own: nothing of the machine stood in its way. */
function isOwn({ done, before }: Look): boolean {
  if (!mayBeMachine(done)) return true;
  if (done.stopped === 'slow' || (done.dead && isRefusedPort(done.dead))) return false;
  // Where its own time was counted, it had that time, however busy the CPUs were.
  return isCalm(done.given === undefined ? before : { ...before, cpu: 0 });
}

/** Percent of the time in which somebody may have waited on a calm enough machine. */
const calm = { cpu: 50, io: 30, memory: 10 };

/** What nothing tells counts as calm. */
export function isCalm({ cpu = 0, io = 0, memory = 0 }: Pressure): boolean {
  return cpu <= calm.cpu && io <= calm.io && memory <= calm.memory;
}

/** Why a run has no result, as the middle of a sentence. */
export function machineWords(end: End): string {
  const { timedOut, stopped, dead } = end;
  if (dead && isRefusedPort(dead)) return `the port of service ${dead.name} is taken${dead.holder ? ` by ${dead.holder}` : ''}`;
  const silent = silentHost(end);
  if (silent !== undefined) return `${silent} did not answer`;
  if (dead) return `service ${dead.name} was not ready in time`;
  if (stopped === 'disk') return 'the disk has too little free space';
  if (stopped === 'signal') return 'something outside of Loop killed it';
  if (stopped === 'slow') return 'the machine gave it hardly any time';
  return timedOut ? 'it ran out of time' : 'it ended before it was done';
}
