/** What a model call cost, and what the next one may cost at most. The budget is tested before a call, never after (I4). */
import type { Prices } from '../ports.ts';
import type { Ledger } from '../state/ledger.ts';
import { isOutOfTime, outOfTimeWords } from '../state/hours.ts';
import { tokensOf, type OverWhat } from '../work/spend.ts';
import { withoutPictures, type AskRequest, type Usage } from '../ground/messages.ts';

/** US dollars. */
export function costOf(used: Usage, prices: Prices): number {
  const { input, output, cacheRead, cacheWrite, searches = 0 } = used;
  const tokens = input * prices.input + output * prices.output + cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite;
  return tokens / 1e6 + searches * (prices.search ?? 0);
}

/** Most uses of each web tool in one request. */
export const webUses = 4;
/** Tokens of one fetched page. */
export const pageTokens = 16_000;
/** Tokens of the web that one request may read: what a use found is read again by those after it. */
const webTokens = 600_000;

/** Tokens of one picture, at most: a provider scales larger ones down. */
const pictureTokens = 5000;

/** How often the model is asked in one request with web tools: each use is followed by one more time, which is billed. */
const webSteps = 2 * webUses + 1;

/** The most that a request may use. It assumes two bytes for a token, fewer than real texts have, and no cache hit. */
export function worstCase(request: AskRequest): Usage {
  const most = { input: 0, output: request.maxTokens, cacheRead: 0, cacheWrite: mostRead(request) };
  if (!request.web) return most;
  // Each step reads the request again, and what those before it wrote.
  const read = webSteps * most.cacheWrite + (webSteps - 1) * most.output + webTokens;
  return { ...most, cacheWrite: read, searches: webUses };
}

/** Whatever of its input is read from a cache or written to it. */
function highestCost(most: Usage, prices: Prices): number {
  return costOf(most, { ...prices, cacheWrite: Math.max(prices.input, prices.cacheRead, prices.cacheWrite) });
}

/** The most tokens that a request may hold, without what its web tools read. */
export function mostRead({ system, context = '', tools, messages }: Pick<AskRequest, 'system' | 'context' | 'tools' | 'messages'>): number {
  const { text, pictures } = withoutPictures(messages);
  const bytes = bytesOf(system) + bytesOf(context) + bytesOf(JSON.stringify(tools)) + bytesOf(text);
  return Math.ceil(bytes / 2) + pictures * pictureTokens;
}

/** An upper bound of the text's bytes in UTF-8. */
function bytesOf(text: string): number {
  return text.length + 2 * (text.match(/[\u0080-\uFFFF]/g)?.length ?? 0);
}

/** Which budget is reached, and why in words. */
export interface Over {
  what: OverWhat;
  why: string;
}

/** A call is not tried again, because one more try might go over the budget. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
  constructor(readonly over: Over) {
    super(over.why);
  }
}

/**
 * Why a request must not be made, or undefined when the budget holds even in the worst case. Without prices only tokens are bounded.
 */
export function overBudget(ledger: Ledger, request: AskRequest, prices: Prices | undefined): Over | undefined {
  const late = overTime(ledger);
  if (late) return late;
  const most = worstCase(request);
  const usd = prices ? ledger.spend.usd + highestCost(most, prices) : 0;
  const tokens = tokensOf(ledger.spend) + tokensOf(most);
  if (usd > ledger.budget.usd)
    return {
      what: 'money',
      why: `The next call could bring the sprint to $${usd.toFixed(2)}, over its budget of $${ledger.budget.usd.toFixed(2)}.`,
    };
  if (tokens > ledger.budget.tokens)
    return {
      what: 'tokens',
      why: `The next call could bring the sprint to ${tokens} tokens, over its budget of ${ledger.budget.tokens}.`,
    };
  return undefined;
}

/** Why nothing more may be asked, whatever it costs; undefined while there is time. */
export function overTime(ledger: Ledger): Over | undefined {
  return isOutOfTime(ledger) ? { what: 'time', why: outOfTimeWords(ledger) } : undefined;
}
