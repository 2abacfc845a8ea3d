/** What sprints here cost, beside the worst case of the next one. */
import { counted } from '../ground/text.ts';

/** The median of sprints that ended in this folder and beside it. */
export interface Typical {
  sprints: number;
  usd: number;
  tokens: number;
}

/** Undefined where none ended. */
export function typicalOf(ended: readonly { usd: number; tokens: number }[]): Typical | undefined {
  if (ended.length === 0) return undefined;
  return { sprints: ended.length, usd: median(ended.map(({ usd }) => usd)), tokens: Math.round(median(ended.map(({ tokens }) => tokens))) };
}

/** `Typical here: $0.41 and 812,000 tokens (the median of 3 sprints that ended).` */
export function typicalWords({ sprints, usd, tokens }: Typical): string {
  const money = usd === 0 ? '' : `$${usd.toFixed(2)} and `;
  const of = sprints === 1 ? 'one sprint that ended' : `the median of ${counted(sprints, 'sprint')} that ended`;
  return `Typical here: ${money}${tokens.toLocaleString('en-US')} tokens (${of}).`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}
