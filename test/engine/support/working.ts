/** Builds the journal of a working sprint decision by decision, for tests of the metrics and the monitor. */
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { ActionId } from '../../../src/engine/state/rows.ts';
import { Story } from './events.ts';
import * as p from './parts.ts';

export interface Fix {
  of: string;
  signature?: string;
  /** Whether the verification is green after the fix. */
  mends: boolean;
  /** Whether the fix's change is kept. */
  kept?: boolean;
  file?: string;
  tokens?: number;
}

export class Working {
  readonly story: Story;
  /** Called after each decision. */
  onDecision: (state: Story['state']) => void = () => undefined;
  private codes = 0;

  /** @param tasks how many tasks, with one verification each. */
  constructor(tasks: number, budgetTokens = 20_000_000) {
    this.story = new Story({ budgetTokens, budgetUsd: 10_000 })
      .act(
        'inputs',
        { fact: 'requirements.read', requirements: [{ id: '1', title: 'Totals', text: 'Totals', line: 3, lastLine: 3 }] },
        p.gate('inputs'),
      )
      .act('discovery', p.gate('discovery'))
      .act(
        'plan',
        ...Array.from({ length: tasks }, (_, n) => added(n)),
        p.gate('plan'),
        {
          fact: 'fuel.sized',
          sprint: 40 + 15 * tasks,
          mint: 0,
          evaluation: 4,
        },
        p.approved,
      )
      .act('prepare', p.gate('prepare'))
      .act('write-verifications', ...Array.from({ length: tasks }, (_, n) => written(n)));
  }

  get state(): Story['state'] {
    return this.story.state;
  }

  act(action: ActionId, tokens = 0, ...facts: Fact[]): this {
    return this.step(action, '', [...facts, ...spent(tokens)]);
  }

  /** A builder's attempt that is undone. */
  fails(task: string, tokens = 1000): this {
    this.build(task, tokens);
    return this.step('settle', '', [{ fact: 'tree.undone', change: this.change(), why: 'it broke something', broke: [] }]);
  }

  /** A builder's attempt that is kept, and the result of its verification. */
  settles(task: string, verification: string, green: boolean, tokens = 1000): this {
    this.build(task, tokens);
    return this.step('settle', '', [...this.kept(), this.ran(verification, green)]);
  }

  fix({ of, signature = `failure of ${of}`, mends, kept = true, file = `${of}.js`, tokens = 1000 }: Fix): this {
    this.story.begin('fix', of);
    const step = this.state.open?.id ?? '';
    const author = { kind: 'fix' as const, lineage: of, verification: of, also: [] };
    const report = {
      lineage: of,
      verification: of,
      signature,
      fixApplied: 'x',
      filesChanged: [file],
      reasoning: 'y',
      also: [],
      answer: { kind: 'fixed' as const },
    };
    const change = p.change({ n: this.state.ledger.changes + 1, author, step, files: [{ path: file, kind: 'modified' }] });
    this.end([{ fact: 'fix.reported', step, report }, { fact: 'tree.changed', change }, ...spent(tokens)]);
    if (!kept) return this.step('settle', '', [{ fact: 'tree.undone', change, why: 'it broke something', broke: [] }]);
    return this.step('settle', '', [...this.kept(), this.ran(of, mends, signature)]);
  }

  private build(task: string, tokens: number): void {
    this.story.begin('execute', task, [`execute/${task}`]);
    const change = p.change({
      n: this.state.ledger.changes + 1,
      author: { kind: 'task', task },
      step: this.state.open?.id ?? '',
      files: [{ path: `${task}.js`, kind: 'added' }],
    });
    this.end([{ fact: 'task.reported', id: task, report: p.report }, { fact: 'tree.changed', change }, ...spent(tokens)]);
  }

  private step(action: ActionId, target: string, facts: Fact[]): this {
    this.story.begin(action, target);
    return this.end(facts);
  }

  private end(facts: Fact[]): this {
    this.story.end(...facts);
    this.onDecision(this.state);
    return this;
  }

  private change() {
    return this.state.work.tree.change ?? p.change();
  }

  private kept(): Fact[] {
    const { author, step, files } = this.change();
    this.codes += 1;
    return [{ fact: 'tree.settled', settled: p.settled({ code: this.codes, author, step, files }) }];
  }

  private ran(verification: string, green: boolean, signature = `failure of ${verification}`): Fact {
    const n = (this.state.ledger.runs[verification]?.length ?? 0) + 1;
    const verdict = green ? 'green' : 'red';
    return {
      fact: 'verification.ran',
      run: p.run({ verification, lineage: verification, n, code: this.codes, verdict, signature: green ? '' : signature }),
    };
  }
}

export const taskOf = (n: number): string => `T${n}`;
export const verificationOf = (n: number): string => `value/c${n}`;

function added(n: number): Fact {
  return { fact: 'task.added', task: p.task({ id: taskOf(n), description: `Build part ${n}` }) };
}

function written(n: number): Fact {
  return { fact: 'verification.written', verification: p.verification({ id: verificationOf(n), lineage: verificationOf(n) }) };
}

function spent(tokens: number): Fact[] {
  if (tokens === 0) return [];
  const usage = { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 };
  return [{ fact: 'model.spent', role: 'builder', model: 'm', usage, usd: 0 }];
}
