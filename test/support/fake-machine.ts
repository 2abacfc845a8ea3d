/** The machine's port in memory. */
import type { Machine } from '../../src/engine/ports.ts';
import type { MachineAnswer, Need } from '../../src/engine/work/needs.ts';

/** Has exactly what a test puts in; everything else is missing. */
export class FakeMachine implements Machine {
  readonly looked: Need[] = [];
  readonly variables = new Map<string, 'given' | 'not named'>();
  readonly files = new Set<string>();
  readonly listening = new Set<number>();
  readonly tools = new Map<string, string>();
  reachable = true;
  megabytes = 0;

  look(needs: readonly Need[]): Promise<MachineAnswer[]> {
    this.looked.push(...needs);
    return Promise.resolve(needs.map((need) => this.answer(need)));
  }

  private answer(need: Need): MachineAnswer {
    const { kind } = need;
    if (kind === 'variable') return { kind, is: this.variables.get(need.name) ?? 'not set' };
    if (kind === 'file') return { kind, there: this.files.has(need.path) };
    if (kind === 'port') return { kind, listening: this.listening.has(need.port), reachable: this.reachable };
    if (kind === 'tool') return { kind, version: this.tools.get(need.name) ?? null };
    return { kind, megabytes: this.megabytes };
  }
}
