/** The person: there or not, helpful, forgetful of what they promised, or in no mood to help. */
import type { HumanAction, Person } from '../../../src/engine/ports.ts';
import type { SimulatedRepo } from './repo.ts';

export const moods = ['helpful', 'late', 'skipping', 'absent'] as const;
export type Mood = (typeof moods)[number];

export class SimulatedPerson implements Person {
  /** Answers that were given, by action: the only consent there is to dropping a task. */
  readonly answers: { id: string; answer: 'done' | 'skip' }[] = [];
  private promises = 0;

  constructor(
    public mood: Mood,
    private readonly repo: SimulatedRepo,
    /** What they have, by the path where it is wanted. */
    private readonly has: Readonly<Record<string, string>>,
  ) {}

  get available(): boolean {
    return this.mood !== 'absent';
  }

  waitFor({ id, paths }: HumanAction): Promise<'done' | 'skip'> {
    const answer = this.mood === 'skipping' ? 'skip' : 'done';
    this.promises += 1;
    // Who is late says that it is done, and does it some promises later.
    if (answer === 'done' && (this.mood === 'helpful' || this.promises > 2)) this.supply(paths);
    this.answers.push({ id, answer });
    return Promise.resolve(answer);
  }

  notYet(): void {
    this.promises += 1;
  }

  /** Puts files into their own checkout; also without being asked. */
  supply(paths: readonly string[]): void {
    for (const path of paths) if (this.has[path] !== undefined) this.repo.personal[path] = this.has[path];
  }
}
