/** Runs scripts of verifications and commands of agents on the files of a checkout. */
import { installCommand } from '../../../src/engine/parse/install-command.ts';
import type { Runner } from '../../../src/engine/ports.ts';
import type { DeadService, Finished, Job, Place, Pressure, Reached } from '../../../src/engine/work/job.ts';
import type { Service } from '../../../src/engine/work/service.ts';
import type { Random } from '../random.ts';
import type { SimulatedClock } from './clock.ts';
import type { Fate } from './fate.ts';
import type { SimulatedMachine } from './machine.ts';
import type { SimulatedRepo } from './repo.ts';
import { interpret, type Ran } from './script.ts';
import { assignedIn, read, type Files } from './work.ts';

/** What the engine runs for the manifest of the world. */
const install = installCommand({ folder: '', manager: 'npm', flags: [] });

/** The only manifest of the world. Programs work only where what it declares is installed. */
export const manifest = 'package.json';

/**
 * What becomes of installs: the first one fails, some are killed, some fail, or the registry is down until the person sees to it.
 */
export const troubles = ['none', 'once', 'killed', 'flaky', 'down'] as const;

export interface Weather {
  installs: (typeof troubles)[number];
  /** Verifications of the first feature need a tool that only the person can supply. */
  fault: boolean;
  /** Features that now and then show another value. */
  unsteady: readonly string[];
  /** The probability that a service does not come up for no reason. */
  dying: number;
  /** The longest time of a run without `sleep`, in seconds. */
  slowest: number;
  /** The probability that a run beside others gets too little time; of the machine's other deeds, a fifth of it. */
  load: number;
}

/** The tool that nobody declared. */
export const undeclared = 'abacus';

/** The result of a job. A dead service keeps it from running. */
interface Performed extends Ran, Pick<Finished, 'stopped' | 'traffic'> {
  dead?: DeadService;
  logs?: Record<string, string>;
  reached?: Reached;
}

/** A script reaches the lines that give the features that it names their values; its header reaches nothing. */
function reachedBy(script: string, files: Files): Reached {
  const names = new Set(script.replaceAll(/^#.*$/gm, '').match(/\w+/g));
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => {
      const lines = assignedIn(path, text);
      return lines ? [[path, lines.flatMap(({ name, line }) => (names.has(name) ? [line] : []))]] : [];
    }),
  );
}

export class SimulatedRunner implements Runner {
  constructor(
    private readonly world: { repo: SimulatedRepo; machine: SimulatedMachine; fate: Fate; clock: SimulatedClock },
    private readonly weather: Weather,
    private readonly random: Random,
  ) {}

  /** Verifications that run now, in the process with this number: the runs of a dead one never end. */
  private running = { life: 0, count: 0 };

  pressure(): Pressure {
    const { load } = this.weather;
    return load === 0 ? {} : { cpu: this.random.chance(load) ? 90 : 10, io: this.random.chance(load / 5) ? 60 : 0 };
  }

  async run(job: Job, signal: { aborted: boolean }): Promise<Finished> {
    if (!('script' in job.run)) return this.runAlone(job, signal);
    const { lives } = this.world.fate;
    if (this.running.life !== lives) this.running = { life: lives, count: 0 };
    const { running } = this;
    running.count += 1;
    try {
      // Another verification may begin before this one ends.
      await this.world.fate.wake();
      const struck = this.struck(job);
      const done = await this.runAlone(job, signal);
      return struck && !signal.aborted ? { ...done, ...struck } : done;
    } finally {
      running.count -= 1;
    }
  }

  /** What the machine does to a run of a verification. */
  private struck({ timeout }: Job): Pick<Finished, 'exit' | 'timedOut' | 'stopped' | 'duration' | 'given'> | undefined {
    const { load } = this.weather;
    if (load === 0) return undefined;
    const end = { exit: null, timedOut: false, duration: timeout * 1000 };
    if (this.running.count > 1 && this.random.chance(load)) return { ...end, timedOut: true, given: end.duration };
    if (this.random.chance(load / 5)) return { ...end, stopped: this.random.pick(['slow', 'slow', 'signal', 'disk'] as const) };
    return undefined;
  }

  /** How the latest install of the worktree ended, by no fault of the work. */
  private struckInstall: 'killed' | 'down' | undefined;
  private wasInstalled = false;

  /** Whether the machine kept the worktree from its dependencies. */
  get isInstallStruck(): boolean {
    return this.struckInstall !== undefined;
  }

  /**
   * What a script or a service's command does where nothing is in its way. Undefined where chance decides.
   * @param where the worktree, or a checkout of the last commit
   * @param changed texts that stand in the place of files
   */
  truly(text: string, where: 'tree' | 'clean', changed: Files = {}): 'green' | 'red' | undefined {
    const { repo, machine } = this.world;
    if (this.weather.unsteady.length > 0 || this.weather.dying > 0 || /\bflip\b/.test(text)) return undefined;
    const files = { ...(where === 'tree' ? repo.filesAt('worktree') : { ...repo.inputs, ...repo.committed }), ...changed };
    const { exit, isEarly } = interpret(this.lacksTool(text) ? `lacks ${undeclared}` : text, {
      files,
      reading: read(files),
      isScratch: where === 'clean',
      happens: () => false,
      isUnsteady: () => false,
      answers: (name) => machine.started.has(name),
      write: () => undefined,
    });
    return exit === 0 && !isEarly ? 'green' : 'red';
  }

  private lacksTool(text: string): boolean {
    return this.weather.fault && /\bfeature_1\b/.test(text) && !this.world.machine.started.has(undeclared);
  }

  private async runAlone(job: Job, signal: { aborted: boolean }): Promise<Finished> {
    const { took, exit, output, isEarly, ...services } = await this.world.fate.effect(() => this.perform(job));
    const seconds = took + this.random.real() * this.weather.slowest;
    const timedOut = seconds > job.timeout;
    this.world.clock.pass(Math.min(seconds, job.timeout) * 1000);
    const killed = timedOut || signal.aborted || services.dead !== undefined;
    // Only a verification has to reach its own end (host/sandbox/begin.ts).
    const ended = isEarly && !killed && 'script' in job.run ? { exit: null, stopped: 'early' as const } : { exit: killed ? null : exit };
    return { timedOut, duration: Math.min(seconds, job.timeout) * 1000, output, dropped: 0, ...services, ...ended };
  }

  private perform({ run, at, readonly, view, packages, services = [], files = {}, reach }: Job): Performed {
    if (packages === 'fill') return { exit: 0, output: '', took: 1 };
    if ('command' in run && run.command === install) return this.installAt(at);
    const logs: Record<string, string> = {};
    for (const service of services) {
      const { dead, took, output } = this.start(service, at, files);
      logs[service.name] = output;
      if (dead) return { exit: 1, output: '', took, dead, logs };
    }
    const text = 'script' in run ? run.script : run.command;
    const ran = this.interpretAt(text, { at, drops: readonly === true || view === true, isProgram: 'script' in run, files });
    const told = reach ? { reached: reachedBy(text, { ...this.world.repo.filesAt(at), ...files }) } : {};
    return { ...ran, ...(services.length > 0 ? { logs } : {}), ...told };
  }

  /** A service in the sandbox is a program of the work; a compose service is up once the person started it. */
  private start({ name, start }: Service, at: Place, files: Files): Ran & { dead?: DeadService } {
    if ('compose' in start)
      return {
        exit: 0,
        output: '',
        took: 0,
        ...(this.world.machine.started.has(name) ? {} : { dead: { name, how: 'refused', exit: null } }),
      };
    if (this.weather.load > 0 && this.random.chance(this.weather.load / 5)) {
      const dead = this.random.pick([{ how: 'taken', holder: 'process 7 (stranger)' }, { how: 'not-ready' }] as const);
      return { exit: 0, output: '', took: 1, dead: { name, exit: null, ...dead } };
    }
    if (this.random.chance(this.weather.dying)) {
      const how = this.random.pick(['exited', 'not-ready', 'taken'] as const);
      return { exit: 0, output: 'it was up, almost\n', took: 1, dead: { name, how, exit: how === 'exited' ? 3 : null } };
    }
    const ran = this.interpretAt('command' in start ? start.command : 'exit 127', { at, drops: true, isProgram: true, files });
    return ran.exit === 0 ? ran : { ...ran, dead: { name, how: 'exited', exit: ran.exit } };
  }

  /**
   * @param drops whether nobody else sees what it writes.
   * @param inPlace texts that stand in the place of files.
   */
  private interpretAt(
    text: string,
    { at, drops, isProgram, files: inPlace }: { at: Place; drops: boolean; isProgram: boolean; files: Files },
  ): Ran {
    const { repo } = this.world;
    const files = { ...repo.filesAt(at), ...inPlace };
    const declared = files[manifest] ?? '';
    const lacking = isProgram && declared.includes('dependencies') && repo.checkout(at).installed !== declared;
    return interpret(lacking ? 'lacks dependency' : isProgram && this.lacksTool(text) ? `lacks ${undeclared}` : text, {
      files,
      reading: read(files),
      isScratch: at !== 'worktree',
      happens: (probability) => this.random.chance(probability),
      isUnsteady: (name) => this.weather.unsteady.includes(name) && this.random.chance(0.3),
      answers: (name) => this.world.machine.started.has(name),
      write: (path, written) => {
        if (!drops) repo.checkout(at).files[path] = written;
      },
    });
  }

  private installAt(at: Place): Performed {
    const { repo } = this.world;
    const bad = this.badInstall(at);
    if (at === 'worktree') this.struckInstall = bad?.stopped ? 'killed' : bad?.traffic ? 'down' : undefined;
    if (bad) return { exit: 1, output: 'it could not be installed\n', took: 3, ...bad };
    repo.checkout(at).installed = repo.filesAt(at)[manifest] ?? '';
    return { exit: 0, output: 'added 1 package\n', took: 3 };
  }

  /** How an install fails, where it does. Some registries are seen to fail; others fail where nobody sees into the connection. */
  private badInstall(at: Place): Partial<Performed> | undefined {
    const { installs } = this.weather;
    const down = { traffic: { refused: [], reached: [], withheld: [], allowed: [], unreachable: ['registry'] } };
    const isFirst = at === 'worktree' && !this.wasInstalled;
    if (at === 'worktree') this.wasInstalled = true;
    if (installs === 'once') return isFirst ? {} : undefined;
    if (installs === 'down') return this.world.machine.started.has('registry') ? undefined : down;
    if (installs === 'killed' && this.random.chance(0.3)) return { exit: this.random.pick([137, 143]), stopped: 'signal' };
    if (installs === 'flaky' && this.random.chance(0.2)) return this.random.chance(0.8) ? down : {};
    return undefined;
  }
}
