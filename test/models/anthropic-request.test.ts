import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AskRequest, Message } from '../../src/engine/ground/messages.ts';
import { bodyOf, sessionOf } from '../../src/models/anthropic-request.ts';
import { refusalOf } from '../peers/messages-rules.ts';

const cached = { cache_control: { type: 'ephemeral' } };
const request: AskRequest = {
  role: 'builder',
  purpose: 'execute/T1#1',
  turn: 1,
  model: 'claude-sonnet-5-5',
  maxTokens: 1000,
  system: 'You build.',
  tools: [{ name: 'bash', description: 'Runs', inputSchema: { type: 'object', properties: {} } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
};
const thinking = { type: 'thinking' as const, thinking: 'hm', signature: 's==', extra: [1, { deep: true }] };
const turns: Message[] = [1, 2, 3].flatMap((n): Message[] => [
  { role: 'assistant', content: [thinking, { type: 'tool_use', id: `c${n}`, name: 'bash', input: { n } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${n}`, content: 'ok' }] },
]);

describe('the request to the Messages API', () => {
  it('has exactly these fields in a first turn', () => {
    assert.deepEqual(bodyOf({ ...request, effort: 'high' }), {
      model: 'claude-sonnet-5-5',
      max_tokens: 1000,
      stream: true,
      system: [{ type: 'text', text: 'You build.', ...cached }],
      tools: [{ name: 'bash', description: 'Runs', input_schema: { type: 'object', properties: {} } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Go', ...cached }] }],
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    });
  });

  it('has a cache point before the context and one behind it, and no more than four in all', () => {
    const body = bodyOf({ ...request, context: 'A library.', messages: [...request.messages, ...turns] });
    assert.deepEqual(body.system, [
      { type: 'text', text: 'You build.', ...cached },
      { type: 'text', text: 'A library.', ...cached },
    ]);
    assert.equal(JSON.stringify(body).split('cache_control').length - 1, 4);
    assert.equal(refusalOf({ ...body }), undefined);
  });

  it('includes the provider’s web tools on demand, each with a limit', () => {
    const { tools = [] } = bodyOf({ ...request, web: true });
    assert.deepEqual(tools.slice(1), [
      { type: 'web_search_20260318', name: 'web_search', max_uses: 4, allowed_callers: ['direct'] },
      { type: 'web_fetch_20260318', name: 'web_fetch', max_uses: 4, max_content_tokens: 16_000, allowed_callers: ['direct'] },
    ]);
  });

  it('moves the cache points with the conversation and changes nothing else in it', () => {
    const messages = [...request.messages, ...turns];
    const sent = bodyOf({ ...request, messages }).messages;
    const points = sent.flatMap((message, index) => (JSON.stringify(message).includes('cache_control') ? [index] : []));
    assert.deepEqual(points, [4, 6]);
    const stripped: unknown = JSON.parse(JSON.stringify(sent), (key, value: unknown) => (key === 'cache_control' ? undefined : value));
    assert.deepEqual(stripped, messages);
    assert.equal(JSON.stringify(messages).includes('cache_control'), false);
    assert.equal(refusalOf({ ...bodyOf({ ...request, messages }) }), undefined);
  });

  it('sends a stored picture unchanged, in the result of its call', () => {
    const picture = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' } };
    const content = [{ type: 'text' as const, text: 'Address: x' }, picture];
    const result = { type: 'tool_result' as const, tool_use_id: 'c1', content };
    const messages: Message[] = [...request.messages, ...turns.slice(0, 1), { role: 'user', content: [result] }];
    const body = bodyOf({ ...request, messages });
    assert.deepEqual(body.messages.at(-1), { role: 'user', content: [{ ...result, ...cached }] });
    assert.equal(refusalOf({ ...body }), undefined);
  });

  it('keeps the cached prefix of the previous turn', () => {
    const at = (n: number): string[] =>
      bodyOf({ ...request, messages: [...request.messages, ...turns.slice(0, n)] }).messages.map((message) =>
        JSON.stringify(message, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
      );
    assert.deepEqual(at(4).slice(0, 5), at(4));
    assert.deepEqual(at(6).slice(0, 5), at(4));
  });

  it('caches the tools when the system prompt is empty, and sends no empty part', () => {
    const bare = bodyOf({ ...request, system: '' });
    assert.equal(bare.system, undefined);
    assert.deepEqual(bare.tools?.at(-1)?.cache_control, cached.cache_control);
    assert.equal('tools' in bodyOf({ ...request, tools: [] }), false);
  });

  it('leaves out a reply that became empty', () => {
    const messages: Message[] = [
      ...request.messages,
      { role: 'assistant', content: [] },
      { role: 'user', content: [{ type: 'text', text: 'Again' }] },
    ];
    assert.equal(refusalOf({ ...bodyOf({ ...request, messages }) }), undefined);
  });

  it('leaves out thinking that nothing follows, as of a reply that was cut in its call, because the API refuses it', () => {
    const redacted = { type: 'redacted_thinking' as const, data: 'xyz' };
    const said = { type: 'text' as const, text: 'I write it.' };
    const again: Message = { role: 'user', content: [{ type: 'text', text: 'It was cut.' }] };
    const cases: [content: Extract<Message, { role: 'assistant' }>['content'], sent: unknown[] | undefined][] = [
      [[thinking], undefined],
      [[thinking, { type: 'text', text: ' ' }, redacted], undefined],
      [
        [thinking, said, thinking],
        [thinking, said],
      ],
      [
        [thinking, said],
        [thinking, said],
      ],
    ];
    for (const [content, sent] of cases) {
      const messages: Message[] = [...request.messages, { role: 'assistant', content }, again];
      const body = bodyOf({ ...request, messages });
      assert.deepEqual(body.messages.find(({ role }) => role === 'assistant')?.content, sent);
      assert.equal(refusalOf({ ...body }), undefined);
    }
  });

  it('uses thinking and effort only as the model supports them', () => {
    const optionsFor = (model: string): unknown[] => {
      const { thinking: sentThinking, output_config } = bodyOf({ ...request, model, effort: 'max' });
      return [sentThinking?.type, output_config?.effort];
    };
    assert.deepEqual(optionsFor('claude-opus-5-5'), ['adaptive', 'max']);
    assert.deepEqual(optionsFor('claude-haiku-5-5-20261007'), ['adaptive', 'max']);
    assert.deepEqual(optionsFor('claude-sonnet-4-6'), ['adaptive', 'high']);
    assert.deepEqual(optionsFor('claude-opus-4-5'), [undefined, 'high']);
    assert.deepEqual(optionsFor('claude-haiku-4-5'), [undefined, undefined]);
    assert.deepEqual(optionsFor('someone/else'), [undefined, undefined]);
  });

  it('names its session in a header, with any purpose encoded', () => {
    assert.equal(sessionOf({ ...request, purpose: 'fix/unit/ä b#2' }), 'builder fix%2Funit%2F%C3%A4%20b%232');
  });
});
