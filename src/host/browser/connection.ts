/**
 * The DevTools protocol over a pipe: JSON messages with a NUL behind each. What comes out of the sandbox is data, bounded and
 * parsed; whatever is no message is passed over.
 */
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

export interface Connection {
  /** @returns the command's result. @throws BrowserProblem when it fails, takes too long (ms), or the browser ends. */
  send(method: string, params?: object, patience?: number): Promise<unknown>;
  /** Commands go to this page from now on. */
  attach(session: string): void;
}

export type Listener = (method: string, params: unknown) => void;

/** What the browser could not do, for whoever uses it. */
export class BrowserProblem extends Error {
  override readonly name = 'BrowserProblem';
}

/** Milliseconds that one command may take. */
const usual = 30_000;
/** Bytes of one message; a screenshot has a few million. */
const longest = 64 * 1024 * 1024;

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

export function connect(stdin: Writable, output: Readable, listen: Listener): Connection {
  const waiting = new Map<number, Waiting>();
  let session: string | undefined;
  let last = 0;
  onMessages(output, (text) => {
    const { data } = message.safeParse(parsed(text));
    if (!data) return;
    const asked = data.id === undefined ? undefined : waiting.get(data.id);
    if (asked && data.error) asked.reject(new BrowserProblem(data.error.message));
    else if (asked) asked.resolve(data.result);
    else if (data.method !== undefined) listen(data.method, data.params);
  });
  const over = (): void => {
    for (const { reject } of waiting.values()) reject(new BrowserProblem('The browser ended.'));
  };
  output.once('close', over).once('end', over);
  return {
    attach(id) {
      session = id;
    },
    async send(method, params = {}, patience = usual) {
      const id = (last += 1);
      const text = JSON.stringify({ id, method, params, ...(session === undefined ? {} : { sessionId: session }) });
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          timer = setTimeout(() => reject(new BrowserProblem(`It did not answer in ${patience / 1000} s (${method}).`)), patience);
          if (output.destroyed) over();
          else stdin.write(`${text}\0`);
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
  };
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
    if (size > longest) [pieces, size] = [[], 0];
    else pieces.push(rest);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
