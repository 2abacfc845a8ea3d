/** One running sprint or pipeline in the worker: sends its view and log, throttled, and holds its desk and its stop signal. */
import type { Desk } from '../../engine/person/desk.ts';
import type { Event } from '../../engine/state/events.ts';
import type { AbortSignal as Signal, Person } from '../../engine/ports.ts';
import { Bug } from '../../engine/ground/errors.ts';
import type { Progress } from '../../engine/ground/progress.ts';
import type { State } from '../../engine/state/state.ts';
import { createStop } from '../../host/stop.ts';
import { activityView, afterEvent, afterProgress, idle } from '../../views/model/activity.ts';
import { pipelineView } from '../../views/model/pipeline-view.ts';
import { sprintView } from '../../views/model/sprint-view.ts';
import { AgentLines, linesOf } from './log-lines.ts';
import type { FromWorker, LogLine } from '../protocol.ts';

const throttleMs = 100;
/** How often what is done now is told while nothing else happens: its seconds go on. */
const tickMs = 1000;
/** Most lines in one message; the rest of a burst is dropped and counted. */
const burstLimit = 200;

export class RunningSprint {
  readonly person: Person;
  private readonly stopper = createStop();
  private readonly agents = new AgentLines();
  private atDesk: Desk | undefined;
  private begun: () => void = () => undefined;
  private readonly opening = new Promise<void>((resolve) => (this.begun = resolve));
  private latest: State | undefined;
  private changed = false;
  private lines: LogLine[] = [];
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private activity = idle(Date.now());
  /** When the action began of which the person was told last. */
  private told = 0;
  private readonly ticks = setInterval(() => this.tellActivity(), tickMs).unref();

  constructor(
    readonly sprintDir: string,
    private readonly post: (message: FromWorker) => void,
    private readonly messageOf: (sprintDir: string, state: State) => FromWorker = sprintMessage,
  ) {
    // The view shows the question, and the answer goes to the desk, so this only waits.
    this.person = { available: true, ask: (_asked, _tasks, signal) => this.untilAborted(signal) };
  }

  get signal(): AbortSignal {
    return this.stopper.signal;
  }

  /** The latest state; undefined before the first event. */
  get state(): State | undefined {
    return this.latest;
  }

  /** What is done now, in words. */
  get doing(): string[] {
    return activityView(this.activity, Date.now()).lines.map(({ words }) => words);
  }

  stop(): void {
    this.stopper.abort();
  }

  /** @param desk journals what the person says while the sprint runs. */
  open(desk: Desk): void {
    this.atDesk = desk;
    this.begun();
  }

  /** Undefined where it ended before it was open. Who answers a question of before may be faster than the sprint. */
  async desk(): Promise<Desk | undefined> {
    await this.opening;
    return this.atDesk;
  }

  onEvent(event: Event, state: State): void {
    this.latest = state;
    this.changed = true;
    this.activity = afterEvent(this.activity, event);
    this.addLines([...this.agents.flush(), ...linesOf(event)]);
  }

  onProgress(item: Progress): void {
    this.activity = afterProgress(this.activity, item, Date.now());
    this.addLines(this.agents.add(item));
  }

  /** Sends the rest; nothing is sent afterwards. */
  close(): void {
    clearInterval(this.ticks);
    this.begun();
    this.flush();
  }

  private tellActivity(): void {
    this.told = this.activity.since;
    if (this.latest) this.post({ type: 'activity', sprintDir: this.sprintDir, activity: activityView(this.activity, Date.now()) });
  }

  /** Sends at once what the throttle holds back. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { sprintDir } = this;
    if (this.changed && this.latest) {
      this.post(this.messageOf(sprintDir, this.latest));
      // Or the view of a new action would show what the one before did last.
      if (this.told !== this.activity.since) this.tellActivity();
    }
    this.changed = false;
    if (this.dropped > 0) this.lines.push({ level: 'warn', text: `${this.dropped} lines were left out here` });
    if (this.lines.length > 0) this.post({ type: 'log', lines: this.lines });
    this.lines = [];
    this.dropped = 0;
  }

  private addLines(lines: LogLine[]): void {
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

export function sprintMessage(sprintDir: string, state: State): FromWorker {
  return { type: 'view', sprintDir, view: sprintView(state, Date.now()) };
}

export function pipelineMessage(sprintDir: string, state: State): FromWorker {
  const view = pipelineView(state);
  if (!view) throw new Bug(`${sprintDir} is no session of a pipeline`);
  return { type: 'pipeline', sprintDir, view };
}
