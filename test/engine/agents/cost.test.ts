/** The budget is compared with the highest possible cost of a call before the call (I4). */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { costOf, overBudget, pageTokens, webUses, worstCase } from '../../../src/engine/agents/cost.ts';
import type { AskRequest } from '../../../src/engine/ground/messages.ts';
import { emptyLedger } from '../../../src/engine/state/ledger.ts';
import type { Prices } from '../../../src/engine/ports.ts';
import { testPrices } from '../../support/fakes.ts';

const request = (text: string, maxTokens = 100): AskRequest => ({
  role: 'builder',
  purpose: 'p',
  turn: 1,
  model: 'm',
  maxTokens,
  system: text,
  tools: [{ name: 't', description: text, inputSchema: {} }],
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
});
const ledger = (usd: number, tokens: number) => emptyLedger({}, { usd, tokens, hours: 24 });

describe('costOf', () => {
  it('sums the four kinds of tokens with their prices, in dollars', () => {
    const used = { input: 1_000_000, output: 200_000, cacheRead: 500_000, cacheWrite: 400_000 };
    assert.equal(costOf(used, testPrices), 2 + 2 + 0.1 + 1);
    assert.equal(costOf({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, testPrices), 0);
  });
});

/** Random prices, in any order of size. */
const price = fc.record<Prices>({
  input: fc.double({ min: 0, max: 20, noNaN: true }),
  output: fc.double({ min: 0, max: 80, noNaN: true }),
  cacheRead: fc.double({ min: 0, max: 20, noNaN: true }),
  cacheWrite: fc.double({ min: 0, max: 25, noNaN: true }),
});
const share = fc.double({ min: 0, max: 1, noNaN: true });
const dollars = fc.double({ min: 0, max: 0.2, noNaN: true });

describe('a request with pictures', () => {
  const withPicture = (data: string, content: string): AskRequest => {
    const picture = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png' as const, data } };
    const result = {
      type: 'tool_result' as const,
      tool_use_id: 't',
      content: [{ type: 'text' as const, text: content }, picture],
    };
    return { ...request('x'), messages: [{ role: 'user', content: [result] }] };
  };

  it('counts a picture at the most that a provider bills, whatever its size, and text as text', () => {
    const [small, large] = [worstCase(withPicture('A', 'x')), worstCase(withPicture('A'.repeat(1_000_000), 'x'))];
    assert.deepEqual(small, large);
    assert.ok(large.cacheWrite > 5000 && large.cacheWrite < 6000, `${large.cacheWrite}`);
    assert.equal(worstCase(withPicture('A', 'x'.repeat(1001))).cacheWrite - small.cacheWrite, 500);
  });

  it('does not count a call’s input as a picture', () => {
    const call = { type: 'tool_use' as const, id: 't', name: 'bash', input: { type: 'image', source: 'x'.repeat(10_000) } };
    const messages = [{ role: 'assistant' as const, content: [call] }];
    assert.ok(worstCase({ ...request('x'), messages }).cacheWrite > 5000);
  });
});

describe('a request with web tools', () => {
  it('counts everything that the web tools may read, and each search', () => {
    const plain = worstCase(request('x'));
    const web = worstCase({ ...request('x'), web: true });
    const uses = 2 * webUses;
    const again = Array.from({ length: uses }, (_, before) => (before + 1) * pageTokens + plain.cacheWrite + plain.output);
    assert.ok(web.cacheWrite >= plain.cacheWrite + again.reduce((sum, tokens) => sum + tokens, 0));
    assert.equal(web.searches, webUses);
    assert.equal(costOf({ ...plain, searches: 3 }, { ...testPrices, search: 0.5 }) - costOf(plain, testPrices), 1.5);
  });
});

describe('worstCase', () => {
  it('is at least any real use of the request: half its bytes as input, and all its output', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 1, max: 32_768 }), (text, maxTokens) => {
        const asked = request(text, maxTokens);
        const { system, tools, messages } = asked;
        const bytes = Buffer.byteLength(system) + Buffer.byteLength(JSON.stringify(tools)) + Buffer.byteLength(JSON.stringify(messages));
        const most = worstCase(asked);
        assert.ok(most.cacheWrite >= bytes / 2 && most.cacheWrite <= bytes + 1);
        assert.deepEqual({ ...most, cacheWrite: 0 }, { input: 0, output: maxTokens, cacheRead: 0, cacheWrite: 0 });
      }),
    );
  });

  it('allows no call that could exceed the budget, with any split and any prices of its tokens', () => {
    fc.assert(
      fc.property(price, fc.tuple(share, share, share), dollars, (prices, [fresh, read, out], usd) => {
        const asked = request('x'.repeat(2000), 1000);
        const { cacheWrite: inputs, output } = worstCase(asked);
        const input = Math.floor(inputs * fresh);
        const cacheRead = Math.floor((inputs - input) * read);
        const used = { input, cacheRead, cacheWrite: inputs - input - cacheRead, output: Math.floor(output * out) };
        if (!overBudget(ledger(usd, 1e9), asked, prices)) assert.ok(costOf(used, prices) <= usd + 1e-12);
      }),
    );
  });
});

describe('overBudget', () => {
  const asked = request('x'.repeat(1000), 1000);
  const { cacheWrite, output } = worstCase(asked);
  const usd = (cacheWrite * testPrices.cacheWrite + output * testPrices.output) / 1e6;

  it('allows a call that fits exactly', () => {
    assert.equal(overBudget(ledger(usd, cacheWrite + output), asked, testPrices), undefined);
  });

  it('names the exceeded budget, money first', () => {
    const money = 'The next call could bring the sprint to $0.01, over its budget of $0.01.';
    assert.equal(overBudget(ledger(usd * 0.9, cacheWrite + output), asked, undefined), undefined, 'without a price only tokens count');
    assert.equal(overBudget(ledger(usd, cacheWrite + output - 1), asked, undefined)?.what, 'tokens');
    assert.deepEqual(overBudget(ledger(usd * 0.9, 1), asked, testPrices), { what: 'money', why: money });
    const tokens = `The next call could bring the sprint to ${cacheWrite + output} tokens, over its budget of ${cacheWrite + output - 1}.`;
    assert.deepEqual(overBudget(ledger(usd, cacheWrite + output - 1), asked, testPrices), { what: 'tokens', why: tokens });
  });

  it('includes the earlier spend', () => {
    const spent = ledger(usd, 1e9);
    spent.spend.usd = 0.000_001;
    assert.equal(overBudget(spent, asked, testPrices)?.what, 'money');
    const used = ledger(1, cacheWrite + output);
    used.spend.cacheRead = 1;
    assert.equal(overBudget(used, asked, testPrices)?.what, 'tokens');
  });
});
