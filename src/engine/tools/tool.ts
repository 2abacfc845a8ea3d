/**
 * Two kinds of tools. A report tool is the only way for agents to report to the engine: its `handle` is pure (state and input
 * in, a reply and facts out). A world tool acts on the worktree and makes no facts. Every input is parsed (I13).
 */
import type * as z from 'zod';
import type { ToolSpec } from '../ground/messages.ts';
import type { RoleName } from '../ground/roles.ts';
import type { Config } from '../ground/config.ts';
import type { StepId } from '../state/events.ts';
import type { AbortSignal, Ports } from '../ports.ts';
import type { Place } from '../work/job.ts';
import type { Ground } from '../run/ground.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import type { Ref } from '../work/ref.ts';
import type { Service } from '../work/service.ts';
import { toJSONSchema } from 'zod';

/** A tool's answer that the model can act on: what is wrong and how to mend it. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export interface Situation {
  state: State;
  /** What the session's action is about: a task, a verification, a part. */
  target: string;
  /** The action's step. */
  step: StepId;
  /** Payload of the text that `keep` returned, or of the first. */
  kept: Ref;
  /** Payloads of the others. */
  others?: readonly Ref[];
}

export interface Reply {
  text: string;
  facts: Fact[];
}

/** @template C what a call gives, where that is not yet the whole input. */
export interface ReportTool<I = unknown, C = I> {
  kind: 'report';
  name: string;
  description: string;
  input: z.ZodType<C>;
  /** Makes the whole input of a call that gives only what changes. @throws ToolError where that does not fit. */
  whole?(call: C, at: { state: State; ports: Ports }): Promise<I>;
  /**
   * Beside other calls in one reply it is taken only where none of them failed, since nobody saw their answers yet. `all`: and each
   * command ended with 0.
   */
  needsSuccess?(call: C): 'calls' | 'all' | undefined;
  /** Tools of which a call behind it in the same reply is taken, too, where it ends the session: one mend may need both. */
  completedBy?: readonly string[];
  /** Texts to store before the facts that name them. */
  keep?(input: I, at: { state: State; ports: Ports }): string | Promise<readonly string[]>;
  /** Verifies, before `handle`, what only the tree and the payloads can show. @throws ToolError when the report cannot be taken. */
  look?(input: I, at: { state: State; ports: Ports }): Promise<void>;
  /** @throws ToolError when the report cannot be taken. */
  handle(input: I, on: Situation): Reply;
  /** Adds what only running shows to a report that is taken. */
  acted?(reply: Reply, ground: Ground): Promise<Reply>;
}

/** What a tool works in. */
export interface Surroundings {
  role: RoleName;
  config: Config;
  ports: Ports;
  signal: AbortSignal;
  place: Place;
  services: readonly Service[];
  /** Pictures that this session may still get. */
  pictures: number;
}

/** A result that is more than its text. */
export interface Answer {
  text: string;
  /** Base64 PNG. */
  png?: string;
  /** Exit status of the command that was run. */
  exit?: number;
}

export interface WorldTool<I = unknown> {
  kind: 'world';
  name: string;
  description: string;
  input: z.ZodType<I>;
  /** Its intent is journaled first, because nothing shows afterwards whether it was done. */
  begins: boolean;
  /** @throws ToolError when it cannot be done. */
  run(input: I, around: Surroundings): Promise<string | Answer>;
}

export type Tool = ReportTool | WorldTool;

/** Fixes the input's type at the definition; the registry holds tools of all inputs. */
export function reportTool<I, C = I>(tool: Omit<ReportTool<I, C>, 'kind'>): ReportTool {
  return { kind: 'report', ...tool } as unknown as ReportTool;
}

export function worldTool<I>(tool: Omit<WorldTool<I>, 'kind'>): WorldTool {
  return { kind: 'world', ...tool } as unknown as WorldTool;
}

/** Cached for each tool, because every turn needs it. */
export function specOf(tool: Tool): ToolSpec {
  const known = specs.get(tool);
  if (known) return known;
  const inputSchema = toJSONSchema(tool.input, { io: 'input', override: ({ jsonSchema }) => withoutMachineWords(jsonSchema) }) as Record<
    string,
    unknown
  >;
  delete inputSchema['$schema'];
  const spec = { name: tool.name, description: tool.description, inputSchema };
  specs.set(tool, spec);
  return spec;
}

const specs = new WeakMap<Tool, ToolSpec>();

/** What no model needs to fill it in: every request sends the schemas, and our own refuse what is wrong, with words. */
function withoutMachineWords(schema: Record<string, unknown>): void {
  delete schema['default'];
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (schema['minLength'] === 1) delete schema['minLength'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (Object.keys(schema['propertyNames'] ?? {}).join() === 'type') delete schema['propertyNames'];
}
