/** Random draws from a seed. Each stream has a name, so a change of one parameter leaves the draws of the others as they are. */
import { seeded } from '../support/random.ts';

export class Random {
  private readonly next: () => number;
  constructor(readonly seed: number) {
    this.next = seeded(seed);
  }

  /** Another stream of the same seed. Drawing from it does not change this one. */
  fork(name: string): Random {
    let mixed = (this.seed ^ 0x9e3779b9) >>> 0;
    for (let i = 0; i < name.length; i += 1) mixed = Math.imul(mixed ^ name.charCodeAt(i), 0x01000193) >>> 0;
    return new Random(mixed);
  }

  /** A number from 0 to 1, without 1. */
  real(): number {
    return this.next();
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** An integer; both ends are included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** @throws when the list is empty */
  pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.next() * from.length)];
    if (picked === undefined) throw new Error('nothing to draw from');
    return picked;
  }

  /** One of the names, with a probability in proportion to its weight. */
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
