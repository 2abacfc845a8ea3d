/**
 * Runs the tool calls of one reply in order; each result and its facts end in one journal line (I1). After a crash, calls that
 * ended are not repeated. A call that had begun is answered "interrupted", and those after it "not run" (I2).
 */
import type * as z from 'zod';
import type { Context } from '../context.ts';
import { Bug, InputError, messageOf, Interruption } from '../ground/errors.ts';
import type { Ended, StepId } from '../state/events.ts';
import { presentTool } from '../state/older.ts';
import type { OpenAction } from '../state/state.ts';
import { canBurn, tank } from '../state/fuel.ts';
import { bash } from '../tools/bash-tool.ts';
import { denied } from '../tools/policy.ts';
import { redact } from '../ground/redact.ts';
import { pieceOf } from '../ground/text.ts';
import { ToolError, type Reply, type ReportTool, type WorldTool } from '../tools/tool.ts';
import { servicesOf } from '../services/services.ts';
import { resultContent, type ToolResult, type ToolUse } from '../ground/messages.ts';
import type { SessionSpec } from './spec.ts';

export interface CallSite extends Pick<SessionSpec, 'role' | 'tools' | 'withheld' | 'place' | 'ends' | 'goesOn'> {
  /** The model call whose reply holds the tool calls. */
  askId: StepId;
}

interface Outcome {
  outcome: Ended['outcome'];
  text: string;
  /** Base64 PNG. */
  png?: string;
  exit?: number;
  facts: Reply['facts'];
}

export interface Called {
  results: ToolResult[];
  /** Names of tools whose call was accepted. */
  accepted: string[];
  /** Names of tools whose call was refused, but for what came after the report. */
  refused: string[];
}

const noCallLeft = 'This session has used all the calls that it may make of tools that act on the world. Report now what you have.';

/** Pictures in one session: each is sent again with every later turn. */
const mostPictures = 12;

export async function runCalls(context: Context, site: CallSite, calls: readonly ToolUse[]): Promise<Called> {
  const called: Called = { results: [], accepted: [], refused: [] };
  let wasInterrupted = false;
  const failures: Failure[] = [];
  for (const [index, call] of calls.entries()) {
    const id = `${site.askId}/c${index + 1}`;
    const part = context.open.parts.get(id);
    const isOver = hasReported(site, called) && !completes(site, called.accepted, call);
    if (!part?.ended) {
      const wasBegun = Boolean(part?.begun);
      if (wasInterrupted || isOver) await end(context, id, isOver ? afterReport() : notRun());
      else await end(context, id, wasBegun ? interrupted() : await runCall(context, site, { id, call, failures }));
    }
    const ended = context.open.parts.get(id)?.ended;
    wasInterrupted ||= ended?.outcome === 'interrupted';
    const failed = ended?.outcome !== 'done';
    const content = await contentOf(context, ended);
    called.results.push({ type: 'tool_result', tool_use_id: call.id, content, ...(failed ? { is_error: true } : {}) });
    if (!failed) called.accepted.push(presentTool(call.name));
    if (ended?.outcome === 'refused' && !isOver) called.refused.push(presentTool(call.name));
    failures.push(...failuresOf(call, ended));
  }
  return called;
}

/** Whether these calls end the session. */
export function hasReported({ ends, goesOn }: Pick<CallSite, 'ends' | 'goesOn'>, called: Pick<Called, 'accepted' | 'refused'>): boolean {
  return called.accepted.some((name) => ends.includes(name)) && goesOn?.(called.refused) !== true;
}

/** Whether what ended the session was half of something, and this may be the other half. */
function completes({ tools, ends }: CallSite, accepted: readonly string[], { name }: ToolUse): boolean {
  const ended = accepted.filter((one) => ends.includes(one)).map((one) => tools.find((tool) => tool.name === one));
  return ended.every((tool) => tool?.kind === 'report' && tool.completedBy?.includes(presentTool(name)) === true);
}

interface Failure {
  why: string;
  /** The call was not taken; a command may fail although its call is done. */
  ofCall: boolean;
}

function failuresOf({ name }: ToolUse, ended: Ended | null | undefined): Failure[] {
  if (ended?.outcome !== 'done') return [{ why: `the call of ${name} failed`, ofCall: true }];
  if (name !== bash.name || ended.exit === 0) return [];
  const why = ended.exit === undefined ? 'a command did not end by itself' : `a command ended with exit status ${ended.exit}`;
  return [{ why, ofCall: false }];
}

async function contentOf({ ports }: Context, ended: Ended | null | undefined): Promise<ToolResult['content']> {
  const text = ended?.result ? await ports.payloads.get(ended.result) : '';
  return resultContent(text, ended?.picture && (await ports.payloads.get(ended.picture)));
}

async function end(context: Context, id: StepId, { outcome, text, png, exit, facts }: Outcome): Promise<void> {
  const { payloads } = context.ports;
  const result = await payloads.put(redact(text));
  const picture = png === undefined ? {} : { picture: await payloads.put(png) };
  const status = exit === undefined ? {} : { exit };
  await context.append({ type: 'step.ended', id, outcome, result, ...picture, ...status, facts });
}

interface Asked {
  id: StepId;
  call: ToolUse;
  /** What failed before it in the same reply, which whoever made the call has not seen yet. */
  failures: readonly Failure[];
}

async function runCall(context: Context, site: CallSite, { id, call, failures }: Asked): Promise<Outcome> {
  const tool = site.tools.find((t) => t.name === presentTool(call.name));
  if (!tool) return refused(`There is no tool "${call.name}" here. You have: ${site.tools.map((t) => t.name).join(', ')}.`);
  if (site.withheld?.includes(tool.name)) return refused(`"${tool.name}" is for another session. Here you may call: ${callable(site)}.`);
  const parsed = tool.input.safeParse(call.input);
  if (!parsed.success) return refused(inputProblem(tool.name, parsed.error));
  const input = parsed.data as Record<string, unknown>;
  const denial = denied(site.role, tool.name, input);
  if (denial) return refused(denial);
  const needed = tool.kind === 'report' ? tool.needsSuccess?.(input) : undefined;
  const failure = failures.find(({ ofCall }) => needed === 'all' || (needed === 'calls' && ofCall));
  if (failure) return refused(`[not taken] In the same reply ${failure.why}. Look at the results, then report what is so.`);
  if (tool.kind === 'world' && tool.begins && !canBurn(context.state.ledger, [tank('calls', context.open.id)])) return refused(noCallLeft);
  context.ports.progress({ kind: 'tool', name: tool.name, input: shortened(input) });
  try {
    return tool.kind === 'report' ? await runReportTool(context, tool, input) : await runWorldTool(context, site, id, tool, input);
  } catch (error) {
    if (error instanceof ToolError) return refused(error.message);
    if (error instanceof InputError) return refused(`${error.message} ${error.next}`);
    if (error instanceof Bug || error instanceof Interruption || context.signal.aborted) throw error;
    return { outcome: 'failed', text: `The tool failed: ${messageOf(error)}`, facts: [] };
  }
}

function callable({ tools, withheld = [] }: CallSite): string {
  return tools.flatMap(({ name }) => (withheld.includes(name) ? [] : [name])).join(', ');
}

async function runReportTool(context: Context, tool: ReportTool, call: unknown): Promise<Outcome> {
  const { state, open, ports, signal } = context;
  const input = tool.whole ? await tool.whole(call, { state, ports }) : call;
  await tool.look?.(input, { state, ports });
  const texts = [(await tool.keep?.(input, { state, ports })) ?? []].flat();
  const [kept = '', ...others] = await Promise.all(texts.map((text) => ports.payloads.put(text)));
  const taken = tool.handle(input, { state, target: open.decision.target, step: open.id, kept, others });
  const reply = (await tool.acted?.(taken, context)) ?? taken;
  if (signal.aborted) throw new Interruption('cancelled', 'The sprint was stopped.');
  return { outcome: 'done', ...reply };
}

async function runWorldTool(context: Context, { role, place }: CallSite, id: StepId, tool: WorldTool, input: unknown): Promise<Outcome> {
  const { state, ports, signal, open } = context;
  if (tool.begins)
    await context.append({ type: 'step.begun', step: { id, kind: 'call', tool: tool.name }, burns: [tank('calls', open.id)] });
  const services = servicesOf(state.work);
  const pictures = picturesLeft(open);
  const done = await tool.run(input, { role, config: state.config, ports, signal, place, services, pictures });
  if (signal.aborted) throw new Interruption('cancelled', 'The sprint was stopped.');
  return { outcome: 'done', facts: [], ...(typeof done === 'string' ? { text: done } : done) };
}

function picturesLeft({ parts }: OpenAction): number {
  return mostPictures - [...parts.values()].filter((part) => part.ended?.picture).length;
}

function interrupted(): Outcome {
  const text = '[interrupted] Loop stopped while this ran; whether it had its effect is not known. Look before you repeat it.';
  return { outcome: 'interrupted', text, facts: [] };
}

function notRun(): Outcome {
  return { outcome: 'refused', text: '[not run] The call before this one was interrupted.', facts: [] };
}

function afterReport(): Outcome {
  return refused('The session ended with the report before this call, so it was not made.');
}

function refused(text: string): Outcome {
  return { outcome: 'refused', text, facts: [] };
}

function inputProblem(name: string, error: z.ZodError): string {
  const issues = error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
  return `The input of ${name} is not usable: ${issues.join('; ')}. Call it again with that mended.`;
}

/** The first line of the first text, for the live activity. */
function shortened(input: Readonly<Record<string, unknown>>): string {
  const first = Object.values(input).find((value) => typeof value === 'string') ?? '';
  return pieceOf(redact(first.split('\n')[0] ?? ''), 0, 100);
}
