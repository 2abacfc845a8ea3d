/** Everything that fuel limits, one line each (docs/termination-tanks.md). */
import type { Config } from '../ground/config.ts';

/** Looks at one run alone that decide whether it is red. */
export const looksNeeded = 2;

/** Size of the `sprint` tank until the plan is settled, without closer looks. */
export const openingFuel = 40;

/** Closer looks at documents and plan that a profile has at most (`judge/closer-looks.ts`). */
export const mostCloserLooks: Readonly<Record<Config['qualify'], number>> = { none: 0, lean: 0, standard: 2, thorough: 19 };

/** Limits of a sprint and of what it works on: a size, or how the person's configuration sets it. */
const sprintTanks = {
  sprint: ({ maxLoopIterations, qualify }: Config) => Math.min(openingFuel + mostCloserLooks[qualify], maxLoopIterations),
  mint: 0,
  settle: 2,
  gate: 3,
  /** Reviews of Vision and PRD. */
  documents: ({ qualify }: Config) => (qualify === 'none' ? 0 : 3),
  /** Reviews of the plan. A sprint that began before there were any opened without this tank, and has none. */
  lenses: ({ qualify }: Config) => (qualify === 'none' ? 0 : 3),
  /** Closer looks: one a lens, or one for all that raised something. */
  closer: ({ qualify }: Config) => (mostCloserLooks[qualify] > 0 ? 1 : 0),
  base: 3,
  generate: 2,
  rewrite: 3,
  hidden: 2,
  triage: 1,
  run: 4,
  /** One more for the commit before. */
  look: looksNeeded + 1,
  lineage: ({ maxFixAttempts }: Config) => maxFixAttempts,
  signature: ({ maxFixesPerSignature }: Config) => maxFixesPerSignature,
  research: 1,
  reserve: 2,
  service: 2,
  environment: 2,
  amend: 3,
  reinstall: 1,
  execute: ({ maxTaskAttempts }: Config) => maxTaskAttempts,
  /** Attempts that the person asks for, when those are used up. */
  retry: 2,
  strategy: 3,
  correct: 5,
  review: 4,
  proof: 3,
  vrc: 20,
  evaluation: 4,
  final: 3,
  wait: 8,
  limits: 40,
};

/** Limits that only a pipeline has; sized by `pipelineSizes`. */
const pipelineTanks = ['iteration', 'again'] as const;

/** Iterations that a budget kept from a result, and that begin again without a unit of `iteration`. */
const againAfterRaise = 8;

/** Limits of one action, whatever its role allows: model calls, tool calls that act on the world, effects. */
export const actionTanks = { turns: 60, calls: 2000, effects: 200 };

type SprintTank = keyof typeof sprintTanks;
export type TankKind = SprintTank | (typeof pipelineTanks)[number] | keyof typeof actionTanks;
export const tankKinds = [...Object.keys(sprintTanks), ...pipelineTanks, ...Object.keys(actionTanks)] as [TankKind, ...TankKind[]];

/** How much each kind of tank holds when a sprint opens. */
export function openingSizes(config: Config): Record<SprintTank, number> {
  const sizes = Object.entries(sprintTanks).map(([kind, size]) => [kind, typeof size === 'number' ? size : size(config)]);
  return Object.fromEntries(sizes) as Record<SprintTank, number>;
}

/**
 * How much each kind of tank holds when a pipeline opens. An iteration needs at most three decisions: the look at its queue, its
 * session, and what becomes of its change; one that begins again, a resume, its session and a close. Each node may need one look
 * more.
 */
export function pipelineSizes(iterations: number, nodes: number, { maxLoopIterations }: Config): Partial<Record<TankKind, number>> {
  const iteration = Math.min(iterations, maxLoopIterations);
  const { gate, settle, limits } = sprintTanks;
  const sprint = 3 * (iteration + againAfterRaise) + nodes + openingFuel;
  return { sprint, iteration, again: againAfterRaise, gate, settle, limits };
}
