/**
 * The guarantees that every sprint must keep at every decision, whatever models, world and crashes do. The oracle gets each line
 * when it is on disk, folds the lines itself, and compares that with the engine's state after each action.
 */
import { fold, advance, opened as openedState } from '../../../src/engine/core/fold.ts';
import type { Event, EventOf, Tank } from '../../../src/engine/state/events.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact, FactOf } from '../../../src/engine/work/facts.ts';
import type { ServiceProbe } from '../../../src/engine/work/service.ts';
import { liveVerifications } from '../../../src/engine/state/covers.ts';
import { isPersons, requirementsOf, type Run, type Verification } from '../../../src/engine/work/verification.ts';
import type { Task, Tasks } from '../../../src/engine/work/task.ts';
import type { Author } from '../../../src/engine/work/tree.ts';
import type { SimulatedModel } from '../models/model.ts';
import type { Answer } from '../models/turn.ts';
import { changesOf } from '../world/patch.ts';
import type { SimulatedPerson } from '../world/person.ts';
import type { SimulatedRepo } from '../world/repo.ts';
import type { SimulatedRunner } from '../world/runner.ts';
import { Books } from './books.ts';
import { difference } from './equal.ts';
import { untrueOfFault, untrueOfMeasure, untrueOfProof, untrueOfRun } from './evidence.ts';

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
  'innocence',
  'stale',
  'consent',
  'audit',
  'false delivery',
  'stuck',
  'broken',
] as const;
export type Guarantee = (typeof guarantees)[number];

/** What the machine may do to a run. */
const machineStops = new Set<string>(['signal', 'slow', 'disk']);

export interface Violation {
  guarantee: Guarantee;
  detail: string;
  /** The number of the journal line. */
  n: number;
}

/** What sums of dollars may differ by, since they are made in another order. */
const smallestSum = 1e-6;

/** The most mutants that QC may offer for a lineage (docs/termination-tanks.md). */
const mostOffered = 3;

/** The kinds with one tank for each lineage. */
const byLineage = new Set<string>(['lineage', 'reserve', 'research', 'rewrite', 'environment']);

export interface World {
  repo: SimulatedRepo;
  person: SimulatedPerson;
  model: Pick<SimulatedModel, 'maxCallCost' | 'billed' | 'brokeOff'>;
  /** Says what is true, whatever the machine does. */
  runner: Pick<SimulatedRunner, 'truly' | 'isInstallStruck'>;
  textOf(ref: string): string | undefined;
}

export class Oracle {
  readonly violations: Violation[] = [];
  readonly events: Event[] = [];
  readonly books: Books;
  private readonly twin: State;
  private readonly lineages = new Map<string, string>();
  /** How often something was done that is bounded for a lineage, by `<what> <lineage>`. */
  private readonly uses = new Map<string, number>();
  /** Lineages with a brief, from research or the person. */
  private readonly briefed = new Set<string>();
  /** The answers of models, by purpose and turn of the request. */
  private readonly answers = new Map<string, Answer>();
  /** Purpose and turn of the request, by the id of the ask's step. */
  private readonly purposes = new Map<string, string>();
  /** The last run of each verification on the sprint's tree. */
  private readonly ran = new Map<string, { script: string; code: number; isFine: boolean }>();
  /** The world in which each verification ran last, in the worktree or a clean checkout, and whether it had a result. */
  private readonly lastRuns = new Map<string, { world: number; code: number; hasResult: boolean }>();
  /** How often the world changed (docs/decisions/0025). */
  private worlds = 0;
  /** Scripts that were red in a run or a proof, and their lineages. */
  private readonly failed = new Set<string>();
  /** Scripts that were green on the sprint's tree. */
  private readonly greens = new Set<string>();
  /** The replacements of each replaced task. */
  private readonly heirs = new Map<string, readonly string[]>();
  /** How many of the person's answers are matched with the journal. */
  private matchedAnswers = 0;
  /** What asks the person to approve the plan. */
  private readonly approvals = new Set<string>();
  /** The latest review rejected the documents. */
  private isRejected = false;
  /** Texts that the person adopted. */
  private readonly adopted = new Set<string>();
  /** The fuel ran out during an action: only closing is due, and changes in the tree belong to no author. */
  private gaveUp = false;
  /** Tree and work state before the current author. */
  private before: { files: Readonly<Record<string, string>>; work: State['work'] } | undefined;

  constructor(
    first: EventOf<'run.opened'>,
    private readonly world: World,
  ) {
    this.books = new Books(first, (what, detail) => this.addViolation(what as Guarantee, detail));
    this.twin = openedState(first);
    this.events.push(first);
  }

  /** The state that the lines on disk fold to. */
  get twinState(): State {
    return this.twin;
  }

  addViolation(guarantee: Guarantee, detail: string): void {
    if (this.violations.length < 20) this.violations.push({ guarantee, detail, n: this.events.length });
  }

  /** Records a model's answer. @param key purpose and turn of the request */
  answered(key: string, answer: Answer): void {
    this.answers.set(key, answer);
  }

  onDisk(event: Event): void {
    if (event.n !== this.events.length + 1) this.addViolation('one line a transaction', `line ${event.n} follows ${this.events.length}`);
    this.events.push(event);
    this.books.enter(event);
    if (event.type === 'step.begun') this.begun(event);
    advance(this.twin, event);
    if (event.type === 'step.ended' && event.outcome === 'interrupted' && this.twin.open === null) this.gaveUp = true;
    if (event.type === 'step.ended' || event.type === 'person.said') for (const fact of event.facts) this.fact(fact, event);
  }

  /** Compares memory, disk, books and tree after an action. */
  atRest(state: State): void {
    const { books, world } = this;
    const { ledger, work } = state;
    this.requireEqual('fold', 'memory and journal differ', difference(state, this.twin));
    this.requireEqual('limits', 'burned', difference(ledger.burned, books.burned));
    this.requireEqual('limits', 'sizes', difference(ledger.sizes, books.sizes));
    this.requireEqual('claims', 'milestones', difference([...ledger.milestones].sort(), [...books.milestones].sort()));
    if (books.minted > (books.sizes['mint'] ?? 0))
      this.addViolation('limits', `${books.minted} tasks were added to a plan of ${books.tasks}`);
    for (const task of Object.values(work.tasks)) {
      if (task.status === 'done' && !books.settledTasks.has(task.id))
        this.addViolation('claims', `${task.id} is done and was never settled`);
      if (task.status === 'descoped' && !this.heirs.has(task.id) && !this.isSkipped(state, task))
        this.addViolation('consent', `${task.id} was dropped without consent`);
    }
    this.requireBudget(ledger);
    if (this.gaveUp) return;
    const { patch } = changesOf(world.repo.committed, world.repo.worktree.files);
    const expected = work.tree.change ? world.textOf(work.tree.change.patch) : '';
    if (patch !== expected) this.addViolation('undo', `the tree holds what is not recorded:\n${patch.slice(0, 300)}`);
  }

  /** Requires that the journal, as a new process reads it, folds to the last state. */
  reread(events: readonly Event[], state: State): void {
    this.requireEqual('fold', 'a new process reads another state', difference(fold(events), state));
  }

  private requireEqual(guarantee: Guarantee, what: string, where: string | undefined): void {
    if (where !== undefined) this.addViolation(guarantee, `${what}: ${where}`);
  }

  private isSkipped(state: State, { id, prdSection }: Task): boolean {
    const { answers } = this.world.person;
    return Object.values(state.ledger.humanActions).some(
      (p) =>
        (p.task === id || prdSection.some((prd) => p.requirements.includes(prd))) &&
        answers.some((a) => a.id === p.id && a.answer === 'skip'),
    );
  }

  /** By what the provider billed, and not by what the engine made of it. */
  private requireBudget({ spend }: State['ledger']): void {
    const { budget } = this.books;
    const { billed, brokeOff, maxCallCost } = this.world.model;
    const tokens = spend.input + spend.output + spend.cacheRead + spend.cacheWrite;
    const off = { usd: spend.usd - billed.usd, tokens: tokens - billed.tokens };
    const isLess = off.usd < -smallestSum || off.tokens < 0;
    // What broke off, or died with its process, counts as the most that it can have cost.
    const mayBeMore = brokeOff || this.books.resumes > 0;
    if (isLess || (!mayBeMore && (off.usd > smallestSum || off.tokens > 0)))
      this.addViolation('money', `$${spend.usd} and ${tokens} tokens are written down, $${billed.usd} and ${billed.tokens} were billed`);
    if (maxCallCost.usd === 0) return;
    if (billed.usd > budget.usd + maxCallCost.usd || billed.tokens > budget.tokens + maxCallCost.tokens)
      this.addViolation('money', `spent $${billed.usd.toFixed(3)} and ${billed.tokens} tokens of $${budget.usd} and ${budget.tokens}`);
  }

  private begun({ step }: EventOf<'step.begun'>): void {
    if (step.kind === 'ask') this.purposes.set(step.id, `${step.purpose}/${step.turn}`);
    if (step.kind !== 'action') return;
    const { action, burns } = step.decision;
    if (action === 'execute' || action === 'fix' || action === 'service-fix')
      this.before = { files: this.world.repo.committed, work: this.twin.work };
    if (action === 'final') this.requireCurrentResults();
    if (action === 'execute' || action === 'write-verifications') this.requireApproval(action);
    if (action === 'plan' && this.isRejected) this.addViolation('consent', 'a plan is made for documents that were rejected');
    if (action === 'fix') this.requireFresh(step.decision.target);
    this.count(burns);
  }

  private requireTrue(untrue: readonly string[]): void {
    for (const what of untrue) this.addViolation('verdicts', what);
  }

  /** Nothing is verified or built by a plan that the person wants to see first. */
  private requireApproval(action: string): void {
    const given = this.world.person.answers.some(({ id, answer }) => this.approvals.has(id) && answer === 'done');
    if (this.twin.config.approvePlan && !given) this.addViolation('consent', `${action} begins, and nobody approved the plan`);
  }

  /** A failure counts only in the world that it was taken in, and what the machine kept from a result is no failure. */
  private requireFresh(target: string): void {
    const last = this.lastRuns.get(target);
    if (last?.world !== this.worlds) this.addViolation('stale', `a fixer is called for ${target}, which failed in another world`);
    if (last?.hasResult === false && last.code === this.books.code)
      this.addViolation('stale', `a fixer is called for ${target}, whose last run has no result`);
  }

  /** What is red must be red by itself, on a machine that does nothing to it. */
  private inspectRed({ verification, lineage, where, script, kind, looks = 0, timedOut }: Run): void {
    const isOther = lineage.startsWith('suite/') || where === 'revert' || kind === 'service_down' || looks >= 2 || timedOut;
    if (isOther || this.goesOnWithout() || this.world.runner.truly(this.world.textOf(script) ?? '', where) !== 'green') return;
    this.addViolation('innocence', `${verification} is red (${where}), and is green where nothing is in its way`);
  }

  /** The person said that an install which fails is not to be waited for. */
  private goesOnWithout(): boolean {
    return this.world.person.answers.some(({ id, answer }) => id.startsWith('install ') && answer === 'skip');
  }

  private inspectProbe({ name, up, machine, cause, exit }: ServiceProbe): void {
    const service = this.twin.work.context?.services.find((one) => one.name === name);
    if (up || machine || this.goesOnWithout() || cause !== 'exited' || exit === null || !service || !('command' in service.start)) return;
    if (this.world.runner.truly(service.start.command, 'tree') === 'green')
      this.addViolation('innocence', `service ${name} is down, and comes up where nothing is in its way`);
  }

  /** Bounds for a lineage hold across renames, so uses are counted for the first name of a verification. */
  private count(burns: readonly Tank[]): void {
    const named = burns.filter(({ kind }) => byLineage.has(kind));
    const used = new Map(named.map(({ kind, key }) => [`${kind} ${this.rootOf(key)}`, kind]));
    for (const [use, kind] of used) this.use(use, this.books.sizes[kind] ?? 0);
    for (const use of used.keys())
      if (use.startsWith('reserve ') && !this.briefed.has(use.slice('reserve '.length)))
        this.addViolation('limits', `${use} opens without a brief`);
  }

  private use(what: string, most: number): void {
    const times = (this.uses.get(what) ?? 0) + 1;
    this.uses.set(what, times);
    if (times > most) this.addViolation('lineage', `${what}: ${times} times, of ${most}`);
  }

  /** Requires before the final row that the present script of each verification was green on the present code. */
  private requireCurrentResults(): void {
    const { verifications, retired } = this.twin.work;
    for (const { id, script, kind } of Object.values(verifications)) {
      const last = this.ran.get(id);
      if (kind === 'criterion' || retired.includes(id)) continue;
      if (last?.script !== script || last.code !== this.books.code || !last.isFine)
        this.addViolation('claims', `the final row begins, and ${id} is not green on code ${this.books.code}`);
    }
  }

  private fact(fact: Fact, event: Event): void {
    if (isOfWorld(fact)) this.worlds += 1;
    switch (fact.fact) {
      case 'verification.written':
        this.requireOwnLineage(fact.verification);
        return this.recordLineage(fact.verification.id, event);
      case 'edit.answered':
        if (fact.answer === 'adopt') this.adopted.add(fact.text);
        return;
      case 'verification.adopted':
        if (event.type !== 'person.said' || !this.adopted.has(fact.verification.script))
          this.addViolation('consent', `nobody adopted ${fact.verification.id}`);
        return;
      case 'verification.ran': {
        const { exit, timedOut, verdict, verification, lineage, script, code, where } = fact.run;
        if (where !== 'revert' && code !== null && (where === 'tree' || verdict !== 'none'))
          this.lastRuns.set(verification, { world: this.worlds, code, hasResult: verdict !== 'none' });
        if (verdict === 'red' && !hasUndo(event)) this.inspectRed(fact.run);
        if (!hasUndo(event)) this.requireTrue(untrueOfRun(fact.run, this.world));
        if ((fact.run.looks ?? 0) > (this.books.looks.get(fact.run.lineage) ?? 0))
          this.addViolation('limits', `${verification} was looked at alone, and that burned nothing`);
        if (where !== 'revert' && code !== null && verdict !== 'none')
          this.ran.set(verification, { script, code, isFine: exit === 0 || verdict === 'flaky' });
        if (verdict === 'red') this.failed.add(script).add(lineage);
        if (verdict === 'red' && fact.run.stopped === 'slow')
          this.addViolation('verdicts', `${verification} is red without having had time`);
        if (verdict === 'green' && where === 'tree' && code !== null) this.greens.add(`${fact.run.lineage} ${script}`);
        // A red of what was green leads to a fixer or takes work back, so the machine must be ruled out first.
        if (
          verdict === 'red' &&
          where === 'tree' &&
          (timedOut || machineStops.has(fact.run.stopped ?? '')) &&
          this.greens.has(`${fact.run.lineage} ${script}`)
        )
          if ((this.books.looks.get(fact.run.lineage) ?? 0) < 2)
            this.addViolation('verdicts', `${verification} is red by a timeout, and was not looked at alone twice`);
        if ((verdict === 'green') !== (exit === 0 && !timedOut))
          this.addViolation('verdicts', `${fact.run.verification} is ${verdict} with exit ${exit}`);
        return;
      }
      case 'verification.proven':
        return this.requireTrue(untrueOfProof(fact.proof, this.world));
      case 'verification.measured':
        return this.requireTrue(untrueOfMeasure(fact.measure, this.world));
      case 'fault.tried':
        return this.requireTrue(untrueOfFault(fact.tried, this.world));
      case 'service.probed':
        return hasUndo(event) ? undefined : this.inspectProbe(fact.probe);
      case 'tree.undone':
        if (fact.why.includes('cannot be installed') && this.world.runner.isInstallStruck)
          this.addViolation('innocence', `work is taken back, because the machine kept an install from being made`);
        return this.inspectUndo(fact.change.author);
      case 'task.descoped':
        return this.inspectReplacement(fact);
      case 'task.shown':
        return this.inspectShownTask(fact.id);
      case 'research.reported':
        return this.recordBrief(fact.brief.lineages);
      case 'mutant.offered':
        return this.use(`mutant ${this.rootOf(fact.mutant.lineage)}`, mostOffered);
      case 'tree.settled':
        if (this.world.repo.isForeign) this.addViolation('audit', 'work is settled above a commit of somebody else');
        return;
      case 'documents.judged':
        this.isRejected = fact.review.verdict === 'REJECT';
        return;
      case 'human-action.asked':
        if (fact.humanAction.kind === 'approval') this.approvals.add(fact.humanAction.id);
        return;
      case 'human-action.answered': {
        const given = this.world.person.answers
          .slice(this.matchedAnswers)
          .findIndex(
            (a) =>
              a.id === fact.id &&
              a.answer === fact.answer &&
              a.said === fact.said &&
              JSON.stringify(a.chosen) === JSON.stringify(fact.chosen),
          );
        const asked = this.twin.ledger.humanActions[fact.id];
        if (fact.said !== undefined && asked?.kind === 'hint') this.recordBrief(asked.lineages);
        if (event.type !== 'person.said' || given < 0) this.addViolation('consent', `nobody answered ${fact.id} with ${fact.answer}`);
        this.matchedAnswers += given + 1;
        for (const id of this.descopedBy(fact))
          if (this.twin.work.requirements.some((one) => one.id === id))
            this.addViolation('consent', `the person descoped ${id}, and it counts on`);
        return;
      }
      case 'requirement.descoped': {
        const answers = event.type === 'person.said' ? event.facts.filter((one) => one.fact === 'human-action.answered') : [];
        if (!answers.some((one) => this.descopedBy(one).includes(fact.id))) this.addViolation('consent', `nobody descoped ${fact.id}`);
        return;
      }
      default:
        return;
    }
  }

  /** What an answer takes out: by the option that they took, or by the recommended one where they left it open. */
  private descopedBy({ id, chosen = {} }: FactOf<'human-action.answered'>): string[] {
    const asked = this.twin.ledger.humanActions[id];
    if (asked?.kind !== 'choice') return [];
    return asked.points.flatMap(({ id: point, options, recommended }) =>
      options.flatMap(({ answer, descopes = [] }, index) =>
        (chosen[point] === undefined ? index === recommended : chosen[point] === answer) ? descopes : [],
      ),
    );
  }

  private recordBrief(lineages: readonly string[]): void {
    for (const lineage of lineages) this.briefed.add(this.rootOf(lineage));
  }

  /** A task that changed nothing needs green verifications of its requirements that were red once, or that the person made of such. */
  private inspectShownTask(id: string): void {
    const { verifications, retired, tasks } = this.twin.work;
    const fine = Object.values(verifications).filter((v) => {
      const last = this.ran.get(v.id);
      return (
        !retired.includes(v.id) &&
        last?.script === v.script &&
        last.code === this.books.code &&
        last.isFine &&
        this.failed.has(isPersons(v) ? v.lineage : v.script)
      );
    });
    // What only criteria judge, the final evaluation sees.
    const isJudged = (prd: string): boolean => {
      const own = Object.values(verifications).filter((v) => !retired.includes(v.id) && requirementsOf(v).includes(prd));
      return own.length > 0 && own.every(({ kind }) => kind === 'criterion');
    };
    const lacking = tasks[id]?.prdSection.filter((prd) => !isJudged(prd) && !fine.some((v) => requirementsOf(v).includes(prd))) ?? [];
    if (lacking.length > 0 || tasks[id]?.prdSection.length === 0)
      this.addViolation('claims', `${id} is done without a change, and nothing shows ${lacking.join(', ')}`);
  }

  /** Only the person drops a task; replacements serve all its requirements. */
  private inspectReplacement({ id, replacedBy = [] }: FactOf<'task.descoped'>): void {
    const { tasks } = this.twin.work;
    const heirs = replacedBy.flatMap((heir) => (heir === id || tasks[heir]?.status === 'descoped' ? [] : (tasks[heir] ?? [])));
    const lost = tasks[id]?.prdSection.filter((prd) => !heirs.some((heir) => heir.prdSection.includes(prd))) ?? [];
    if (replacedBy.length === 0 || lost.length > 0)
      this.addViolation('consent', `${id} was replaced, and nothing serves ${lost.join(', ')}`);
    else this.heirs.set(id, replacedBy);
  }

  /** A verification keeps the lineage of the one that it replaces, whatever its name. */
  private recordLineage(id: string, event: Event): void {
    const [, ask = '', call = ''] = event.type === 'step.ended' ? (/^(.*)\/c(\d+)$/.exec(event.id) ?? []) : [];
    const [, input] = this.answers.get(this.purposes.get(ask) ?? '')?.[Number(call) - 1] ?? [];
    const { replaces } = (input ?? {}) as { replaces?: unknown };
    if (typeof replaces === 'string' && !this.lineages.has(id)) this.lineages.set(id, this.rootOf(replaces));
    if (!this.lineages.has(id)) this.lineages.set(id, id);
  }

  /** The runs and proofs of one would count for the other. */
  private requireOwnLineage({ id, lineage }: Verification): void {
    const other = liveVerifications(this.twin.work).find((one) => one.id !== id && one.lineage === lineage);
    if (other) this.addViolation('lineage', `${id} and ${other.id} share ${lineage}`);
  }

  private rootOf(id: string): string {
    return this.lineages.get(id) ?? id;
  }

  private inspectUndo(author: Author): void {
    const { before, world, twin } = this;
    if (!before) return;
    this.requireEqual('undo', 'the tree after an undo', difference(world.repo.worktree.files, before.files));
    this.requireEqual(
      'undo',
      'the work after an undo',
      difference(twin.work, { ...before.work, causes: null, tasks: this.tasksAfterUndo(before.work.tasks, author) }),
    );
  }

  /** After an undo, a task differs from before only by its setback. */
  private tasksAfterUndo(tasks: Tasks, author: Author): Tasks {
    const known = author.kind === 'task' ? tasks[author.task] : undefined;
    if (!known) return tasks;
    const setback = this.twin.work.tasks[known.id]?.setback;
    return { ...tasks, [known.id]: { ...known, ...(setback === undefined ? {} : { setback }) } };
  }
}

function isOfWorld(fact: Fact): boolean {
  switch (fact.fact) {
    case 'install.ran':
    case 'install.forgotten':
    case 'context.amended':
    case 'environment.tried':
    case 'access.granted':
      return true;
    case 'gate.passed':
      return fact.gate === 'prepare';
    case 'human-action.verified':
      return fact.fulfilled;
    case 'service.started':
      return fact.ours;
    default:
      return false;
  }
}

/** The runs of this line are of a tree that is gone. */
function hasUndo(event: Event): boolean {
  return 'facts' in event && event.facts.some(({ fact }) => fact === 'tree.undone');
}
