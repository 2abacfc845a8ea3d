/** A shell in the sandbox, with services of the sprint beside it on request: whoever calls a server need not start it first. */
import * as z from 'zod';
import { causeOf } from '../diagnose/service-cause.ts';
import { excerpt, withoutRepeats } from '../ground/text.ts';
import { trafficWords } from '../render/traffic-words.ts';
import { reachable } from '../services/external.ts';
import type { Finished } from '../work/job.ts';
import type { Service } from '../work/service.ts';
import { longestCommand, readers } from './policy.ts';
import { ToolError, worldTool } from './tool.ts';

/** Characters of one answer, and of what each service printed. */
const longest = 30_000;
const longestLog = 4000;

export const bash = worldTool({
  name: 'bash',
  description:
    'Run a shell command at the root of the worktree, in a sandbox: only the worktree is writable, and only by those who build; /tmp is fresh each time; nothing stays running. Returns exit status and output.',
  input: z.strictObject({
    command: z.string().min(1).max(longestCommand),
    services: z
      .array(z.string().min(1).max(100))
      .max(20)
      .optional()
      .describe(
        'Names of services that the context lists: each is started for this command, and ready. $PORT is the port of the first; each has one of its own, $PORT_API for api',
      ),
    timeout: z
      .int()
      .positive()
      .max(3600)
      .optional()
      .describe('Seconds; at most the commandTimeout of this sprint, which is 120 where nobody set another'),
  }),
  begins: true,
  async run({ command, timeout, services: names = [] }, { role, ports, config, place, services: all, signal }) {
    const services = named(names, reachable(all, config));
    const seconds = Math.min(timeout ?? config.commandTimeout, config.commandTimeout);
    const readonly = place === 'worktree' && readers.includes(role);
    const job = { run: { command }, at: place, timeout: seconds, network: config.network === 'all', readonly };
    // Else the data of a service would stay, and become part of a builder's change. Git is there as without services.
    const inView = services.length > 0 && place === 'worktree';
    const done = await ports.runner.run(
      services.length > 0 ? { ...job, services, ...(inView ? { readonly: false, view: true, alike: true } : {}) } : job,
      signal,
    );
    if (done.dead) return `not run: ${deadWords(done.dead, services, done)}${logWords(done)}`;
    const status = done.timedOut ? killedWords(seconds, config.commandTimeout) : `exit status ${done.exit ?? 'unknown (killed)'}`;
    const dropped = done.dropped > 0 ? `\n[${done.dropped} bytes of output were dropped]` : '';
    const traffic = done.traffic ? trafficWords(done.traffic, done.exit !== 0) : '';
    const logs = done.exit === 0 ? '' : logWords(done);
    const text = `${status}\n${excerpt(withoutRepeats(done.output), longest)}${dropped}${logs}${traffic}${inView ? goneWords : ''}`;
    return done.exit === null || done.timedOut ? text : { text, exit: done.exit };
  },
});

const goneWords = '\n[What it and its services wrote into the worktree is gone, as with a verification.]';

/** @throws ToolError for a name that no service has. */
function named(names: readonly string[], known: readonly Service[]): Service[] {
  const unknown = names.filter((name) => !known.some((service) => service.name === name));
  if (unknown.length > 0)
    throw new ToolError(
      `There is no service ${unknown.join(', ')}. ${known.length > 0 ? `There are: ${known.map(({ name }) => name).join(', ')}.` : 'This sprint has none.'}`,
    );
  return known.filter(({ name }) => names.includes(name));
}

function deadWords(dead: NonNullable<Finished['dead']>, services: readonly Service[], { logs = {} }: Finished): string {
  const service = services.find(({ name }) => name === dead.name);
  return `service ${dead.name} is down: ${service ? causeOf(service, dead, logs[dead.name] ?? '').why : dead.how}`;
}

function logWords({ logs = {} }: Finished): string {
  return Object.entries(logs)
    .filter(([, log]) => log.trim() !== '')
    .map(([name, log]) => `\n[service ${name} printed]\n${excerpt(withoutRepeats(log.trimEnd()), longestLog)}`)
    .join('');
}

/** Says what may be raised, and by whom. */
function killedWords(seconds: number, limit: number): string {
  const more =
    seconds < limit
      ? `timeout may be up to ${limit}`
      : 'no command of this sprint may take longer; do it in parts, or report that the person must raise commandTimeout';
  return `killed after ${seconds} s (${more})`;
}
