/**
 * What can befall the process: it dies before or after any effect, in the middle of an append, or the disk fills up. A dead
 * process does nothing any more, not even clean up: its promises never settle.
 */
import { Interruption } from '../../../src/engine/ground/errors.ts';
import type { Random } from '../random.ts';

/** What happens at the end of a life, and after how many effects. */
export interface Blow {
  after: number;
  how: 'killed' | 'full-disk' | 'aborted';
}

export class Fate {
  /** Lives that ended. */
  lives = 0;
  /** Resolves when this life ends by being killed. */
  death: Promise<'died'>;
  abort = new AbortController();
  private dead = false;
  private full = false;
  private effects = 0;
  private die: () => void = () => undefined;

  constructor(
    private readonly blows: readonly Blow[],
    private readonly random: Random,
  ) {
    this.death = this.mortal();
  }

  /** A new process on what the old one left. */
  revive(): void {
    this.lives += 1;
    this.effects = 0;
    this.dead = false;
    this.full = false;
    this.abort = new AbortController();
    this.death = this.mortal();
  }

  /** Whatever a process that stopped still had running comes to nothing. */
  async settle(): Promise<void> {
    this.dead = true;
    await new Promise((resolve) => void setImmediate(resolve));
  }

  /** A dead process wakes no more. */
  wake(): Promise<void> {
    return this.dead ? never() : Promise.resolve();
  }

  /** An effect on the world that outlives the process. */
  async effect<T>(run: () => T, kind: 'disk' | 'world' = 'world'): Promise<T> {
    if (this.dead) return never();
    this.effects += 1;
    const blow = this.blows[this.lives];
    const struck = blow !== undefined && this.effects >= blow.after;
    if (struck && blow.how === 'full-disk') this.full = true;
    if (struck && blow.how === 'aborted') this.abort.abort();
    if (this.full && kind === 'disk') throw new Interruption('failed-write', 'The disk is full.');
    if (!struck || blow.how !== 'killed') return run();
    const happened = this.random.chance(0.5);
    if (happened) run();
    this.kill();
    return never();
  }

  /** An append: as an effect, and it may get onto the disk in part. */
  async append(write: () => void, tear: () => void): Promise<void> {
    return this.effect(() => {
      const blow = this.blows[this.lives];
      if (blow?.how === 'killed' && this.effects >= blow.after && this.random.chance(0.3)) tear();
      else write();
    }, 'disk');
  }

  private kill(): void {
    this.dead = true;
    this.die();
  }

  private mortal(): Promise<'died'> {
    return new Promise((resolve) => void (this.die = () => resolve('died')));
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
