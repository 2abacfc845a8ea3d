/** The person: there or not, helpful, forgetful of what they promised, silent, or in no mood to help. */
import { InputError, Interruption } from '../../../src/engine/ground/errors.ts';
import { answerHumanAction, type Answer, type Desk } from '../../../src/engine/person/desk.ts';
import type { AbortSignal, Person } from '../../../src/engine/ports.ts';
import type { HumanAction } from '../../../src/engine/work/human-action.ts';
import type { Need } from '../../../src/engine/work/needs.ts';
import type { Random } from '../random.ts';
import type { SimulatedClock } from './clock.ts';
import type { SimulatedMachine } from './machine.ts';
import type { SimulatedRepo } from './repo.ts';

export const moods = ['helpful', 'late', 'silent', 'skipping', 'absent'] as const;
export type Mood = (typeof moods)[number];

/** What they have, by the path where it is wanted, and what they say when they are asked. */
export interface Knowledge {
  files: Readonly<Record<string, string>>;
  words: string;
}

interface World {
  repo: SimulatedRepo;
  machine: SimulatedMachine;
  clock: SimulatedClock;
  random: Random;
}

/** Milliseconds that a silent person takes until they did something, and until they find the time to decline the rest. */
const soon = 10_000;
const inTheEnd = 60_000;

export class SimulatedPerson implements Person {
  /** Answers that were given, by action: the only consent there is to dropping a task. */
  readonly answers: { id: string; answer: 'done' | 'skip'; said?: string }[] = [];
  /** The record of the sprint, while a process has it open. */
  desk: Desk | undefined;
  private promises = 0;

  constructor(
    public mood: Mood,
    private readonly world: World,
    private readonly knows: Knowledge,
  ) {}

  get available(): boolean {
    return this.mood !== 'absent';
  }

  async ask(asked: HumanAction, _tasks: readonly string[], signal: AbortSignal): Promise<void> {
    if (this.mood === 'silent') await this.inSilence(asked, signal);
    while (!(await this.say(asked, this.answerTo(asked)))) if (signal.aborted) return;
  }

  /** Now and then they read what was asked at once, and say their word while other work goes on. */
  reads(asked: HumanAction): void {
    if (this.mood === 'absent' || this.mood === 'silent' || !this.world.random.chance(0.3)) return;
    this.say(asked, this.answerTo(asked)).catch((error: unknown) => {
      if (!(error instanceof Interruption)) throw error;
    });
  }

  /** Puts files into their own checkout; also without being asked. */
  supply(paths: readonly string[]): void {
    for (const path of paths) if (this.knows.files[path] !== undefined) this.world.repo.personal[path] = this.knows.files[path];
  }

  /** Who could not be asked read what is missing, and did it meanwhile. */
  comeBack({ needs }: { needs: readonly Need[] }): void {
    this.supply(Object.keys(this.knows.files));
    this.world.machine.started.add('api');
    for (const need of needs) this.world.machine.meet(need);
  }

  /** @returns whether it needs no further word: it is written down, or was settled meanwhile. */
  private async say({ id }: HumanAction, answer: Answer): Promise<boolean> {
    const { desk } = this;
    if (!desk) throw new Interruption('cancelled', 'nothing is open');
    this.answers.push({ id, ...(typeof answer === 'object' ? { answer: 'done', said: answer.said } : { answer }) });
    try {
      await answerHumanAction(desk, id, answer);
      return true;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.answers.pop();
      return desk.state.ledger.humanActions[id]?.status !== 'open';
    }
  }

  private answerTo(asked: HumanAction): Answer {
    if (this.mood === 'skipping' || this.mood === 'silent' || this.promises > 30) return 'skip';
    this.promises += 1;
    // Who is late says that it is done, and does it some promises later.
    const does = this.mood === 'helpful' || this.promises > 2;
    if (does) this.perform(asked);
    return asked.kind !== 'deed' && does ? { said: this.knows.words } : 'done';
  }

  /** Does it without a word, so that only the engine's own look tells. @throws Interruption when they were not waited for. */
  private async inSilence(asked: HumanAction, signal: AbortSignal): Promise<void> {
    await this.after(soon, signal);
    this.perform(asked);
    await this.after(inTheEnd, signal);
  }

  private async after(ms: number, signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    if (!signal.aborted) await Promise.race([this.world.clock.until(ms), aborted]);
    if (signal.aborted) throw new Interruption('cancelled', 'not waited for any more');
  }

  private perform(asked: HumanAction): void {
    if (asked.kind !== 'deed') return;
    this.supply(asked.paths);
    const service = /^service (.*)$/.exec(asked.id)?.[1];
    if (service) this.world.machine.started.add(service);
    for (const need of asked.needs) this.world.machine.meet(need);
  }
}
