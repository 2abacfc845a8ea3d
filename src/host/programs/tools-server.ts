/**
 * Loop's tools for a program that asks a model, by the Model Context Protocol (streamable HTTP, without sessions). A call waits until
 * it is answered, and its stream says meanwhile that it goes on.
 */
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, Server, type CallToolResult, type Tool } from '@modelcontextprotocol/server';
import type { ToolResult, ToolSpec } from '../../engine/ground/messages.ts';
import { toolsServer as ownName, type ProgramCall } from '../../engine/ground/programs.ts';

/** An HTTP server that listens nowhere yet. */
export function toolsServer(tools: readonly ToolSpec[], onCall: (call: ProgramCall) => void): HttpServer {
  const handler = createMcpHandler(() => serverOf(tools, onCall), { maxRequestBodySize: mostBytes });
  return createServer((request, response) => {
    void respond(handler.fetch, request, response).catch(() => response.destroy());
  });
}

/** A file that is written in one call. */
const mostBytes = 64 * 1024 * 1024;

function serverOf(tools: readonly ToolSpec[], onCall: (call: ProgramCall) => void): Server {
  const server = new Server({ name: ownName, version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(toolOf) }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq: { signal } }) => {
    const id = params._meta?.['claudecode/toolUseId'] ?? params._meta?.['callId'];
    return new Promise<CallToolResult>((resolve) =>
      onCall({
        ...(typeof id === 'string' ? { id } : {}),
        name: params.name,
        input: params.arguments ?? {},
        isWithdrawn: () => signal.aborted,
        answer: (result) => resolve(resultOf(result)),
      }),
    );
  });
  return server;
}

/** Loop itself decides what may run and in which order, so the program need not ask anybody, nor wait for the call before. */
function toolOf({ name, description, inputSchema }: ToolSpec): Tool {
  return { name, description, inputSchema: inputSchema as Tool['inputSchema'], annotations: { readOnlyHint: true } };
}

function resultOf({ content, is_error: isError }: Pick<ToolResult, 'content' | 'is_error'>): CallToolResult {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return {
    content: parts.map((part) =>
      part.type === 'text' ? part : { type: 'image', data: part.source.data, mimeType: part.source.media_type },
    ),
    ...(isError === undefined ? {} : { isError }),
  };
}

/** Leads one request of Node's to a handler of the web's. */
async function respond(fetch: (request: Request) => Promise<Response>, from: IncomingMessage, to: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of from) chunks.push(chunk as Buffer);
  const gone = new AbortController();
  to.once('close', () => gone.abort());
  const { method = 'GET', headers } = from;
  const given = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []));
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
  const response = await fetch(new Request(`http://127.0.0.1${from.url ?? '/'}`, { method, headers: given, body, signal: gone.signal }));
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body)
    Readable.fromWeb(response.body as ReadableStream)
      .on('error', () => to.destroy())
      .pipe(to);
  else to.end();
}
