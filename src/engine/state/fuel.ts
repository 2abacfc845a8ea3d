/**
 * Fuel (I4). Every decision and every resume burns the `sprint` tank and its own; nothing refills. Sizes are fixed when
 * the sprint opens, and `sprint`, `mint` and `evaluation` once more when the plan is settled. `docs/termination.md` has the argument.
 */
import type { Config } from '../ground/config.ts';
import type { Sizes, Tank } from './events.ts';
import type { Ledger } from './ledger.ts';

/** Until the plan is settled; then min(40 + 15·tasks, maxLoopIterations). */
export const openingFuel = 40;

/** Sizes by the first part of a tank's name: `execute/T1` has the size of `execute`. */
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

export function left(ledger: Ledger, tank: Tank): number {
  return sizeOf(ledger, tank) - (ledger.burned[tank] ?? 0);
}

export function canBurn(ledger: Ledger, tanks: readonly Tank[]): boolean {
  return tanks.every((tank) => left(ledger, tank) > 0);
}

/** Tasks that may still be added after the plan was settled. */
export function mintLeft(ledger: Ledger): number {
  return (ledger.sizes['mint'] ?? 0) - ledger.minted;
}

/** The worst case, shown before a start. */
export function bound(config: Config): { decisions: number; usd: number; tokens: number } {
  return { decisions: config.maxLoopIterations, usd: config.budgetUsd, tokens: config.budgetTokens };
}

/** Steps of one action: `steps/<turns>/<id>`, since each role has its own limit of turns. */
function sizeOf(ledger: Ledger, tank: Tank): number {
  const [kind = '', size = ''] = tank.split('/');
  return kind === 'steps' ? Number(size) : (ledger.sizes[kind] ?? 0);
}
