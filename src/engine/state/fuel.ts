/**
 * Fuel (I4). Every decision and every resume burns the `sprint` tank and its own; nothing refills. Sizes are fixed when
 * the sprint opens, and `sprint`, `mint` and `evaluation` once more when the plan is settled. `docs/termination.md` has the argument.
 */
import type { Config } from '../ground/config.ts';
import { tankKinds, type Sizes, type Tank, type TankKind } from './events.ts';

/** Until the plan is settled; then min(40 + 15·tasks, maxLoopIterations). */
export const openingFuel = 40;

/** How much each kind of tank holds. */
export function openingSizes(config: Config): Sizes {
  return {
    sprint: Math.min(openingFuel, config.maxLoopIterations),
    mint: 0,
    settle: 2,
    gate: 3,
    base: 3,
    generate: 2,
    rewrite: 3,
    triage: 1,
    run: 4,
    lineage: config.maxFixAttempts,
    signature: config.maxFixesPerSignature,
    research: 1,
    reserve: 2,
    service: 2,
    reinstall: 1,
    execute: config.maxTaskAttempts,
    strategy: 3,
    correct: 5,
    review: 4,
    proof: 1,
    vrc: 20,
    evaluation: 4,
    final: 3,
    wait: 8,
    limits: 40,
  };
}

/** Once the plan is settled: enough for its tasks, a bounded number of tasks that may be added ever, and of evaluations before the last. */
export function plannedSizes(tasks: number, config: Config): { sprint: number; mint: number; evaluation: number } {
  const sprint = Math.min(openingFuel + 15 * tasks, config.maxLoopIterations);
  return { sprint, mint: Math.ceil(tasks / 2), evaluation: 4 + Math.ceil(tasks / 6) };
}

/** @param key what the tank is for, where there is one for each task, lineage or step. */
export function tank(kind: TankKind, key = ''): Tank {
  return { kind, key };
}

export function isSameTank(one: Tank, other: Tank): boolean {
  return one.kind === other.kind && one.key === other.key;
}

/** Whether a decision burned this tank. */
export function hasBurned(decision: { burns: readonly Tank[] } | undefined, wanted: Tank): boolean {
  return decision?.burns.some((one) => isSameTank(one, wanted)) === true;
}

export type Burned = Record<TankKind, Record<string, number>>;

/** Every tank of a sprint: how much each kind holds, and what was burned of each. */
export interface Tanks {
  sizes: Sizes;
  burned: Burned;
  /** Tasks that were added after the plan, as many as `mint` holds. */
  minted: number;
}

export function nothingBurned(): Burned {
  return Object.fromEntries(tankKinds.map((kind) => [kind, {}])) as Burned;
}

export function burn({ burned }: Pick<Tanks, 'burned'>, wanted: readonly Tank[]): void {
  for (const one of wanted) burned[one.kind][one.key] = spentOf({ burned }, one) + 1;
}

/** Units that were burned of it. */
export function spentOf({ burned }: Pick<Tanks, 'burned'>, { kind, key }: Tank): number {
  return burned[kind][key] ?? 0;
}

export function left(tanks: Tanks, one: Tank): number {
  return sizeOf(tanks, one.kind) - spentOf(tanks, one);
}

export function canBurn(tanks: Tanks, wanted: readonly Tank[]): boolean {
  return wanted.every((one) => left(tanks, one) > 0);
}

/** Tasks that may still be added after the plan was settled. */
export function mintLeft(tanks: Tanks): number {
  return sizeOf(tanks, 'mint') - tanks.minted;
}

/** The worst case, shown before a start. */
export function bound(config: Config): { decisions: number; usd: number; tokens: number } {
  return { decisions: config.maxLoopIterations, usd: config.budgetUsd, tokens: config.budgetTokens };
}

/** What one action may do, whatever its role allows besides: model calls, tool calls that act on the world, effects. */
const perAction: Sizes = { turns: 60, calls: 2000, effects: 200 };

function sizeOf({ sizes }: Tanks, kind: TankKind): number {
  return sizes[kind] ?? perAction[kind] ?? 0;
}
