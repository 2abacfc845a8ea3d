/** The one writer of the journal (I1): it stamps an event, makes it durable, and only then changes the state. */
import { Interruption } from './ground/errors.ts';
import { firstOf } from './first-of.ts';
import type { Draft, Event } from './state/events.ts';
import { advance } from './core/fold.ts';
import { redact } from './ground/redact.ts';
import { pieceOf } from './ground/text.ts';
import type { AbortSignal, Ports, Runner } from './ports.ts';
import { isClosing } from './state/rows.ts';
import type { State } from './state/state.ts';
import type { Fact } from './work/facts.ts';
import type { Job } from './work/job.ts';
import { trafficFactsOf, type Asked } from './work/traffic.ts';

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

/**
 * `append` throws an Interruption once the signal is aborted: after the person stopped the sprint nothing is written but the cost of a
 * model call, which is paid. It also throws one for the next action or model call where the person asked for a pause.
 */
export function createKernel({ state, ports, signal, owner, onEvent }: KernelOptions): Kernel {
  const watched = watchTraffic(ports.runner, state);
  let tail: Promise<void> = Promise.resolve();
  const waiting = new Set<() => void>();
  async function write(draft: Draft): Promise<void> {
    if (signal.aborted && !isOnlySpent(draft)) throw new Interruption('cancelled', 'The sprint was stopped.');
    if (isNext(draft)) stopForPause(state);
    const told = draft.type === 'step.ended' ? { ...draft, facts: [...draft.facts, ...watched.take()] } : draft;
    const event: Event = { n: state.n + 1, owner, at: ports.clock.now(), ...told };
    await ports.journal.append(event);
    advance(state, event);
    onEvent(event, state);
    for (const wake of waiting) wake();
  }
  return {
    state,
    ports: { ...ports, runner: watched.runner },
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

/** Whether this begins what a pause keeps from beginning: a decision, but for the one that closes, or a turn of a session. */
function isNext(draft: Draft): boolean {
  if (draft.type !== 'step.begun') return false;
  return draft.step.kind === 'ask' || (draft.step.kind === 'action' && !isClosing(draft.step.decision.action));
}

/** The end of a model call. */
function isOnlySpent(draft: Draft): boolean {
  return draft.type === 'step.ended' && draft.facts.length > 0 && draft.facts.every(({ fact }) => fact === 'model.spent');
}

/** @throws Interruption when the person asked for a pause. */
export function stopForPause({ ledger }: State): void {
  if (ledger.pauseAsked) throw new Interruption('paused', 'The sprint is paused, as you asked.');
}

/** Notes which hosts runs ask for. The facts go into the next line that ends a step, as a rule that of the run itself. */
function watchTraffic(runner: Runner, state: State): { runner: Runner; take(): Fact[] } {
  const asked: Asked[] = [];
  const askerOf = ({ run }: Job): Asked['asker'] => {
    const { action, target } = state.open?.decision ?? { action: 'sprint', target: '' };
    const command = 'command' in run ? (run.command.split('\n')[0] ?? '') : run.name;
    return { by: `${action} ${target}`.trim(), command: pieceOf(redact(command), 0, 200) };
  };
  return {
    runner: {
      async run(job, signal) {
        const done = await runner.run(job, signal);
        if (done.traffic) asked.push({ traffic: done.traffic, asker: askerOf(job) });
        return done;
      },
    },
    take: () => trafficFactsOf(state.ledger.network, asked.splice(0)),
  };
}
