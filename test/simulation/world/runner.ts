/** Runs the scripts of verifications and the commands of agents on the files where they are run. */
import type { Finished, Job, Place, Runner } from '../../../src/engine/ports.ts';
import type { Random } from '../random.ts';
import type { SimulatedClock } from './clock.ts';
import type { Fate } from './fate.ts';
import type { SimulatedRepo } from './repo.ts';
import { interpret, type Ran } from './script.ts';
import { read } from './work.ts';

export interface Weather {
  /** Programs work only where dependencies were installed. */
  install: boolean;
  /** Features that now and then show another value than they have. */
  unsteady: readonly string[];
  /** The longest that a run takes of itself, in seconds. */
  slowest: number;
}

export class SimulatedRunner implements Runner {
  /** Exit statuses of verifications, to compare what the engine says of them with. */
  readonly ran: { exit: number | null; timedOut: boolean }[] = [];

  constructor(
    private readonly world: { repo: SimulatedRepo; fate: Fate; clock: SimulatedClock },
    private readonly weather: Weather,
    private readonly random: Random,
  ) {}

  async run(job: Job, signal: { aborted: boolean }): Promise<Finished> {
    const { took, exit, output } = await this.world.fate.effect(() => this.perform(job));
    const seconds = took + this.random.real() * this.weather.slowest;
    const timedOut = seconds > job.timeout;
    this.world.clock.pass(Math.min(seconds, job.timeout) * 1000);
    const killed = timedOut || signal.aborted;
    return { exit: killed ? null : exit, timedOut, duration: Math.min(seconds, job.timeout) * 1000, output, dropped: 0 };
  }

  private perform({ run, at, readonly }: Job): Ran {
    const { repo } = this.world;
    if ('command' in run && run.command === 'npm ci') return this.installAt(at);
    const text = 'script' in run ? run.script : run.command;
    const files = repo.filesAt(at);
    const lacking = this.weather.install && 'script' in run && !repo.checkout(at).installed;
    return interpret(lacking ? 'lacks dependency' : text, {
      files,
      reading: read(files),
      isScratch: at !== 'worktree',
      happens: (probability) => this.random.chance(probability),
      isUnsteady: (name) => this.weather.unsteady.includes(name) && this.random.chance(0.3),
      write: (path, written) => {
        if (!readonly) repo.checkout(at).files[path] = written;
      },
    });
  }

  private installAt(at: Place): Ran {
    this.world.repo.checkout(at).installed = true;
    return { exit: 0, output: 'added 1 package\n', took: 3 };
  }
}
