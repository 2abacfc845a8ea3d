/**
 * The simulator's own books of a sprint, kept from its journal without the engine's code: fuel, gates, settled and added tasks,
 * budgets and time. The engine's own state is compared with them.
 */
import type { Config } from '../../../src/engine/ground/config.ts';
import type { Decision, Event, EventOf, Sizes, Tank } from '../../../src/engine/state/events.ts';
import type { ActionId } from '../../../src/engine/state/rows.ts';
import { tankKinds, type TankKind } from '../../../src/engine/state/tanks.ts';
import type { Fact, FactOf } from '../../../src/engine/work/facts.ts';

/** The sizes of tanks in `docs/termination-tanks.md`, but for `sprint` and `mint`. */
export function documentedSizes(config: Config): Sizes {
  return {
    settle: 2,
    gate: 3,
    documents: config.qualify === 'none' ? 0 : 3,
    lenses: config.qualify === 'none' ? 0 : 3,
    closer: closerLooks[config.qualify] > 0 ? 1 : 0,
    base: 3,
    generate: 2,
    rewrite: 3,
    hidden: 2,
    triage: 1,
    run: 4,
    look: 3,
    execute: config.maxTaskAttempts,
    retry: 2,
    proof: 3,
    vrc: 20,
    final: 3,
    wait: 8,
    limits: 40,
    lineage: config.maxFixAttempts,
    signature: config.maxFixesPerSignature,
    research: 1,
    reserve: 2,
    service: 2,
    environment: 2,
    amend: 3,
    reinstall: 1,
    correct: 5,
    review: 4,
    strategy: 3,
    evaluation: 4,
  };
}

/** Closer looks at documents and plan, at most. */
const closerLooks: Record<Config['qualify'], number> = { none: 0, lean: 0, standard: 2, thorough: 19 };

/** Rows that go by the plan. */
const beginning: readonly ActionId[] = ['write-verifications', 'execute'];

/** Rows that may begin when the hours are over. */
const late: readonly ActionId[] = ['settle', 'wait', 'close'];

/** The most that one action may do. */
const documentedSteps: Sizes = { turns: 60, calls: 2000, effects: 200 };

export class Books {
  readonly burned = Object.fromEntries(tankKinds.map((kind) => [kind, {}])) as Record<TankKind, Record<string, number>>;
  readonly sizes: Sizes;
  readonly milestones = new Set<string>();
  readonly settledTasks = new Set<string>();
  budget: { usd: number; tokens: number; hours: number };
  /** How long it ran, without what it waited for a person and what lay between two processes, and up to which line. */
  private readonly ran: { ms: number; until: number };
  decisions = 0;
  resumes = 0;
  /** Tasks of the plan. */
  tasks = 0;
  /** Tasks that were added after the plan. */
  minted = 0;
  code = 0;
  /** How often each lineage was looked at alone in the open action. */
  readonly looks = new Map<string, number>();
  /** The plan is being made or reviewed, and nothing of it was verified or built yet. */
  private isPlanning = false;
  private isBegun = false;
  private open: string | undefined;
  private openAction: ActionId | undefined;
  private readonly ended = new Set<string>();
  private readonly begun = new Set<string>();
  /** Steps that failed since they began last. */
  private readonly failed = new Set<string>();

  constructor(
    private readonly opened: EventOf<'run.opened'>,
    private readonly addViolation: (what: string, detail: string) => void,
  ) {
    const { config } = opened;
    this.sizes = {
      ...documentedSizes(config),
      sprint: Math.min(40 + closerLooks[config.qualify], config.maxLoopIterations),
      mint: 0,
    };
    this.budget = { usd: config.budgetUsd, tokens: config.budgetTokens, hours: config.maxHours };
    this.ran = { ms: 0, until: opened.at };
  }

  enter(event: Event): void {
    this.requireTime(event);
    if (event.type === 'step.begun') this.begin(event);
    else if (event.type === 'step.ended') this.end(event);
    if (event.type === 'step.ended' || event.type === 'person.said')
      for (const fact of event.facts) this.fact(fact, event.type === 'person.said');
  }

  /** Nothing is asked once the hours are over, and no other row begins than those that settle, wait or close. */
  private requireTime(event: Event): void {
    if (event.type === 'person.said') return;
    const { ran, budget } = this;
    const begun = event.type === 'step.begun' ? event.step : undefined;
    const isWork = begun?.kind === 'ask' || (begun?.kind === 'action' && !late.includes(begun.decision.action));
    if (isWork && ran.ms >= budget.hours * 3_600_000)
      this.addViolation('bound', `${begun.id} (${begun.kind}) begins after ${ran.ms} ms, of ${budget.hours} hours`);
    if (begun?.kind !== 'resume' && this.openAction !== 'wait') ran.ms += event.at - ran.until;
    ran.until = event.at;
  }

  private begin({ step, burns }: EventOf<'step.begun'>): void {
    const isNextTry = this.failed.delete(step.id) && step.kind === 'ask' && burns.length === 0;
    if (!isNextTry) this.once(this.begun, step.id, 'begun');
    if (!isNextTry && burns.length === 0) this.addViolation('limits', `${step.id} burns nothing`);
    if (step.kind === 'action') this.decide(step.decision, burns);
    if (step.kind === 'action') [this.open, this.openAction] = [step.id, step.decision.action];
    else if (step.kind !== 'resume' && !step.id.startsWith(`${this.open}/`))
      this.addViolation('one line a transaction', `${step.id} belongs to no open action`);
    if (step.kind === 'resume') {
      this.resumes += 1;
      if (names(burns) !== 'sprint') this.addViolation('limits', `a resume burned ${names(burns)}`);
    }
    if (step.kind === 'look') this.look(burns);
    for (const tank of burns) this.burn(tank);
  }

  /** A look burns one unit of its own tank, which is never empty. */
  private look([one, ...others]: readonly Tank[]): void {
    if (one?.kind !== 'look' || others.length > 0) return this.addViolation('limits', 'a look burned no tank of its own');
    if ((this.burned.look[one.key] ?? 0) >= this.sizeOf('look'))
      this.addViolation('limits', `a look burned the empty tank ${names([one])}`);
    const [lineage = ''] = one.key.split('@');
    this.looks.set(lineage, (this.looks.get(lineage) ?? 0) + 1);
  }

  private decide({ action, burns: own }: Decision, burns: readonly Tank[]): void {
    this.looks.clear();
    this.isBegun ||= beginning.includes(action);
    this.isPlanning = !this.isBegun && (action === 'plan' || action === 'review-plan');
    this.decisions += 1;
    if (this.open !== undefined) this.addViolation('one line a transaction', `a decision while ${this.open} is open`);
    if (names(own) !== names(burns)) this.addViolation('limits', `${action} says it burns ${names(own)} and burns ${names(burns)}`);
    if (!burns.some(({ kind }) => kind === 'sprint')) this.addViolation('limits', `${action} burns no fuel of the sprint`);
    if (burns.length < 2 && action !== 'close' && action !== 'wait') this.addViolation('limits', `${action} burns no tank of its own`);
    const allowed = this.sizes.sprint ?? 0;
    if (action !== 'close' && this.decisions + this.resumes > allowed)
      this.addViolation('bound', `decision ${this.decisions} after ${this.resumes} resumes, of ${allowed}`);
    for (const tank of burns)
      if (action !== 'close' && (this.burned[tank.kind][tank.key] ?? 0) >= this.sizeOf(tank.kind))
        this.addViolation('limits', `${action} burns the empty tank ${names([tank])}`);
  }

  private end({ id, facts, outcome }: EventOf<'step.ended'>): void {
    if (outcome === 'failed') this.failed.add(id);
    else this.once(this.ended, id, 'ended');
    if (id === this.open) [this.open, this.openAction] = [undefined, undefined];
    else if (!id.startsWith(`${this.open}/`)) this.addViolation('one line a transaction', `${id} ended and was not open`);
    if (outcome !== 'done' && facts.some((fact) => fact.fact !== 'model.spent'))
      this.addViolation('one line a transaction', `${id} was ${outcome} and has facts`);
  }

  private once(known: Set<string>, id: string, what: string): void {
    if (known.has(id)) this.addViolation('one line a transaction', `${id} ${what} twice`);
    known.add(id);
  }

  private fact(fact: Fact, isByPerson: boolean): void {
    switch (fact.fact) {
      case 'gate.passed':
        this.milestones.add(`gate ${fact.gate}`);
        return;
      case 'task.added':
        if (this.isPlanning) this.tasks += 1;
        else this.minted += 1;
        return;
      case 'task.removed':
        this.tasks -= 1;
        return;
      case 'task.shown':
        this.settledTasks.add(fact.id);
        this.milestones.add(`task ${fact.id}`);
        return;
      case 'tree.settled':
        return this.settle(fact);
      case 'verification.ran':
        if (fact.run.verdict === 'green' && fact.run.where !== 'revert' && fact.run.code !== null && !fact.run.lineage.startsWith('suite/'))
          this.milestones.add(`verification ${fact.run.lineage}`);
        return;
      case 'fuel.sized':
        return this.size(fact);
      case 'budget.raised':
        if (!isByPerson) this.addViolation('limits', 'a budget was raised, and not by the person');
        this.budget = {
          usd: Math.max(this.budget.usd, fact.usd),
          tokens: Math.max(this.budget.tokens, fact.tokens),
          hours: Math.max(this.budget.hours, fact.hours),
        };
        return;
      case 'access.granted':
      case 'models.chosen':
        if (!isByPerson) this.addViolation('limits', `${fact.fact}, and not by the person`);
        return;
      case 'context.amended':
        return this.burnBounded({ kind: 'amend', key: '' });
      case 'human-action.answered':
        if (fact.answer === 'done') this.burn({ kind: 'wait', key: '' });
        return;
      default:
        return;
    }
  }

  private settle({ settled }: FactOf<'tree.settled'>): void {
    this.code += 1;
    if (settled.code !== this.code) this.addViolation('undo', `code ${settled.code} follows ${this.code - 1}`);
    if (settled.author.kind !== 'task') return;
    this.settledTasks.add(settled.author.task);
    this.milestones.add(`task ${settled.author.task}`);
  }

  /** Sizes change by the documented rule, while the plan is made and reviewed. */
  private size({ sprint, mint, evaluation }: FactOf<'fuel.sized'>): void {
    const allowed = {
      sprint: Math.min(40 + closerLooks[this.opened.config.qualify] + 15 * this.tasks, this.opened.config.maxLoopIterations),
      mint: Math.ceil(this.tasks / 2),
      evaluation: 4 + Math.ceil(this.tasks / 6),
    };
    if (!this.isPlanning || sprint > allowed.sprint || mint > allowed.mint || evaluation > allowed.evaluation)
      this.addViolation('limits', `sizes ${sprint} and ${mint} for ${this.tasks} tasks`);
    Object.assign(this.sizes, allowed);
  }

  private sizeOf(kind: TankKind): number {
    return this.sizes[kind] ?? documentedSteps[kind] ?? 0;
  }

  /** A fact that burns: no decision was asked whether the tank holds it. */
  private burnBounded(tank: Tank): void {
    if ((this.burned[tank.kind][tank.key] ?? 0) >= this.sizeOf(tank.kind)) this.addViolation('limits', `${names([tank])} was empty`);
    this.burn(tank);
  }

  private burn({ kind, key }: Tank): void {
    this.burned[kind][key] = (this.burned[kind][key] ?? 0) + 1;
  }
}

function names(tanks: readonly Tank[]): string {
  return tanks.map(({ kind, key }) => `${kind} ${key}`.trim()).join(', ');
}
