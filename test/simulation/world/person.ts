/** The person: helpful, late with what they promised, silent, unwilling, or absent. */
import { InputError, Interruption } from '../../../src/engine/ground/errors.ts';
import { answerHumanAction, type Answer, type Desk } from '../../../src/engine/person/desk.ts';
import { say } from '../../../src/engine/person/say.ts';
import type { AbortSignal, Person } from '../../../src/engine/ports.ts';
import type { Choice, HumanAction } from '../../../src/engine/work/human-action.ts';
import type { Need } from '../../../src/engine/work/needs.ts';
import type { Random } from '../random.ts';
import type { SimulatedClock } from './clock.ts';
import type { SimulatedMachine } from './machine.ts';
import type { SimulatedRepo } from './repo.ts';

export const moods = ['helpful', 'late', 'silent', 'skipping', 'absent'] as const;
export type Mood = (typeof moods)[number];

/** What the person can supply: files by path, and an answer in words. */
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

/** Milliseconds until a silent person acts. */
const actsAfter = 10_000;
/** Milliseconds from then on until a silent person declines the rest. */
const declinesAfter = 60_000;

export class SimulatedPerson implements Person {
  /** The answers that were given: no other consent to dropping a task exists. */
  readonly answers: { id: string; answer: 'done' | 'skip'; said?: string; chosen?: Record<string, string> }[] = [];
  /** The desk of the sprint, while a process has it open. */
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
    if (this.mood === 'silent') await this.actSilently(asked, signal);
    if (asked.kind === 'approval') await this.change();
    while (!(await this.answer(asked, this.answerTo(asked)))) if (signal.aborted) return;
  }

  /** Now and then the person answers at once, while other work goes on. */
  async mayAnswerAtOnce(asked: HumanAction): Promise<void> {
    if (this.mood === 'absent' || this.mood === 'silent' || !this.world.random.chance(0.3)) return;
    await this.answer(asked, this.answerTo(asked));
  }

  /** Puts files into the person's own checkout. */
  supply(paths: readonly string[]): void {
    for (const path of paths) if (this.knows.files[path] !== undefined) this.world.repo.personal[path] = this.knows.files[path];
  }

  /** An absent person returns and has done everything that was missing. */
  comeBack({ needs }: { needs: readonly Need[] }): void {
    this.supply(Object.keys(this.knows.files));
    for (const name of ['api', 'abacus', 'registry']) this.world.machine.started.add(name);
    for (const need of needs) this.world.machine.meet(need);
  }

  /** @returns whether the action is answered, by this answer or meanwhile */
  private async answer({ id }: HumanAction, answer: Answer): Promise<boolean> {
    const { desk } = this;
    if (!desk) throw new Interruption('cancelled', 'nothing is open');
    this.answers.push({ id, ...(typeof answer === 'object' ? { answer: 'done' as const, ...answer } : { answer }) });
    try {
      await answerHumanAction(desk, id, answer);
      return true;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.answers.pop();
      return desk.state.ledger.humanActions[id]?.status !== 'open';
    }
  }

  /** Now and then the first task is to be built last. */
  private async change(): Promise<void> {
    const [first] = Object.keys(this.desk?.state.work.tasks ?? {});
    if (this.desk && first !== undefined && this.world.random.chance(0.5))
      await say(this.desk, { kind: 'change', task: first, change: { title: 'Renamed', before: 'end' } });
  }

  private answerTo(asked: HumanAction): Answer {
    if (asked.kind === 'approval') return 'done';
    if (this.mood === 'skipping' || this.mood === 'silent' || this.promises > 30) return 'skip';
    this.promises += 1;
    // A late person reports an action as done and does it some answers later.
    const isHelping = this.mood === 'helpful' || this.promises > 2;
    if (isHelping) this.perform(asked);
    if (asked.kind === 'choice') return { chosen: this.chosenOf(asked) };
    return asked.kind !== 'deed' && isHelping ? { said: this.knows.words } : 'done';
  }

  /** An option, words of their own, or nothing: then Loop decides. */
  private chosenOf({ points }: Choice): Record<string, string> {
    const { random } = this.world;
    const answers = points.map(({ id, options }) => [id, random.pick([options[0]?.answer ?? '', this.knows.words, 'leave it'])] as const);
    return Object.fromEntries(answers.filter(([, words]) => words !== 'leave it'));
  }

  /** Acts without an answer, so that only the engine's own look finds it. @throws Interruption when the wait ended before */
  private async actSilently(asked: HumanAction, signal: AbortSignal): Promise<void> {
    await this.waitFor(actsAfter, signal);
    this.perform(asked);
    await this.waitFor(declinesAfter, signal);
  }

  private async waitFor(ms: number, signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    if (!signal.aborted) await Promise.race([this.world.clock.until(ms), aborted]);
    if (signal.aborted) throw new Interruption('cancelled', 'not waited for any more');
  }

  private perform(asked: HumanAction): void {
    if (asked.kind !== 'deed') return;
    this.supply(asked.paths);
    const service = /^service (.*)$/.exec(asked.id)?.[1];
    if (service) this.world.machine.started.add(service);
    if (asked.id.startsWith('install ')) this.world.machine.started.add('registry');
    const tool = /^ask (\w+)$/.exec(asked.command)?.[1];
    if (tool) this.world.machine.started.add(tool);
    for (const need of asked.needs) this.world.machine.meet(need);
  }
}
