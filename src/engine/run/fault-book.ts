/**
 * How scripts ended with faults in the work: proof and strength go by the same trials, so a script meets a fault once on the same
 * work in the same world, whichever row asks.
 */
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { faultKey, type Fault, type FaultEnd, type Script } from '../work/verification.ts';

export class FaultBook {
  /** When its facts were last taken, in milliseconds. */
  keptAt = 0;
  private added: FaultEnd[] = [];
  private readonly known: FaultEnd[];

  constructor(
    { work, ledger }: State,
    private readonly now = { code: work.tree.code, world: ledger.world },
  ) {
    this.known = ledger.faults.filter(({ code, world }) => code === now.code && world === now.world);
  }

  /** Undefined where nobody tried it, or the machine kept it from a result. */
  endWith({ lineage, script }: Script, fault: Fault): FaultEnd['end'] | undefined {
    const isSame = (one: FaultEnd): boolean => one.lineage === lineage && one.script === script && faultKey(one) === faultKey(fault);
    return [...this.known, ...this.added].findLast(isSame)?.end;
  }

  /** First those that saw another fault in this line, then those that saw one in this file; of these first the ones that are soon done. */
  likeliest(all: readonly Script[], fault: Fault, durationOf: (one: Script) => number): Script[] {
    const ranked = all.map((one) => ({ one, saw: this.sawBeside(one, fault), duration: durationOf(one) }));
    return ranked.toSorted((a, b) => b.saw - a.saw || a.duration - b.duration).map(({ one }) => one);
  }

  /** 2 where it saw a fault in the same line, 1 in the same file, else 0. */
  private sawBeside({ lineage, script }: Script, { path, line }: Fault): 0 | 1 | 2 {
    const seen = [...this.known, ...this.added].filter(
      (one) => one.lineage === lineage && one.script === script && one.path === path && one.end === 'red',
    );
    if (seen.some((one) => one.line === line)) return 2;
    return seen.length > 0 ? 1 : 0;
  }

  add({ lineage, script }: Script, { path, line, operator, was, now }: Fault, end: FaultEnd['end']): void {
    this.added.push({ lineage, script, ...this.now, path, line, operator, was, now, end });
  }

  /** What was added since the last call, in an order of its own, because runs end in any order (I3). */
  facts(): Fact[] {
    const whole = (one: FaultEnd): string => `${one.lineage}:${faultKey(one)}`;
    const sorted = this.added.toSorted((a, b) => (whole(a) < whole(b) ? -1 : 1));
    this.known.push(...sorted);
    this.added = [];
    return sorted.map((tried) => ({ fact: 'fault.tried', tried }));
  }
}
