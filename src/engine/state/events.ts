/**
 * The record (design §4). Four events; everything else is a fact inside one. A journal line is one transaction (I1):
 * what it names has happened, and what is not in a line has not.
 */
import { z } from 'zod';
import { config } from '../ground/config.ts';
import { fact } from '../work/facts.ts';
import { ref } from '../work/ref.ts';

export type { Ref } from '../work/ref.ts';

export const actionIds = [
  'settle', 'inputs', 'discovery', 'plan', 'prepare', 'characterise', 'service-fix', 'strategy', 'course-correct', 'generate-checks', 'run-checks', 'triage', 'fix', 'research', 'plan-health', 'vrc', 'critical-eval', 'execute', 'prove', 'final', 'wait', 'close',
] as const; // prettier-ignore
export type ActionId = (typeof actionIds)[number];

/** `sprint`, or `<row>/<what>`; sizes are in `fuel.ts`. */
const tank = z.string();
export type Tank = z.infer<typeof tank>;

const stepId = z.string();
export type StepId = z.infer<typeof stepId>;

const decision = z.object({
  action: z.enum(actionIds),
  target: z.string(),
  why: z.string(),
  burns: z.array(tank),
  /** What was due behind it, in the table's order. */
  behind: z.array(z.string()),
});
export type Decision = z.infer<typeof decision>;

const effect = z.object({
  /** What it does: `worktree`, `commit`, `undo`, `install`, `inputs`, `rate-limit` … */
  name: z.string(),
  /** By which the world is probed after a crash; unique within its action. */
  key: z.string(),
  detail: z.string(),
});
export type Effect = z.infer<typeof effect>;

const id = { id: stepId };
const step = z.discriminatedUnion('kind', [
  z.object({ ...id, kind: z.literal('action'), decision }),
  z.object({ ...id, kind: z.literal('effect'), effect }),
  /** One model call; `messages` are those added since the session's previous call. */
  z.object({ ...id, kind: z.literal('ask'), request: ref, role: z.string(), purpose: z.string(), turn: z.number() }),
  /** A tool call that acts on the world and cannot be probed. */
  z.object({ ...id, kind: z.literal('call'), tool: z.string() }),
  z.object({ ...id, kind: z.literal('resume') }),
]);
export type Step = z.infer<typeof step>;

export const sizes = z.record(z.string(), z.number());
export type Sizes = z.infer<typeof sizes>;

const stamp = { n: z.number(), owner: z.number(), at: z.number() };
export const event = z.discriminatedUnion('type', [
  z.object({
    ...stamp,
    type: z.literal('run.opened'),
    kind: z.literal('sprint'),
    sprint: z.string(),
    config,
    sizes,
    /** VISION.md, PRD.md and, where there is one, ARCHITECTURE.md, as they were read. */
    inputs: z.array(z.object({ name: z.string(), ref })),
    base: z.object({ commit: z.string(), branch: z.string().nullable() }),
    /** The sprint's own branch. */
    branch: z.string(),
  }),
  z.object({ ...stamp, type: z.literal('step.begun'), step, burns: z.array(tank).min(1) }),
  z.object({
    ...stamp,
    type: z.literal('step.ended'),
    id: stepId,
    outcome: z.enum(['done', 'failed', 'refused', 'interrupted']),
    result: ref.optional(),
    /** A picture that is part of the result, base64 PNG; most have none. */
    picture: ref.optional(),
    /** Exit status of the command that a tool call ran; none where it was killed or ran none. */
    exit: z.number().optional(),
    why: z.string().optional(),
    facts: z.array(fact),
  }),
  z.object({ ...stamp, type: z.literal('person.said'), facts: z.array(fact) }),
]);
export type Event = z.infer<typeof event>;
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;
/** An event before the journal stamped it. */
export type Draft = Event extends infer E ? (E extends Event ? Omit<E, 'n' | 'owner' | 'at'> : never) : never;
export type Ended = EventOf<'step.ended'>;
