/** The person: there or not, helpful, forgetful of what they promised, silent, or in no mood to help. */
import { Interruption } from '../../../src/engine/ground/errors.ts';
import type { AbortSignal, HumanAction, Person, PersonAnswer } from '../../../src/engine/ports.ts';
import { condition, type Need } from '../../../src/engine/work/needs.ts';
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

/** Milliseconds that a silent person takes until they did something, and until they find the time to decline the rest. */
const soon = 10_000;
const inTheEnd = 60_000;

export class SimulatedPerson implements Person {
  /** Answers that were given, by action: the only consent there is to dropping a task. */
  readonly answers: { id: string; answer: 'done' | 'skip'; said?: string }[] = [];
  private promises = 0;

  constructor(
    public mood: Mood,
    private readonly world: { repo: SimulatedRepo; machine: SimulatedMachine; clock: SimulatedClock },
    private readonly knows: Knowledge,
  ) {}

  get available(): boolean {
    return this.mood !== 'absent';
  }

  async waitFor(action: HumanAction, signal: AbortSignal): Promise<PersonAnswer> {
    const answer = this.mood === 'silent' ? await this.inSilence(action, signal) : this.answerTo(action);
    if (signal.aborted) throw new Interruption('cancelled', 'the person stopped it');
    const said = typeof answer === 'object' ? { answer: 'done' as const, said: answer.said } : { answer };
    this.answers.push({ id: action.id, ...said });
    return answer;
  }

  notYet(): void {
    this.promises += 1;
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

  private answerTo(action: HumanAction): PersonAnswer {
    if (this.mood === 'skipping') return 'skip';
    this.promises += 1;
    // Who is late says that it is done, and does it some promises later.
    const does = this.mood === 'helpful' || this.promises > 2;
    if (does) this.perform(action);
    return action.lineages && does ? { said: this.knows.words } : 'done';
  }

  /** Does it without a word, so that only the engine's own look tells. @throws Interruption when they were not waited for. */
  private async inSilence(action: HumanAction, signal: AbortSignal): Promise<PersonAnswer> {
    await this.after(soon, signal);
    this.perform(action);
    await this.after(inTheEnd, signal);
    return 'skip';
  }

  private async after(ms: number, signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    if (!signal.aborted) await Promise.race([this.world.clock.until(ms), aborted]);
    if (signal.aborted) throw new Interruption('cancelled', 'not waited for any more');
  }

  private perform({ id, paths, ...action }: HumanAction): void {
    this.supply(paths);
    if (id.startsWith('service ')) this.world.machine.started.add(id.slice('service '.length));
    for (const need of needsOf(action)) this.world.machine.meet(need);
  }
}

/** The engine shows a person the whole action. */
function needsOf(action: object): Need[] {
  const { needs = [] } = action as { needs?: unknown[] };
  return needs.map((need) => condition.parse(need));
}
