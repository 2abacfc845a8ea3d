import type { AbortSignal, Ports, Repo } from '../ports.ts';
import type { Tank } from '../state/events.ts';
import type { State } from '../state/state.ts';

/** What running verifications needs. An action's context has it; so has a run by hand, which is not journaled. */
export interface Ground {
  readonly state: State;
  readonly ports: Pick<Ports, 'payloads' | 'runner' | 'clock' | 'progress'> & { readonly repo: Pick<Repo, 'scratch'> };
  readonly signal: AbortSignal;
  /** Burns a unit of a tank, on disk first. @returns false where none is left. Left out by hand, where nothing is journaled. */
  burn?(tank: Tank, why: string): Promise<boolean>;
}
