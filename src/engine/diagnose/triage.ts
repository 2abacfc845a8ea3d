/**
 * Which broken checks fail for one cause, told by machine from what their last runs printed (I11): the same failure, the
 * same service refused, the same thing missing, the same place in a file. Pure (I3).
 */
import type { Runnable, Run } from '../work/verification.ts';
import { placeOfCases } from './cases.ts';
import { clueIn, type Clue } from './clues.ts';
import { rankOf } from '../work/tier.ts';
import { ownOf } from './run-text.ts';

export interface Failure {
  verification: Runnable;
  /** Its latest run on the tree that is kept. */
  run: Pick<Run, 'excerpt' | 'summary' | 'signature' | 'cases'> | undefined;
}

/** Checks that one fix may mend; the first of them leads. */
export interface Group {
  /** The clue that most of them share. */
  key: string;
  verifications: Runnable[];
  /** The clue in words. */
  why: string;
}

interface Found {
  verification: Runnable;
  clues: Clue[];
}

/** As `inOrder`; within a group in the order that was given. */
export function triage(failures: readonly Failure[]): Group[] {
  const found = failures.map((failure) => ({ verification: failure.verification, clues: cluesOf(failure) }));
  const groups = new Map<number, Found[]>();
  const root = rootsOf(found);
  for (const [index, one] of found.entries()) groups.set(root(index), [...(groups.get(root(index)) ?? []), one]);
  return inOrder([...groups.values()].map(groupOf));
}

/**
 * Lower tiers first, since higher ones build upon them; in a tier the cause that unblocks most; among equals in the order
 * that was given. A group is of the lowest tier in it.
 */
export function inOrder(groups: readonly Group[]): Group[] {
  return [...groups].sort((a, b) => rankIn(a) - rankIn(b) || b.verifications.length - a.verifications.length);
}

function rankIn({ verifications }: Group): number {
  return Math.min(...verifications.map(rankOf));
}

/** The strongest first, from its own words alone: what services print at each start is common to all. A failure that said nothing shares its signature with every other silent one: that tells nothing. */
function cluesOf({ verification, run }: Failure): Clue[] {
  const said = clueIn(ownOf(run?.excerpt ?? ''), placeOfCases(run?.cases));
  const [, firstLine] = run?.summary.split('\n') ?? [];
  return [
    ...(said ? [said] : []),
    ...(run && firstLine !== undefined ? [{ key: `failure ${run.signature}`, why: `the same failure: ${firstLine}` }] : []),
    { key: `verification ${verification.id}`, why: 'nothing else fails like it' },
  ];
}

/** For each failure the first one that it shares a clue with, directly or through others. */
function rootsOf(found: readonly Found[]): (index: number) => number {
  const parents = [...found.keys()];
  const root = (index: number): number => {
    const parent = parents[index] ?? index;
    return parent === index ? index : root(parent);
  };
  const first = new Map<string, number>();
  for (const [index, { clues }] of found.entries())
    for (const { key } of clues) {
      const [one, other] = [root(first.get(key) ?? index), root(index)];
      parents[Math.max(one, other)] = Math.min(one, other);
      first.set(key, Math.min(one, other));
    }
  return root;
}

function groupOf(members: readonly Found[]): Group {
  const counts = new Map<string, { clue: Clue; count: number }>();
  for (const clue of members.flatMap(({ clues }) => clues)) counts.set(clue.key, { clue, count: (counts.get(clue.key)?.count ?? 0) + 1 });
  const [most] = [...counts.values()].sort((a, b) => b.count - a.count);
  const { key, why } = most?.clue ?? { key: '', why: '' };
  return { key, why, verifications: members.map(({ verification }) => verification) };
}
