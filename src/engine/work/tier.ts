/**
 * Tiers of verifications: what everything else depends on is verified first (docs/decisions/0013).
 */
import type { Script, Suite } from './verification.ts';

type Ranked = Pick<Script, 'kind' | 'tier'> | Pick<Suite, 'kind'>;

/** The index is the rank. */
const tiers = ['health', 'smoke', 'feature', 'integration', 'e2e'] as const;
/** The tier of a header without `TIER`. It ranks with features, as do unknown tiers in old journals. */
export const plainTier = 'value';
const plainRank = tiers.indexOf('feature');

/** Every name that `TIER` may have. */
export const tierNames: readonly string[] = [...tiers, plainTier];

/** The allowed values of `TIER`, in words. */
export const allowedTiers = `0 to ${tiers.length - 1}, or ${tiers.join(', ')}; ${plainTier} is the default`;

/** The tier with this name or rank; undefined if there is none. */
export function tierNamed(text: string): string | undefined {
  const name = text.toLowerCase();
  return name === plainTier ? name : (tiers.find((tier) => tier === name) ?? (/^\d$/.test(name) ? tiers[Number(name)] : undefined));
}

/** A suite or an unknown tier ranks with features. */
export function rankOf(verification: Ranked): number {
  const rank = verification.kind === 'script' ? tiers.findIndex((name) => name === verification.tier) : -1;
  return rank < 0 ? plainRank : rank;
}

/** Health and smoke: while one of them is broken, results of higher tiers mean nothing. */
export function isHard(verification: Ranked): boolean {
  return rankOf(verification) < plainRank;
}
