/** What every provider of models must do, whatever it speaks: one suite, against a peer that really speaks it. */
import * as assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { worstCase } from '../../src/engine/agents/cost.ts';
import { Interruption, RetryableModelError, TerminalModelError } from '../../src/engine/ground/errors.ts';
import type { AskReply, AskRequest, ToolResult } from '../../src/engine/ground/messages.ts';
import type { Model } from '../../src/engine/ports.ts';
import { tokensOf } from '../../src/engine/work/spend.ts';

export type ContractAnswer =
  | { text?: string; call?: { id: string; name: string; input: unknown } }
  | { fault: 'no login' | 'overloaded' }
  /** It begins, and never ends. */
  | { hangs: string }
  /** More than the request allows. */
  | { floods: number };

export interface ContractPeer {
  model: Model;
  /** The name of a model of this provider. */
  name: string;
  answer(...answers: ContractAnswer[]): void;
  /** The last request as the peer got it, as JSON. */
  seen(): string;
  /** Whether the peer saw that the last request was given up; it may take a moment. */
  gaveUp(): boolean;
  close(): Promise<void>;
}

export function describeProvider(title: string, open: () => Promise<ContractPeer>): void {
  describe(`the contract of a provider: ${title}`, () => {
    const using = (work: (peer: ContractPeer) => Promise<void>) => async (): Promise<void> => {
      const peer = await open();
      try {
        await work(peer);
      } finally {
        await peer.close();
      }
    };

    it(
      'gives a text as it comes, and whole at its end',
      using(async (peer) => {
        peer.answer({ text: 'All is well, with an ä and a 🙂.' });
        const { reply, shown } = await ask(peer);
        assert.deepEqual(reply.content, [{ type: 'text', text: 'All is well, with an ä and a 🙂.' }]);
        assert.equal(shown, 'All is well, with an ä and a 🙂.');
        assert.equal(reply.stop, 'end_turn');
      }),
    );

    it(
      'gives a call with its id and its whole input',
      using(async (peer) => {
        peer.answer({ text: 'I run it.', call });
        const { reply } = await ask(peer);
        assert.deepEqual(reply.content.at(-1), { type: 'tool_use', ...call });
        assert.equal(reply.stop, 'tool_use');
      }),
    );

    it(
      'sends system prompt, tools, calls and their results, with a picture and what failed',
      using(async (peer) => {
        peer.answer({ text: 'I see.' });
        await ask(peer, { messages: [...request.messages, ...answered] });
        const seen = peer.seen();
        for (const part of ['You build.', 'Runs a command', 'Go', 'call-1', 'npm test', 'no such file', picture]) {
          assert.ok(seen.includes(part), `${part} is missing in ${seen.slice(0, 2000)}`);
        }
      }),
    );

    it(
      'tells what was used, within what it may use at most',
      using(async (peer) => {
        peer.answer({ text: 'One two three four five six seven.' });
        const { usage } = (await ask(peer)).reply;
        const most = worstCase({ ...request, model: peer.name });
        assert.ok(usage.input + usage.cacheRead + usage.cacheWrite > 0);
        assert.ok(usage.output > 0 && usage.output <= most.output);
        assert.ok(tokensOf(usage) <= tokensOf(most));
      }),
    );

    it(
      'ends with a next step where it is not let in',
      using(async (peer) => {
        peer.answer({ fault: 'no login' });
        const error = await failure(peer);
        assert.ok(error instanceof TerminalModelError && error.kind === 'authentication', String(error));
        assert.ok(error.next.length > 10);
      }),
    );

    it(
      'may be asked again where it is overloaded',
      using(async (peer) => {
        peer.answer({ fault: 'overloaded' });
        const error = await failure(peer);
        assert.ok(error instanceof RetryableModelError && error.kind === 'overloaded', String(error));
      }),
    );

    it(
      'cuts a reply that is longer than it may be, and says so',
      using(async (peer) => {
        peer.answer({ floods: 4000 });
        const { reply } = await ask(peer, { maxTokens: 500 });
        assert.equal(reply.stop, 'max_tokens');
        assert.ok(reply.usage.output <= 500, String(reply.usage.output));
      }),
    );

    it(
      'stops at once when it is cancelled, tells the provider, and what it used at most',
      using(async (peer) => {
        peer.answer({ hangs: 'Thinking' });
        const stop = new AbortController();
        const asking = peer.model.ask({ ...request, model: peer.name }, () => stop.abort(), stop.signal);
        const error = await asking.then(
          () => assert.fail('it was cancelled'),
          (failed: unknown) => failed,
        );
        assert.ok(error instanceof Interruption && error.reason === 'cancelled', String(error));
        assert.ok(error.used && error.used.output > 0, 'what it used is paid');
        assert.ok(tokensOf(error.used) <= tokensOf(worstCase({ ...request, model: peer.name })));
        for (let tries = 0; !peer.gaveUp(); tries += 1) {
          assert.ok(tries < 200, 'the provider goes on');
          await new Promise((resolve) => setTimeout(resolve, 25));
        }
      }),
    );

    it(
      'asks nobody once it is cancelled',
      using(async (peer) => {
        peer.answer({ text: 'Too late.' });
        const asking = peer.model.ask({ ...request, model: peer.name }, () => undefined, AbortSignal.abort());
        await assert.rejects(asking, { name: 'Interruption', reason: 'cancelled', used: undefined });
        assert.equal(peer.seen(), '');
      }),
    );
  });
}

const call = { id: 'call-1', name: 'bash', input: { command: 'npm test', list: [1, '"'] } };
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const request: AskRequest = {
  role: 'builder',
  purpose: 'execute/T1#1',
  turn: 1,
  model: '',
  maxTokens: 1000,
  system: 'You build.',
  tools: [{ name: 'bash', description: 'Runs a command', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
};

const result: ToolResult = {
  type: 'tool_result',
  tool_use_id: 'call-1',
  content: [
    { type: 'text', text: 'no such file' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
  ],
};
const answered: AskRequest['messages'] = [
  { role: 'assistant', content: [{ type: 'tool_use', ...call }] },
  { role: 'user', content: [result] },
];

async function ask({ model, name }: ContractPeer, over: Partial<AskRequest> = {}): Promise<{ reply: AskReply; shown: string }> {
  let shown = '';
  const reply = await model.ask({ ...request, model: name, ...over }, (delta) => (shown += delta), new AbortController().signal);
  return { reply, shown };
}

async function failure(peer: ContractPeer): Promise<unknown> {
  return ask(peer).then(
    () => assert.fail('it must fail'),
    (error: unknown) => error,
  );
}
