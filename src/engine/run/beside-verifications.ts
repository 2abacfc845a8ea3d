/**
 * The closing commit lays verifications into the tree, after all else was looked at there. A suite that goes through the whole tree, such
 * as a linter, may be red by them once the branch is merged.
 */
import { liveHidden } from '../judge/hidden.ts';
import type { Ports } from '../ports.ts';
import { liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import type { Suite } from '../work/verification.ts';
import { runVerifications } from './batch.ts';
import type { Ground } from './ground.ts';

/** The texts of all verifications, by their paths below the sprint's folder. */
export async function verificationFiles({
  state,
  ports,
}: {
  state: State;
  ports: Pick<Ports, 'payloads'>;
}): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const { id, ext, script } of [...liveVerifications(state.work), ...liveHidden(state)])
    files[`verifications/${id}.${ext}`] = await ports.payloads.get(script);
  return files;
}

/** @returns the ids of these suites that are red where the verifications lie in the tree. */
export async function redBesideVerifications(ground: Ground, suites: readonly Suite[]): Promise<string[]> {
  if (suites.length === 0) return [];
  const where = { at: 'worktree', where: 'clean', closing: await verificationFiles(ground) } as const;
  const runs = await runVerifications(ground, { ...where, verifications: suites, code: null, redExpected: 'unlooked' });
  return runs.filter(({ verdict }) => verdict === 'red').map(({ verification }) => verification);
}
