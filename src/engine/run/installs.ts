/** Keeps the worktree's dependencies in step with its manifests: what they declare is installed before anything runs on them. */
import { installCommand, installsOf } from '../parse/install-command.ts';
import { installsIn, manifestNames, readBy, type ManifestFile } from '../parse/manifests.ts';
import type { Context } from '../context.ts';
import { Interruption } from '../ground/errors.ts';
import { excerpt } from '../ground/text.ts';
import type { Place } from '../work/job.ts';
import { installed as schema, installKey, installWords, type Install, type Installed } from '../work/install.ts';
import { namedFiles } from './files.ts';
import type { Ground } from './ground.ts';

/** Seconds. */
const installTimeout = 600;
/** Characters of its output that a journal line keeps. */
const kept = 2000;

/**
 * Makes each install whose manifests, lock files or flags are not those of its last one.
 * @param again also makes those again that failed.
 * @returns whether any was made; it may have written to files of the tree.
 */
export async function installChanged(context: Context, { again }: { again: boolean } = { again: false }): Promise<boolean> {
  let isMade = false;
  const files = await namedFiles(context.ports.tree, manifestNames);
  for (const install of wantedInstalls(files, context.state.work.context?.install ?? '')) {
    const declared = await context.ports.payloads.put(textToInstall(install, files));
    const last = context.state.ledger.installs[installKey(install)];
    if (last?.declared === declared && !(again && last.exit !== 0)) continue;
    await record(context, install, declared);
    isMade = true;
  }
  return isMade;
}

async function record(context: Context, install: Install, declared: string): Promise<void> {
  const made = Object.keys(context.state.ledger.installs).length;
  const key = `${installKey(install)}#${declared.slice(0, 12)}#${made}`;
  await context.effect(
    { name: 'install', key, detail: installWords(install) },
    {
      run: async () => JSON.stringify(await installUntilNotKilled(context, install, 'worktree', declared)),
      facts: (value) => [{ fact: 'install.ran', installed: schema.parse(JSON.parse(value)) }],
    },
  );
}

/** Makes one install in a checkout; one that was killed says nothing, so it is made once more. A failed one is a result, not an error. */
export async function installUntilNotKilled(ground: Ground, install: Install, at: Place, declared: string): Promise<Installed> {
  const first = await installOnce(ground, install, at, declared);
  return first.exit === null ? installOnce(ground, install, at, declared) : first;
}

async function installOnce(ground: Ground, install: Install, at: Place, declared: string): Promise<Installed> {
  const { state, ports, signal } = ground;
  const network = state.config.network !== 'none';
  const job = { run: { command: installCommand(install) }, at, timeout: installTimeout, network, install: true };
  const done = await ports.runner.run(job, signal);
  if (signal.aborted) throw new Interruption('cancelled', 'The sprint was stopped.');
  const how = done.exit === 0 ? 'done' : done.exit === null ? 'killed' : `exit status ${done.exit}`;
  ports.progress({ kind: 'note', text: `install ${installWords(install)}: ${how}` });
  const output = await ports.payloads.put(done.output);
  const refused = done.traffic?.refused ?? [];
  const ended = { exit: done.exit, output, excerpt: excerpt(done.output, kept), duration: Math.round(done.duration) };
  return { install, declared, ...ended, ...(refused.length > 0 ? { refused: [...refused] } : {}) };
}

/** What the manifests declare, with the flags that discovery or an amendment names. */
function wantedInstalls(files: readonly ManifestFile[], command: string): Install[] {
  const named = new Map(installsOf(command).map((one) => [installKey(one), one]));
  const found = installsIn(files);
  const wanted = found.map((one) => ({ ...one, ...(named.get(installKey(one))?.flags.length ? named.get(installKey(one)) : {}) }));
  const known = new Set(found.map(installKey));
  // A manifest may declare nothing that a machine sees. One that is not there yet cannot be installed.
  return [...wanted, ...[...named.values()].filter((one) => !known.has(installKey(one)) && readBy(one, files).length > 0)];
}

function textToInstall(install: Install, files: readonly ManifestFile[]): string {
  return JSON.stringify([install, readBy(install, files).map(({ path, text }) => [path, text])]);
}
