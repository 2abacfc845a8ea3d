import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import Anthropic from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/streaming';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { AskReply, AskRequest } from '../../src/engine/ground/messages.ts';
import { RetryableModelError } from '../../src/engine/ground/errors.ts';
import { createAnthropic } from '../../src/models/anthropic.ts';
import { ReplyReader } from '../../src/models/anthropic-reply.ts';
import { startMessagesServer, type Peer, type Reply } from '../peers/messages-server.ts';
import { framesOf } from '../peers/messages-wire.ts';

const request: AskRequest = {
  role: 'builder',
  purpose: 'execute/T1#1',
  turn: 1,
  model: 'm',
  maxTokens: 100,
  system: '',
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
};
const small: Reply = {
  content: [{ type: 'tool_use', id: 't1', name: 'bash', input: { command: 'rm -rf build', dry: true } }],
  piece: 20,
};
const large: Reply = {
  content: [
    { type: 'thinking', thinking: 'Think, 思考', signature: 's==' },
    { type: 'text', text: 'Two calls: "a" and {b}' },
    { type: 'tool_use', id: 't1', name: 'write_file', input: { path: 'a.ts', content: 'x\n"}}\\u00e9é🙂' } },
    { type: 'tool_use', id: 't2', name: 'status', json: '' },
  ],
  piece: 3,
};
const quiet = new Anthropic({ apiKey: 'k', logLevel: 'off' });

describe('a reply stream that breaks off', () => {
  let peer: Peer;
  let cutAt = 0;
  let cutBy: 'end' | 'reset' = 'end';
  before(async () => void (peer = await startMessagesServer({ answer: () => ({ ...small, breaks: { after: cutAt, by: cutBy } }) })));
  after(() => peer.close());

  const askOnce = (): Promise<AskReply> =>
    createAnthropic({ apiKey: 'k', baseURL: peer.url }).ask(request, () => {}, new AbortController().signal);

  it('gives no call, at any byte over HTTP', async () => {
    const length = Buffer.byteLength(framesOf(small, 'm').join(''));
    for (cutAt = 0; cutAt < length; cutAt++) {
      await assert.rejects(
        askOnce(),
        (error) => error instanceof RetryableModelError && error.kind === (cutAt === 0 ? 'connection' : 'cut'),
        `byte ${cutAt}`,
      );
    }
    assert.equal((await askOnce()).content.length, 1);
  });

  it('gives no call after a connection reset, at many bytes', async () => {
    cutBy = 'reset';
    for (cutAt = 50; cutAt < Buffer.byteLength(framesOf(small, 'm').join('')); cutAt += 60) {
      await assert.rejects(askOnce(), (error) => error instanceof RetryableModelError && error.kind === 'cut', `byte ${cutAt}`);
    }
  });

  it('gives no call, at any byte in chunks of any size', async () => {
    const bytes = Buffer.from(framesOf(large, 'm').join(''));
    const whole = await read([bytes]);
    assert.equal(whole?.content.length, 4);
    for (let end = 0; end < bytes.length; end++) assert.equal(await read([bytes.subarray(0, end)]), undefined, `byte ${end}`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        assert.deepEqual(await read(at.slice(1).map((end, index) => bytes.subarray(at[index], end))), whole);
      }),
      { numRuns: 100 },
    );
  });
});

describe('stream events that are lost, repeated or unknown', () => {
  const events = framesOf(large, 'm').map((frame) => JSON.parse(frame.slice(frame.indexOf('{'))) as RawMessageStreamEvent);

  it('never give a call without its closing event', () => {
    for (const [index, event] of events.entries()) {
      if (event.type !== 'content_block_stop') continue;
      assert.throws(() => replyTo(events.filter((_, each) => each !== index)), isCut, `without ${JSON.stringify(event)}`);
    }
  });

  it('give the exact calls or none, whichever single event is lost', () => {
    const whole = callsOf(replyTo(events));
    for (const index of events.keys()) {
      const without = events.filter((_, each) => each !== index);
      const isPiece = events[index]?.type === 'content_block_delta' || events[index]?.type === 'content_block_start';
      if (isPiece) continue;
      const calls = undefinedIfCut(() => callsOf(replyTo(without)));
      assert.ok(calls === undefined || JSON.stringify(calls) === JSON.stringify(whole), `without ${JSON.stringify(events[index])}`);
    }
  });

  it('never extend a closed block', () => {
    for (const [index, event] of events.entries()) {
      if (event.type !== 'content_block_stop') continue;
      const late = [...events.slice(0, index), event, ...events.slice(index - 1)];
      assert.throws(() => replyTo(late), isCut, JSON.stringify(event));
    }
  });

  it('are ignored when this version does not know them', () => {
    const novel = { type: 'novelty', index: 0 } as unknown as RawMessageStreamEvent;
    assert.deepEqual(replyTo(events.flatMap((event) => [novel, event])), replyTo(events));
  });
});

function isCut(error: unknown): boolean {
  return error instanceof RetryableModelError && error.kind === 'cut';
}

function undefinedIfCut<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (isCut(error)) return undefined;
    throw error;
  }
}

function callsOf(reply: AskReply | undefined): unknown[] | undefined {
  return reply?.content.filter((block) => block.type === 'tool_use');
}

function replyTo(events: readonly RawMessageStreamEvent[]): AskReply | undefined {
  const reader = new ReplyReader(request, () => {});
  for (const event of events) {
    const reply = reader.accept(event);
    if (reply) return reply;
  }
  return undefined;
}

/** Reads chunks like `anthropic.ts` does. Undefined when they are not a whole reply. */
async function read(chunks: Uint8Array[]): Promise<AskReply | undefined> {
  const reader = new ReplyReader(request, () => {});
  try {
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (const chunk of chunks) stream.enqueue(chunk);
        stream.close();
      },
    });
    const response = new Response(body);
    for await (const event of Stream.fromSSEResponse<RawMessageStreamEvent>(response, new AbortController(), quiet)) {
      const reply = reader.accept(event);
      if (reply) return reply;
    }
  } catch (error) {
    // The cut leaves invalid JSON on the last line.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return undefined;
}
