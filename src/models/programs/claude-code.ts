/**
 * Claude Code without a terminal (`claude -p`, https://code.claude.com/docs/en/headless): it prints one JSON object a line. Its own
 * tools, settings, memory and servers are left out.
 */
import type { Usage } from '../../engine/ground/messages.ts';
import { ownName, programsChoice } from '../../engine/ground/model-names.ts';
import { failureOf, objectOf, systemOf, type Dialect, type Heard } from './dialect.ts';
import type { History } from './history.ts';
import { toolsServer } from '../../engine/ground/programs.ts';

export const claudeCode: Dialect = {
  idleMs: 600_000,
  login: 'Run `claude` in a terminal, log in there, and resume.',
  start(request, history, toolsUrl) {
    const model = ownName(request.model);
    return {
      args: [
        ...always,
        ...(model === programsChoice ? [] : ['--model', model]),
        ...(request.effort === undefined ? [] : ['--effort', request.effort]),
      ],
      env: {
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(request.maxTokens),
        DISABLE_AUTOUPDATER: '1',
        ENABLE_TOOL_SEARCH: 'false',
        MAX_MCP_OUTPUT_TOKENS: '200000',
        // It asks nothing before it knows the tools, and waits for each as long as that takes.
        MCP_CONNECTION_NONBLOCKING: 'false',
        MCP_TIMEOUT: String(millisecondsOfADay),
        MCP_TOOL_TIMEOUT: String(millisecondsOfADay),
        CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT: String(millisecondsOfADay),
      },
      files: {
        [systemFile]: { text: systemOf(request) },
        [serversFile]: { text: JSON.stringify({ mcpServers: { [toolsServer]: { type: 'http', url: toolsUrl, alwaysLoad: true } } }) },
      },
      input: `${JSON.stringify({ type: 'user', message: { role: 'user', content: contentOf(history) } })}\n`,
    };
  },
  read(line) {
    const said = objectOf(line);
    if (said?.['subtype'] === 'api_retry') return isRefused(said) ? { failure: failureOf('the login was refused', 401) } : {};
    if (said?.['type'] === 'result') return resultOf(said);
    return said?.['type'] === 'stream_event' ? heardIn(said['event'] as StreamEvent) : {};
  },
};

const systemFile = 'system.md';
const serversFile = 'servers.json';
const millisecondsOfADay = 86_400_000;

const always = [
  ...'-p --input-format stream-json --output-format stream-json --include-partial-messages --verbose'.split(' '),
  ...`--strict-mcp-config --mcp-config ${serversFile} --allowed-tools mcp__${toolsServer} --permission-mode dontAsk`.split(' '),
  ...`--no-session-persistence --system-prompt-file ${systemFile}`.split(' '),
  // No tools and no settings of its own.
  '--tools',
  '',
  '--setting-sources',
  '',
];

function contentOf({ text, pictures }: History): unknown[] {
  const images = pictures.map((data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }));
  return [{ type: 'text', text }, ...images];
}

/** Events of the Messages API, as far as they matter here. */
interface StreamEvent {
  type?: string;
  message?: { usage?: Counts };
  content_block?: { type?: string; id?: string };
  delta?: { type?: string; text?: string };
  usage?: Counts;
}
interface Counts {
  input_tokens?: number;
  output_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation_input_tokens?: number;
}

/** What a message reads is told at its start, what it wrote at its end. */
function heardIn({ type, message, content_block: block, delta, usage }: StreamEvent): Heard {
  if (type === 'message_start') return { message: 'begun', usage: { ...usageOf(message?.usage), output: 0 } };
  if (type === 'message_stop') return { message: 'whole' };
  if (type === 'content_block_start' && block?.type === 'tool_use' && block.id !== undefined) return { call: block.id };
  if (type === 'message_delta') return { usage: { ...nothing, output: usage?.output_tokens ?? 0 } };
  return type === 'content_block_delta' && delta?.type === 'text_delta' ? { text: delta.text ?? '' } : {};
}

const nothing: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function usageOf(counts: Counts = {}): Usage {
  return {
    input: counts.input_tokens ?? 0,
    output: counts.output_tokens ?? 0,
    cacheRead: counts.cache_read_input_tokens ?? 0,
    cacheWrite: counts.cache_creation_input_tokens ?? 0,
  };
}

/** It renews a login between its tries, and goes on trying for minutes where that did not help. */
function isRefused({ error, attempt }: Record<string, unknown>): boolean {
  return error === 'authentication_failed' && Number(attempt) >= triesWithALogin;
}

const triesWithALogin = 3;

function resultOf(said: Record<string, unknown>): Heard {
  const text = typeof said['result'] === 'string' ? said['result'] : '';
  if (said['is_error'] !== true) return { last: text };
  const status = said['api_error_status'];
  return { failure: failureOf(text || String(said['subtype']), typeof status === 'number' ? status : undefined) };
}
