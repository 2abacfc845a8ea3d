/**
 * The sprint's tree. Its *code number* rises with each settled change. A change is open until `settle` keeps it as a commit
 * or undoes it exactly (I10).
 */
import * as z from 'zod';
import { ref } from './ref.ts';
import { taskReport } from './task.ts';

/** One file that differs from another commit. */
export const changedFile = z.object({ path: z.string(), kind: z.enum(['added', 'modified', 'deleted']) });
export type ChangedFile = z.infer<typeof changedFile>;

/** A changed file that decides how tests run, or what they run on. */
export const notable = changedFile.extend({ what: z.enum(['configuration of a runner', 'CI', 'lock file', 'code of a dependency']) });
export type Notable = z.infer<typeof notable>;

/** Who made a change: the builder of a task (in a pipeline `<node>#<iteration>`), or the fixer of a lineage and of others that fail for the same cause. */
export const author = z.union([
  z.object({ kind: z.literal('task'), task: z.string() }),
  z.object({ kind: z.literal('fix'), lineage: z.string(), verification: z.string(), also: z.array(z.string()) }),
]);
export type Author = z.infer<typeof author>;

/** `T2`, or `fix of cli/total`. */
export function authorWords(by: Author): string {
  return by.kind === 'task' ? by.task : `fix of ${by.verification}`;
}

/** Lineages that a fix was made for; none for a task. */
export function lineagesOf(by: Author): string[] {
  return by.kind === 'fix' ? [by.lineage, ...by.also] : [];
}

/** An open change: the engine's own record of what differs from the last commit. */
export const change = z.object({
  /** Number of the change, also the key of its `settle` tank. */
  n: z.number(),
  author,
  /** Step of the session that made it; also the commit's `Loop-Step`. */
  step: z.string(),
  files: z.array(changedFile),
  /** Absent where there is none. */
  notable: z.array(notable).optional(),
  patch: ref,
  /** Git's tree with it; absent where the patch holds each byte. */
  tree: z.string().optional(),
});
export type Change = z.infer<typeof change>;

export const settled = z.object({
  code: z.number(),
  commit: z.string(),
  author,
  step: z.string(),
  files: z.array(changedFile),
  notable: z.array(notable).optional(),
  patch: ref,
});
export type Settled = z.infer<typeof settled>;

export const treeFacts = [
  z.object({ fact: z.literal('tree.changed'), change }),
  z.object({ fact: z.literal('tree.settled'), settled }),
  /** `report`: of the task, for where the change is put back. */
  z.object({ fact: z.literal('tree.undone'), change, why: z.string(), broke: z.array(z.string()), report: taskReport.optional() }),
  /** New files that look secret were removed before a change was taken. */
  z.object({ fact: z.literal('secrets.left-out'), paths: z.array(z.string()), author }),
] as const;

export interface TreeState {
  /** Rises with each settled change; 0 is the base commit. */
  readonly code: number;
  readonly change: Change | null;
  readonly commits: readonly Settled[];
}

/** What a branch changes: its texts by both sides, and the paths of what is no text. */
export interface BranchSides {
  files: FileSides[];
  others: string[];
}

/** A changed file with the hashes of its two texts; null where the file does not exist. */
export interface FileSides {
  path: string;
  before: string | null;
  after: string | null;
}
