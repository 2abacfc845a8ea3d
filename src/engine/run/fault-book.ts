/**
 * How scripts ended with faults in the work: proof and strength go by the same trials, so a script meets a fault once on the same
 * work in the same world, whichever row asks.
 */
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import type { FaultEnd, FaultTrial, Script } from '../work/verification.ts';

export type Fault = Pick<FaultTrial, 'path' | 'line' | 'operator' | 'was' | 'now'>;

export class FaultBook {
  private readonly added: FaultEnd[] = [];
  private readonly known: FaultEnd[];

  constructor(
    { work, ledger }: State,
    private readonly now = { code: work.tree.code, world: ledger.world },
  ) {
    this.known = ledger.faults.filter(({ code, world }) => code === now.code && world === now.world);
  }

  /** Undefined where nobody tried it, or the machine kept it from a result. */
  endWith({ lineage, script }: Script, fault: Fault): FaultEnd['end'] | undefined {
    const isSame = (one: FaultEnd): boolean => one.lineage === lineage && one.script === script && keyOf(one) === keyOf(fault);
    return [...this.known, ...this.added].findLast(isSame)?.end;
  }

  add({ lineage, script }: Script, { path, line, operator, was, now }: Fault, end: FaultEnd['end']): void {
    this.added.push({ lineage, script, ...this.now, path, line, operator, was, now, end });
  }

  /** What was added, in an order of its own, because runs end in any order (I3). */
  facts(): Fact[] {
    const whole = (one: FaultEnd): string => `${one.lineage}:${keyOf(one)}`;
    const sorted = this.added.toSorted((a, b) => (whole(a) < whole(b) ? -1 : 1));
    return sorted.map((tried) => ({ fact: 'fault.tried', tried }));
  }
}

/** Equal for the same fault; sorts by place. Faults in a call of several lines begin with the same line, so the operator tells them apart. */
export function keyOf({ path, line, operator, was, now }: Fault): string {
  return `${path}:${String(line).padStart(6, '0')}:${now}:${was}:${operator}`;
}
