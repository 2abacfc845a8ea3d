/**
 * What the work needs that only a person can supply, in a form that a machine can check (spec/2 change 10). Discovery
 * declares it; nobody guesses it.
 */
import { z } from 'zod';
import { variableName } from '../ground/config.ts';

const version = z.string().regex(/^\d+(\.\d+){0,3}$/, 'give a version like 20 or 3.11');

const conditions = [
  z.strictObject({ kind: z.literal('variable'), name: variableName }),
  z.strictObject({
    kind: z.literal('port'),
    port: z.int().min(1).max(65_535),
    /** Something of the person must listen there, or nothing may. */
    state: z.enum(['listening', 'free']),
  }),
  z.strictObject({
    kind: z.literal('tool'),
    name: z.string().regex(/^\w[\w.+-]{0,60}$/, 'give the name of a command'),
    /** The least that will do. */
    version: version.optional(),
  }),
  z.strictObject({ kind: z.literal('disk'), megabytes: z.int().positive().max(10_000_000) }),
] as const;

/** What a person may be asked for besides files, which have a place of their own. */
export const condition = z.discriminatedUnion('kind', conditions);

export const need = z.discriminatedUnion('kind', [
  /** Repository-relative. */
  z.strictObject({ kind: z.literal('file'), path: z.string().min(1) }),
  ...conditions,
]);
export type Need = z.infer<typeof need>;

export const declaredNeed = z.object({
  what: need,
  why: z.string(),
  /** Requirements that cannot be met without it: their tasks wait. None: nothing does. */
  requirements: z.array(z.string()),
});
export type DeclaredNeed = z.infer<typeof declaredNeed>;

export const needFacts = [
  /** What is missing and nothing waits for, in words for the report. */
  z.object({ fact: z.literal('needs.noted'), notes: z.array(z.string()) }),
  /** Names, never values, and leave for Docker, given when the sprint was taken up again. By a person, never by a file (I6). */
  z.object({ fact: z.literal('access.granted'), environment: z.array(variableName), docker: z.boolean() }),
] as const;

/** What a machine says of one need. */
export type MachineAnswer =
  | { kind: 'variable'; is: 'given' | 'not set' | 'not named' }
  /** In the sprint's worktree. */
  | { kind: 'file'; there: boolean }
  /** Without the whole network, commands have a loopback of their own. */
  | { kind: 'port'; listening: boolean; reachable: boolean }
  /** Null where there is none; empty where it does not say its version. */
  | { kind: 'tool'; version: string | null }
  /** Free for the worktree, in MB. */
  | { kind: 'disk'; megabytes: number };
