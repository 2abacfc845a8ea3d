/**
 * One agent session: prompt, reply, tool calls, and again, until its reporting tool is accepted. A session that stops without a
 * report gets one reminder, and then ends silent, and the person is told why; one whose reply was cut is told that. One that nears
 * the model's window hands over to itself. It begins by rebuilding the conversation from disk, so a new session and a resumed one
 * are the same code.
 */
import type { Context } from '../context.ts';
import { TerminalModelError } from '../ground/errors.ts';
import { promptText } from '../ground/prompts.ts';
import type { Model } from '../ports.ts';
import { specOf } from '../tools/tool.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { Fact } from '../work/facts.ts';
import { ask, type Added } from './ask.ts';
import { hasReported, runCalls, type Called } from './calls.ts';
import { mostRead, OverBudget, overBudget, type Over } from './cost.ts';
import { effortOf } from './effort.ts';
import type { AskReply, AskRequest, ToolResult, ToolUse } from '../ground/messages.ts';
import { goOn, handOver, isTooLong } from './hand-over.ts';
import { add, hear, rebuild, type Conversation } from './rebuild.ts';
import { wordsFor } from '../judge/words-for.ts';
import type { State } from '../state/state.ts';
import { saidText } from '../render/said.ts';
import { roles } from '../ground/roles.ts';
import type { SessionSpec } from './spec.ts';

export type SessionEnd = { end: 'reported' } | { end: 'silent'; why: string } | { end: 'budget'; facts: Fact[] };

export async function session(context: Context, spec: SessionSpec): Promise<SessionEnd> {
  const end = await converse(context, spec);
  if (end.end === 'silent') note(context, `The session of the ${spec.role} ended without its report: ${end.why}`);
  return end;
}

async function converse(context: Context, spec: SessionSpec): Promise<SessionEnd> {
  const conversation = await rebuild(context.open, context.ports.payloads);
  let next = await openingMessages(conversation, spec);
  let reminded = wasReminded(conversation);
  for (;;) {
    if (!next && conversation.last?.asked === 'hand-over') {
      next = goOn(await spec.prompt(), conversation);
      reminded = false;
    }
    // The provider paused in the middle of its own tools: it continues from its reply without a new message.
    if (!next && isPaused(conversation.last?.reply)) next = { messages: [] };
    if (!next) {
      const called = await answerCalls(context, spec, conversation);
      const { results } = called;
      if (hasReported(spec, called)) return { end: 'reported' };
      const stopped = results.length === 0 ? await endWithoutCall(spec, conversation, reminded) : undefined;
      if (stopped) return stopped;
      reminded ||= results.length === 0 && conversation.cuts === 0;
      next = userMessage(results, conversation);
      const heard = withWords(context, spec, conversation, next);
      if (isTooLong(requestOf(context, spec, conversation), heard, conversation.last?.reply, context.ports.model)) next = handOver(next);
    }
    if (!conversation.unanswered) next = withWords(context, spec, conversation, next);
    if (!conversation.unanswered && !hasTurns(context, spec, conversation)) {
      return { end: 'silent', why: `it used all of its ${conversation.turns} turns` };
    }
    if (!conversation.unanswered && isLate(context, spec)) return { end: 'silent', why: spec.deadline?.why ?? '' };
    const end = await turn(context, spec, conversation, next);
    if (end) return end;
    next = undefined;
  }
}

/** Replies in a row that are cut before a call in them is whole, after which a session ends. */
const mostCuts = 3;

/** How a session ends whose last reply called nothing; undefined where it is reminded, or told that the reply was cut. */
async function endWithoutCall(spec: SessionSpec, { cuts }: Conversation, reminded: boolean): Promise<SessionEnd | undefined> {
  if (cuts > 0 && cuts < mostCuts) return undefined;
  if (await spec.finished?.()) return { end: 'reported' };
  if (cuts > 0) return { end: 'silent', why: `${cuts} replies in a row were cut at the limit of tokens, before a call in them was whole` };
  return reminded ? { end: 'silent', why: 'it stopped without a report, after a reminder' } : undefined;
}

/** Its role's turns, and as many model calls as any action may make. */
function hasTurns({ state, open }: Context, { role }: SessionSpec, { turns }: Conversation): boolean {
  return turns < roles[role].turns && canBurn(state.ledger, [tank('turns', open.id)]);
}

function isLate({ ports }: Context, { deadline }: SessionSpec): boolean {
  return deadline !== undefined && ports.clock.now() > deadline.at;
}

function isPaused(reply: AskReply | undefined): boolean {
  return reply?.stop === 'pause_turn' && !reply.content.some((block) => block.type === 'tool_use');
}

/** The messages that come before the next reply; undefined when the last reply's calls come first. */
async function openingMessages({ last, unanswered }: Conversation, spec: SessionSpec): Promise<Added | undefined> {
  if (unanswered) return unanswered.added;
  if (last) return undefined;
  return { messages: [{ role: 'user', content: [{ type: 'text', text: await spec.prompt() }] }] };
}

/**
 * Adds what the person said and this conversation does not hold yet: to the prompt, or to the results of the last calls. Words
 * are said again after a hand-over, with the prompt.
 */
function withWords({ state }: Context, { hears }: SessionSpec, { words: known }: Conversation, next: Added): Added {
  const words = wordsFor(state, hears).filter(({ id }) => next.as === 'anew' || !known.includes(id));
  const last = next.messages.at(-1);
  if (words.length === 0 || last?.role !== 'user' || next.as === 'hand-over') return next;
  const message = { ...last, content: [...last.content, { type: 'text' as const, text: saidText(words) }] };
  return { ...next, messages: [...next.messages.slice(0, -1), message], words: words.map(({ id }) => id) };
}

function wasReminded({ messages }: Conversation): boolean {
  const text = promptText('reminder');
  return messages.some((m) => m.role === 'user' && m.content.some((block) => block.type === 'text' && block.text === text));
}

function note({ ports }: Context, text: string): void {
  ports.progress({ kind: 'note', text });
}

/** One model call. @returns the session's end when the call is not affordable, or refused for what only this session is. */
async function turn(context: Context, spec: SessionSpec, conversation: Conversation, added: Added): Promise<SessionEnd | undefined> {
  const { state, open } = context;
  const pending = conversation.unanswered;
  if (!pending) add(conversation, added);
  const request = requestOf(context, spec, conversation);
  const id = pending?.id ?? `${open.id}/a${conversation.turns}`;
  try {
    const reply = await ask(context, { id, role: spec.role, request, added });
    if (reply.stop === 'refusal') note(context, 'The model declined to answer.');
    hear(conversation, { id, reply, asked: added.as });
    return undefined;
  } catch (error) {
    if (error instanceof OverBudget) return notAsked(context, request, error.over);
    if (!(error instanceof TerminalModelError) || error.kind === 'recording') throw error;
    if (isReplaced(state, spec, request) || isOfThisSession(error, request, conversation, context.ports.model))
      return { end: 'silent', why: error.message };
    throw error;
  }
}

/** What is refused before anything was accepted, such as by an account that is used up, would be refused in every session. */
function isOfThisSession({ kind }: TerminalModelError, request: AskRequest, { last }: Conversation, model: Model): boolean {
  if (kind !== 'request') return kind === 'size';
  return last !== undefined || mostRead(request) > model.window(request.model);
}

/** The person has chosen another model since this session began: the next one asks that. */
function isReplaced({ config }: State, { model }: SessionSpec, request: AskRequest): boolean {
  return model !== request.model && !Object.values(config.models).includes(request.model);
}

/** When only the web tools make the call too expensive, only this session ends: calls without them may still be affordable. */
function notAsked({ state, ports }: Context, request: AskRequest, over: Over): SessionEnd {
  const { web, ...plain } = request;
  if (web && !overBudget(state.ledger, plain, ports.model.prices(request.model)))
    return { end: 'silent', why: `the budget that is left does not cover a lookup on the web. ${over.why}` };
  return { end: 'budget', facts: [{ fact: 'budget.reached', ...over }] };
}

/** Another model takes over where a session begins, never inside one. */
function requestOf({ state, ports }: Context, spec: SessionSpec, { messages, turns, model: own }: Conversation): AskRequest {
  const { tier: usual, maxTokens } = roles[spec.role];
  const { tier = usual, effort = effortOf(state.ledger, spec.role) } = spec;
  const { role, purpose, system } = spec;
  const context = spec.context === undefined ? {} : { context: spec.context };
  const model = own ?? spec.model ?? state.config.models[tier];
  const web = spec.web && ports.model.web?.(model) === true ? { web: true } : {};
  return { role, purpose, turn: turns, model, effort, maxTokens, system, ...context, tools: spec.tools.map(specOf), ...web, messages };
}

/** Tool calls run only when the reply ended with `tool_use`: a cut reply may hold half a call (I13). */
async function answerCalls(context: Context, spec: SessionSpec, { last }: Conversation): Promise<Called> {
  const none: Called = { results: [], accepted: [], refused: [] };
  if (!last) return none;
  const calls = last.reply.content.filter((block): block is ToolUse => block.type === 'tool_use');
  if (last.reply.stop !== 'tool_use') return { ...none, results: calls.map((call) => cut(call, last.reply)) };
  return runCalls(context, { ...spec, askId: last.id }, calls);
}

function cut({ id }: ToolUse, { stop }: AskReply): ToolResult {
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: `Not run: the reply ended with ${stop}. Make the call again, shorter.`,
    is_error: true,
  };
}

function userMessage(results: ToolResult[], { cuts, last }: Conversation): Added {
  if (results.length > 0) return { messages: [{ role: 'user', content: results }] };
  const text = cuts > 0 ? promptText('cut-reply', { tokens: String(last?.reply.usage.output) }) : promptText('reminder');
  return { messages: [{ role: 'user', content: [{ type: 'text', text }] }] };
}
