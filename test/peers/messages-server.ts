/**
 * A local peer with the Messages API: a real HTTP server on the loopback that streams over SSE. A test scripts its replies and
 * faults. It refuses what the API refuses (`messages-rules.ts`), and keeps every request for assertions.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AskRequest, Message } from '../../src/engine/ground/messages.ts';
import type { Model } from '../../src/engine/ports.ts';
import { errorFrame, framesOf, ping, type Reply, type WireBlock } from './messages-wire.ts';
import { refusalOf } from './messages-rules.ts';

export type { Reply, WireBlock } from './messages-wire.ts';

/** Sent instead of a reply. `silence` accepts the request and never answers; `reset` drops the connection. */
export type Fault = Refusal | Mute;
interface Refusal {
  status: number;
  type?: string;
  message?: string;
  headers?: Record<string, string>;
  /** Sent as it is, instead of the API's error object. */
  body?: string;
}
interface Mute {
  status: 'silence' | 'reset';
}
export type Answer = Reply | Fault;

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface PeerOptions {
  /** Answers `POST /v1/messages`. */
  answer(request: SeenRequest): Answer | Promise<Answer>;
  /** Makes free calls (token counts, models) fail where it returns a fault. */
  free?(request: SeenRequest): Fault | undefined;
}

export interface Peer {
  /** The `baseURL` for the client. */
  url: string;
  /** Every request, in order. */
  requests: SeenRequest[];
  /** Closes the server and every connection. */
  close(): Promise<void>;
}

export async function startMessagesServer(options: PeerOptions): Promise<Peer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    respond(request, response, options, requests).catch((error: unknown) => {
      fail(response, { status: 500, type: 'api_error', message: String(error) });
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => closeServer(server) };
}

/** Gives these answers in order, and refuses each request beyond them. */
export function scripted(...answers: Answer[]): (request: SeenRequest) => Answer {
  const left = [...answers];
  return () => left.shift() ?? { status: 400, type: 'invalid_request_error', message: 'The peer has no more scripted answers' };
}

/** Lets a recorded model answer, so that a whole sprint runs through the real SDK. `x-loop-session` identifies its sessions. */
export function fromRecording(model: Model): (request: SeenRequest) => Promise<Answer> {
  return async (request) => {
    try {
      const reply = await model.ask(askOf(request), () => {}, new AbortController().signal);
      return { content: reply.content as WireBlock[], stop: reply.stop, usage: reply.usage, model: reply.model, piece: 400 };
    } catch (error) {
      return { status: 400, type: 'invalid_request_error', message: error instanceof Error ? error.message : String(error) };
    }
  };
}

function askOf({ headers, body }: SeenRequest): AskRequest {
  const [role = '', purpose = ''] = String(headers['x-loop-session']).split(' ').map(decodeURIComponent);
  const messages = body['messages'] as Message[];
  const system = (body['system'] as { text: string }[] | undefined)?.map((block) => block.text).join('') ?? '';
  const turn = messages.filter((message) => message.role === 'assistant').length + 1;
  return {
    role,
    purpose,
    turn,
    model: String(body['model']),
    maxTokens: Number(body['max_tokens']),
    system,
    tools: [],
    messages,
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, options: PeerOptions, requests: SeenRequest[]): Promise<void> {
  const received = await read(request);
  requests.push(received);
  const free = freeAnswer(received);
  if (free) {
    const fault = options.free?.(received);
    return fault ? fail(response, fault) : json(response, 200, free);
  }
  if (received.method !== 'POST' || received.path !== '/v1/messages') return fail(response, { status: 404, type: 'not_found_error' });
  const refusal = refusalOf(received.body);
  if (refusal) return fail(response, { status: 400, type: 'invalid_request_error', message: refusal });
  const answer = await options.answer(received);
  if ('status' in answer) return fail(response, answer);
  await stream(response, answer, String(received.body['model']));
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const path = new URL(request.url ?? '/', 'http://peer').pathname;
  return {
    method: request.method ?? '',
    path,
    headers: request.headers,
    body: text ? (JSON.parse(text) as SeenRequest['body']) : {},
  };
}

function freeAnswer({ method, path }: SeenRequest): object | undefined {
  if (method === 'POST' && path === '/v1/messages/count_tokens') return { input_tokens: 8 };
  const model = /^\/v1\/models\/([^/]+)$/.exec(path)?.[1];
  if (method === 'GET' && model) return { id: model, type: 'model', lifecycle: 'active' };
  return method === 'GET' && path === '/v1/models' ? { data: [], has_more: false } : undefined;
}

function fail(response: ServerResponse, fault: Fault): void {
  if (isMute(fault)) return void (fault.status === 'reset' && response.socket?.resetAndDestroy());
  const { status, type = 'api_error', message = 'The peer fails on purpose', headers = {}, body } = fault;
  if (body === undefined) return json(response, status, { type: 'error', error: { type, message }, request_id: 'req_1' }, headers);
  response.writeHead(status, headers).end(body);
}

function isMute(fault: Fault): fault is Mute {
  return typeof fault.status === 'string';
}

function json(response: ServerResponse, status: number, value: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', ...headers }).end(JSON.stringify(value));
}

async function stream(response: ServerResponse, reply: Reply, model: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_1' });
  const frames = framesOf(reply, model);
  const [first = '', ...rest] = reply.remade?.(frames) ?? frames;
  const { breaks } = reply;
  if (breaks?.by === 'error') return void response.end([first, ...rest].slice(0, breaks.after).join('') + errorFrame(breaks.type));
  if (breaks) return breakOff(response, Buffer.from(first + rest.join('')).subarray(0, breaks.after), breaks.by);
  response.write(first);
  for (let sent = 0; sent < (reply.pings?.count ?? 0); sent++) {
    await new Promise((next) => setTimeout(next, reply.pings?.everyMs));
    response.write(ping);
  }
  response.write(rest.join(''));
  if (!reply.holdOpen) response.end();
}

function breakOff(response: ServerResponse, bytes: Buffer, by: 'end' | 'reset' | 'stall'): void {
  response.flushHeaders();
  if (by === 'end') return void response.end(bytes);
  if (by === 'stall') return void response.write(bytes);
  // The bytes must arrive before the reset.
  response.write(bytes, () => setTimeout(() => response.socket?.resetAndDestroy(), 5));
}

function closeServer(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((done, failed) => {
    server.close((error) => (error ? failed(error) : done()));
    server.closeAllConnections();
  });
}
