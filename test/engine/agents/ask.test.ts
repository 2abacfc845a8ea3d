/** One model call: it is retried visibly where a retry can help. A rate limit burns its own tank, not an attempt (I2, I4). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ask, type Ask } from '../../../src/engine/agents/ask.ts';
import { costOf, OverBudget, worstCase } from '../../../src/engine/agents/cost.ts';
import { Interruption, RetryableModelError, TerminalModelError } from '../../../src/engine/ground/errors.ts';
import { left, tank } from '../../../src/engine/state/fuel.ts';
import { createByProvider } from '../../../src/models/by-provider.ts';
import { createLazyAnthropic } from '../../../src/models/load.ts';
import { says, testPrices, world } from '../../support/fakes.ts';
import { refOf } from '../support/events.ts';
import { again, building } from '../support/play.ts';

const hello = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Do T1.' }] }];
const request = {
  role: 'builder',
  purpose: 'execute/T1#1',
  turn: 1,
  model: 'm',
  maxTokens: 100,
  system: 's',
  tools: [],
  messages: hello,
};
const call = (id: string): Ask => ({ id: `${id}/a1`, role: 'builder', request, added: { messages: hello } });
const failing = (kind: RetryableModelError['kind'], retryAfterMs?: number) => new RetryableModelError(kind, kind, retryAfterMs);
const times = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);

describe('ask', () => {
  it('records the request before the call, and the reply with its cost after it', async () => {
    const w = world({ answers: [says('hi')] });
    const { context, kernel } = building(w);
    const { id } = context.open;
    assert.deepEqual(await ask(context, call(id)), says('hi'));
    const [begun, ended] = w.journal.events.slice(-2).map(({ n: _n, at: _at, owner: _owner, ...line }) => line);
    const stored = JSON.stringify({ system: 's', tools: [], model: 'm', messages: hello });
    const most = {
      fact: 'model.spent',
      role: 'builder',
      model: 'm',
      usage: worstCase(request),
      usd: costOf(worstCase(request), testPrices),
    };
    const step = { id: `${id}/a1`, kind: 'ask', request: refOf(stored), role: 'builder', purpose: 'execute/T1#1', turn: 1, most };
    assert.deepEqual(begun, { type: 'step.begun', step, burns: [tank('turns', id)] });
    const { usage } = says('');
    const spent = { fact: 'model.spent', role: 'builder', model: 'm', usage, usd: (100 * 2 + 10 * 10) / 1e6 };
    const result = refOf(JSON.stringify(says('hi')));
    assert.deepEqual(ended, { type: 'step.ended', id: `${id}/a1`, outcome: 'done', result, facts: [spent] });
    assert.equal(w.payloads.texts.get(result), JSON.stringify(says('hi')));
    assert.equal(kernel.state.ledger.spend.usd, spent.usd);
  });

  it('sends no half of a character, which a provider would refuse again after each resume', async () => {
    const w = world({ answers: [says('hi')] });
    const { context } = building(w);
    const broken = [{ role: 'user' as const, content: [{ type: 'text' as const, text: `cut ${'😀'.slice(0, 1)}` }] }];
    await ask(context, { ...call(context.open.id), request: { ...request, messages: broken } });
    assert.doesNotMatch(JSON.stringify(w.model.asked), /\\ud/);
  });

  it('has the price of the model that it asked where the reply has a name of a gateway, so the budget holds that was tested', async () => {
    const haiku = { ...request, model: 'claude-haiku-4-5' };
    const usage = { input: 60_000, output: 8000, cacheRead: 0, cacheWrite: 0 };
    for (const [model, dollars] of [
      ['anthropic.claude-haiku-4-5-v1:0', 0.1],
      ['editor:copilot/gpt', 0.1],
      ['claude-haiku-4-5-20251001', 0.1],
      ['claude-opus-5', 0.5],
    ] as const) {
      const w = world({ answers: [{ ...says('hi'), usage, model }] });
      w.ports.model = Object.assign(w.model, { prices: createByProvider({ anthropic: createLazyAnthropic({ apiKey: 'k' }) }).prices });
      const { context, kernel } = building(w);
      await ask(context, { ...call(context.open.id), request: haiku });
      assert.ok(Math.abs(kernel.state.ledger.spend.usd - dollars) < 1e-9, `${model}: ${kernel.state.ledger.spend.usd}`);
    }
  });

  it('retries six times, each after a longer wait, and reports each retry to the person', async () => {
    const w = world({ answers: [...times(6, () => failing('overloaded')), says('hi')] });
    const { context } = building(w);
    assert.deepEqual(await ask(context, call(context.open.id)), says('hi'));
    const waits = [2000, 4000, 8000, 16_000, 32_000, 64_000];
    assert.deepEqual(w.clock.waits, waits);
    const retries = w.progress.filter((item) => item.kind === 'retry');
    assert.deepEqual(
      retries,
      waits.map((waitMs, i) => ({ kind: 'retry', why: 'overloaded', attempt: i + 1, waitMs })),
    );
  });

  for (const kind of ['overloaded', 'connection', 'stalled', 'cut'] as const)
    it(`stops the sprint at the seventh failure of the kind "${kind}", and a resume can continue`, async () => {
      const w = world({ answers: times(8, () => failing(kind)) });
      const { context } = building(w);
      const stopped = (error: unknown): boolean => error instanceof Interruption && error.reason === 'unreachable';
      await assert.rejects(ask(context, call(context.open.id)), stopped);
      assert.equal(w.model.asked.length, 7);
      w.model.answers.splice(0, Infinity, says('hi'));
      assert.deepEqual(await ask((await again(w)).context, call(context.open.id)), says('hi'));
    });

  it('waits as long as the provider says, up to a limit', async () => {
    const w = world({ answers: [failing('overloaded', 1234), failing('overloaded', 1e9), says('hi')] });
    await ask(building(w).context, call('s7'));
    assert.deepEqual(w.clock.waits, [1234, 600_000]);
  });

  it('waits longer each time where the provider names a time that is past', async () => {
    const w = world({ answers: [...times(3, () => failing('overloaded', 0)), says('hi')] });
    await ask(building(w).context, call('s7'));
    assert.deepEqual(w.clock.waits, [2000, 4000, 8000]);
  });

  it('burns the limits tank for a rate limit, and no turn or retry', async () => {
    const w = world({ answers: [...times(10, () => failing('rate-limited', 5000)), says('hi')] });
    const { context, kernel } = building(w);
    const { ledger } = kernel.state;
    const decisions = ledger.decisions.length;
    assert.deepEqual(await ask(context, call(context.open.id)), says('hi'));
    assert.deepEqual([left(ledger, tank('limits')), left(ledger, tank('turns', context.open.id))], [30, 59]);
    assert.deepEqual(
      w.clock.waits,
      times(10, () => 5000),
    );
    assert.equal(ledger.decisions.length, decisions);
  });

  it('waits longer each time for a rate limit without a given wait', async () => {
    const w = world({ answers: [...times(3, () => failing('rate-limited')), says('hi')] });
    await ask(building(w).context, call('s7'));
    assert.deepEqual(w.clock.waits, [2000, 4000, 8000]);
  });

  it('stops the sprint when the limits tank is empty', async () => {
    const w = world({ answers: times(50, () => failing('rate-limited', 1)) });
    const { context, kernel } = building(w);
    const stopped = { name: 'Interruption', reason: 'unreachable', message: /waited 40 times for rate limits/, next: /other models/ };
    await assert.rejects(ask(context, call(context.open.id)), stopped);
    assert.deepEqual([w.model.asked.length, left(kernel.state.ledger, tank('limits'))], [41, 0]);
  });

  it('counts each cut reply at its highest possible cost', async () => {
    const w = world({ answers: [failing('cut'), failing('connection'), failing('stalled'), says('hi')] });
    const { context, kernel } = building(w);
    await ask(context, call(context.open.id));
    const most = 2 * costOf(worstCase(request), testPrices);
    const { spend } = kernel.state.ledger;
    assert.equal(spend.calls, 3);
    assert.ok(Math.abs(spend.usd - most - costOf(says('').usage, testPrices)) < 1e-12);
  });

  it('counts a reply that broke off as what the provider told of it, whatever broke it', async () => {
    const used = { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 };
    const answers = (['cut', 'overloaded'] as const).map((kind) => new RetryableModelError(kind, kind, undefined, { used }));
    const w = world({ answers: [...answers, says('hi')] });
    const { context, kernel } = building(w);
    await ask(context, call(context.open.id));
    const { spend } = kernel.state.ledger;
    assert.equal(spend.calls, 3);
    assert.ok(Math.abs(spend.usd - 2 * costOf(used, testPrices) - costOf(says('').usage, testPrices)) < 1e-12);
  });

  it('counts what a reply cost in whose middle the person stopped, once, and writes nothing else', async () => {
    const used = { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 };
    const w = world();
    const { context, kernel, abort } = building(w);
    w.model.answers.push(() => {
      abort.abort();
      return new Interruption('cancelled', 'stopped', { used });
    });
    await assert.rejects(ask(context, call(context.open.id)), { name: 'Interruption', reason: 'cancelled' });
    await assert.rejects(kernel.append({ type: 'step.ended', id: context.open.id, outcome: 'done', facts: [] }), { name: 'Interruption' });
    w.model.answers.push(says('hi'));
    const resumed = await again(w);
    assert.deepEqual(await ask(resumed.context, call(resumed.context.open.id)), says('hi'));
    const { spend } = resumed.kernel.state.ledger;
    assert.equal(spend.calls, 2);
    assert.ok(Math.abs(spend.usd - costOf(used, testPrices) - costOf(says('').usage, testPrices)) < 1e-12);
  });

  it('records the possible cost of a cut reply at once, because the provider may bill an unfinished ask too', async () => {
    const w = world({ answers: times(7, () => failing('cut')) });
    const { context, kernel } = building(w);
    await assert.rejects(ask(context, call(context.open.id)), Interruption);
    const most = costOf(worstCase(request), testPrices);
    assert.ok(Math.abs(kernel.state.ledger.spend.usd - 7 * most) < 1e-12);
    const resumed = await again(w);
    assert.ok(Math.abs(resumed.kernel.state.ledger.spend.usd - 7 * most) < 1e-12);
  });

  for (const { it: when, before } of [
    { it: 'the first try', before: [] },
    { it: 'a later try', before: [failing('overloaded')] },
  ])
    it(`counts a call that a kill broke off, in ${when}, at its highest possible cost, and only then asks again`, async () => {
      const w = world({ answers: [...before, says('lost')] });
      const { context, kernel } = building(w);
      w.journal.crashAt = kernel.state.n + 2 + 2 * before.length;
      await assert.rejects(ask(context, call(context.open.id)), { name: 'Interruption', reason: 'failed-write' });
      w.model.answers.push(says('hi'));
      const resumed = await again(w);
      assert.deepEqual(await ask(resumed.context, call(resumed.context.open.id)), says('hi'));
      const { spend, burned } = resumed.kernel.state.ledger;
      assert.equal(spend.calls, 2);
      assert.ok(Math.abs(spend.usd - costOf(worstCase(request), testPrices) - costOf(says('').usage, testPrices)) < 1e-12);
      assert.equal(burned.turns[context.open.id], 1);
    });

  it('asks no more where a call that a kill broke off leaves too little of the budget', async () => {
    const w = world({ answers: [says('lost')] });
    const { context, kernel } = building(w);
    w.journal.crashAt = kernel.state.n + 2;
    await assert.rejects(ask(context, call(context.open.id)), Interruption);
    const resumed = await again(w);
    resumed.kernel.state.ledger.budget.usd = 1.5 * costOf(worstCase(request), testPrices);
    await assert.rejects(ask(resumed.context, call(context.open.id)), OverBudget);
    assert.equal(w.model.asked.length, 1);
  });

  it('counts a call that a kill broke off also where no fuel is left to go on with its action', async () => {
    const w = world({ answers: [says('lost')] });
    const { context, kernel } = building(w);
    w.journal.crashAt = kernel.state.n + 2;
    await assert.rejects(ask(context, call(context.open.id)), Interruption);
    let resumed = await again(w);
    while (resumed.kernel.state.open) resumed = await again(w);
    const { spend, decisions } = resumed.kernel.state.ledger;
    assert.deepEqual([spend.calls, decisions.at(-1)?.outcome], [1, 'interrupted']);
    assert.ok(Math.abs(spend.usd - costOf(worstCase(request), testPrices)) < 1e-12);
  });

  it('counts nothing for a stop while it waits for its next try', async () => {
    const w = world({ answers: [failing('overloaded')] });
    const { context } = building(w);
    w.clock.sleep = () => Promise.reject(new Interruption('cancelled', 'stopped'));
    await assert.rejects(ask(context, call(context.open.id)), Interruption);
    w.model.answers.push(says('hi'));
    const resumed = await again(w);
    await ask(resumed.context, call(context.open.id));
    assert.equal(resumed.kernel.state.ledger.spend.calls, 1);
  });

  it('does not retry when cut replies have left too little budget', async () => {
    const w = world({ answers: times(7, () => failing('cut')) });
    const { context, kernel } = building(w);
    const most = costOf(worstCase(request), testPrices);
    kernel.state.ledger.budget.usd = 2.5 * most;
    await assert.rejects(ask(context, call(context.open.id)), OverBudget);
    assert.equal(w.model.asked.length, 2);
    assert.ok(kernel.state.ledger.spend.usd <= 2.5 * most);
  });

  it('counts what a reply cost that would fail again', async () => {
    const used = { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 };
    const w = world({ answers: [new TerminalModelError('its end is not known', 'request', 'x', { used })] });
    const { context, kernel } = building(w);
    await assert.rejects(ask(context, call(context.open.id)), TerminalModelError);
    const { spend } = kernel.state.ledger;
    assert.equal(spend.calls, 1);
    assert.ok(Math.abs(spend.usd - costOf(used, testPrices)) < 1e-12);
  });

  it('does not retry an error that would repeat', async () => {
    const w = world({ answers: [new TerminalModelError('no', 'authentication', 'x')] });
    await assert.rejects(ask(building(w).context, call('s7')), TerminalModelError);
    assert.deepEqual(w.clock.waits, []);
  });
});
