/**
 * One running sprint, seen from the worker: its view and its log, throttled, its open record, and the stop.
 */
import type { Desk } from '../../engine/person/desk.ts';
import type { Event } from '../../engine/state/events.ts';
import type { AbortSignal as Signal, Person } from '../../engine/ports.ts';
import type { Progress } from '../../engine/ground/progress.ts';
import type { State } from '../../engine/state/state.ts';
import { createStop } from '../../host/stop.ts';
import { sprintView } from '../../views/model/sprint-view.ts';
import { AgentLines, linesOf } from './log-lines.ts';
import type { FromWorker, LogLine } from '../protocol.ts';

const throttleMs = 100;
/** Lines kept for one message; the rest of a burst is dropped, and said to be. */
const burstLimit = 200;

export class RunningSprint {
  readonly person: Person;
  private readonly stopper = createStop();
  private readonly agents = new AgentLines();
  /** The open record: where what the person says while the sprint runs goes. */
  desk: Desk | undefined;
  private latest: State | undefined;
  private changed = false;
  private lines: LogLine[] = [];
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly sprintDir: string,
    private readonly post: (message: FromWorker) => void,
  ) {
    // Who is asked sees it in the view; what they answer goes to the desk.
    this.person = { available: true, ask: (_asked, _tasks, signal) => this.untilAborted(signal) };
  }

  get signal(): AbortSignal {
    return this.stopper.signal;
  }

  /** The state as it is now; undefined before the first event. */
  get state(): State | undefined {
    return this.latest;
  }

  stop(): void {
    this.stopper.abort();
  }

  onEvent(event: Event, state: State): void {
    this.latest = state;
    this.changed = true;
    this.say([...this.agents.flush(), ...linesOf(event)]);
  }

  onProgress(item: Progress): void {
    this.say(this.agents.add(item));
  }

  /** Sends what is held back. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { sprintDir } = this;
    if (this.changed && this.latest) this.post({ type: 'view', sprintDir, view: sprintView(this.latest, Date.now()) });
    this.changed = false;
    if (this.dropped > 0) this.lines.push({ level: 'warn', text: `${this.dropped} lines were left out here` });
    if (this.lines.length > 0) this.post({ type: 'log', lines: this.lines });
    this.lines = [];
    this.dropped = 0;
  }

  private say(lines: LogLine[]): void {
    const room = Math.max(0, burstLimit - this.lines.length);
    this.lines.push(...lines.slice(0, room));
    this.dropped += Math.max(0, lines.length - room);
    this.timer ??= setTimeout(() => this.flush(), throttleMs);
  }

  private untilAborted(signal: Signal): Promise<void> {
    this.flush();
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener('abort', resolve, { once: true });
    });
  }
}
