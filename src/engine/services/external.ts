import type { Service } from '../work/service.ts';

/** Runs outside of the sandbox, started by the person or with their permission. */
export function isExternal({ start }: Service): boolean {
  return 'compose' in start;
}
