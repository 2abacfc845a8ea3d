import type { AbortSignal, Ports, Repo } from '../ports.ts';
import type { Tank } from '../state/events.ts';
import type { State } from '../state/state.ts';

/** What running verifications needs. An action's context has it; so has a run by hand, which is not journaled. */
export interface Ground {
  readonly state: State;
  readonly ports: Pick<Ports, 'payloads' | 'runner' | 'clock' | 'progress'> & { readonly repo: Pick<Repo, 'scratch'> };
  readonly signal: AbortSignal;
  /** Journals that a look begins, which burns a unit of its tank. @returns false where none is left. Left out by hand, where nothing is journaled. */
  beginLook?(tank: Tank, why: string): Promise<boolean>;
}
