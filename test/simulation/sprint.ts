/**
 * One simulated sprint from its opening to its end: the real loop on simulated ports, resumed by the real code after every
 * crash, stop and wait, and watched by the oracle.
 */
import { FakeVerifications, noBrowser } from '../support/fake-host.ts';
import { createHash } from 'node:crypto';
import { requireOwnTip } from '../../src/engine/branch.ts';
import { config as configSchema, defaults } from '../../src/engine/ground/config.ts';
import { createSyntax } from '../../src/host/syntax/syntax.ts';
import { InputError, Interruption, messageOf, TerminalModelError } from '../../src/engine/ground/errors.ts';
import type { Event, EventOf } from '../../src/engine/state/events.ts';
import { fold, opened as openedState, isResumable } from '../../src/engine/core/fold.ts';
import { presentRules } from '../../src/engine/state/rules.ts';
import { openingSizes } from '../../src/engine/state/tanks.ts';
import { createKernel, type Kernel } from '../../src/engine/kernel.ts';
import { table } from '../../src/engine/actions/table.ts';
import { loop } from '../../src/engine/loop.ts';
import { resume } from '../../src/engine/resume.ts';
import type { Ending, State, Stop } from '../../src/engine/state/state.ts';
import { briefOf, briefWithout, missingIn, type Feature } from './brief.ts';
import { SimulatedModel } from './models/model.ts';
import { objections } from './oracle/audit.ts';
import { Oracle, type Violation } from './oracle/oracle.ts';
import { Random } from './random.ts';
import type { Programs } from './models/turn.ts';
import { configOf, type Scenario } from './scenario.ts';
import { editSome } from './world/edits.ts';
import { SimulatedClock } from './world/clock.ts';
import { SimulatedJournal, SimulatedPayloads } from './world/disk.ts';
import { Fate, type Fault } from './world/fate.ts';
import { SimulatedMachine } from './world/machine.ts';
import { SimulatedPerson } from './world/person.ts';
import { baseCommit, SimulatedRepo } from './world/repo.ts';
import { SimulatedRunner } from './world/runner.ts';

export interface Outcome {
  stop: Stop | 'broken';
  reasons: string[];
  violations: Violation[];
  /** A model made a false claim that was still false when the sprint was judged or ended. */
  attempted: boolean;
  /** Requirements that do not hold on the final tree. */
  missing: number;
  decisions: number;
  /** The decisions in order, as `<row> <target>`. */
  trace: string[];
  tasks: number;
  lives: number;
  events: number;
  /** SHA-256 of the journal's bytes. */
  journal: string;
}

/** The real one: it reads nothing but its arguments. */
const syntax = createSyntax();

/** Far above every bound: a sprint that reaches this would never end. */
const limits = { events: 60_000, lives: 900 };

/** @param twist programs that replace those of the model's kind, by the tool that ends their session */
export async function simulate(scenario: Scenario, twist: Programs = {}): Promise<Outcome> {
  return new Sprint(scenario, twist).run();
}

class Sprint {
  private readonly random: Random;
  private readonly brief;
  private readonly fate: Fate;
  private readonly clock: SimulatedClock;
  private readonly payloads: SimulatedPayloads;
  private readonly repo: SimulatedRepo;
  private readonly journal: SimulatedJournal;
  private readonly model: SimulatedModel;
  private readonly machine: SimulatedMachine;
  private readonly person: SimulatedPerson;
  private readonly runner: SimulatedRunner;
  private readonly files = new FakeVerifications();
  private readonly edits: Random;
  private oracle!: Oracle;
  private first!: EventOf<'run.opened'>;
  private state!: State;
  private lied = { ever: false, whenJudged: false };
  private visits = 0;
  private raises = 0;
  private isMoved = false;

  constructor(
    private readonly scenario: Scenario,
    twist: Programs,
  ) {
    this.random = new Random(scenario.seed);
    this.edits = this.random.fork('edits');
    this.brief = briefOf(scenario);
    this.fate = new Fate(faultsOf(scenario, this.random.fork('blows')), this.random.fork('fate'));
    this.clock = new SimulatedClock(this.fate);
    this.payloads = new SimulatedPayloads(this.fate);
    this.repo = new SimulatedRepo(this.brief.files, this.fate);
    this.journal = new SimulatedJournal(this.fate, (event) => this.oracle.onDisk(event));
    this.machine = new SimulatedMachine(this.fate, (path) => this.repo.filesAt('worktree')[path] !== undefined);
    const words = this.brief.features.map((f) => `${f.name} is ${f.value}`).join(', ');
    this.person = new SimulatedPerson(
      scenario.person,
      { repo: this.repo, machine: this.machine, clock: this.clock, random: this.random.fork('person') },
      { files: this.brief.supplies, words },
    );
    this.model = new SimulatedModel(scenario, this.brief, twist, {
      lied: (role) => this.recordLie(role),
      answered: (request, answer) => this.oracle.answered(`${request.purpose}/${request.turn}`, answer),
    });
    const unsteady = this.brief.features.slice(0, scenario.unsteady).map((f) => f.name);
    const { repo, machine, fate, clock } = this;
    const weather = {
      installs: scenario.installs,
      fault: scenario.fault === 'tool',
      unsteady,
      dying: scenario.service === 'dying' ? 0.2 : 0,
      slowest: scenario.slowest,
      load: scenario.load,
    };
    this.runner = new SimulatedRunner({ repo, machine, fate, clock }, weather, this.random.fork('runner'));
  }

  private open(): void {
    const config = configSchema.parse({ ...defaults, ...configOf(this.scenario) });
    const inputs = this.brief.documents.map(({ name, text }) => ({ name, ref: this.payloads.keep(text) }));
    this.first = {
      n: 1,
      owner: 1,
      at: this.clock.now(),
      type: 'run.opened',
      kind: 'sprint',
      sprint: 'sprint',
      config,
      sizes: openingSizes(config),
      rules: presentRules,
      inputs,
      base: { commit: baseCommit, branch: 'main' },
      branch: 'loop/sprint',
    };
    const { repo, person, runner, model, payloads } = this;
    this.oracle = new Oracle(this.first, { repo, person, runner, model, textOf: (ref) => payloads.peek(ref) });
    this.journal.begin(this.first);
    this.state = openedState(this.first);
  }

  async run(): Promise<Outcome> {
    this.open();
    for (let life = 1; ; life += 1) {
      const end = await this.live(life);
      if (end === 'broken' || this.oracle.violations.length > 0) return this.outcome('broken');
      if (typeof end === 'object' && !(isResumable(end.stop) && this.goesOn(end.stop))) return this.finish(end);
      if (life > limits.lives || this.oracle.events.length > limits.events) {
        this.oracle.addViolation('stuck', `${this.oracle.events.length} lines in ${life} lives`);
        return this.outcome('broken');
      }
      await this.fate.settle();
      this.fate.revive();
      this.mayMoveTip();
    }
  }

  /** Runs one process until the sprint ends, or the process stops or dies. */
  private async live(life: number): Promise<Ending | 'died' | 'stopped' | 'broken'> {
    try {
      const kernel = this.kernel(life);
      return await Promise.race([this.fate.death, life === 1 ? loop(kernel, table) : this.resume(kernel)]);
    } catch (error) {
      if (error instanceof Interruption || error instanceof TerminalModelError) return 'stopped';
      if (error instanceof InputError && this.repo.isForeign) {
        this.repo.putTipBack();
        return 'stopped';
      }
      this.oracle.addViolation(
        error instanceof Stuck ? 'stuck' : 'broken',
        error instanceof Error ? (error.stack ?? error.message) : messageOf(error),
      );
      return 'broken';
    }
  }

  /** Once, while the branch holds work and nothing runs. */
  private mayMoveTip(): void {
    if (!this.scenario.foreign || this.isMoved || this.repo.commits.length === 0) return;
    this.isMoved = true;
    this.repo.moveTip();
  }

  private kernel(owner: number): Kernel {
    const { journal, payloads, repo, runner, machine, person, clock, model } = this;
    if (owner > 1) {
      const events = journal.read();
      this.oracle.reread(events, this.oracle.twinState);
      this.state = fold(events);
    }
    const ports = {
      journal,
      payloads,
      repo,
      tree: repo,
      runner,
      browser: noBrowser,
      docker: machine,
      machine,
      person,
      clock,
      model,
      verifications: this.files,
      syntax,
      progress: () => undefined,
    };
    const onEvent = (event: Event, state: State): void => this.follow(event, state);
    const kernel = createKernel({ state: this.state, ports, signal: this.fate.abort.signal, owner, onEvent });
    person.desk = kernel;
    return kernel;
  }

  /** Resumes a sprint as the host does. */
  private async resume(kernel: Kernel): Promise<Ending> {
    const { repo, state } = this;
    if (state.open || state.work.gates.includes('inputs')) {
      await requireOwnTip(state, repo);
      await repo.openWorktree();
    }
    if (state.stopped?.stop === 'out-of-budget') {
      const { usd, tokens, hours } = state.ledger.budget;
      await kernel.append({ type: 'person.said', facts: [{ fact: 'budget.raised', usd: usd * 2, tokens: tokens * 2, hours: hours * 2 }] });
    }
    await resume(kernel);
    await editSome(kernel, this.files, this.edits);
    return loop(kernel, table);
  }

  private follow(event: Event, state: State): void {
    if (event.type === 'step.ended' && state.open === null) this.oracle.atRest(state);
    if (event.type === 'step.ended')
      for (const fact of event.facts)
        if (fact.fact === 'human-action.asked') this.person.mayAnswerAtOnce(fact.humanAction).catch(leaveToTheNext);
    if (event.n > limits.events) throw new Stuck(`${event.n} lines`);
    if (this.oracle.violations.length > 0) throw new Stuck('a guarantee is broken');
  }

  /** Whether the person resumes a stopped sprint. What they did meanwhile is done here, too. */
  private goesOn(stop: Stop): boolean {
    if (stop === 'out-of-budget') return (this.raises += 1) <= this.scenario.raises;
    if (stop !== 'waiting' || (this.visits += 1) > 4) return false;
    if (this.scenario.person === 'absent' && this.visits > 1) this.person.comeBack(this.brief);
    return true;
  }

  /** What the person still wants, and the work does not give. */
  private missing(): Feature[] {
    const descoped = this.oracle.twinState.work.descoped.map(({ requirement }) => requirement.id);
    return missingIn(briefWithout(this.brief, descoped), this.repo.committed);
  }

  private recordLie(role: string): void {
    this.lied.ever = true;
    const isJudge = role === 'reasoner' || role === 'evaluator';
    if (isJudge && this.missing().length > 0) this.lied.whenJudged = true;
  }

  private finish({ stop, reasons }: Ending): Outcome {
    const { events } = this.oracle;
    this.oracle.reread(this.journal.read(), this.state);
    if (stop === 'delivered') {
      const missing = this.missing();
      if (missing.length > 0)
        this.oracle.addViolation('false delivery', missing.map((f) => `${f.requirement} (${f.name}) does not hold`).join(', '));
      if (this.repo.isForeign) this.oracle.addViolation('audit', 'a commit of somebody else is delivered');
      for (const objection of objections(events, (ref) => this.payloads.peek(ref))) this.oracle.addViolation('audit', objection);
    }
    return this.outcome(stop, reasons);
  }

  private outcome(stop: Outcome['stop'], reasons: string[] = []): Outcome {
    const { events, violations, books } = this.oracle;
    const missing = this.missing().length;
    const trace = events.flatMap((e) =>
      e.type === 'step.begun' && e.step.kind === 'action' ? [`${e.step.decision.action} ${e.step.decision.target}`.trim()] : [],
    );
    return {
      stop,
      reasons,
      violations,
      missing,
      trace,
      decisions: books.decisions,
      tasks: books.tasks,
      lives: this.fate.lives + 1,
      attempted: this.lied.whenJudged || (this.lied.ever && missing > 0),
      events: events.length,
      journal: createHash('sha256').update(this.journal.bytes()).digest('hex'),
    };
  }
}

class Stuck extends Error {}

/** A guarantee that the person's answer breaks stops the sprint at the next event. */
function leaveToTheNext(error: unknown): void {
  if (!(error instanceof Interruption) && !(error instanceof Stuck)) throw error;
}

/** When and how each process ends early. */
function faultsOf({ crashes, crashEvery, fullDisk, stops }: Scenario, random: Random): Fault[] {
  const fault = (how: Fault['how']) => (): Fault => ({ how, after: random.whole(1, 2 * crashEvery) });
  return random.shuffled([
    ...Array.from({ length: crashes }, fault('killed')),
    ...Array.from({ length: fullDisk }, fault('full-disk')),
    ...Array.from({ length: stops }, fault('aborted')),
  ]);
}
