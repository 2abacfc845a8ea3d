/** The simulated provider: calls the program of the model's kind, bills for it, and fails as providers do. */
import type { AskReply, AskRequest, AssistantBlock, Usage } from '../../../src/engine/ground/messages.ts';
import { RetryableModelError, TerminalModelError } from '../../../src/engine/ground/errors.ts';
import type { Model, Prices } from '../../../src/engine/ports.ts';
import { worstCase } from '../../../src/engine/agents/cost.ts';
import { briefWithout, type Brief } from '../brief.ts';
import { Random } from '../random.ts';
import type { Kind, Scenario } from '../scenario.ts';
import { honest, sessionOf } from './honest.ts';
import { hostile } from './hostile.ts';
import { lazy, lying } from './lying.ts';
import { sample } from './sampler.ts';
import { doneIn, has, type Answer, type Programs, type Turn } from './turn.ts';

const prices: Prices = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 };

/** Programs by kind of model. The other kinds use the honest programs and fail in other ways. */
const programs: Partial<Record<Kind, Programs>> = { lazy, lying };

export interface Observer {
  /** The model made a deceiving claim. */
  lied(role: string): void;
  answered(request: AskRequest, answer: Answer): void;
}

export class SimulatedModel implements Model {
  readonly id = 'simulated';
  /** What the provider billed, by its own sums, including replies that never arrived. */
  readonly billed = { tokens: 0, usd: 0 };
  /** A reply broke off: nobody is told what it used. */
  brokeOff = false;
  private asks = 0;
  /** The highest cost that one call could have had. */
  readonly maxCallCost = { tokens: 0, usd: 0 };

  constructor(
    private readonly scenario: Scenario,
    private readonly brief: Brief,
    private readonly twist: Programs,
    private readonly observer: Observer,
  ) {}

  prices(): Prices {
    return prices;
  }

  window(): number {
    return 200_000;
  }

  async ask(request: AskRequest): Promise<AskReply> {
    this.asks += 1;
    const random = new Random(this.scenario.seed).fork(`${request.purpose}/${request.turn}/${this.asks}`);
    this.limit(random);
    this.fail(request, random);
    const turn = this.turnOf(request, random);
    const answer = this.answerOf(turn);
    this.observer.answered(request, answer);
    return Promise.resolve(this.reply(request, answer, random));
  }

  private turnOf(request: AskRequest, random: Random): Turn {
    const [, target = '', attempt = '1'] = /^[^/]*\/(.*)#(\d+)$/.exec(request.purpose) ?? [];
    const [first] = request.messages;
    const block = first?.content[0];
    const prompt = block?.type === 'text' ? block.text : '';
    const { scenario } = this;
    const [, descoped = ''] = /Descoped: (.+)$/m.exec(prompt) ?? [];
    const brief = briefWithout(this.brief, descoped === '' ? [] : descoped.split(', '));
    return {
      request,
      brief,
      scenario,
      random,
      target,
      attempt: Number(attempt),
      prompt,
      done: doneIn(request),
      recordLie: () => this.observer.lied(request.role),
    };
  }

  private answerOf(turn: Turn): Answer {
    const { kind, silent } = this.scenario;
    const session = sessionOf(turn);
    const twisted = this.twist[session];
    if (twisted) return twisted(turn);
    if (silent && turn.request.role === 'evaluator') return [];
    if (kind === 'hostile') return hostile(turn);
    if (kind === 'forgetful' && (turn.random.chance(0.4) || forgetsAll(session, this.scenario))) return [];
    const program = (programs[kind] ?? honest)[session];
    return program ? program(turn) : guess(turn);
  }

  private limit(random: Random): void {
    const often = this.scenario.kind === 'rate-limited' ? 0.3 : this.scenario.limited;
    if (random.chance(often)) throw new RetryableModelError('slow down', 'rate-limited', random.pick([1000, 60_000, 9_000_000]));
  }

  private fail(request: AskRequest, random: Random): void {
    if (this.scenario.kind !== 'crashing' || !random.chance(0.3)) return;
    const kind = random.pick(['overloaded', 'connection', 'stalled', 'cut', 'request', 'authentication'] as const);
    if (kind === 'cut' || kind === 'stalled') {
      this.brokeOff = true;
      this.bill(this.usage(request, random));
    }
    if (kind !== 'request' && kind !== 'authentication') throw new RetryableModelError('it broke', kind);
    if (random.chance(0.3)) throw new TerminalModelError('refused', kind, 'Look at the key.');
  }

  private reply(request: AskRequest, answer: Answer, random: Random): AskReply {
    const usage = this.usage(request, random);
    this.bill(usage);
    const uses = answer.map(([name, input], i): AssistantBlock => ({
      type: 'tool_use',
      id: `t${request.turn}_${i}`,
      name,
      input,
    }));
    const text = { type: 'text' as const, text: this.scenario.kind === 'hoarding' ? 'I think. '.repeat(400) : 'I work.' };
    const cut = this.scenario.kind === 'crashing' && random.chance(0.1);
    const stop = cut ? random.pick(['max_tokens', 'refusal', 'pause_turn'] as const) : uses.length > 0 ? 'tool_use' : 'end_turn';
    return { content: [text, ...uses], stop, usage, model: request.model };
  }

  /** At most the worst case of the request, which is computed only where money matters, since that is slow. */
  private usage(request: AskRequest, random: Random): Usage {
    const { kind, config } = this.scenario;
    const isClose = kind === 'hoarding' || kind === 'crashing' || config.budgetUsd !== undefined || config.budgetTokens !== undefined;
    if (!isClose) return { input: 0, cacheRead: 400, cacheWrite: 600, output: random.whole(50, 800) };
    const most = worstCase(request);
    this.maxCallCost.tokens = Math.max(this.maxCallCost.tokens, most.cacheWrite + most.output);
    this.maxCallCost.usd = Math.max(this.maxCallCost.usd, priceOf(most));
    if (kind === 'hoarding') return most;
    return { input: 0, cacheRead: 0, cacheWrite: Math.floor(most.cacheWrite / 2), output: random.whole(50, 4000) };
  }

  private bill(usage: Usage): void {
    this.billed.tokens += usage.input + usage.cacheWrite + usage.cacheRead + usage.output;
    this.billed.usd += priceOf(usage);
  }
}

/** US dollars, without the engine's sums. */
function priceOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return (input * prices.input + output * prices.output + cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite) / 1e6;
}

/** In half of the sprints nobody ever writes a hidden verification. */
function forgetsAll(session: string, { seed }: Scenario): boolean {
  return session === 'report_hidden_complete' && seed % 2 === 0;
}

/** The answer in a session without a program: its report tool, with an input drawn from the schema. */
function guess(turn: Turn): Answer {
  const { request, random, brief, done } = turn;
  const tools = request.tools.filter(({ name }) => has(turn, name));
  const tool = tools.find(({ name }) => name.startsWith('report_') || name.startsWith('request_')) ?? tools[0];
  const words = ['It is as the documents say, and I looked at it for a while.', ...brief.features.map((f) => f.name), '1', 'T1'];
  return tool && done.length < 5 ? [[tool.name, sample(tool.inputSchema, random, words)]] : [];
}
