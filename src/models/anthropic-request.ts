/**
 * Builds the request to the Messages API for one ask, with cache points and only the fields that the model accepts. It uses
 * nothing that current models refuse: no sampling parameters, no forced tool, no server-held thread. Blocks are sent back
 * unchanged, or not at all.
 */
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  OutputConfig,
  TextBlockParam,
  Tool,
  ToolUnion,
  WebFetchTool20260318,
  WebSearchTool20260318,
} from '@anthropic-ai/sdk/resources/messages';
import { pageTokens, webUses } from '../engine/agents/cost.ts';
import type { AskRequest, Message } from '../engine/ground/messages.ts';
import { efforts, traitsOf, type Effort } from './traits.ts';

/** The body of the streamed request. */
export function bodyOf(request: AskRequest): MessageCreateParamsStreaming {
  const { adaptive, effort: highest, reply = Infinity } = traitsOf(request.model);
  const effort = effortOf(request.effort, highest);
  return {
    model: request.model,
    max_tokens: Math.min(request.maxTokens, reply),
    stream: true,
    ...stablePart(request),
    messages: messagesOf(request.messages),
    // Without `display` the models of the 5.5 family send empty thinking, so nobody could follow them between two calls.
    ...(adaptive ? { thinking: { type: 'adaptive', display: 'summarized' } as const } : {}),
    ...(effort ? { output_config: { effort } } : {}),
  };
}

/** Header for a gateway that accounts by role and task: `<role> <purpose>`, each percent-encoded. */
export const sessionHeader = 'x-loop-session';
export function sessionOf(request: AskRequest): string {
  return `${encodeURIComponent(request.role)} ${encodeURIComponent(request.purpose)}`;
}

const cachePoint = { cache_control: { type: 'ephemeral' } } as const;

/** The provider runs these tools. Their limits are those that the budget was tested against. */
const webTools: [WebSearchTool20260318, WebFetchTool20260318] = [
  { type: 'web_search_20260318', name: 'web_search', max_uses: webUses, allowed_callers: ['direct'] },
  {
    type: 'web_fetch_20260318',
    name: 'web_fetch',
    max_uses: webUses,
    max_content_tokens: pageTokens,
    allowed_callers: ['direct'],
  },
];

/**
 * In the cached prefix, tools come before the system prompt, so one cache point at its end covers both. The context has another,
 * since sessions before discovery share all that stands in front of it. With those of the messages these are all four that the API
 * allows.
 */
function stablePart(request: AskRequest): { system?: TextBlockParam[]; tools?: ToolUnion[] } {
  const own = request.tools.map(({ name, description, inputSchema }): Tool => ({
    name,
    description,
    input_schema: { ...inputSchema, type: 'object' },
  }));
  const tools: ToolUnion[] = request.web ? [...own, ...webTools] : own;
  const last = tools.at(-1);
  const texts = [request.system, request.context ?? ''].filter((text) => text !== '');
  if (texts.length === 0 && last) tools[tools.length - 1] = { ...last, ...cachePoint };
  return {
    ...(texts.length > 0 ? { system: texts.map((text) => ({ type: 'text' as const, text, ...cachePoint })) } : {}),
    ...(tools.length > 0 ? { tools } : {}),
  };
}

/**
 * Sets the moving cache points: the end of the last user message for the next turn, and the end of the one before, where the
 * previous turn wrote. Without the second one the API looks back over 20 blocks only.
 */
function messagesOf(messages: Message[]): MessageParam[] {
  // The API refuses an empty message, and it joins the neighbours of one that is left out.
  const sent = messages.map(({ role, content }) => ({ role, content: sendable(content) })).filter(({ content }) => content.length > 0);
  const users = sent.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  const points = new Set(users.slice(-2));
  return sent.map((message, index) => {
    const content = message.content.map((block) => block as unknown as ContentBlockParam);
    const last = content.at(-1);
    if (points.has(index) && last) content[content.length - 1] = { ...last, ...cachePoint };
    return { role: message.role, content };
  });
}

/** It refuses blank text, which older journals hold, and thinking that nothing follows, as of a reply that was cut in its call. */
function sendable(content: readonly Message['content'][number][]): Message['content'][number][] {
  const told = content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  return told.slice(0, 1 + told.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking'));
}

function effortOf(wanted: Effort | undefined, highest: Effort | undefined): OutputConfig['effort'] {
  if (!wanted || !highest) return undefined;
  return efforts.indexOf(wanted) > efforts.indexOf(highest) ? highest : wanted;
}
