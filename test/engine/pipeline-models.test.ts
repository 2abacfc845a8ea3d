/** Stages that name their model: what they ask, what it costs, and what a crash or another choice makes of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaults } from '../../src/engine/ground/config.ts';
import { event } from '../../src/engine/state/events.ts';
import { modelsOf, plan } from '../../src/engine/work/pipeline.ts';
import { testPrices, type World } from '../support/fakes.ts';
import { begun, decides, node, play } from './support/pipeline.ts';

const stops = decides(() => 'stop');
const once = { termination: { type: 'fixed' }, maxIterations: 1 } as const;
const [haiku, gpt] = ['claude-haiku-5-5', 'editor:copilot/gpt'];
const beside = [
  node({ ...once, id: 'r.a', block: 'r', model: haiku }),
  node({ ...once, id: 'r.b', block: 'r', model: gpt, tier: 'triage' }),
  node({ ...once, id: 'sum' }),
];
const asked = ({ model }: World): string[] => model.asked.map(({ purpose, model: name }) => `${purpose} ${name}`);
const wanted = [`iterate/r.a#1 ${haiku}`, `iterate/r.b#1 ${gpt}`, `iterate/sum#1 ${defaults.models.execution}`];

describe('a stage that names its model', () => {
  it('asks it, beside another one of the same stage that asks another, and one that asks that of its tier', async () => {
    const w = begun(beside, stops);
    assert.equal((await play(w)).stopped?.stop, 'complete');
    assert.deepEqual(asked(w), wanted);
    assert.deepEqual(modelsOf({ nodes: beside }, defaults.models), [haiku, gpt, defaults.models.execution]);
  });

  it('keeps it where the person chose other models for a run that goes on', async () => {
    const w = begun(beside, stops);
    const models = { reasoning: 'x', execution: 'x', triage: 'x' };
    w.journal.events.push({ n: 2, owner: 1, at: 0, type: 'person.said', facts: [{ fact: 'models.chosen', models }] });
    await play(w);
    assert.deepEqual(asked(w), [...wanted.slice(0, 2), 'iterate/sum#1 x']);
  });

  it('is bounded by the price of that model, and in tokens alone where nobody knows one', async () => {
    const run = async (dear: string, budget: object, nodes = beside.slice(0, 2)): Promise<string[]> => {
      const w = begun(nodes, stops, { config: budget });
      const prices = { ...testPrices, input: 1e6, output: 1e6, cacheWrite: 1e6 };
      w.ports.model.prices = (name) => (name === dear ? prices : name === gpt ? undefined : testPrices);
      const { stopped } = await play(w);
      return [...asked(w), stopped?.stop ?? '', stopped?.reasons[0]?.replace(/ could.*/, '') ?? ''];
    };
    const [a, b] = wanted;
    assert.deepEqual(await run('', { budgetUsd: 5 }), [a, b, 'complete', '']);
    assert.deepEqual(await run(defaults.models.execution, { budgetUsd: 5 }), [a, b, 'complete', ''], 'its tier costs nothing');
    assert.deepEqual(await run(haiku, { budgetUsd: 5 }), ['out-of-budget', 'The next model call of stage r.a']);
    const free = beside.slice(1, 2);
    assert.deepEqual(await run('', { budgetUsd: 0.000001 }, free), [b, 'complete', '']);
    assert.deepEqual(await run('', { budgetTokens: 1000 }, free), ['out-of-budget', 'The next model call of stage r.b']);
  });

  it('is in the journal, from which a run goes on at any line with the same models; an older journal has none', async () => {
    const whole = begun(beside, stops);
    await play(whole);
    for (let lines = 1; lines < whole.journal.events.length; lines += 1) {
      const w = begun(beside, stops);
      w.journal.events.splice(0, 1, ...whole.journal.events.slice(0, lines).map((one) => event.parse(JSON.parse(JSON.stringify(one)))));
      for (const [ref, text] of whole.payloads.texts) w.payloads.texts.set(ref, text);
      await play(w);
      for (const line of asked(w)) assert.ok(wanted.includes(line), `after ${lines} lines: ${line}`);
    }
    const { model: _model, ...older } = beside[0] ?? node();
    const read = plan.parse({ name: 'p', nodes: [older], inputs: [] });
    assert.ok(!('model' in (read.nodes[0] ?? {})));
  });
});
