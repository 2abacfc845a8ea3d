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
  private readonly byFault = new Map<string, FaultEnd[]>();
  private readonly byScript = new Map<string, FaultEnd[]>();

  constructor(
    { work, ledger }: State,
    private readonly now = { code: work.tree.code, world: ledger.world },
  ) {
    for (const one of ledger.faults) if (one.code === now.code && one.world === now.world) this.write(one);
  }

  /** Undefined where nobody knows: it was not tried, or the machine kept it from a result. */
  endWith(script: Script, fault: Fault): FaultEnd['end'] | undefined {
    const ends = this.byFault.get(faultKey(fault)) ?? [];
    const own = ends.findLast(({ lineage, script: text }) => lineage === script.lineage && text === script.script);
    return own?.end ?? (this.isUnbuilt(script, ends) ? 'unbuilt' : undefined);
  }

  /** What a compiler refused for two scripts, it refuses for each other one that is known to have the same file compiled. */
  private isUnbuilt(script: Script, ends: readonly FaultEnd[]): boolean {
    const refused = ends.filter(({ end }) => end === 'unbuilt');
    return refused.length >= 2 && this.endsOf(script).some(({ end, path }) => end === 'unbuilt' && path === refused[0]?.path);
  }

  /** First those that saw another fault in this line, then those that saw one in this file; of these first the ones that are soon done. */
  likeliest(all: readonly Script[], fault: Fault, durationOf: (one: Script) => number): Script[] {
    const ranked = all.map((one) => ({ one, saw: this.sawBeside(one, fault), duration: durationOf(one) }));
    return ranked.toSorted((a, b) => b.saw - a.saw || a.duration - b.duration).map(({ one }) => one);
  }

  /** 2 where it saw a fault in the same line, 1 in the same file, else 0. */
  private sawBeside(script: Script, { path, line }: Fault): 0 | 1 | 2 {
    const seen = this.endsOf(script).filter((one) => one.path === path && one.end === 'red');
    if (seen.some((one) => one.line === line)) return 2;
    return seen.length > 0 ? 1 : 0;
  }

  add({ lineage, script }: Script, { path, line, operator, was, now }: Fault, end: FaultEnd['end']): void {
    const one: FaultEnd = { lineage, script, ...this.now, path, line, operator, was, now, end };
    this.added.push(one);
    this.write(one);
  }

  /** What was added since the last call, in an order of its own, because runs end in any order (I3). */
  facts(): Fact[] {
    const whole = (one: FaultEnd): string => `${one.lineage}:${faultKey(one)}`;
    const sorted = this.added.toSorted((a, b) => (whole(a) < whole(b) ? -1 : 1));
    this.added = [];
    return sorted.map((tried) => ({ fact: 'fault.tried', tried }));
  }

  private endsOf(script: Script): readonly FaultEnd[] {
    return this.byScript.get(scriptKey(script)) ?? [];
  }

  private write(one: FaultEnd): void {
    push(this.byFault, faultKey(one), one);
    push(this.byScript, scriptKey(one), one);
  }
}

function scriptKey({ lineage, script }: Pick<FaultEnd, 'lineage' | 'script'>): string {
  return `${script}@${lineage}`;
}

function push<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}
