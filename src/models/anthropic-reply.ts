/**
 * Builds a reply from the events of one stream. A tool call counts only if it is whole (I13): the stream reached
 * `message_stop`, the block was closed, and its JSON parses strictly. The SDK's own parser would complete cut JSON, so it is
 * not used. Thinking and server blocks are kept verbatim. What a gateway leaves out of the figures is taken at its most.
 */
import type { RawContentBlockDelta, RawContentBlockStartEvent, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { worstCase } from '../engine/agents/cost.ts';
import { assistantBlock, type AskReply, type AskRequest, type AssistantBlock, type Usage } from '../engine/ground/messages.ts';
import { RetryableModelError, TerminalModelError } from '../engine/ground/errors.ts';
import { readJson } from '../engine/ground/loose.ts';

/** Collects one reply. Passes text and shown thinking to `onText` as they arrive. */
export class ReplyReader {
  private readonly drafts = new Map<number, Draft>();
  private readonly usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  private model: string;
  private stopReason: string | null = null;
  /** Whether anything of the reply was told. */
  hasBegun = false;
  private isOutputTold = false;
  /** Bytes of the reply that arrived. */
  private arrived = 0;
  /** Whether it used what the arrived bytes do not show: thinking, of which only a summary comes, or the provider's own tools. */
  private usesMore = false;

  constructor(
    private readonly request: AskRequest,
    private readonly onText: (delta: string) => void,
  ) {
    this.model = request.model;
  }

  /** Takes the next event and ignores unknown ones. @returns the reply at `message_stop`, undefined before. */
  accept(event: RawMessageStreamEvent): AskReply | undefined {
    switch (event.type) {
      case 'message_start':
        return this.begin(event);
      case 'content_block_start':
        this.hasBegun = true;
        this.arrived += Buffer.byteLength(JSON.stringify(event.content_block));
        this.usesMore ||= event.content_block.type !== 'text' && event.content_block.type !== 'tool_use';
        this.drafts.set(event.index, { block: { ...event.content_block }, json: '', closed: false });
        return undefined;
      case 'content_block_delta':
        return this.extend(this.draftAt(event.index), event.delta);
      case 'content_block_stop':
        this.draftAt(event.index).closed = true;
        return undefined;
      case 'message_delta':
        return this.end(event);
      case 'message_stop':
        return this.reply();
      default:
        return undefined;
    }
  }

  /** What it used at most until now. Undefined before its start: nothing is paid. */
  usedAtMost(): Usage | undefined {
    return this.hasBegun ? this.used() : undefined;
  }

  private begin({ message }: WireStart): undefined {
    this.hasBegun = true;
    if (typeof message?.model === 'string' && message.model !== '') this.model = message.model;
    this.count(message?.usage);
  }

  private end({ delta, usage }: WireEnd): undefined {
    this.stopReason = delta?.stop_reason ?? this.stopReason;
    this.count(usage);
    // Zero tells nothing, unless nothing came.
    this.isOutputTold ||= figure(usage?.output_tokens, 0) > 0 || (usage?.output_tokens === 0 && this.arrived === 0);
  }

  /**
   * By what the provider told until now: its input at the start, its output at the end. Output that is not told is taken by its
   * size; where that is not enough to tell, it is the most that the request may use. A gateway may send zeros for the input, which
   * tell nothing.
   */
  private used(): Usage {
    const { usage, request } = this;
    const isInputTold = usage.input + usage.cacheRead + usage.cacheWrite > 0;
    if (this.isOutputTold) return isInputTold ? { ...usage } : { ...usage, cacheWrite: worstCase(request).cacheWrite };
    if (!isInputTold || request.web === true) return worstCase(request);
    const output = this.usesMore ? request.maxTokens : Math.min(request.maxTokens, Math.ceil(this.arrived / bytesOfToken));
    return { ...usage, output: Math.max(usage.output, output) };
  }

  private draftAt(index: number): Draft {
    const draft = this.drafts.get(index);
    if (!draft || draft.closed) throw cutError(`it went on with block ${index}, which is not open`);
    return draft;
  }

  private extend(draft: Draft, delta: RawContentBlockDelta): undefined {
    const { block } = draft;
    this.arrived += sizeOf(delta);
    if (delta.type === 'input_json_delta') draft.json += delta.partial_json;
    else if (delta.type === 'signature_delta' && block.type === 'thinking') block.signature = delta.signature;
    else if (delta.type === 'text_delta' && block.type === 'text') {
      block.text += delta.text;
      this.onText(delta.text);
    } else if (delta.type === 'thinking_delta' && block.type === 'thinking') {
      block.thinking += delta.thinking;
      if (delta.thinking) this.onText(delta.thinking);
    }
  }

  /** Figures are cumulative, so a later one replaces an earlier one; but zeros, as a gateway may send for the input at the end, do not. */
  private count(told: WireUsage | null | undefined): void {
    const { usage } = this;
    const [input, cacheRead, cacheWrite] = [told?.input_tokens, told?.cache_read_input_tokens, told?.cache_creation_input_tokens];
    if ([input, cacheRead, cacheWrite].some((one) => figure(one, 0) > 0)) {
      usage.input = figure(input, usage.input);
      usage.cacheRead = figure(cacheRead, usage.cacheRead);
      usage.cacheWrite = figure(cacheWrite, usage.cacheWrite);
    }
    usage.output = figure(told?.output_tokens, usage.output);
    const searches = figure(told?.server_tool_use?.web_search_requests, 0);
    if (searches > 0) usage.searches = searches;
  }

  private reply(): AskReply {
    const stop = stopOf(this.stopReason);
    const drafts = [...this.drafts].sort(([a], [b]) => a - b).map(([, draft]) => draft);
    const content = drafts.flatMap((draft) => blocksOf(draft, stop));
    // A gateway may not say that it ended with calls; as it did not say that it was cut, they are whole.
    const isCalling = stop === 'end_turn' && content.some(({ type }) => type === 'tool_use');
    return { content, stop: isCalling ? 'tool_use' : stop, usage: this.used(), model: this.model };
  }
}

/** Fewer than a token of any real text has. */
const bytesOfToken = 2;

function sizeOf(delta: RawContentBlockDelta): number {
  if (delta.type === 'text_delta') return Buffer.byteLength(delta.text);
  return delta.type === 'input_json_delta' ? Buffer.byteLength(delta.partial_json) : 0;
}

interface Draft {
  block: RawContentBlockStartEvent['content_block'];
  /** The joined pieces of a call's input. */
  json: string;
  closed: boolean;
}
/** What a gateway may leave out is optional. */
interface WireStart {
  message?: { model?: unknown; usage?: WireUsage | null };
}
interface WireEnd {
  delta?: { stop_reason?: string | null };
  usage?: WireUsage | null;
}
interface WireUsage {
  input_tokens?: unknown;
  output_tokens?: unknown;
  cache_read_input_tokens?: unknown;
  cache_creation_input_tokens?: unknown;
  server_tool_use?: { web_search_requests?: unknown } | null;
}

function figure(told: unknown, before: number): number {
  return typeof told === 'number' && Number.isSafeInteger(told) && told >= 0 ? told : before;
}

/** The block for the conversation; none if it is empty or blank, unfinished at the token limit, or of a kind that Loop does not use. */
function blocksOf(draft: Draft, stop: AskReply['stop']): AssistantBlock[] {
  const { block } = draft;
  if (block.type === 'text') {
    if (!draft.closed && !mayBeCut(stop)) throw cutError('it stopped inside a text block');
    return block.text.trim() ? [{ type: 'text', text: block.text }] : [];
  }
  const whole = wholeBlock(draft);
  if (whole === undefined && !mayBeCut(stop)) throw cutError(`it stopped inside a ${block.type} block`);
  const parsed = assistantBlock.safeParse(whole);
  return parsed.success ? [parsed.data] : [];
}

const mayBeCut = (stop: AskReply['stop']): boolean => stop === 'max_tokens' || stop === 'refusal';

function wholeBlock({ block, json, closed }: Draft): unknown {
  if (!closed) return undefined;
  // Thinking that the limit cut off has no signature, and the API would refuse it in a later request.
  if (block.type === 'thinking') return block.signature ? block : undefined;
  if (block.type !== 'tool_use' && block.type !== 'server_tool_use') return block;
  const input = json === '' ? block.input : readJson(json);
  return isObject(input) ? { ...block, input } : undefined;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

function stopOf(reason: string | null): AskReply['stop'] {
  switch (reason) {
    case 'end_turn':
    case 'tool_use':
    case 'max_tokens':
    case 'refusal':
    case 'pause_turn':
      return reason;
    case 'stop_sequence':
      return 'end_turn';
    case 'model_context_window_exceeded':
      return 'max_tokens';
    case null:
      throw cutError('it gave no reason for its end');
    default:
      throw new TerminalModelError(`The API ended its reply with "${reason}", which Loop does not know.`, 'request', 'Update Loop.');
  }
}

function cutError(how: string): RetryableModelError {
  return new RetryableModelError(`The API's reply was not whole: ${how}.`, 'cut');
}
