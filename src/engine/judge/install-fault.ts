/**
 * What a failed install explains. It is the work's own fault where the open change touched what it reads; else it is the
 * machine's, and nothing that is red while it lacks has a result.
 */
import { pieceOf } from '../ground/text.ts';
import { plainCommand } from '../parse/install-command.ts';
import { isManifest } from '../parse/manifests.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { deedOf, type HumanAction } from '../work/human-action.ts';
import { failedInstalls, installKey, installWords, type Installed, type PackageManager } from '../work/install.ts';
import { serviceLineage, type ServiceProbe } from '../work/service.ts';
import type { Change } from '../work/tree.ts';
import type { Run } from '../work/verification.ts';

/** The install because of which a red in the worktree has no result. */
export function installFault(state: State): Installed | undefined {
  return installFaults(state)[0];
}

/** Failed installs of the worktree that a red may come from. Without a network each may fail, so none explains anything. */
export function installFaults(state: State): Installed[] {
  if (state.config.network === 'none') return [];
  return failedInstalls(state.ledger.installs).filter((one) => actionFor(state, one)?.status !== 'skipped');
}

/**
 * Why a change cannot be kept: it declares what cannot be installed. Undefined where no install failed by itself because of it: each
 * was killed, was refused a host or a login, met a registry that is down, or failed before, too.
 */
export function whyNotInstallable({ config, ledger }: State, { files }: Change): string | undefined {
  if (config.network === 'none') return undefined;
  const touched = files.map(({ path }) => path).filter(isManifest);
  const failed = failedInstalls(ledger.installs).find(
    ({ exit, refused, logins, unreachable, install: { folder } }) =>
      exit !== null && !refused && !logins && !unreachable && touched.some((path) => folder === '' || path.startsWith(`${folder}/`)),
  );
  if (!failed || failedBefore(ledger, failed)) return undefined;
  return `with it ${installWords(failed.install)} cannot be installed: ${tellingLines(failed)}`;
}

/** On the tree without the change, so nothing was lost by it. */
function failedBefore({ installsMade }: State['ledger'], { install, declared }: Installed): boolean {
  const key = installKey(install);
  const before = installsMade.findLast((one) => installKey(one.install) === key && one.declared !== declared && !one.forgotten);
  return before !== undefined && before.exit !== 0;
}

/** Each with what it printed; empty where none fails. */
export function failedInstallsText(state: State): string {
  return installFaults(state)
    .map((failed) => `- \`${plainCommand(failed.install)}\`: ${tellingLines(failed)}`)
    .join('\n');
}

/** Whether a person was asked for this install, which fails still: nothing else tells that it is not needed. */
export function isForInstall({ ledger: { installsMade } }: State, id: string): boolean {
  const asked = installsMade.find((one) => actionId(one) === id);
  if (!asked) return false;
  // A change that is settled only forgets that it failed.
  const last = installsMade.findLast((one) => installKey(one.install) === installKey(asked.install) && !one.forgotten);
  return last !== undefined && last.exit !== 0 && actionId(last) === id;
}

/** Asks the person for each failed install that left runs without a result, or services down; again where it failed after they had done it. */
export function askForInstalls(state: State, runs: readonly Run[], probes: readonly ServiceProbe[]): Fact[] {
  const failed = installFault(state);
  const down = probes.filter(({ up, machine }) => !up && machine).map(({ name }) => serviceLineage(name));
  const lineages = [...new Set([...down, ...runs.filter(({ verdict }) => verdict === 'none').map(({ lineage }) => lineage)])];
  const asked = failed && actionFor(state, failed);
  if (!failed || lineages.length === 0 || !mayAsk(state, asked)) return [];
  const command = plainCommand(failed.install);
  const hosts = failed.refused
    ? ` It may not reach ${failed.refused.join(', ')}; \`loop.allowedHosts\` or \`--allow-host\` allows hosts on a resume.`
    : failed.unreachable
      ? ` ${failed.unreachable.join(', ')} did not answer.`
      : '';
  const deed = deedOf({
    id: actionId(failed),
    action: failed.logins
      ? `Log in to ${failed.logins.join(', ')} for ${installWords(failed.install)}`
      : `See that ${installWords(failed.install)} can be installed`,
    instructions: `\`${command}\` failed, and what needs it cannot be judged: ${lineages.join(', ')}. It printed: ${tellingLines(failed)}.${hosts}${loginWords(failed)} Loop makes it again when you say that it is done.`,
    lineages,
  });
  return [{ fact: 'human-action.asked', humanAction: asked ? { ...deed, missing: 'it was made again and failed' } : deed }];
}

/** Credentials of this machine cannot be added to https, so only a variable brings a login into the sandbox. */
function loginWords({ logins, install: { manager } }: Installed): string {
  if (!logins) return '';
  const [host = ''] = logins;
  return ` ${logins.join(', ')} wants a login (401 or 403). Log in at https://${host}/ and make a token that may read packages; this machine's own login never enters the sandbox. Put the token into a variable, let the repository's configuration name that variable (${whereOf(manager, host)}), and resume with \`--env NAME\` or the setting \`loop.environment\`.`;
}

/** Where a manager reads a token from a variable. */
function whereOf(manager: PackageManager, host: string): string {
  switch (manager) {
    case 'npm':
    case 'pnpm':
    case 'bun':
      return `.npmrc: \`//${host}/:_authToken=\${NAME}\``;
    case 'yarn':
      return '.yarnrc.yml: `npmAuthToken: "${NAME}"`';
    case 'pip':
      return `\`PIP_INDEX_URL\` with \`https://user:token@${host}/...\` is itself such a variable`;
    case 'uv':
      return `\`UV_INDEX_URL\` with \`https://user:token@${host}/...\` is itself such a variable`;
    case 'poetry':
      return '`POETRY_HTTP_BASIC_<SOURCE>_PASSWORD` is itself such a variable';
    case 'cargo':
      return '`CARGO_REGISTRIES_<NAME>_TOKEN` is itself such a variable';
    case 'bundler':
      return '`BUNDLE_<HOST>` with `user:token`, dots as two underscores, is itself such a variable';
    case 'composer':
      return '`COMPOSER_AUTH` is itself such a variable';
    case 'maven':
      return 'a settings.xml that `.mvn/maven.config` names: `${env.NAME}`';
    case 'gradle':
      return '`ORG_GRADLE_PROJECT_<name>` is itself such a variable';
    case 'dotnet':
      return 'nuget.config: `%NAME%`';
    case 'go':
      return '`GOPROXY` with `https://user:token@' + host + '` is itself such a variable';
  }
}

/** An answer is of use only while the worktree can be prepared again. */
function mayAsk({ ledger }: State, asked: HumanAction | undefined): boolean {
  if (!asked) return true;
  return asked.kind === 'deed' && asked.status === 'fulfilled' && asked.prepared && canBurn(ledger, [tank('gate', 'prepare')]);
}

function actionFor({ ledger }: State, failed: Installed): HumanAction | undefined {
  return ledger.humanActions[actionId(failed)];
}

/** A new lock file is a new install, which may be asked for anew. */
function actionId({ install, declared }: Installed): string {
  return `install ${installKey(install)} ${declared.slice(0, 8)}`;
}

/** The first that tell what is wrong, or else the last: pip says so far above its end. */
function tellingLines({ excerpt }: Installed): string {
  const lines = [...new Set(excerpt.split('\n').map((line) => line.trim()))].filter((line) => line !== '' && !isNotice.test(line));
  const faults = lines.filter((line) => isFault.test(line));
  const told = faults.length > 0 ? pieceOf(faults.slice(0, 3).join(' / '), 0, 400) : pieceOf(lines.slice(-3).join(' / '), -400);
  return told || 'nothing';
}

const isFault = /^(?:npm (?:error|ERR!)|ERROR\b|error(?:\[\w+\])?:(?! subprocess-exited)|E:|fatal:|\[ERROR\])/;

/** A manager's word about itself, mostly the last of all. */
const isNotice = /^\s*(?:\[notice\]|npm notice\b|WARNING: You are using pip version|You should consider upgrading)/;
