/**
 * Which broken verifications share one fix. The engine groups them; a classifier may join groups (docs/decisions/0018). Its
 * answer holds for one code number, and only until a fix is undone.
 */
import type { State } from '../state/state.ts';
import type { Causes } from '../work/cause.ts';
import { strategyOf } from '../work/strategy.ts';
import { isExhausted, isForResearch, lastRunOf } from '../judge/status.ts';
import { inOrder, triage, type Group } from './triage.ts';
import { blockerOf } from '../judge/blocker.ts';
import { isBroken } from '../judge/trust.ts';
import { liveVerifications } from '../state/covers.ts';

/** The broken verifications that can still be fixed, by cause, in the order of `inOrder`. */
export function causesOf(state: State): Group[] {
  const { causes, tree } = state.work;
  const groups = machineCauses(state);
  if (strategyOf(state.ledger).triage === 'one_by_one') return inOrder(groups.flatMap(apart));
  return causes?.code === tree.code ? joined(groups, causes.groups) : groups;
}

/** Strategy `one_by_one`: each verification gets a fix of its own. */
function apart({ verifications }: Group): Group[] {
  return verifications.map((verification) => ({
    key: `verification ${verification.id}`,
    why: 'one by one',
    verifications: [verification],
  }));
}

/** Groups that the engine finds without a model. What has no attempt left, or waits for something else, is in none and holds nothing back. */
export function machineCauses(state: State): Group[] {
  const failures = liveVerifications(state.work)
    .filter((v) => isBroken(state, v) && !blockerOf(state, v) && !isExhausted(state, v) && !isForResearch(state, v))
    .map((verification) => ({ verification, run: lastRunOf(state, verification) }));
  return triage(failures);
}

/** Joins whole groups, and never splits one. */
function joined(groups: readonly Group[], causes: Causes['groups']): Group[] {
  const left = new Set(groups);
  const joinedGroups = causes.flatMap(({ cause, verifications }): Group[] => {
    const members = [...left].filter((group) => group.verifications.some(({ id }) => verifications.includes(id)));
    if (members.length < 2) return [];
    for (const member of members) left.delete(member);
    return [{ key: `cause ${cause}`, why: cause, verifications: members.flatMap((group) => group.verifications) }];
  });
  return inOrder([...joinedGroups, ...left]);
}
