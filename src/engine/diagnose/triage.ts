/**
 * Groups broken verifications by cause, without a model (I11). What their last runs printed shows the same failure, the same
 * refused service, the same missing thing, or the same place in a file.
 */
import type { Runnable, Run } from '../work/verification.ts';
import { placeOfCases } from './cases.ts';
import { clueIn, type Clue } from './clues.ts';
import { rankOf } from '../work/tier.ts';
import { ownOf } from './run-text.ts';
import { signature } from './signature.ts';
import { oneLine, pieceOf } from '../ground/text.ts';

export interface Failure {
  verification: Runnable;
  /** Its latest run on the kept tree. */
  run: Pick<Run, 'excerpt' | 'summary' | 'signature' | 'cases'> | undefined;
}

/** Verifications that one fix may repair; the first of them leads. */
export interface Group {
  /** The clue that most of them share. */
  key: string;
  verifications: Runnable[];
  /** The clue in words. */
  why: string;
}

interface Suspect {
  verification: Runnable;
  clues: Clue[];
}

/** In the order of `inOrder`; members of a group keep the given order. */
export function triage(failures: readonly Failure[]): Group[] {
  const suspects = failures.map((failure) => ({ verification: failure.verification, clues: cluesOf(failure) }));
  const groups = new Map<number, Suspect[]>();
  const root = rootsOf(suspects);
  for (const [index, one] of suspects.entries()) groups.set(root(index), [...(groups.get(root(index)) ?? []), one]);
  return inOrder([...groups.values()].map(groupOf));
}

/**
 * Lower tiers first, since higher ones depend on them; within a tier the largest group. Ties keep the given order. A group has
 * the lowest tier of its members.
 */
export function inOrder(groups: readonly Group[]): Group[] {
  return [...groups].sort((a, b) => rankIn(a) - rankIn(b) || b.verifications.length - a.verifications.length);
}

function rankIn({ verifications }: Group): number {
  return Math.min(...verifications.map(rankOf));
}

/**
 * The strongest clue first. Logs of services are left out, because they look alike in all runs. All failures without output
 * share one signature, so for these it is no clue.
 */
function cluesOf({ verification, run }: Failure): Clue[] {
  const clue = clueIn(ownOf(run?.excerpt ?? ''), placeOfCases(run?.cases));
  const [, firstLine] = run?.summary.split('\n') ?? [];
  return [
    ...(clue ? [clue] : []),
    ...(run && firstLine !== undefined ? [{ key: `failure ${run.signature}`, why: `the same failure: ${firstLine}` }] : []),
    ...withoutRed(verification, run?.excerpt ?? ''),
    { key: `verification ${verification.id}`, why: 'nothing else fails like it' },
  ];
}

/** Fewer letters may be alike by chance, as in `exit status 1`. */
const fewestLetters = 30;

/** What follows the `RED` text, which is each script's own, may be alike. */
function withoutRed(verification: Runnable, excerpt: string): Clue[] {
  if (verification.kind !== 'script' || !excerpt.includes(verification.red)) return [];
  const output = ownOf(excerpt).replaceAll(verification.red, '');
  if (output.replaceAll(/[^a-z]/gi, '').length < fewestLetters) return [];
  const words = pieceOf(oneLine(output).replace(/^\W+/, ''), 0, 200);
  return [{ key: `text ${signature({ exit: 1, timedOut: false, output }, 'test_failure')}`, why: `the same failure: ${words}` }];
}

/** For each failure, the first one that it shares a clue with, directly or through others. */
function rootsOf(suspects: readonly Suspect[]): (index: number) => number {
  const parents = [...suspects.keys()];
  const root = (index: number): number => {
    const parent = parents[index] ?? index;
    return parent === index ? index : root(parent);
  };
  const first = new Map<string, number>();
  for (const [index, { clues }] of suspects.entries())
    for (const { key } of clues) {
      const [one, other] = [root(first.get(key) ?? index), root(index)];
      parents[Math.max(one, other)] = Math.min(one, other);
      first.set(key, Math.min(one, other));
    }
  return root;
}

function groupOf(members: readonly Suspect[]): Group {
  const counts = new Map<string, { clue: Clue; count: number }>();
  for (const clue of members.flatMap(({ clues }) => clues)) counts.set(clue.key, { clue, count: (counts.get(clue.key)?.count ?? 0) + 1 });
  const [most] = [...counts.values()].sort((a, b) => b.count - a.count);
  const { key, why } = most?.clue ?? { key: '', why: '' };
  return { key, why, verifications: members.map(({ verification }) => verification) };
}
