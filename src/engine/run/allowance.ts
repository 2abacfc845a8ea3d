/** Time for several batches together. What the machine took from their runs does not count. */
import type { Clock } from '../ports.ts';
import type { Finished } from '../work/job.ts';

export class Allowance {
  readonly seconds: number;
  private readonly clock: Clock;
  private end: number;

  constructor(clock: Clock, seconds: number) {
    this.clock = clock;
    this.seconds = seconds;
    this.end = clock.now() + seconds * 1000;
  }

  get isOver(): boolean {
    return this.clock.now() >= this.end;
  }

  /** @param parallel how many run at the same time: each may give back its share. */
  giveBack({ duration, given = duration }: Pick<Finished, 'duration' | 'given'>, parallel: number): void {
    this.end += Math.max(duration - given, 0) / parallel;
  }
}
