/**
 * Tiers of verifications (spec/2 change 5): what everything else builds upon goes first. Pure (I3).
 */
import type { Script, Suite } from './verification.ts';

type Ranked = Pick<Script, 'kind' | 'tier'> | Pick<Suite, 'kind'>;

/** By rank. */
const tiers = ['health', 'smoke', 'feature', 'integration', 'e2e'] as const;
/** What a header without `TIER` says; journals have other words too, from before tiers meant anything. All rank with features. */
export const plainTier = 'value';
const plainRank = tiers.indexOf('feature');

/** What a header may say, in words. */
export const allowedTiers = `0 to ${tiers.length - 1}, or ${tiers.join(', ')}; ${plainTier} is what is taken without one`;

/** The tier that a header names, by name or rank; undefined where there is none such. */
export function tierNamed(text: string): string | undefined {
  const name = text.toLowerCase();
  return name === plainTier ? name : (tiers.find((tier) => tier === name) ?? (/^\d$/.test(name) ? tiers[Number(name)] : undefined));
}

/** A suite ranks with features, as does a tier that there is not. */
export function rankOf(verification: Ranked): number {
  const rank = verification.kind === 'script' ? tiers.findIndex((name) => name === verification.tier) : -1;
  return rank < 0 ? plainRank : rank;
}

/** Health and smoke: while one of them is broken, what ranks higher tells nothing. */
export function isHard(verification: Ranked): boolean {
  return rankOf(verification) < plainRank;
}
