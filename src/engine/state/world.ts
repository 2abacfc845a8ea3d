/** Which facts change the world, and which verdicts it leaves behind. */
import type { Fact } from '../work/facts.ts';
import type { FixRecord } from '../work/fix.ts';
import type { Attempt } from '../work/world.ts';

export function changesWorld(fact: Fact): boolean {
  switch (fact.fact) {
    case 'context.amended':
    case 'environment.tried':
    case 'access.granted':
    case 'install.ran':
    case 'install.forgotten':
      return true;
    case 'gate.passed':
      return fact.gate === 'prepare';
    case 'human-action.verified':
      return fact.fulfilled;
    case 'service.started':
      return fact.ours;
    default:
      return false;
  }
}

interface Known {
  /** Number of the current world. */
  readonly world: number;
  readonly fixes: Readonly<Record<string, readonly FixRecord[]>>;
}

/**
 * Whether an attempt that failed says nothing any more: the world changed since, or a fixer looked at it and found nothing to
 * change. What is green stays green.
 */
export function isStale(known: Known, lineage: string, { n, world }: Attempt): boolean {
  return (world ?? known.world) < known.world || idleFixes(known, lineage).some(({ after }) => after >= n);
}

/** Fixes that found nothing to change; each is followed by a new run. */
export function idleFixes({ fixes }: Pick<Known, 'fixes'>, lineage: string): FixRecord[] {
  return (fixes[lineage] ?? []).filter(({ idle }) => idle);
}
