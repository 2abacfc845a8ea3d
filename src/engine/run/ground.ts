import type { AbortSignal, Ports, Repo } from '../ports.ts';
import type { State } from '../state/state.ts';

/** What running needs of the world. The context of an action has it; so has a person's own run, which keeps no record. */
export interface Ground {
  readonly state: State;
  readonly ports: Pick<Ports, 'payloads' | 'runner' | 'clock' | 'progress'> & { readonly repo: Pick<Repo, 'scratch' | 'fingerprint'> };
  readonly signal: AbortSignal;
}
