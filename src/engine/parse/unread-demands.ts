/** Sentences that say that something must be, and are no requirement: where others have numbers, only those count. */
import type { Claim } from './claims.ts';
import { isElsewhere, type Placed } from './outline.ts';
import { demands } from './section-kinds.ts';

export function unreadDemands(blocks: readonly Placed[], claims: readonly Claim[]): Placed[] {
  const claimed = new Set(claims.flatMap(({ block, end }) => blocks.slice(block.index, end)));
  return blocks.filter((block) => {
    const { kind, words, of, isNested } = block;
    const isSentence = kind === 'paragraph' || (kind === 'item' && !isNested);
    // What ends with a colon leads to a list, which says what is demanded.
    return isSentence && !isElsewhere(of) && !claimed.has(block) && demands(words) && !/:\W*$/.test(words);
  });
}
