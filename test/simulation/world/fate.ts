/**
 * What can happen to the process: it is killed before or after any effect or during an append, it is stopped, or the disk fills
 * up. A killed process does nothing any more, not even clean up: its promises never settle.
 */
import { Interruption } from '../../../src/engine/ground/errors.ts';
import type { Random } from '../random.ts';

/** How a process ends. */
export interface Fault {
  /** The number of effects until then. */
  after: number;
  how: 'killed' | 'full-disk' | 'aborted';
}

export class Fate {
  /** The number of processes that ended. */
  lives = 0;
  /** Resolves when this process is killed. */
  death: Promise<'died'>;
  abort = new AbortController();
  private dead = false;
  private full = false;
  private effects = 0;
  private die: () => void = () => undefined;

  constructor(
    private readonly faults: readonly Fault[],
    private readonly random: Random,
  ) {
    this.death = this.untilKilled();
  }

  /** Starts a new process on what the old one left. */
  revive(): void {
    this.lives += 1;
    this.effects = 0;
    this.dead = false;
    this.full = false;
    this.abort = new AbortController();
    this.death = this.untilKilled();
  }

  /** Ends everything that a stopped process still has running. */
  async settle(): Promise<void> {
    this.dead = true;
    await new Promise((resolve) => void setImmediate(resolve));
  }

  /** Never resolves in a dead process. */
  wake(): Promise<void> {
    return this.dead ? never() : Promise.resolve();
  }

  /** Runs an effect on the world, unless the process dies before it; it may die after it too. */
  async effect<T>(run: () => T, kind: 'disk' | 'world' = 'world'): Promise<T> {
    if (this.dead) return never();
    this.effects += 1;
    const fault = this.faults[this.lives];
    const isDue = fault !== undefined && this.effects >= fault.after;
    if (isDue && fault.how === 'full-disk') this.full = true;
    if (isDue && fault.how === 'aborted') this.abort.abort();
    if (this.full && kind === 'disk') throw new Interruption('failed-write', 'The disk is full.');
    if (!isDue || fault.how !== 'killed') return run();
    const isDone = this.random.chance(0.5);
    if (isDone) run();
    this.kill();
    return never();
  }

  /** Runs an append: an effect that may also be written in part. */
  async append(write: () => void, tear: () => void): Promise<void> {
    return this.effect(() => {
      const fault = this.faults[this.lives];
      if (fault?.how === 'killed' && this.effects >= fault.after && this.random.chance(0.3)) tear();
      else write();
    }, 'disk');
  }

  private kill(): void {
    this.dead = true;
    this.die();
  }

  private untilKilled(): Promise<'died'> {
    return new Promise((resolve) => void (this.die = () => resolve('died')));
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
