/**
 * Runs a program that asks a model in a sandbox of its own: an empty folder that it cannot write, its own login, the hosts that it
 * needs and Loop's tools. It sees no worktree; what it knows of the work, these tools tell it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';
import { programTitles, type ProgramName } from '../../engine/ground/model-names.ts';
import type { ProgramListener, ProgramPort, ProgramStart } from '../../engine/ground/programs.ts';
import type { Finished } from '../../engine/work/job.ts';
import { rulesOf, loopbackTargets } from '../egress/allow-list.ts';
import { throughEgress, type Egress } from '../egress/egress.ts';
import { upstreamOf } from '../egress/upstream.ts';
import { removeFolder } from '../git/remove-folder.ts';
import { launcher } from '../launcher/own-launcher.ts';
import { homeDir, inspectHost } from '../sandbox/layout.ts';
import type { Conversation } from '../sandbox/runner.ts';
import { quoted } from '../../engine/ground/shell-quoted.ts';
import { createStop } from '../stop.ts';
import { createVariables } from '../variables.ts';
import { lendLogin, type LentLogin } from './lent-login.ts';
import { findProgram, type Program } from './program.ts';
import { makeRunFolder } from './run-folder.ts';

/** Neither a port of Loop's proxy nor one that runs get. */
const toolsPort = 19_129;
/** Where a program reaches Loop's tools. */
export const toolsUrl = `http://127.0.0.1:${toolsPort}/mcp`;

/** Seconds; longer than any session. */
const longest = 86_400;
/** Characters of its output that tell why it ended. */
const lastWords = 1500;

/** @param tell is told what the person should know of their login. @returns how to start it; undefined where it is not here. */
export function programPort(
  name: ProgramName,
  env: NodeJS.ProcessEnv = process.env,
  tell: (note: string) => void = () => undefined,
): ProgramPort | undefined {
  const { home } = inspectHost(env);
  if (findProgram(name, home, env) === undefined) return undefined;
  return {
    start(start, listener) {
      const stop = createStop();
      // It may be renewed, moved or logged in while a sprint runs.
      const program = findProgram(name, home, env);
      let login: LentLogin | undefined;
      const onLent = (lent: LentLogin): void => void (login = lent);
      if (program) void follow(run(program, start, { listener, stop, env, tell, onLent }), listener);
      else
        listener.failed(
          new InputError(`${programTitles[name]} is not installed any more.`, 'Install it, or choose another model, and resume.'),
        );
      return { end: () => stop.abort(), hasOldLogin: () => login?.isOutdated() === true };
    },
  };
}

async function follow(ended: Promise<Pick<Finished, 'exit' | 'output'>>, listener: ProgramListener): Promise<void> {
  try {
    const { exit, output } = await ended;
    listener.ended(exit, output.slice(-lastWords));
  } catch (error) {
    listener.failed(error);
  }
}

interface Around {
  listener: ProgramListener;
  stop: AbortController;
  env: NodeJS.ProcessEnv;
  tell: (note: string) => void;
  onLent: (login: LentLogin) => void;
}

async function run(
  program: Program,
  start: ProgramStart,
  { listener, stop, env, tell, onLent }: Around,
): Promise<Pick<Finished, 'exit' | 'output'>> {
  const { toolsServer } = await import('./tools-server.ts');
  const scratch = await makeRunFolder();
  const folder = join(scratch, 'work');
  const lent = lendLogin(program.login.file, join(scratch, 'login'), tell);
  onLent(lent);
  try {
    await mkdir(folder);
    for (const [name, file] of Object.entries(start.files))
      await writeFile(join(folder, name), 'text' in file ? file.text : Buffer.from(file.png, 'base64'));
    const server = toolsServer(start.tools, (call) => listener.call(call));
    const runner = throughEgress(
      launcher.runner(
        {
          worktree: folder,
          gitCommonDir: join(folder, '.git'),
          views: join(folder, '.views'),
          network: 'registries',
          shown: [...program.mounts, { kind: 'write', path: join(homeDir, dirname(program.login.place)), from: lent.folder }],
          variables: { ...createVariables(program.secrets, env).values, ...program.env, ...start.env },
        },
        true,
      ),
      egressOf(program, env, new Map([[toolsPort, server]])),
    );
    const words = [program.path, ...program.args, ...start.args].map(quoted).join(' ');
    const job = { run: { command: `exec ${words}` }, at: 'worktree', timeout: longest, network: false, readonly: true } as const;
    const { exit, output } = await runner.run(job, stop.signal, (conversation) => talk(conversation, start.input, listener));
    return { exit, output };
  } finally {
    lent.end();
    await removeFolder(scratch);
  }
}

function egressOf({ hosts, files }: Program, env: NodeJS.ProcessEnv, servers: Egress['servers']): Egress {
  const rules = rulesOf({ registries: [], hosts: [] }, hosts);
  const policy = { rules, registries: [], upstream: upstreamOf(env, undefined) };
  const machine = { registries: [], hosts: [], files, read: [], certificates: [] };
  return { policy, machine, loopback: loopbackTargets(rules), ...(servers ? { servers } : {}) };
}

function talk({ stdin, output }: Conversation, input: string, listener: ProgramListener): void {
  stdin.end(input);
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) listener.line(line);
  });
}
