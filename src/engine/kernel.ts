/** The one writer of the journal (I1): it stamps an event, makes it durable, and only then changes the state. */
import { Interruption } from './ground/errors.ts';
import { firstOf } from './first-of.ts';
import type { Draft, Event } from './state/events.ts';
import { advance } from './core/fold.ts';
import type { AbortSignal, Ports } from './ports.ts';
import type { State } from './state/state.ts';

export interface Kernel {
  readonly state: State;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  append(draft: Draft): Promise<void>;
  /** Resolves after `ms` milliseconds, or earlier when another line is written. @throws Interruption when the signal aborts. */
  untilAppended(ms: number, signal: AbortSignal): Promise<void>;
}

export interface KernelOptions {
  state: State;
  ports: Ports;
  signal: AbortSignal;
  /** Fencing number of the process that holds the lock. */
  owner: number;
  /** Called after each line that is on disk; must not throw. */
  onEvent: (event: Event, state: State) => void;
}

/** `append` throws an Interruption once the signal is aborted: nothing is written after the person stopped the sprint. */
export function createKernel({ state, ports, signal, owner, onEvent }: KernelOptions): Kernel {
  let tail: Promise<void> = Promise.resolve();
  const waiting = new Set<() => void>();
  async function write(draft: Draft): Promise<void> {
    if (signal.aborted) throw new Interruption('cancelled', 'The sprint was stopped.');
    const event: Event = { n: state.n + 1, owner, at: ports.clock.now(), ...draft };
    await ports.journal.append(event);
    advance(state, event);
    onEvent(event, state);
    for (const wake of waiting) wake();
  }
  return {
    state,
    ports,
    signal,
    append(draft) {
      tail = tail.then(() => write(draft));
      return tail;
    },
    untilAppended: (ms, until) =>
      firstOf(until, [
        (stop) => ports.clock.sleep(ms, stop),
        (stop) =>
          new Promise<void>((resolve) => {
            const wake = (): void => {
              waiting.delete(wake);
              resolve();
            };
            waiting.add(wake);
            stop.addEventListener('abort', wake, { once: true });
          }),
      ]),
  };
}
