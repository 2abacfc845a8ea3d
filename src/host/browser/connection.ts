/**
 * The DevTools protocol over a pipe: JSON messages, each with a NUL after it. Each tab has a session, which its messages name. The other end is in the sandbox, so messages are
 * limited and parsed (I13), and anything else is ignored.
 */
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { readJson } from '../../engine/ground/loose.ts';

export interface Connection {
  /**
   * @param timeout in milliseconds.
   * @returns the command's result.
   * @throws BrowserProblem when it fails, takes too long, or the browser ends.
   */
  send(method: string, params?: object, timeout?: number): Promise<unknown>;
  /** What is sent over it goes to this session, and `listen` hears what happens there. */
  session(id: string, listen: Listener): Connection;
  /** Its session is over: what still waits for an answer gets none. */
  close(): void;
}

export type Listener = (method: string, params: unknown) => void;

/** A browser action that failed; the agent gets the message. */
export class BrowserProblem extends Error {
  override readonly name = 'BrowserProblem';
}

/** Milliseconds for one command. */
const defaultTimeout = 30_000;
/** A screenshot has a few million bytes. */
const maxMessageBytes = 64 * 1024 * 1024;

const message = z.object({
  id: z.number().optional(),
  sessionId: z.string().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

interface Waiting {
  session: string | undefined;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

export function connect(stdin: Writable, output: Readable, listen: Listener): Connection {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string | undefined, Listener>([[undefined, listen]]);
  let last = 0;
  onMessages(output, (text) => {
    const { data } = message.safeParse(readJson(text));
    if (!data) return;
    const command = data.id === undefined ? undefined : waiting.get(data.id);
    if (command && data.error) command.reject(new BrowserProblem(data.error.message));
    else if (command) command.resolve(data.result);
    else if (data.method !== undefined) listeners.get(data.sessionId)?.(data.method, data.params);
  });
  const rejectAll = (): void => {
    for (const { reject } of waiting.values()) reject(new BrowserProblem('The browser ended.'));
  };
  output.once('close', rejectAll).once('end', rejectAll);
  const over = (session: string | undefined): Connection => ({
    session(id, hear) {
      listeners.set(id, hear);
      return over(id);
    },
    close() {
      listeners.delete(session);
      for (const command of waiting.values()) if (command.session === session) command.reject(new BrowserProblem('The tab was closed.'));
    },
    async send(method, params = {}, timeout = defaultTimeout) {
      const id = (last += 1);
      const text = JSON.stringify({ id, method, params, sessionId: session });
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(id, { session, resolve, reject });
          timer = setTimeout(() => reject(new BrowserProblem(`It did not answer in ${timeout / 1000} s (${method}).`)), timeout);
          if (output.destroyed) rejectAll();
          else stdin.write(`${text}\0`);
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
  });
  return over(undefined);
}

function onMessages(output: Readable, take: (text: string) => void): void {
  let pieces: Buffer[] = [];
  let size = 0;
  output.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      take(Buffer.concat([...pieces, rest.subarray(0, end)]).toString());
      [pieces, size, rest] = [[], 0, rest.subarray(end + 1)];
    }
    size += rest.length;
    if (size > maxMessageBytes) [pieces, size] = [[], 0];
    else pieces.push(rest);
  });
}
