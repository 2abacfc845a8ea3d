/** Draws from a seed. Each stream has a name, so that a scenario with one thing changed draws the rest as before. */
import { seeded } from '../support/random.ts';

export class Random {
  private readonly next: () => number;
  constructor(readonly seed: number) {
    this.next = seeded(seed);
  }

  /** Another stream of the same seed; drawing from it leaves this one as it is. */
  fork(name: string): Random {
    let mixed = (this.seed ^ 0x9e3779b9) >>> 0;
    for (let i = 0; i < name.length; i += 1) mixed = Math.imul(mixed ^ name.charCodeAt(i), 0x01000193) >>> 0;
    return new Random(mixed);
  }

  /** 0 to 1, without 1. */
  real(): number {
    return this.next();
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Whole, both ends included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** @throws when there is nothing to draw from. */
  pick<T>(from: readonly T[]): T {
    const found = from[Math.floor(this.next() * from.length)];
    if (found === undefined) throw new Error('nothing to draw from');
    return found;
  }

  /** One of the names, each as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const all = Object.entries(weights) as [K, number][];
    let at = this.next() * all.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of all) if ((at -= weight) < 0) return name;
    return this.pick(all.map(([name]) => name));
  }

  shuffled<T>(all: readonly T[]): T[] {
    const left = [...all];
    return all.map(() => left.splice(this.whole(0, left.length - 1), 1)[0] as T);
  }
}
