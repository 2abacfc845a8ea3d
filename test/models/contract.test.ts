/** The contract on the Messages API, and on the editor's models by a port that answers as an editor does. */
import { createAnthropic } from '../../src/models/anthropic.ts';
import { createEditorModel, type EditorFailure, type EditorReply, type EditorRequest } from '../../src/models/editor.ts';
import type { AbortSignal as Signal } from '../../src/engine/ports.ts';
import { startMessagesServer, type Answer } from '../peers/messages-server.ts';
import { framesOf } from '../peers/messages-wire.ts';
import { describeProvider, type ContractAnswer, type ContractPeer } from './contract.ts';

describeProvider('the Messages API', async (): Promise<ContractPeer> => {
  const answers: ContractAnswer[] = [];
  const server = await startMessagesServer({ answer: () => wireAnswer(answers.shift() ?? { text: '' }) });
  let isGivenUp = false;
  const fetch: typeof globalThis.fetch = (url, init) => {
    init?.signal?.addEventListener('abort', () => (isGivenUp = true));
    return globalThis.fetch(url, init);
  };
  return {
    model: createAnthropic({ apiKey: 'k-1', baseURL: server.url, fetch }),
    name: 'claude-sonnet-5-5',
    answer: (...given) => answers.push(...given),
    seen: () => (server.requests.length === 0 ? '' : JSON.stringify(server.requests.at(-1)?.body)),
    gaveUp: () => isGivenUp,
    close: () => server.close(),
  };
});

function wireAnswer(answer: ContractAnswer): Answer {
  if ('fault' in answer)
    return answer.fault === 'no login' ? { status: 401, type: 'authentication_error' } : { status: 529, type: 'overloaded_error' };
  if ('hangs' in answer) {
    const content = [{ type: 'text' as const, text: answer.hangs }];
    const last = framesOf({ content }, 'claude-sonnet-5-5').slice(0, -2).join('');
    return { content, breaks: { after: Buffer.byteLength(last), by: 'stall' } };
  }
  if ('floods' in answer) return { content: [{ type: 'text', text: 'x'.repeat(1000) }], stop: 'max_tokens', usage: { output: 500 } };
  const text = answer.text === undefined ? [] : [{ type: 'text' as const, text: answer.text }];
  return { content: [...text, ...(answer.call ? [{ type: 'tool_use' as const, ...answer.call }] : [])] };
}

describeProvider("the editor's models, by a port", async (): Promise<ContractPeer> => {
  const answers: ContractAnswer[] = [];
  let seen = '';
  let isGivenUp = false;
  const answerOf = async (request: EditorRequest, onText: (text: string) => void, signal: Signal): Promise<EditorReply | EditorFailure> => {
    seen = JSON.stringify(request);
    const answer = answers.shift() ?? { text: '' };
    if ('fault' in answer) return { kind: answer.fault === 'no login' ? 'refused' : 'failed', message: 'as scripted' };
    if ('hangs' in answer)
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          isGivenUp = true;
          reject(new Error('given up'));
        });
        onText(answer.hangs);
      });
    if ('floods' in answer) return { text: 'x'.repeat(request.mostBytes), calls: [], isCut: true, tokens: { input: 40, output: 400 } };
    onText(answer.text ?? '');
    return { text: answer.text ?? '', calls: answer.call ? [answer.call] : [], isCut: false, tokens: { input: 40, output: 9 } };
  };
  return {
    model: createEditorModel({ windows: {}, ask: answerOf }),
    name: 'editor:test/one',
    answer: (...given) => answers.push(...given),
    seen: () => seen,
    gaveUp: () => isGivenUp,
    close: () => Promise.resolve(),
  };
});
