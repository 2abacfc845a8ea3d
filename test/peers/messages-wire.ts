/**
 * The frames of a streamed reply, as the Messages API sends them, and how a test describes a reply. The frames are built here as
 * bytes, so that a test can cut a stream anywhere.
 */

export type WireBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  /** `json` instead of `input` is the input as the model wrote it, well-formed or not. */
  | { type: 'tool_use'; id: string; name: string; input?: unknown; json?: string }
  /** The provider's own call of one of its web tools, and the result, which is not split into deltas. */
  | { type: 'server_tool_use'; id: string; name: string; input: unknown }
  | { type: 'web_search_tool_result' | 'web_fetch_tool_result'; tool_use_id: string; content: unknown };

export interface Reply {
  content: WireBlock[];
  /** By default `tool_use` when there is a call, otherwise `end_turn`. */
  stop?: string;
  usage?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number; searches?: number | undefined };
  model?: string;
  /** What a gateway makes of the frames. */
  remade?: (frames: string[]) => string[];
  /** Characters in one delta. */
  piece?: number;
  /** Pings after the first frame. */
  pings?: { everyMs: number; count: number };
  /** Whether the connection stays open after the last frame. */
  holdOpen?: boolean;
  /** How the stream breaks: after a number of bytes, or by an `error` event after a number of frames. */
  breaks?: { after: number; by: 'end' | 'reset' | 'stall' } | { after: number; by: 'error'; type: string };
}

/** Frames in order; the first is `message_start`, the last `message_stop`. */
export function framesOf(reply: Reply, model: string): string[] {
  const stop = reply.stop ?? (reply.content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn');
  const { input = 100, output = 20, cacheRead = 0, cacheWrite = 0, searches } = reply.usage ?? {};
  const inputs = { input_tokens: input, cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: reply.model ?? model, content: [], container: null };
  const open = { diagnostics: null, stop_reason: null, stop_sequence: null, stop_details: null };
  return [
    frame('message_start', { message: { ...message, ...open, usage: { ...inputs, output_tokens: 1 } } }),
    ...reply.content.flatMap((block, index) => blockFrames(block, index, reply.piece ?? 7)),
    frame('message_delta', {
      delta: { stop_reason: stop, stop_sequence: null, stop_details: null, container: null },
      usage: {
        ...inputs,
        output_tokens: output,
        server_tool_use: searches === undefined ? null : { web_search_requests: searches, web_fetch_requests: 0 },
        output_tokens_details: null,
      },
    }),
    frame('message_stop', {}),
  ];
}

export const ping = frame('ping', {});

export function errorFrame(type: string): string {
  return frame('error', { error: { type, message: 'The peer fails on purpose' } });
}

function blockFrames(block: WireBlock, index: number, piece: number): string[] {
  const deltas = deltasOf(block, piece).map((delta) => frame('content_block_delta', { index, delta }));
  return [frame('content_block_start', { index, content_block: startOf(block) }), ...deltas, frame('content_block_stop', { index })];
}

function startOf(block: WireBlock): unknown {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '', citations: null };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'redacted_thinking':
    case 'web_search_tool_result':
    case 'web_fetch_tool_result':
      return { ...block, ...(block.type === 'redacted_thinking' ? {} : { caller: { type: 'direct' } }) };
    case 'server_tool_use':
      return { ...block, input: {}, caller: { type: 'direct' } };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {}, caller: { type: 'direct' } };
  }
}

function deltasOf(block: WireBlock, piece: number): unknown[] {
  switch (block.type) {
    case 'text':
      return pieces(block.text, piece).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...pieces(block.thinking, piece).map((thinking) => ({ type: 'thinking_delta', thinking })),
        ...(block.signature ? [{ type: 'signature_delta', signature: block.signature }] : []),
      ];
    case 'redacted_thinking':
    case 'web_search_tool_result':
    case 'web_fetch_tool_result':
      return [];
    case 'server_tool_use':
    case 'tool_use': {
      const json = ('json' in block ? block.json : undefined) ?? JSON.stringify(block.input ?? {});
      return ['', ...pieces(json, piece)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    }
  }
}

function pieces(text: string, size: number): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? [];
}

function frame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
