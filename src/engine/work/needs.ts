/**
 * What the work needs and only a person can supply, in a form that the engine can look up. Discovery declares the needs; the
 * engine never guesses one.
 */
import * as z from 'zod';
import { allowedHost, variableName } from '../ground/config.ts';

const version = z.string().regex(/^\d+(\.\d+){0,3}$/, 'give a version like 20 or 3.11');

const conditions = [
  z.strictObject({ kind: z.literal('variable'), name: variableName }),
  z.strictObject({
    kind: z.literal('port'),
    port: z.int().min(1).max(65_535),
    /** Something of the person's must listen there, or nothing may. */
    state: z.enum(['listening', 'free']),
  }),
  z.strictObject({
    kind: z.literal('tool'),
    name: z.string().regex(/^\w[\w.+-]{0,60}$/, 'give the name of a command'),
    /** Minimum version. */
    version: version.optional(),
  }),
  z.strictObject({ kind: z.literal('disk'), megabytes: z.int().positive().max(10_000_000) }),
] as const;

/** What a person may be asked for besides files, which are the `paths` of a deed. */
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
  /** Requirements that cannot be met without it; their tasks wait. */
  requirements: z.array(z.string()),
});
export type DeclaredNeed = z.infer<typeof declaredNeed>;

export const needFacts = [
  /** Missing needs that no task waits for, in words for the report. */
  z.object({ fact: z.literal('needs.noted'), notes: z.array(z.string()) }),
  /** Names of variables, never values, permission for Docker, and hosts, given on resume. Only by the person, never by a file (I6). */
  z.object({
    fact: z.literal('access.granted'),
    environment: z.array(variableName),
    docker: z.boolean(),
    allowedHosts: z.array(allowedHost).optional(),
  }),
] as const;

/** What the machine offers for one need. */
export type MachineAnswer =
  | { kind: 'variable'; is: 'given' | 'not set' | 'not named' }
  /** In the sprint's worktree. */
  | { kind: 'file'; there: boolean }
  /** `reachable`: by commands, which have their own loopback unless the network is `all`. */
  | { kind: 'port'; listening: boolean; reachable: boolean }
  /** Null if there is none; empty if its version is unknown. */
  | { kind: 'tool'; version: string | null }
  /** Free for the worktree, in MB. */
  | { kind: 'disk'; megabytes: number };
