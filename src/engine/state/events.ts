/**
 * The four events of the journal; everything else is a fact inside an event. One line is one transaction (I1): something
 * happened only if a line says so.
 */
import * as z from 'zod';
import { config } from '../ground/config.ts';
import { fact } from '../work/facts.ts';
import { plan } from '../work/pipeline.ts';
import { ref } from '../work/ref.ts';
import { spent } from '../work/spend.ts';
import { actionIds } from './rows.ts';
import { tankKinds } from './tanks.ts';

export type { Ref } from '../work/ref.ts';

const tankKind = z.enum(tankKinds);

/** `key` names the task, lineage or step where there is one tank for each; else it is empty. */
const tank = z.object({ kind: tankKind, key: z.string() });
export type Tank = z.infer<typeof tank>;

const stepId = z.string();
export type StepId = z.infer<typeof stepId>;

const decision = z.object({
  action: z.enum(actionIds),
  target: z.string(),
  why: z.string(),
  burns: z.array(tank),
  /** Other rows that were due, in the table's order. */
  behind: z.array(z.string()),
});
export type Decision = z.infer<typeof decision>;

const effect = z.object({
  /** What it does: `worktree`, `commit`, `undo`, `install`, `inputs`, `rate-limit` … */
  name: z.string(),
  /** Finds the effect in the world after a crash; unique within its action. */
  key: z.string(),
  detail: z.string(),
});
export type Effect = z.infer<typeof effect>;

const id = { id: stepId };
const step = z.discriminatedUnion('kind', [
  z.object({ ...id, kind: z.literal('action'), decision }),
  z.object({ ...id, kind: z.literal('effect'), effect }),
  /** One model call. The payload `request` has the messages since the session's previous call. */
  z.object({
    ...id,
    kind: z.literal('ask'),
    request: ref,
    role: z.string(),
    purpose: z.string(),
    turn: z.number(),
    /** Ids of the person's words that this call brings into its conversation. */
    words: z.array(z.string()).optional(),
    /** The most that it costs: it counts where no line tells how the call ended. Absent in older journals. */
    most: spent.optional(),
  }),
  /** A tool call that acts on the world and cannot be probed. */
  z.object({ ...id, kind: z.literal('call'), tool: z.string() }),
  /** A run alone of what the machine may have turned red. */
  z.object({ ...id, kind: z.literal('look'), why: z.string() }),
  z.object({ ...id, kind: z.literal('resume') }),
]);
export type Step = z.infer<typeof step>;

export const sizes = z.partialRecord(tankKind, z.number());
export type Sizes = z.infer<typeof sizes>;

const stamp = { n: z.number(), owner: z.number(), at: z.number() };
export const event = z.discriminatedUnion('type', [
  z.object({
    ...stamp,
    type: z.literal('run.opened'),
    kind: z.enum(['sprint', 'pipeline']),
    /** Name of the sprint, or of the pipeline's session. */
    sprint: z.string(),
    /** What a pipeline runs; a sprint has none. */
    pipeline: plan.optional(),
    /** Nothing in it comes from a model: a trial with made-up decisions. */
    mock: z.literal(true).optional(),
    config,
    sizes,
    /** VISION.md, PRD.md and, where they exist, ARCHITECTURE.md and services.yaml, as they were read. */
    inputs: z.array(z.object({ name: z.string(), ref })),
    base: z.object({ commit: z.string(), branch: z.string().nullable() }),
    /** The sprint's own branch. */
    branch: z.string(),
    /** The version of the rules by which it decides (`rules.ts`); absent in older journals. */
    rules: z.int().optional(),
    /** Folder of its worktree, where the person can look themselves; absent in older journals. */
    worktree: z.string().optional(),
  }),
  z.object({
    ...stamp,
    type: z.literal('step.begun'),
    step,
    /** Empty only where a model call is tried again. */
    burns: z.array(tank),
  }),
  z.object({
    ...stamp,
    type: z.literal('step.ended'),
    id: stepId,
    outcome: z.enum(['done', 'failed', 'refused', 'interrupted']),
    result: ref.optional(),
    /** A screenshot in the result, base64 PNG. */
    picture: ref.optional(),
    /** Exit status of the command that a tool call ran; absent if it was killed or there was none. */
    exit: z.number().optional(),
    /** Why it did not end as `done`. */
    why: z.string().optional(),
    /** Result of an effect, to be read again after a crash. */
    value: z.string().optional(),
    facts: z.array(fact),
  }),
  z.object({ ...stamp, type: z.literal('person.said'), facts: z.array(fact) }),
]);
export type Event = z.infer<typeof event>;
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;
/** An event before the journal adds its number, owner and time. */
export type Draft = Event extends infer E ? (E extends Event ? Omit<E, 'n' | 'owner' | 'at'> : never) : never;
export type Ended = EventOf<'step.ended'>;
