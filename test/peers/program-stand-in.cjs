#!/usr/bin/env node
/**
 * Stands in for `claude -p` and `codex exec`: a real process that asks a real server of the Messages API, calls its tools by the
 * Model Context Protocol, and prints what these programs print. Which of the two it is, its first option tells.
 */
const { readFileSync } = require('node:fs');

const args = process.argv.slice(2);
const isCodex = args.includes('exec');
const valueOf = (name) => args[args.indexOf(name) + 1];
const setting = (name) => JSON.parse(args.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1) ?? 'null');
const print = (object) => process.stdout.write(`${JSON.stringify(object)}\n`);

const system = readFileSync(isCodex ? setting('model_instructions_file') : valueOf('--system-prompt-file'), 'utf8');
const toolsUrl = isCodex ? setting('mcp_servers.loop.url') : JSON.parse(readFileSync(valueOf('--mcp-config'), 'utf8')).mcpServers.loop.url;
const api = isCodex ? setting('openai_base_url') : process.env['ANTHROPIC_BASE_URL'];
const model = args.includes(isCodex ? '-m' : '--model') ? valueOf(isCodex ? '-m' : '--model') : 'its own';

const prefix = isCodex ? '' : 'mcp__loop__';
let asked = 0;

main().catch((error) => {
  fail(String(error));
});

async function main() {
  if (readLogin() === undefined) return fail('Not logged in · Please run /login');
  await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'stand-in', version: '1' } });
  const { tools } = await call('tools/list', {});
  const messages = [{ role: 'user', content: given() }];
  for (;;) {
    const content = await ask(messages, tools);
    const calls = content.filter(({ type }) => type === 'tool_use');
    messages.push({ role: 'assistant', content });
    if (calls.length === 0) break;
    const results = isCodex
      ? await oneAfterTheOther(calls)
      : await Promise.all(calls.toReversed().map(resultOf)).then((all) => all.toReversed());
    messages.push({ role: 'user', content: results });
  }
  print(isCodex ? { type: 'turn.completed', usage: {} } : { type: 'result', subtype: 'success', is_error: false, result: 'Done.' });
}

/** As the real ones: a file in the own folder, or a key. */
function readLogin() {
  const places = isCodex ? ['.codex/auth.json'] : ['.claude/.credentials.json'];
  const found = places.map((place) => textOf(`${process.env['HOME']}/${place}`)).find((text) => text !== undefined);
  return found ?? process.env[isCodex ? 'CODEX_API_KEY' : 'ANTHROPIC_API_KEY'];
}

function given() {
  const input = readFileSync(0, 'utf8');
  if (!isCodex) return JSON.parse(input).message.content;
  const pictures = args.flatMap((name, n) => (args[n - 1] === '-i' ? [readFileSync(name).toString('base64')] : []));
  const images = pictures.map((data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }));
  return [{ type: 'text', text: input }, ...images];
}

async function ask(messages, tools) {
  const listed = tools.map(({ name, description, inputSchema }) => ({ name: prefix + name, description, input_schema: inputSchema }));
  const body = JSON.stringify({
    model,
    max_tokens: 16000,
    stream: true,
    system: [{ type: 'text', text: system }],
    tools: listed,
    messages,
  });
  const headers = { 'content-type': 'application/json', 'x-api-key': readLogin(), 'anthropic-version': '2023-06-01' };
  const response = await fetch(`${api}/v1/messages`, { method: 'POST', headers, body });
  if (!response.ok) {
    const { error } = await response.json();
    return fail(`API Error: ${response.status} ${error.type}: ${error.message}`);
  }
  const content = [];
  for await (const event of eventsOf(response.body)) {
    if (!isCodex) print({ type: 'stream_event', event });
    if (event.type === 'content_block_start') content.push({ ...event.content_block, json: '' });
    const block = content.at(-1);
    if (event.delta?.type === 'text_delta') block.text += event.delta.text;
    if (event.delta?.type === 'input_json_delta') block.json += event.delta.partial_json;
    if (event.type === 'content_block_stop' && block.type === 'text' && isCodex)
      print({ type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: block.text } });
  }
  return content.map(({ type, text, id, name, json }) =>
    type === 'text' ? { type, text } : { type, id, name, input: JSON.parse(json || '{}') },
  );
}

async function* eventsOf(body) {
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice('data: '.length));
  }
}

async function oneAfterTheOther(calls) {
  const results = [];
  for (const one of calls) results.push(await resultOf(one));
  return results;
}

async function resultOf({ id, name, input }) {
  const { content, isError } = await call('tools/call', {
    name: name.startsWith(prefix) ? name.slice(prefix.length) : name,
    arguments: input,
    _meta: { [isCodex ? 'callId' : 'claudecode/toolUseId']: id },
  });
  const parts = content.map((part) =>
    part.type === 'text' ? part : { type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } },
  );
  return { type: 'tool_result', tool_use_id: id, content: parts, ...(isError ? { is_error: true } : {}) };
}

async function call(method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++asked, method, params });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(toolsUrl, { method: 'POST', headers, body });
  if (!response.headers.get('content-type')?.includes('event-stream')) return (await response.json()).result;
  for await (const message of eventsOf(response.body)) if (message.id !== undefined) return message.result;
}

function fail(message) {
  print(
    isCodex
      ? { type: 'turn.failed', error: { message } }
      : { type: 'result', subtype: 'success', is_error: true, api_error_status: null, result: message },
  );
  process.exit(1);
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
