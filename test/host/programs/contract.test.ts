/** The contract of a provider on programs that ask models: real processes in real sandboxes, which ask a real server. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { programs } from '../../../src/engine/ground/model-names.ts';
import { describeProvider, type ContractAnswer, type ContractPeer } from '../../models/contract.ts';
import { framesOf, type WireBlock } from '../../peers/messages-wire.ts';
import { programModel, programWorld } from '../../support/programs.ts';

for (const program of programs)
  describeProvider(`${program} in a sandbox`, async (): Promise<ContractPeer> => {
    const answers: ContractAnswer[] = [];
    let seen = '';
    let isGivenUp = false;
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        seen = text;
        response.on('close', () => (isGivenUp ||= !response.writableEnded));
        respond(response, answers.shift() ?? { text: '' });
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const world = programWorld(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const model = programModel(program, world);
    return {
      model,
      name: `${program}:played`,
      answer: (...given) => answers.push(...given),
      seen: () => seen,
      gaveUp: () => isGivenUp,
      async close() {
        model.close?.();
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
        world.close();
      },
    };
  });

function respond(response: ServerResponse, answer: ContractAnswer): void {
  if ('fault' in answer) {
    const isLocked = answer.fault === 'no login';
    response.writeHead(isLocked ? 401 : 529, { 'content-type': 'application/json' });
    const type = isLocked ? 'authentication_error' : 'overloaded_error';
    response.end(JSON.stringify({ type: 'error', error: { type, message: 'as scripted' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if ('hangs' in answer) {
    for (const frame of framesOf({ content: [{ type: 'text', text: answer.hangs }] }, 'played').slice(0, -2)) response.write(frame);
    return;
  }
  for (const frame of framesOf({ content: blocksOf(answer) }, 'played')) response.write(frame);
  response.end();
}

function blocksOf(answer: Exclude<ContractAnswer, { fault: string } | { hangs: string }>): WireBlock[] {
  if ('floods' in answer) return [{ type: 'text', text: 'x'.repeat(answer.floods) }];
  const text = answer.text === undefined ? [] : [{ type: 'text' as const, text: answer.text }];
  return [...text, ...(answer.call ? [{ type: 'tool_use' as const, ...answer.call }] : [])];
}
