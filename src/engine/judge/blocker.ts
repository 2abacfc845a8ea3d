/**
 * What a verification waits for besides the work: something that only the person can do, or a service that is down. Nobody
 * mends, researches or triages it meanwhile; everything else goes on.
 */
import { downFor } from '../services/services.ts';
import type { State } from '../state/state.ts';
import { isAgents, isUnresolved, type AgentsQuestion, type Deed, type HumanAction } from '../work/human-action.ts';
import type { ServiceProbe } from '../work/service.ts';
import { requirementsOf, type Verification } from '../work/verification.ts';

export function blockerOf(state: State, verification: Verification): Deed | AgentsQuestion | ServiceProbe | undefined {
  return deedFor(state, verification) ?? questionAbout(state, verification) ?? downFor(state, verification);
}

/** What a fixer asked about its failures. */
function questionAbout({ ledger }: State, { lineage }: Verification): AgentsQuestion | undefined {
  const isAbout = (one: HumanAction): one is AgentsQuestion => isAgents(one) && one.kind === 'hint' && one.lineages.includes(lineage);
  return Object.values(ledger.humanActions).filter(isAbout).find(isUnresolved);
}

/** The open deed without which it cannot pass. */
export function deedFor({ ledger }: State, verification: Verification): Deed | undefined {
  const needs = (deed: Deed): boolean =>
    deed.lineages.includes(verification.lineage) || requirementsOf(verification).some((id) => deed.requirements.includes(id));
  return openDeeds(Object.values(ledger.humanActions)).find(needs);
}

/** The open deed without which a service cannot come up, by the service's lineage. */
export function deedForLineage({ ledger }: State, lineage: string): Deed | undefined {
  return openDeeds(Object.values(ledger.humanActions)).find((deed) => deed.lineages.includes(lineage));
}

function openDeeds(humanActions: readonly HumanAction[]): Deed[] {
  return humanActions.filter((one): one is Deed => one.kind === 'deed' && isUnresolved(one));
}
