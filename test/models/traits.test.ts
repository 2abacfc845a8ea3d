/** What models can do: by the API's own word, and where that is missing by the table. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bodyOf } from '../../src/models/anthropic-request.ts';
import { learn, traitsOf, windowOf } from '../../src/models/traits.ts';
import type { AskRequest } from '../../src/engine/ground/messages.ts';

const yes = { supported: true };
const no = { supported: false };
const info = {
  max_input_tokens: 2_000_000,
  max_tokens: 8000,
  capabilities: {
    effort: { supported: true, low: yes, medium: yes, high: yes, max: no, xhigh: null },
    thinking: { supported: true, types: { adaptive: yes, between_tools: no, disabled: yes, enabled: yes } },
  },
};
const request: AskRequest = {
  role: 'builder',
  purpose: 'execute/T1#1',
  turn: 1,
  model: '',
  effort: 'max',
  maxTokens: 16_000,
  system: 'You build.',
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
};

describe('what a model can do', () => {
  it('is what the API tells, also of a model that no table knows', () => {
    learn('claude-new-7', info);
    assert.deepEqual(traitsOf('claude-new-7'), { adaptive: true, effort: 'high', window: 2_000_000, reply: 8000 });
    const { thinking, output_config, max_tokens } = bodyOf({ ...request, model: 'claude-new-7' });
    assert.deepEqual([thinking?.type, output_config?.effort, max_tokens], ['adaptive', 'high', 8000]);
  });

  it('is taken away where the API says no', () => {
    const { effort, thinking } = info.capabilities;
    learn('claude-sonnet-4-6', { capabilities: { effort: { ...effort, supported: false }, thinking: { ...thinking, supported: false } } });
    assert.deepEqual(traitsOf('claude-sonnet-4-6'), { adaptive: false, window: 200_000 });
  });

  it('is what the table says, where the API tells nothing or nonsense', () => {
    const known = traitsOf('claude-opus-4-7');
    for (const said of [
      {},
      undefined,
      null,
      'no',
      { capabilities: null },
      { max_input_tokens: 'many', max_tokens: -1, capabilities: { effort: 3 } },
    ]) {
      learn('claude-opus-4-7', said);
      assert.deepEqual(traitsOf('claude-opus-4-7'), known);
    }
  });

  it('is the window of its kind for a name with a date, and the least one for an unknown name', () => {
    assert.deepEqual(['claude-haiku-5-5-20261007', 'claude-opus-5-9', 'someone/else'].map(windowOf), [1_000_000, 1_000_000, 200_000]);
  });
});
