/**
 * Owns what is sent to the Messages API for one ask: the body, with its cache points, and what each model takes. Nothing that
 * current models refuse: no sampling parameters, no forced tool, no server-held thread. Blocks go back as they came (I13).
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

/** The body of the streamed request. */
export function bodyOf(request: AskRequest): MessageCreateParamsStreaming {
  const takes = traitsOf(request.model);
  const effort = effortOf(request.effort, takes.effort);
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    stream: true,
    ...stablePart(request),
    messages: messagesOf(request.messages),
    // Without a display the models of the 5.5 family send empty thinking, and nobody sees what they do between two calls.
    ...(takes.adaptive ? { thinking: { type: 'adaptive', display: 'summarized' } as const } : {}),
    ...(effort ? { output_config: { effort } } : {}),
  };
}

/** Names the session to a gateway that accounts by role and task: `<role> <purpose>`, each percent-encoded. */
export const sessionHeader = 'x-loop-session';
export function sessionOf(request: AskRequest): string {
  return `${encodeURIComponent(request.role)} ${encodeURIComponent(request.purpose)}`;
}

const cachePoint = { cache_control: { type: 'ephemeral' } } as const;

/** Called by the model itself, within what the budget was checked for. */
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

/** Tools come before the system prompt in the prefix that is cached, so one point at its end covers both. */
function stablePart(request: AskRequest): { system?: TextBlockParam[]; tools?: ToolUnion[] } {
  const own = request.tools.map(({ name, description, inputSchema }): Tool => ({
    name,
    description,
    input_schema: { ...inputSchema, type: 'object' },
  }));
  const tools: ToolUnion[] = request.web ? [...own, ...webTools] : own;
  const last = tools.at(-1);
  if (!request.system && last) tools[tools.length - 1] = { ...last, ...cachePoint };
  return {
    ...(request.system ? { system: [{ type: 'text', text: request.system, ...cachePoint }] } : {}),
    ...(tools.length > 0 ? { tools } : {}),
  };
}

/**
 * The moving cache points: the end of the last user message is written for the next turn; the end of the one before is where the
 * previous turn wrote, and is found however many blocks came since (the API looks back over 20 only).
 */
function messagesOf(messages: Message[]): MessageParam[] {
  // A reply of which nothing was left cannot be sent: the API refuses an empty message and joins its neighbours.
  const sent = messages.filter((message) => message.content.length > 0);
  const users = sent.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  const points = new Set(users.slice(-2));
  return sent.map((message, index) => {
    const content = message.content.map((block) => block as unknown as ContentBlockParam);
    const last = content.at(-1);
    if (points.has(index) && last) content[content.length - 1] = { ...last, ...cachePoint };
    return { role: message.role, content };
  });
}

type Effort = NonNullable<AskRequest['effort']>;
interface Traits {
  adaptive: boolean;
  /** The highest effort that the model takes; absent if it takes none. */
  effort?: Effort;
}

const full: Traits = { adaptive: true, effort: 'max' };

/** By name or dated name; a model that is not listed (a gateway's own name) gets neither field, which every model accepts. */
const traits: ReadonlyMap<string, Traits> = new Map([
  ['claude-fable-5-2', full],
  ['claude-fable-5-1', full],
  ['claude-fable-5', full],
  ['claude-mythos-5-2', full],
  ['claude-mythos-5-1', full],
  ['claude-mythos-5', full],
  ['claude-opus-5-5', full],
  ['claude-sonnet-5-5', full],
  ['claude-haiku-5-5', full],
  ['claude-opus-5', full],
  ['claude-sonnet-5', full],
  ['claude-opus-4-8', full],
  ['claude-opus-4-7', full],
  ['claude-opus-4-6', full],
  ['claude-sonnet-4-6', { adaptive: true, effort: 'high' }],
  ['claude-opus-4-5', { adaptive: false, effort: 'high' }],
]);

function traitsOf(model: string): Traits {
  return traits.get(model.replace(/-(\d{8}|latest)$/, '')) ?? { adaptive: false };
}

const rising: readonly Effort[] = ['low', 'medium', 'high', 'max'];
function effortOf(wanted: Effort | undefined, highest: Effort | undefined): OutputConfig['effort'] {
  if (!wanted || !highest) return undefined;
  return rising.indexOf(wanted) > rising.indexOf(highest) ? highest : wanted;
}
