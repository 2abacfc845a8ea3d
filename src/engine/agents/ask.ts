/**
 * One model call: each try journaled before it is made, retried where that helps, its reply on disk before any of its tool calls
 * runs (I2). A try whose end is not known may be billed, so it counts with the most that it can have cost. A rate limit burns the
 * `limits` tank and counts as no failure; other failures to reach the model are retried a few times, visibly.
 */
import type { Context } from '../context.ts';
import { Interruption, RetryableModelError, TerminalModelError } from '../ground/errors.ts';
import { canBurn, spentOf, tank } from '../state/fuel.ts';
import type { Spent } from '../work/spend.ts';
import { costOf, OverBudget, overBudget, worstCase } from './cost.ts';
import type { AskReply, AskRequest, Message, Usage } from '../ground/messages.ts';
import type { RoleName } from '../ground/roles.ts';
import { wellFormed } from '../ground/text.ts';

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

/** @throws OverBudget when a try might exceed what is left of a budget; Interruption when the sprint has to stop. */
export async function ask(context: Context, call: Ask): Promise<AskReply> {
  const part = context.open.parts.get(call.id);
  if (part?.begun && !part.ended) await fail(context, call, 'Loop ended before its reply came.', mostOf(context, call));
  for (let tries = 1, failures = 0; ; tries += 1) {
    const reply = await askOnce(context, call);
    if (!(reply instanceof RetryableModelError)) return reply;
    if (reply.kind !== 'rate-limited') failures += 1;
    if (failures > retries) throw unreachable(reply, tries);
    await waitBeforeRetry(context, reply, tries);
  }
}

/** @returns its failure where another try may help. */
async function askOnce(context: Context, call: Ask): Promise<AskReply | RetryableModelError> {
  const { ports, state, signal } = context;
  const { id, role, request } = call;
  const over = overBudget(state.ledger, request, ports.model.prices(request.model));
  if (over) throw new OverBudget(over);
  await begin(context, call);
  const onText = (text: string): void => ports.progress({ kind: 'agent', role, text });
  try {
    // A provider refuses half a character, and would again after a resume.
    const reply = await ports.model.ask(wellFormed(request), onText, signal);
    const result = await ports.payloads.put(JSON.stringify(reply));
    await context.append({ type: 'step.ended', id, outcome: 'done', result, facts: [spentOn(context, call, reply.usage, reply.model)] });
    return reply;
  } catch (error) {
    const isFailure = error instanceof RetryableModelError || error instanceof TerminalModelError;
    if (isFailure || (error instanceof Interruption && error.used)) await fail(context, call, error.message, spentBy(error, context, call));
    if (error instanceof RetryableModelError) return error;
    throw error;
  }
}

/** Each try begins and ends, so that one which a kill broke off is known. A turn is burned once. */
async function begin(context: Context, call: Ask): Promise<void> {
  const { ports, open } = context;
  const { id, role, request, added } = call;
  const begun = open.parts.get(id)?.begun;
  if (begun) return context.append({ type: 'step.begun', step: begun, burns: [] });
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
  const step = {
    id,
    kind: 'ask' as const,
    request: ref,
    role,
    purpose: request.purpose,
    turn: request.turn,
    ...words,
    most: mostOf(context, call),
  };
  await context.append({ type: 'step.begun', step, burns: [tank('turns', open.id)] });
}

/** A reply that broke off is billed: as what the provider told of it, or else as the most that it can have cost. */
function spentBy(error: RetryableModelError | TerminalModelError | Interruption, context: Context, call: Ask): Spent | undefined {
  if (error.used) return spentOn(context, call, error.used);
  const isBilled = error instanceof RetryableModelError && (error.kind === 'cut' || error.kind === 'stalled');
  return isBilled ? mostOf(context, call) : undefined;
}

/** It is charged at once. */
async function fail(context: Context, { id }: Ask, why: string, spent: Spent | undefined): Promise<void> {
  await context.append({ type: 'step.ended', id, outcome: 'failed', why, facts: spent ? [spent] : [] });
}

function mostOf(context: Context, call: Ask): Spent {
  return spentOn(context, call, worstCase(call.request));
}

/** @param answered the model that answered, where it may be another than the one asked for */
function spentOn({ ports }: Context, { role, request }: Ask, usage: Usage, answered?: string): Spent {
  const prices = ports.model.prices(request.model, answered);
  return { fact: 'model.spent', role, model: answered ?? request.model, usage, usd: prices ? costOf(usage, prices) : null };
}

/** Waits as long as the provider says, ten minutes at most; where it says nothing, or no time at all, longer with every failed try. */
async function waitBeforeRetry(context: Context, error: RetryableModelError, tries: number): Promise<void> {
  const { ports, signal, state } = context;
  const waitMs = Math.min(error.retryAfterMs || 1000 * 2 ** tries, longestWait);
  ports.progress({ kind: 'retry', why: error.message, attempt: tries, waitMs });
  if (error.kind !== 'rate-limited') return ports.clock.sleep(waitMs, signal);
  if (!canBurn(state.ledger, [tank('limits')])) throw noWaitLeft(error, spentOf(state.ledger, tank('limits')));
  const effect = { name: 'rate-limit', key: String(state.n), detail: `${waitMs} ms` };
  const id = `${context.open.id}/rate-limit:${state.n}`;
  await context.append({ type: 'step.begun', step: { id, kind: 'effect', effect }, burns: [tank('limits')] });
  await ports.clock.sleep(waitMs, signal);
  await context.append({ type: 'step.ended', id, outcome: 'done', facts: [] });
}

/** A resume brings no new waits: it goes on until the provider's next limit. */
function noWaitLeft(cause: RetryableModelError, waits: number): Interruption {
  const message = `Loop waited ${waits} times for rate limits, as often as a run may, and the next one came: ${cause.message}`;
  const next =
    'Nothing that was settled is lost. Raise your limit at the provider, or choose other models, then do the same again: every further limit stops it.';
  return new Interruption('unreachable', message, { cause, next });
}

function unreachable(cause: RetryableModelError, tries: number): Interruption {
  return new Interruption('unreachable', `The model did not answer in ${tries} tries: ${cause.message}`, { cause });
}
