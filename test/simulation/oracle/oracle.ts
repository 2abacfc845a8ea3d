/**
 * What must hold of every sprint at every decision, whatever models, world and crashes do. It sees each line when it is on disk,
 * and the engine's state when an action has ended; it folds the lines a second time beside it.
 */
import { fold, advance, opened as openedState } from '../../../src/engine/core/fold.ts';
import type { Event, EventOf, Tank } from '../../../src/engine/state/events.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact, FactOf } from '../../../src/engine/work/facts.ts';
import { requirementsOf } from '../../../src/engine/work/verification.ts';
import type { Task, Tasks } from '../../../src/engine/work/task.ts';
import type { Author } from '../../../src/engine/work/tree.ts';
import type { Answer } from '../models/turn.ts';
import { changesOf } from '../world/patch.ts';
import type { SimulatedPerson } from '../world/person.ts';
import type { SimulatedRepo } from '../world/repo.ts';
import { Books } from './books.ts';
import { difference } from './equal.ts';

export const guarantees = [
  'bound',
  'limits',
  'fold',
  'undo',
  'one line a transaction',
  'money',
  'claims',
  'lineage',
  'verdicts',
  'consent',
  'audit',
  'false delivery',
  'stuck',
  'broken',
] as const;
export type Guarantee = (typeof guarantees)[number];

export interface Violation {
  guarantee: Guarantee;
  detail: string;
  /** Number of the journal's line. */
  n: number;
}

/** Mutants that QC may offer for a lineage, ever (docs/termination.md). */
const mostOffered = 3;

/** Tanks that there is one of for each lineage. */
const byLineage = new Set<string>(['lineage', 'reserve', 'research', 'rewrite']);

export interface Seen {
  repo: SimulatedRepo;
  person: SimulatedPerson;
  dearest: { tokens: number; usd: number };
  patchOf(ref: string): string | undefined;
}

export class Oracle {
  readonly violations: Violation[] = [];
  readonly events: Event[] = [];
  readonly books: Books;
  private readonly twin: State;
  private readonly lineages = new Map<string, string>();
  /** How often something that is bounded for a lineage was done for it: `<what> <lineage>`. */
  private readonly uses = new Map<string, number>();
  /** Lineages of which something was found out, by research or the person. */
  private readonly briefed = new Set<string>();
  /** Answers by the purpose and turn of the request, and what an ask's step is for. */
  private readonly answers = new Map<string, Answer>();
  private readonly purposes = new Map<string, string>();
  /** The last run of a verification that counts for a tree that is kept. */
  private readonly ran = new Map<string, { script: string; code: number; isFine: boolean }>();
  /** Scripts that were seen to fail, in a run or a proof. */
  private readonly failed = new Set<string>();
  /** Tasks by the one that they replace. */
  private readonly heirs = new Map<string, readonly string[]>();
  private told = 0;
  /** Texts that the person adopted. */
  private readonly adopts = new Set<string>();
  /** The fuel was out in the middle of an action: only closing is due, and what lies in the tree is nobody's. */
  private gaveUp = false;
  /** What an author had before them. */
  private before: { files: Readonly<Record<string, string>>; work: State['work'] } | undefined;

  constructor(
    first: EventOf<'run.opened'>,
    private readonly seen: Seen,
  ) {
    this.books = new Books(first, (what, detail) => this.wrong(what as Guarantee, detail));
    this.twin = openedState(first);
    this.events.push(first);
  }

  /** The state that the lines on disk give. */
  get twinState(): State {
    return this.twin;
  }

  wrong(guarantee: Guarantee, detail: string): void {
    if (this.violations.length < 20) this.violations.push({ guarantee, detail, n: this.events.length });
  }

  /** A model gave this answer to the request of this purpose and turn. */
  answered(key: string, answer: Answer): void {
    this.answers.set(key, answer);
  }

  onDisk(event: Event): void {
    if (event.n !== this.events.length + 1) this.wrong('one line a transaction', `line ${event.n} follows ${this.events.length}`);
    this.events.push(event);
    this.books.enter(event);
    if (event.type === 'step.begun') this.begun(event);
    advance(this.twin, event);
    if (event.type === 'step.ended' && event.outcome === 'interrupted' && this.twin.open === null) this.gaveUp = true;
    if (event.type === 'step.ended' || event.type === 'person.said') for (const fact of event.facts) this.fact(fact, event);
  }

  /** An action ended: memory, disk, books and tree say the same. */
  atRest(state: State): void {
    const { books, seen } = this;
    const { ledger, work } = state;
    this.same('fold', 'memory and journal differ', difference(state, this.twin));
    this.same('limits', 'burned', difference(ledger.burned, books.burned));
    this.same('limits', 'sizes', difference(ledger.sizes, books.sizes));
    this.same('claims', 'milestones', difference([...ledger.milestones].sort(), [...books.milestones].sort()));
    if (books.minted > (books.sizes['mint'] ?? 0)) this.wrong('limits', `${books.minted} tasks were added to a plan of ${books.tasks}`);
    for (const task of Object.values(work.tasks)) {
      if (task.status === 'done' && !books.settledTasks.has(task.id)) this.wrong('claims', `${task.id} is done and was never settled`);
      if (task.status === 'descoped' && !this.heirs.has(task.id) && !this.skipped(state, task))
        this.wrong('consent', `${task.id} was dropped without consent`);
    }
    this.money();
    if (this.gaveUp) return;
    const { patch } = changesOf(seen.repo.committed, seen.repo.worktree.files);
    const expected = work.tree.change ? seen.patchOf(work.tree.change.patch) : '';
    if (patch !== expected) this.wrong('undo', `the tree holds what is not recorded:\n${patch.slice(0, 300)}`);
  }

  /** The journal as a new process reads it gives the state that was left. */
  reread(events: readonly Event[], state: State): void {
    this.same('fold', 'a new process reads another state', difference(fold(events), state));
  }

  private same(guarantee: Guarantee, what: string, where: string | undefined): void {
    if (where !== undefined) this.wrong(guarantee, `${what}: ${where}`);
  }

  private skipped(state: State, { id, prdSection }: Task): boolean {
    const { answers } = this.seen.person;
    return Object.values(state.ledger.humanActions).some(
      (p) =>
        (p.task === id || prdSection.some((prd) => p.requirements.includes(prd))) &&
        answers.some((a) => a.id === p.id && a.answer === 'skip'),
    );
  }

  private money(): void {
    const { spent, budget } = this.books;
    const { dearest } = this.seen;
    if (dearest.usd === 0) return;
    if (spent.usd > budget.usd + dearest.usd || spent.tokens > budget.tokens + dearest.tokens)
      this.wrong('money', `spent $${spent.usd.toFixed(3)} and ${spent.tokens} tokens of $${budget.usd} and ${budget.tokens}`);
  }

  private begun({ step }: EventOf<'step.begun'>): void {
    if (step.kind === 'ask') this.purposes.set(step.id, `${step.purpose}/${step.turn}`);
    if (step.kind !== 'action') return;
    const { action, burns } = step.decision;
    if (action === 'execute' || action === 'fix' || action === 'service-fix')
      this.before = { files: this.seen.repo.committed, work: this.twin.work };
    if (action === 'final') this.allCurrent();
    this.count(burns);
  }

  /** What is bounded for a lineage is bounded over its renames: once for each root, whoever else burns the same. */
  private count(burns: readonly Tank[]): void {
    const named = burns.filter(({ kind }) => byLineage.has(kind));
    const used = new Map(named.map(({ kind, key }) => [`${kind} ${this.rootOf(key)}`, kind]));
    for (const [use, kind] of used) this.use(use, this.books.sizes[kind] ?? 0);
    for (const use of used.keys())
      if (use.startsWith('reserve ') && !this.briefed.has(use.slice('reserve '.length)))
        this.wrong('limits', `${use} opens, and nothing was found out`);
  }

  private use(what: string, most: number): void {
    const times = (this.uses.get(what) ?? 0) + 1;
    this.uses.set(what, times);
    if (times > most) this.wrong('lineage', `${what}: ${times} times, of ${most}`);
  }

  /** What is judged in the end was looked at as it is: each verification, as it is written now, on this very code. */
  private allCurrent(): void {
    const { verifications, retired } = this.twin.work;
    for (const { id, script, kind } of Object.values(verifications)) {
      const last = this.ran.get(id);
      if (kind === 'criterion' || retired.includes(id)) continue;
      if (last?.script !== script || last.code !== this.books.code || !last.isFine)
        this.wrong('claims', `the final row begins, and ${id} is not green on code ${this.books.code}`);
    }
  }

  private fact(fact: Fact, event: Event): void {
    switch (fact.fact) {
      case 'verification.written':
        return this.writes(fact.verification.id, event);
      case 'edit.answered':
        if (fact.answer === 'adopt') this.adopts.add(fact.text);
        return;
      case 'verification.adopted':
        if (event.type !== 'person.said' || !this.adopts.has(fact.verification.script))
          this.wrong('consent', `nobody adopted ${fact.verification.id}`);
        return;
      case 'verification.ran': {
        const { exit, timedOut, verdict, verification, script, code, where } = fact.run;
        if (where !== 'revert' && code !== null) this.ran.set(verification, { script, code, isFine: exit === 0 || verdict === 'flaky' });
        if (verdict === 'red') this.failed.add(script);
        if ((verdict === 'green') !== (exit === 0 && !timedOut))
          this.wrong('verdicts', `${fact.run.verification} is ${verdict} with exit ${exit}`);
        return;
      }
      case 'tree.undone':
        return this.undone(fact.change.author);
      case 'task.descoped':
        return this.replaced(fact);
      case 'task.shown':
        return this.shown(fact.id);
      case 'research.reported':
        return this.learn(fact.brief.lineages);
      case 'mutant.offered':
        return this.use(`mutant ${this.rootOf(fact.mutant.lineage)}`, mostOffered);
      case 'human-action.answered': {
        const given = this.seen.person.answers
          .slice(this.told)
          .findIndex((a) => a.id === fact.id && a.answer === fact.answer && a.said === fact.said);
        const asked = this.twin.ledger.humanActions[fact.id];
        if (fact.said !== undefined && asked?.kind === 'hint') this.learn(asked.lineages);
        if (event.type !== 'person.said' || given < 0) this.wrong('consent', `nobody answered ${fact.id} with ${fact.answer}`);
        this.told += given + 1;
        return;
      }
      default:
        return;
    }
  }

  private learn(lineages: readonly string[]): void {
    for (const lineage of lineages) this.briefed.add(this.rootOf(lineage));
  }

  /** Nothing was done for it: what it serves is green on this code, by verifications that can fail. */
  private shown(id: string): void {
    const { verifications, retired, tasks } = this.twin.work;
    const fine = Object.values(verifications).filter((c) => {
      const last = this.ran.get(c.id);
      return (
        !retired.includes(c.id) && last?.script === c.script && last.code === this.books.code && last.isFine && this.failed.has(c.script)
      );
    });
    const lacking = tasks[id]?.prdSection.filter((prd) => !fine.some((c) => requirementsOf(c).includes(prd))) ?? [];
    if (lacking.length > 0 || tasks[id]?.prdSection.length === 0)
      this.wrong('claims', `${id} is done without a change, and nothing shows ${lacking.join(', ')}`);
  }

  /** Only a person drops a task; what takes its place serves all that it served. */
  private replaced({ id, replacedBy = [] }: FactOf<'task.descoped'>): void {
    const { tasks } = this.twin.work;
    const heirs = replacedBy.flatMap((heir) => (heir === id || tasks[heir]?.status === 'descoped' ? [] : (tasks[heir] ?? [])));
    const lost = tasks[id]?.prdSection.filter((prd) => !heirs.some((heir) => heir.prdSection.includes(prd))) ?? [];
    if (replacedBy.length === 0 || lost.length > 0) this.wrong('consent', `${id} was replaced, and nothing serves ${lost.join(', ')}`);
    else this.heirs.set(id, replacedBy);
  }

  /** What a check is called does not matter: it is what it replaces. */
  private writes(id: string, event: Event): void {
    const [, ask = '', call = ''] = event.type === 'step.ended' ? (/^(.*)\/c(\d+)$/.exec(event.id) ?? []) : [];
    const [, input] = this.answers.get(this.purposes.get(ask) ?? '')?.[Number(call) - 1] ?? [];
    const { replaces } = (input ?? {}) as { replaces?: unknown };
    if (typeof replaces === 'string' && !this.lineages.has(id)) this.lineages.set(id, this.rootOf(replaces));
    if (!this.lineages.has(id)) this.lineages.set(id, id);
  }

  private rootOf(id: string): string {
    return this.lineages.get(id) ?? id;
  }

  private undone(author: Author): void {
    const { before, seen, twin } = this;
    if (!before) return;
    this.same('undo', 'the tree after an undo', difference(seen.repo.worktree.files, before.files));
    this.same(
      'undo',
      'the work after an undo',
      difference(twin.work, { ...before.work, causes: null, tasks: this.returned(before.work.tasks, author) }),
    );
  }

  /** Of a task that is to be done again, what is new is why. */
  private returned(tasks: Tasks, author: Author): Tasks {
    const known = author.kind === 'task' ? tasks[author.task] : undefined;
    if (!known) return tasks;
    const setback = this.twin.work.tasks[known.id]?.setback;
    return { ...tasks, [known.id]: { ...known, ...(setback === undefined ? {} : { setback }) } };
  }
}
