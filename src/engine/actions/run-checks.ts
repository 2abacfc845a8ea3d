/** Runs every check that has no result on this code and that no broken one of a lower tier gates: one batch, no model (I11). */
import { counted } from '../ground/text.ts';
import type { State } from '../state/state.ts';
import { closedGates, gateOf } from '../judge/gates.ts';
import { askFor, probeServices } from '../run/services.ts';
import { runChecks } from '../run/batch.ts';
import { downFor } from '../services/services.ts';
import { liveChecks } from '../state/covers.ts';
import { canBurn } from '../state/fuel.ts';
import type { Check } from '../work/check.ts';
import type { Fact } from '../work/facts.ts';
import type { Action } from './action.ts';
import { tidy } from './change.ts';
import { isQualified } from '../work/gate.ts';

export const runChecksAction: Action = {
  id: 'run-checks',
  asksModel: false,
  due(state) {
    const gates = closedGates(state);
    const waiting = isQualified(state) ? unrun(state) : [];
    const checks = waiting.filter((c) => !gateOf(c, gates));
    if (checks.length === 0) return [];
    const { code } = state.work.tree;
    const gated = checks.length < waiting.length ? `; ${waiting.length - checks.length} gated by ${gates.map((c) => c.id).join(', ')}` : ''; // prettier-ignore
    const why = `no result on code ${code} yet for ${counted(checks.length, 'verification')}${gated}`;
    return [{ target: '', burns: checks.map((c) => tank(c, code)), why }];
  },
  async run(_target, context) {
    const { state, open } = context;
    const { code } = state.work.tree;
    const checks = liveChecks(state.work).filter((c) => open.decision.burns.includes(tank(c, code)));
    const { probes, ready } = await probeServices(context, { checks, at: 'worktree', code });
    const runs = await runChecks(context, { checks: ready, at: 'worktree', where: 'tree', code, gated: true });
    await tidy(context, null);
    return [
      ...probes.map((probe): Fact => ({ fact: 'service.probed', probe })),
      ...runs.map((run): Fact => ({ fact: 'check.ran', run })),
      ...askFor(state, probes),
    ];
  },
};

function unrun(state: State): Check[] {
  const { work, ledger } = state;
  return liveChecks(work)
    .filter((c) => c.kind === 'command' && !isCurrent(state, c) && !downFor(state, c))
    .filter((c) => canBurn(ledger, [tank(c, work.tree.code)]));
}

/** A result of this very script on this code; a rewritten check has none. */
function isCurrent({ work, ledger }: State, check: Check): boolean {
  const result = work.results[check.id];
  const last = ledger.runs[check.lineage]?.findLast((r) => r.check === check.id && r.where !== 'revert');
  return result?.code === work.tree.code && last?.script === check.script;
}

function tank(check: Check, code: number): string {
  return `run/${check.id}@${code}/${check.script.slice(0, 8)}`;
}
