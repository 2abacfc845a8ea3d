/**
 * Fuel limits every sprint (I4, docs/termination.md). Each decision burns `sprint` and its own tanks, each resume burns
 * `sprint`, and nothing refills a tank. Sizes are fixed when the sprint opens; those that depend on the plan are set once more.
 */
import type { Config } from '../ground/config.ts';
import type { Sizes, Tank } from './events.ts';
import { actionTanks, mostCloserLooks, openingFuel, tankKinds, type TankKind } from './tanks.ts';

/** Sizes for a plan. `mint`: tasks that may ever be added. `evaluation`: evaluations before the final one. */
export function plannedSizes(tasks: number, config: Config): { sprint: number; mint: number; evaluation: number } {
  const sprint = Math.min(openingFuel + mostCloserLooks[config.qualify] + 15 * tasks, config.maxLoopIterations);
  return { sprint, mint: Math.ceil(tasks / 2), evaluation: 4 + Math.ceil(tasks / 6) };
}

/** @param key the task, lineage or step where there is one tank for each. */
export function tank(kind: TankKind, key = ''): Tank {
  return { kind, key };
}

/** Each amendment of what discovery declared burns it. */
export const amendTank = tank('amend');

export function isSameTank(one: Tank, other: Tank): boolean {
  return one.kind === other.kind && one.key === other.key;
}

/** Whether a decision burned this tank. */
export function hasBurned(decision: { burns: readonly Tank[] } | undefined, wanted: Tank): boolean {
  return decision?.burns.some((one) => isSameTank(one, wanted)) === true;
}

export type Burned = Record<TankKind, Record<string, number>>;

/** All tanks of a sprint: the size of each kind, and what was burned of each tank. */
export interface Tanks {
  sizes: Sizes;
  burned: Burned;
  /** Tasks that were added after the plan; at most the size of `mint`. */
  minted: number;
}

export function nothingBurned(): Burned {
  return Object.fromEntries(tankKinds.map((kind) => [kind, {}])) as Burned;
}

export function burn({ burned }: Pick<Tanks, 'burned'>, wanted: readonly Tank[]): void {
  for (const one of wanted) burned[one.kind][one.key] = spentOf({ burned }, one) + 1;
}

/** Units burned so far. */
export function spentOf({ burned }: Pick<Tanks, 'burned'>, { kind, key }: Tank): number {
  return burned[kind][key] ?? 0;
}

export function left(tanks: Tanks, one: Tank): number {
  return sizeOf(tanks, one.kind) - spentOf(tanks, one);
}

export function canBurn(tanks: Tanks, wanted: readonly Tank[]): boolean {
  return wanted.every((one) => left(tanks, one) > 0);
}

/** What the next attempt at a task burns: one of its own, or else one that the person asked for. */
export function attemptTank(tanks: Tanks & { retries: Readonly<Record<string, number>> }, task: string): Tank {
  const [own, asked] = [tank('execute', task), tank('retry', task)];
  return !canBurn(tanks, [own]) && (tanks.retries[task] ?? 0) > spentOf(tanks, asked) ? asked : own;
}

/** Tasks that may still be added after the plan was settled. */
export function mintLeft(tanks: Tanks): number {
  return sizeOf(tanks, 'mint') - tanks.minted;
}

/** The worst case of a sprint, shown before its start. */
export function bound(config: Config): { decisions: number; usd: number; tokens: number; hours: number } {
  return { decisions: config.maxLoopIterations, usd: config.budgetUsd, tokens: config.budgetTokens, hours: config.maxHours };
}

function sizeOf({ sizes }: Tanks, kind: TankKind): number {
  return sizes[kind] ?? (actionTanks as Sizes)[kind] ?? 0;
}
