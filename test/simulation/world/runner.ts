/** Runs scripts of verifications and commands of agents on the files of a checkout. */
import { installCommand } from '../../../src/engine/parse/install-command.ts';
import type { Runner } from '../../../src/engine/ports.ts';
import type { DeadService, Finished, Job, Place, Pressure } from '../../../src/engine/work/job.ts';
import type { Service } from '../../../src/engine/work/service.ts';
import type { Random } from '../random.ts';
import type { SimulatedClock } from './clock.ts';
import type { Fate } from './fate.ts';
import type { SimulatedMachine } from './machine.ts';
import type { SimulatedRepo } from './repo.ts';
import { interpret, type Ran } from './script.ts';
import { read } from './work.ts';

/** What the engine runs for the manifest of the world. */
const install = installCommand({ folder: '', manager: 'npm', flags: [] });

export interface Weather {
  /** Programs work only where dependencies are installed. */
  install: boolean;
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
interface Performed extends Ran {
  dead?: DeadService;
  logs?: Record<string, string>;
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

  private async runAlone(job: Job, signal: { aborted: boolean }): Promise<Finished> {
    const { took, exit, output, ...services } = await this.world.fate.effect(() => this.perform(job));
    const seconds = took + this.random.real() * this.weather.slowest;
    const timedOut = seconds > job.timeout;
    this.world.clock.pass(Math.min(seconds, job.timeout) * 1000);
    const killed = timedOut || signal.aborted || services.dead !== undefined;
    return { exit: killed ? null : exit, timedOut, duration: Math.min(seconds, job.timeout) * 1000, output, dropped: 0, ...services };
  }

  private perform({ run, at, readonly, view, packages, services = [] }: Job): Performed {
    if (packages === 'fill') return { exit: 0, output: '', took: 1 };
    if ('command' in run && run.command === install) return this.installAt(at);
    const logs: Record<string, string> = {};
    for (const service of services) {
      const { dead, took, output } = this.start(service, at);
      logs[service.name] = output;
      if (dead) return { exit: 1, output: '', took, dead, logs };
    }
    const text = 'script' in run ? run.script : run.command;
    const ran = this.interpretAt(text, at, readonly === true || view === true, 'script' in run);
    return services.length > 0 ? { ...ran, logs } : ran;
  }

  /** A service in the sandbox is a program of the work; a compose service is up once the person started it. */
  private start({ name, start }: Service, at: Place): Ran & { dead?: DeadService } {
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
    const ran = this.interpretAt('command' in start ? start.command : 'exit 127', at, true, true);
    return ran.exit === 0 ? ran : { ...ran, dead: { name, how: 'exited', exit: ran.exit } };
  }

  /** @param drops whether nobody else sees what it writes. */
  private interpretAt(text: string, at: Place, drops: boolean, isProgram: boolean): Ran {
    const { repo } = this.world;
    const files = repo.filesAt(at);
    const lacking = this.weather.install && isProgram && !repo.checkout(at).installed;
    const faulty = this.weather.fault && isProgram && /\bfeature_1\b/.test(text) && !this.world.machine.started.has(undeclared);
    return interpret(lacking ? 'lacks dependency' : faulty ? `lacks ${undeclared}` : text, {
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

  private installAt(at: Place): Ran {
    this.world.repo.checkout(at).installed = true;
    return { exit: 0, output: 'added 1 package\n', took: 3 };
  }
}
