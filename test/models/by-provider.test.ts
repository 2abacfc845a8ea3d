/** Roles may have models of several providers; each is asked for its own, by name. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TerminalModelError } from '../../src/engine/ground/errors.ts';
import { costBound, modelWords, ownName, providerOf } from '../../src/engine/ground/model-names.ts';
import { createByProvider, requireProviders } from '../../src/models/by-provider.ts';
import { says, ScriptedModel, testPrices } from '../support/fakes.ts';

const request = { role: 'r', purpose: 'p', turn: 1, maxTokens: 9, system: '', tools: [], messages: [] };
const { signal } = new AbortController();

describe('models of several providers', () => {
  const anthropic = new ScriptedModel([says('of Claude')]);
  const editor = Object.assign(new ScriptedModel([says('of the editor')]), { prices: () => undefined, tokens: 64_000 });
  const all = createByProvider({ anthropic, editor });

  it('are asked by name, with the prices and windows of their own', async () => {
    for (const model of ['claude-opus-5-5', 'editor:copilot/gpt']) await all.ask({ ...request, model }, () => undefined, signal);
    assert.deepEqual(
      [anthropic, editor].map(({ asked }) => asked.map(({ model }) => model)),
      [['claude-opus-5-5'], ['editor:copilot/gpt']],
    );
    assert.deepEqual([all.prices('claude-opus-5-5'), all.prices('editor:copilot/gpt')], [testPrices, undefined]);
    assert.deepEqual([all.window('claude-opus-5-5'), all.window('editor:copilot/gpt')], [200_000, 64_000]);
    assert.equal(all.web?.('claude-opus-5-5'), false);
  });

  it('end a session where their provider is not here, and keep a sprint from starting', async () => {
    const claude = createByProvider({ anthropic });
    const asked = claude.ask({ ...request, model: 'editor:copilot/gpt' }, () => undefined, signal);
    await assert.rejects(asked, (error) => error instanceof TerminalModelError && error.kind === 'request');
    assert.throws(() => requireProviders({ anthropic }, ['claude-opus-5-5', 'editor:copilot/gpt']), {
      name: 'InputError',
      message: 'The model copilot/gpt of the editor cannot be asked here.',
    });
    requireProviders({ anthropic, editor }, ['claude-opus-5-5', 'editor:copilot/gpt']);
  });
});

describe("a model's name", () => {
  it('tells its provider, also where it has a colon of its own', () => {
    assert.deepEqual(['claude-opus-5-5', 'us.vendor.claude-v2:0', 'editor:copilot/gpt'].map(providerOf), [
      'anthropic',
      'anthropic',
      'editor',
    ]);
    assert.deepEqual(['us.vendor.claude-v2:0', 'editor:copilot/gpt'].map(ownName), ['us.vendor.claude-v2:0', 'copilot/gpt']);
    assert.equal(modelWords('editor:copilot/gpt'), 'copilot/gpt of the editor');
    assert.deepEqual(['claude-code:opus', 'codex:gpt-5'].map(providerOf), ['claude-code', 'codex']);
    assert.deepEqual(['claude-code:opus', 'codex:gpt-5'].map(modelWords), ['opus by Claude Code', 'gpt-5 by Codex']);
  });

  const bounds: { models: string[]; words: string }[] = [
    { models: ['a'], words: '$25 and 20M tokens' },
    { models: ['a', 'editor:x/y'], words: '$25 and 20M tokens; no price of x/y of the editor is known, so its calls count in tokens only' },
    {
      models: ['editor:x/y', 'editor:x/y'],
      words: '20M tokens; no price of x/y of the editor is known, so its calls count in tokens only',
    },
  ];
  for (const { models, words } of bounds)
    it(`tells the bound of ${models.join(' and ')}`, () => assert.equal(costBound(models, '$25', '20M'), words));
});
