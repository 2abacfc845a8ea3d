/** Keeps the worktree's dependencies in step with its manifests: what they declare is installed before anything runs on them. */
import { downloadCommand, installCommand, installsOf, isCheckTool } from '../parse/install-command.ts';
import { installsIn, manifestNames, readBy, type ManifestFile } from '../parse/manifests.ts';
import { loginsIn } from '../diagnose/logins.ts';
import type { Context } from '../context.ts';
import { Interruption } from '../ground/errors.ts';
import { excerpt } from '../ground/text.ts';
import { mayBeMachine } from '../judge/verdict.ts';
import type { Place } from '../work/job.ts';
import { installed as schema, installKey, installWords, type Install, type Installed } from '../work/install.ts';
import { namedFiles } from './files.ts';
import type { Ground } from './ground.ts';

/** Seconds. */
const installTimeout = 600;
/** Characters of its output that a journal line keeps. */
const kept = 2000;

/**
 * Makes installs in the worktree, and records each. `changed`: those whose manifests, lock files or flags are not those of the last
 * one. `failed`: also those that failed. `all`: each once more.
 * @returns whether any was made; it may have written to files of the tree.
 */
export async function installInWorktree(context: Context, which: 'changed' | 'failed' | 'all'): Promise<boolean> {
  const { ports, state } = context;
  const files = await namedFiles(ports.tree, manifestNames);
  const wanted = wantedInstalls(files, state.work.context?.install ?? '');
  await forgetOthers(context, wanted);
  let isMade = false;
  for (const install of wanted) {
    const declared = await ports.payloads.put(textToInstall(install, files));
    const effect = { name: 'install', key: `${installKey(install)}#${declared}`, detail: installWords(install) };
    const last = state.ledger.installs[installKey(install)];
    const isDue = which === 'all' || last?.declared !== declared || (which === 'failed' && last.exit !== 0);
    if (!isDue) continue;
    await context.effect(effect, {
      run: async () => JSON.stringify(await installAgain(context, install, 'worktree', declared)),
      facts: (value) => [{ fact: 'install.ran', installed: schema.parse(JSON.parse(value)) }],
    });
    isMade = true;
  }
  return isMade;
}

/** What nothing declares any more is made in no checkout: the work may have changed its package manager. */
async function forgetOthers(context: Context, wanted: readonly Install[]): Promise<void> {
  const keys = wanted.map(installKey);
  for (const [key, { install }] of Object.entries(context.state.ledger.installs)) {
    if (keys.includes(key)) continue;
    const effect = { name: 'forget', key, detail: `nothing declares ${installWords(install)} any more` };
    await context.effect(effect, { run: () => Promise.resolve(''), facts: () => [{ fact: 'install.forgotten', key }] });
  }
}

/** Makes one install in a checkout. A registry may be down for a moment, so what failed is made once more, and what was killed twice. */
export async function installAgain(ground: Ground, install: Install, at: Place, declared: string): Promise<Installed> {
  let made = await installOnce(ground, install, at, declared);
  for (let again = 0; again < (made.exit === null ? 2 : 1) && made.exit !== 0; again += 1)
    made = await installOnce(ground, install, at, declared);
  return made;
}

async function installOnce(ground: Ground, install: Install, at: Place, declared: string): Promise<Installed> {
  const { state, ports, signal } = ground;
  const job = { at, timeout: installTimeout, network: state.config.network !== 'none' };
  const download = at === 'worktree' ? downloadCommand(install) : undefined;
  if (download !== undefined) await ports.runner.run({ ...job, run: { command: download }, packages: 'fill' }, signal);
  const done = await ports.runner.run({ ...job, run: { command: installCommand(install) }, packages: 'use' }, signal);
  if (signal.aborted) throw new Interruption('cancelled', 'The sprint was stopped.');
  // A shell tells by its own status that a program in it was killed. That a registry did not answer is told apart.
  const { traffic: _traffic, ...own } = done;
  const exit = mayBeMachine(own) ? null : done.exit;
  const how = exit === 0 ? 'done' : exit === null ? 'killed' : `exit status ${exit}`;
  ports.progress({ kind: 'note', text: `install ${installWords(install)}: ${how}` });
  const output = await ports.payloads.put(done.output);
  const { refused = [], unreachable = [] } = exit === 0 ? {} : (done.traffic ?? {});
  const ended = { exit, output, excerpt: excerpt(done.output, kept), duration: Math.round(done.duration) };
  const logins = exit === 0 ? [] : loginsIn(done.output, done.traffic?.reached ?? [], done.traffic?.withheld ?? []);
  return {
    install,
    declared,
    ...ended,
    at: ports.clock.now(),
    ...(refused.length > 0 ? { refused: [...refused] } : {}),
    ...(logins.length > 0 ? { logins } : {}),
    ...(unreachable.length > 0 ? { unreachable: [...unreachable] } : {}),
  };
}

/** What the manifests declare, with the flags that discovery or an amendment names. */
function wantedInstalls(files: readonly ManifestFile[], command: string): Install[] {
  const named = new Map<string, Install>();
  for (const one of installsOf(command)) {
    const before = named.get(installKey(one))?.flags ?? [];
    named.set(installKey(one), { ...one, flags: [...before, ...one.flags] });
  }
  const found = installsIn(files);
  const wanted = found.map((one) => ({ ...one, flags: flagsOf(one, named.get(installKey(one))) }));
  const known = new Set(found.map(installKey));
  // A manifest may declare nothing that a machine sees. One that is not there yet cannot be installed.
  return [...wanted, ...[...named.values()].filter((one) => !known.has(installKey(one)) && readBy(one, files).length > 0)];
}

/** Tools for checks come beside what the manifests declare; other flags say how that is installed. */
function flagsOf({ manager, flags }: Install, named: Install | undefined): string[] {
  if (!named || named.flags.length === 0) return flags;
  return manager === 'pip' && named.flags.every(isCheckTool) ? [...flags, ...named.flags] : named.flags;
}

function textToInstall(install: Install, files: readonly ManifestFile[]): string {
  return JSON.stringify([install, readBy(install, files).map(({ path, text }) => [path, text])]);
}
