/** An amendment: what discovery declared wrongly or not at all, declared anew by course correction or QC. */
import * as z from 'zod';
import { sprintContext, type SprintContext } from './discovered.ts';

const amendment = z.object({
  /** What is declared anew or in addition; suites and services go by their names. */
  declared: sprintContext.pick({ install: true, suites: true, services: true, needs: true }).partial(),
  why: z.string(),
  by: z.enum(['course correction', 'QC']),
});
export type Amendment = z.infer<typeof amendment>;

export const amendmentFacts = [
  amendment.extend({ fact: z.literal('context.amended') }),
  /** QC looked at a declaration that a fixer calls wrong, and answers that it is right. */
  z.object({ fact: z.literal('declaration.upheld'), lineage: z.string(), why: z.string() }),
] as const;

/** With whether the worktree was prepared since. */
export interface AmendmentRecord extends Amendment {
  prepared: boolean;
}

/** Nothing is taken away: a suite or service keeps its declaration until another one with its name is given. */
export function amended(context: SprintContext, { declared }: Amendment): SprintContext {
  const { install, suites = [], services = [], needs = [] } = declared;
  return {
    ...context,
    ...(install === undefined ? {} : { install }),
    suites: byName(context.suites, suites),
    services: byName(context.services, services),
    needs: [...context.needs.filter(({ what }) => !needs.some((one) => isSame(one.what, what))), ...needs],
  };
}

function byName<T extends { name: string }>(known: readonly T[], changed: readonly T[]): T[] {
  return [...new Map([...known, ...changed].map((one) => [one.name, one])).values()];
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
