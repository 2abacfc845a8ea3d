/**
 * One model call: journaled before it is made, retried where that helps, its reply on disk before any of its tool calls runs
 * (I2). A rate limit burns the `limits` tank and counts as no failure; other failures to reach the model are retried a few
 * times, visibly.
 */
import type { Context } from '../context.ts';
import { Interruption, RetryableModelError, TerminalModelError } from '../ground/errors.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { Prices } from '../ports.ts';
import type { Fact } from '../work/facts.ts';
import { costOf, OverBudget, overBudget, overTime, worstCase } from './cost.ts';
import type { AskReply, AskRequest, Message, Usage } from '../ground/messages.ts';
import type { RoleName } from '../ground/roles.ts';

const retries = 6;
const longestWait = 600_000;

export interface Ask {
  id: string;
  role: RoleName;
  request: AskRequest;
  /** What was added since the session's previous call. Only this is stored. */
  added: Added;
}

/** `hand-over`: they ask for a hand-over. `anew`: the conversation begins with them, and those before are no longer sent. */
export interface Added {
  messages: Message[];
  as?: 'hand-over' | 'anew' | undefined;
  /** Ids of the person's words in them. */
  words?: string[] | undefined;
}

/** The payload of a request; it is enough to rebuild the conversation. */
export interface StoredRequest {
  system: string;
  context?: string;
  tools: string[];
  model: string;
  messages: Message[];
  as?: Added['as'];
}

/** @throws OverBudget when cut replies or waits leave too little of a budget for another try; Interruption when the sprint has to stop. */
export async function ask(context: Context, call: Ask): Promise<AskReply> {
  const { ports, open } = context;
  const { id, role, request, added } = call;
  if (!open.parts.get(id)?.begun) {
    const stored: StoredRequest = {
      system: request.system,
      ...(request.context === undefined ? {} : { context: request.context }),
      tools: request.tools.map((t) => t.name),
      model: request.model,
      messages: added.messages,
      ...(added.as ? { as: added.as } : {}),
    };
    const ref = await ports.payloads.put(JSON.stringify(stored));
    const words = added.words ? { words: added.words } : {};
    const step = { id, kind: 'ask' as const, request: ref, role, purpose: request.purpose, turn: request.turn, ...words };
    await context.append({ type: 'step.begun', step, burns: [tank('turns', open.id)] });
  }
  const reply = await askWithRetries(context, call);
  const result = await ports.payloads.put(JSON.stringify(reply));
  const fact = spentFact(role, reply.model, reply.usage, ports.model.prices(reply.model));
  await context.append({ type: 'step.ended', id, outcome: 'done', result, facts: [fact] });
  return reply;
}

function spentFact(role: RoleName, model: string, usage: Usage, prices: Prices | undefined): Fact {
  return { fact: 'model.spent', role, model, usage, usd: prices ? costOf(usage, prices) : null };
}

async function askWithRetries(context: Context, call: Ask): Promise<AskReply> {
  const { ports, signal } = context;
  const onText = (text: string): void => ports.progress({ kind: 'agent', role: call.role, text });
  for (let tries = 1, failures = 0; ; tries += 1) {
    try {
      return await ports.model.ask(call.request, onText, signal);
    } catch (error) {
      const isLast = error instanceof Interruption || error instanceof TerminalModelError;
      if (isLast && error.used) await chargeBroken(context, call, { why: error.message, used: error.used });
      if (!(error instanceof RetryableModelError)) throw error;
      if (error.kind !== 'rate-limited') failures += 1;
      if (error.used || error.kind === 'cut' || error.kind === 'stalled') await chargeCutReply(context, call, error);
      if (failures > retries) throw unreachable(error, tries);
      await waitBeforeRetry(context, error, tries);
    }
  }
}

/** A cut reply is billed: it is charged at once, as what the provider told of it, or else as the most that it can have cost. */
async function chargeCutReply(context: Context, call: Ask, error: RetryableModelError): Promise<void> {
  const { ports, state } = context;
  const { request } = call;
  await chargeBroken(context, call, { why: error.message, used: error.used ?? worstCase(request) });
  const over = overBudget(state.ledger, request, ports.model.prices(request.model));
  if (over) throw new OverBudget(over);
}

async function chargeBroken(context: Context, { id, role, request }: Ask, { why, used }: { why: string; used: Usage }): Promise<void> {
  const { model } = request;
  const facts = [spentFact(role, model, used, context.ports.model.prices(model))];
  await context.append({ type: 'step.ended', id, outcome: 'failed', why, facts });
}

/** Waits as long as the provider says, ten minutes at most; where it says nothing, or no time at all, longer with every failed try. */
async function waitBeforeRetry(context: Context, error: RetryableModelError, tries: number): Promise<void> {
  const { ports, signal, state } = context;
  const waitMs = Math.min(error.retryAfterMs || 1000 * 2 ** tries, longestWait);
  ports.progress({ kind: 'retry', why: error.message, attempt: tries, waitMs });
  if (error.kind !== 'rate-limited') return ports.clock.sleep(waitMs, signal);
  if (!canBurn(state.ledger, [tank('limits')])) throw unreachable(error, tries);
  const effect = { name: 'rate-limit', key: String(state.n), detail: `${waitMs} ms` };
  const id = `${context.open.id}/rate-limit:${state.n}`;
  await context.append({ type: 'step.begun', step: { id, kind: 'effect', effect }, burns: [tank('limits')] });
  await ports.clock.sleep(waitMs, signal);
  await context.append({ type: 'step.ended', id, outcome: 'done', facts: [] });
  const late = overTime(state.ledger);
  if (late) throw new OverBudget(late);
}

function unreachable(cause: RetryableModelError, tries: number): Interruption {
  return new Interruption('unreachable', `The model did not answer in ${tries} tries: ${cause.message}`, { cause });
}
