/**
 * What a failed install explains. It is the work's own fault where the open change touched what it reads; else it is the
 * machine's, and nothing that is red while it lacks has a result.
 */
import { plainCommand } from '../parse/install-command.ts';
import { isManifest } from '../parse/manifests.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { deedOf, type HumanAction } from '../work/human-action.ts';
import { failedInstalls, installKey, installWords, type Installed } from '../work/install.ts';
import type { Change } from '../work/tree.ts';
import type { Run } from '../work/verification.ts';

/** The install because of which a red has no result. Without a network each may fail, so none explains anything. */
export function installFault(state: State): Installed | undefined {
  if (state.config.network === 'none') return undefined;
  return failedInstalls(state.ledger.installs).find((one) => actionFor(state, one)?.status !== 'skipped');
}

/** Why a change cannot be kept: it declares what cannot be installed. Undefined where no install failed by itself because of it, without being refused a host. */
export function whyNotInstallable({ config, ledger }: State, { files }: Change): string | undefined {
  if (config.network === 'none') return undefined;
  const touched = files.map(({ path }) => path).filter(isManifest);
  const failed = failedInstalls(ledger.installs).find(
    ({ exit, refused, install: { folder } }) =>
      exit !== null && !refused && touched.some((path) => folder === '' || path.startsWith(`${folder}/`)),
  );
  return failed && `with it ${installWords(failed.install)} cannot be installed: ${lastLines(failed)}`;
}

/** Asks the person for each failed install that left runs without a result, once. */
export function askForInstalls(state: State, runs: readonly Run[]): Fact[] {
  const failed = installFault(state);
  const lineages = [...new Set(runs.filter(({ verdict }) => verdict === 'none').map(({ lineage }) => lineage))];
  if (!failed || lineages.length === 0 || actionFor(state, failed)) return [];
  const command = plainCommand(failed.install);
  const hosts = failed.refused
    ? ` It may not reach ${failed.refused.join(', ')}; \`loop.allowedHosts\` or \`--allow-host\` allows hosts on a resume.`
    : '';
  const deed = deedOf({
    id: actionId(failed),
    action: `See that ${installWords(failed.install)} can be installed`,
    instructions: `\`${command}\` failed, and what needs it cannot be judged: ${lineages.join(', ')}. It printed: ${lastLines(failed)}.${hosts} Loop makes it again when you say that it is done.`,
    lineages,
  });
  return [{ fact: 'human-action.asked', humanAction: deed }];
}

function actionFor({ ledger }: State, failed: Installed): HumanAction | undefined {
  return ledger.humanActions[actionId(failed)];
}

/** A new lock file is a new install, which may be asked for anew. */
function actionId({ install, declared }: Installed): string {
  return `install ${installKey(install)} ${declared.slice(0, 8)}`;
}

function lastLines({ excerpt }: Installed): string {
  return excerpt.trim().split('\n').slice(-3).join(' / ').slice(-400) || 'nothing';
}
