/**
 * Makes the worktree ready to work in, without a model: looks up what the work needs of the machine, turns what is missing into
 * human actions, installs dependencies and starts services. It is due once more when something that was missing has come.
 */
import { requireOwnTip } from '../branch.ts';
import type { Context } from '../context.ts';
import { tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { isApproved } from '../judge/approval.ts';
import { askForNeeds, preflight } from '../judge/preflight.ts';
import type { Fact } from '../work/facts.ts';
import type { Action } from './action.ts';
import type { Due } from '../core/decide.ts';
import { tidy } from './change.ts';
import { isComposeDue, startCompose } from './compose.ts';
import { gateDue } from './gate-row.ts';
import { isExternal } from '../services/external.ts';
import { isQualified } from '../work/gate.ts';
import { installInWorktree } from '../run/installs.ts';
import { knownInstalls } from '../run/prepared.ts';

export const prepare: Action = {
  id: 'prepare',
  asksModel: false,
  afterQualifying: false,
  due: (state) => [...(isApproved(state) ? gateDue(state, 'prepare') : []), ...dueAgain(state)],
  async run(_target, context) {
    const { state, ports } = context;
    await requireOwnTip(state, ports.repo);
    const missing = state.work.gates.includes('prepare') && !isAmended(state) ? [] : await askForMissing(context);
    await installInWorktree(context, 'failed');
    const services = await startCompose(context);
    await tidy(context, null);
    return [...missing, ...services, { fact: 'gate.passed', gate: 'prepare' }];
  },
};

function dueAgain(state: State): Due[] {
  const why = isQualified(state) ? whyAgain(state) : undefined;
  if (why !== undefined) return [{ target: '', burns: [tank('gate', 'prepare')], why }];
  return isQualified(state) && isAmended(state) ? [{ target: '', burns: [tank('amend', 'prepare')], why: 'discovery was amended' }] : [];
}

/** What is installed, needed or run by Docker was declared anew. */
function isAmended({ ledger }: State): boolean {
  return ledger.amendments.some(
    ({ prepared, declared: { install: command, needs = [], services = [] } }) =>
      !prepared && (command !== undefined || needs.length > 0 || services.some(isExternal)),
  );
}

/** A tool or a variable that came may be what the install lacked. */
function whyAgain(state: State): string | undefined {
  const { humanActions } = state.ledger;
  const came = Object.values(humanActions).find(
    (one) => one.kind === 'deed' && one.status === 'fulfilled' && one.needs.length + one.lineages.length > 0 && !one.prepared,
  );
  if (came && knownInstalls(state).length > 0) return `the install may have lacked what has come: ${came.action}`;
  return isComposeDue(state) ? 'services may be started with Docker now' : undefined;
}

async function askForMissing({ state, ports, signal }: Context): Promise<Fact[]> {
  const needs = state.work.context?.needs ?? [];
  if (needs.length === 0) return [];
  const answers = await ports.machine.look(
    needs.map(({ what }) => what),
    signal,
  );
  return askForNeeds(state, preflight(needs, answers));
}
