/** The person's machine: which declared needs it meets, and when. It has no Docker; a service that the person starts stays up. */
import type { AbortSignal, Docker, Machine } from '../../../src/engine/ports.ts';
import type { MachineAnswer, Need } from '../../../src/engine/work/needs.ts';
import type { Fate } from './fate.ts';

export class SimulatedMachine implements Machine, Docker {
  /** Services that the person started, and tools that they installed. */
  readonly started = new Set<string>();
  /** Needs that are met, and from which process on: a process does not see a variable that is set after its start. */
  private readonly met = new Map<string, number>();

  constructor(
    private readonly fate: Fate,
    private readonly isFileThere: (path: string) => boolean,
  ) {}

  /** The person meets a need. After setting a variable they stop and resume the sprint, as the instructions say. */
  meet(need: Need): void {
    const key = JSON.stringify(need);
    if (this.met.has(key)) return;
    this.met.set(key, need.kind === 'variable' ? this.fate.lives + 1 : 0);
    if (need.kind === 'variable') this.fate.abort.abort();
  }

  look(needs: readonly Need[], _signal: AbortSignal): Promise<MachineAnswer[]> {
    return Promise.resolve(needs.map((need) => this.answer(need)));
  }

  running(): Promise<{ names: string[]; problem: string }> {
    return Promise.resolve({ names: [], problem: 'there is no docker here' });
  }

  up(): Promise<string> {
    return Promise.resolve('there is no docker here');
  }

  stop(): Promise<string | undefined> {
    return Promise.resolve(undefined);
  }

  private answer(need: Need): MachineAnswer {
    const isMet = (this.met.get(JSON.stringify(need)) ?? Infinity) <= this.fate.lives;
    switch (need.kind) {
      case 'variable':
        return { kind: 'variable', is: isMet ? 'given' : 'not set' };
      case 'file':
        return { kind: 'file', there: this.isFileThere(need.path) };
      case 'port':
        return { kind: 'port', listening: isMet === (need.state === 'listening'), reachable: true };
      case 'tool':
        return { kind: 'tool', version: isMet ? (need.version ?? '') : null };
      case 'disk':
        return { kind: 'disk', megabytes: isMet ? need.megabytes : 0 };
    }
  }
}
