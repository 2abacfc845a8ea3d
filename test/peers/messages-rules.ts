/**
 * Requests that the Messages API refuses with status 400, as far as Loop could send them. So a sprint that passes against the
 * peer would not be refused by the real API.
 */

/** The reason for refusing the request; undefined where it is accepted. */
export function refusalOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const messages = listOf(body['messages']);
  return fieldProblem(body) ?? cacheProblem(body) ?? textProblem(body) ?? firstOf(messages.map((_, index) => pairProblem(messages, index)));
}

function fieldProblem(body: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof body['model'] !== 'string') return 'model: Field required';
  if (typeof body['max_tokens'] !== 'number' || body['max_tokens'] < 1) return 'max_tokens: Field required';
  const messages = listOf(body['messages']);
  if (messages.length === 0) return 'messages: at least one message is required';
  if (messages[0]?.['role'] !== 'user') return 'messages: first message must use the user role';
  if (messages.some((message) => listOf(message['content']).length === 0 && typeof message['content'] !== 'string')) {
    return 'messages: all messages must have non-empty content';
  }
  const thought = messages.findIndex(({ role, content }) => role === 'assistant' && isThinking(listOf(content).at(-1)));
  if (thought >= 0) return `messages.${thought}: The final block in an assistant message cannot be \`thinking\`.`;
  const forbidden = ['temperature', 'top_p', 'top_k', 'thread', 'output_format'].find((name) => name in body);
  if (forbidden) return `${forbidden}: Extra inputs are not permitted`;
  const choice = body['tool_choice'];
  if (isRecord(choice) && (choice['type'] === 'any' || choice['type'] === 'tool')) return 'tool_choice: forced tool use is not supported';
  return undefined;
}

function isThinking(block: Record<string, unknown> | undefined): boolean {
  return block?.['type'] === 'thinking' || block?.['type'] === 'redacted_thinking';
}

function cacheProblem(body: unknown): string | undefined {
  const points = JSON.stringify(body).split('"cache_control"').length - 1;
  return points > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${points}.` : undefined;
}

function textProblem(body: Readonly<Record<string, unknown>>): string | undefined {
  const blocks = [...listOf(body['system']), ...listOf(body['messages']).flatMap((message) => listOf(message['content']))];
  const empty = blocks.some((block) => block['type'] === 'text' && String(block['text']).trim() === '');
  return empty ? 'messages: text content blocks must contain non-whitespace text' : undefined;
}

/** The next message must answer every call of a reply, and nothing else. */
function pairProblem(messages: Record<string, unknown>[], index: number): string | undefined {
  const called = idsOf(messages[index], 'tool_use', 'id');
  const answered = idsOf(messages[index + 1], 'tool_result', 'tool_use_id');
  if (index + 1 === messages.length && called.length === 0) return undefined;
  const open = called.find((id) => !answered.includes(id));
  if (open) return `messages.${index}: tool_use ids were found without tool_result blocks immediately after: ${open}`;
  const stray = answered.find((id) => !called.includes(id));
  return stray ? `messages.${index + 1}: unexpected tool_use_id found in tool_result blocks: ${stray}` : undefined;
}

function idsOf(message: Record<string, unknown> | undefined, type: string, field: string): string[] {
  return listOf(message?.['content']).flatMap((block) => (block['type'] === type ? [JSON.stringify(block[field])] : []));
}

function firstOf(problems: (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
