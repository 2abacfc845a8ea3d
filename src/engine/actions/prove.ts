/**
 * Proves that green checks can fail (design §6): the covering hunks are taken out in a scratch checkout that keeps every
 * file, and the check must be red there for its stated reason. One batch, no model.
 */
import type { Context } from '../context.ts';
import { canBurn } from '../fuel.ts';
import type { State } from '../state.ts';
import { runChecks } from '../verify/run.ts';
import { coveredTasks, coveringCommits, isHonestRed, liveChecks, trustOf } from '../verify/trust.ts';
import type { Check, CheckRun, Proof } from '../work/check.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import type { Action } from './action.ts';
import { isQualified } from './gate-row.ts';
import { prepared } from './prepared.ts';

export const prove: Action = {
  id: 'prove',
  asksModel: false,
  due(state) {
    const checks = isQualified(state) ? unproven(state) : [];
    if (checks.length === 0) return [];
    return [{ target: '', burns: checks.map(tank), why: `green, but never seen red: ${checks.map((c) => c.id).join(', ')}` }];
  },
  async run(_target, context) {
    const { state, open } = context;
    const facts: Fact[] = [];
    for (const check of liveChecks(state.work).filter((c) => open.decision.burns.includes(tank(c)))) {
      facts.push(...(await revert(context, check)));
    }
    return facts;
  },
};

function unproven(state: State): Check[] {
  return liveChecks(state.work).filter(
    (c) =>
      c.kind === 'command' &&
      state.work.results[c.id]?.verdict === 'green' &&
      state.work.results[c.id]?.code === state.work.tree.code &&
      coveredTasks(state.work, c).every((t) => !isOpen(t)) &&
      !trustOf(state, c).trusted &&
      canBurn(state.ledger, [tank(c)]),
  );
}

function tank({ lineage, script }: Check): string {
  return `proof/${lineage}/${script.slice(0, 8)}/revert`;
}

async function revert(context: Context, check: Check): Promise<Fact[]> {
  const { state } = context;
  const commits = coveringCommits(state.work, check).map((c) => c.commit).reverse(); // prettier-ignore
  const proof = { lineage: check.lineage, script: check.script, kind: 'revert' as const, code: state.work.tree.code };
  if (commits.length === 0)
    return [
      { fact: 'check.proven', proof: { ...proof, outcome: 'impossible', why: 'no commit of the sprint is covered by it' } },
    ];
  const [run] = await prepared(context, { revert: commits }, (at) =>
    runChecks(context, { checks: [check], at, where: 'revert', code: null }),
  );
  if (!run) return [];
  return [
    { fact: 'check.ran', run },
    { fact: 'check.proven', proof: { ...proof, ...outcomeOf(check, run, commits.length) } },
  ];
}

function outcomeOf(check: Check, run: CheckRun, commits: number): Pick<Proof, 'outcome' | 'why'> {
  if (isHonestRed(run))
    return {
      outcome: 'red',
      why: `with ${commits === 1 ? 'the commit' : `the ${commits} commits`} that it covers taken out it fails for its stated reason`,
    };
  if (run.verdict === 'green')
    return { outcome: 'not-red', why: 'it stays green when the work it covers is taken out: it does not look at it' };
  const reason = run.redSeen ? `${run.kind ?? 'unknown'} is no proof` : `its output does not contain "${check.red}"`;
  return { outcome: 'not-red', why: `it fails without the work, but not for its stated reason: ${reason}` };
}
