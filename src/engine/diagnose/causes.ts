/**
 * Which broken checks one fix is made for: grouped by machine, and where machines see nothing in common, joined by what a
 * classifier said of these groups on this code (spec/1 §7.3). What it said falls with the first fix that is taken back. Pure (I3).
 */
import type { State } from '../state/state.ts';
import type { Causes } from '../work/cause.ts';
import { strategyOf } from '../work/strategy.ts';
import { isExhausted, isForResearch, lastRunOf } from '../judge/status.ts';
import { inOrder, triage, type Group } from './triage.ts';
import { isBroken } from '../judge/trust.ts';
import { liveVerifications } from '../state/covers.ts';

/** What is broken and may still be mended, by cause: the one that unblocks most first. */
export function causesOf(state: State): Group[] {
  const { causes, tree } = state.work;
  const groups = machineCauses(state);
  if (strategyOf(state.ledger).triage === 'one_by_one') return inOrder(groups.flatMap(apart));
  return causes?.code === tree.code ? joined(groups, causes.groups) : groups;
}

/** By strategy: each is mended for itself. */
function apart({ verifications }: Group): Group[] {
  return verifications.map((verification) => ({
    key: `verification ${verification.id}`,
    why: 'one by one',
    verifications: [verification],
  }));
}

/** As far as a machine can tell. What has no attempt left neither leads a group nor keeps it from being mended. */
export function machineCauses(state: State): Group[] {
  const failures = liveVerifications(state.work)
    .filter((c) => isBroken(state, c) && !isExhausted(state, c) && !isForResearch(state, c))
    .map((verification) => ({ verification, run: lastRunOf(state, verification) }));
  return triage(failures);
}

/** Machine's groups are joined whole, never taken apart. */
function joined(groups: readonly Group[], causes: Causes['groups']): Group[] {
  const left = new Set(groups);
  const made = causes.flatMap(({ cause, verifications }): Group[] => {
    const members = [...left].filter((group) => group.verifications.some(({ id }) => verifications.includes(id)));
    if (members.length < 2) return [];
    for (const member of members) left.delete(member);
    return [{ key: `cause ${cause}`, why: cause, verifications: members.flatMap((group) => group.verifications) }];
  });
  return inOrder([...made, ...left]);
}
