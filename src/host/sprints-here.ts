/** The sprints of a repository, those that are over and in an archive too: how each stands, and what it cost. */
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fold } from '../engine/core/fold.ts';
import { hoursOf } from '../engine/state/hours.ts';
import type { Stop } from '../engine/state/state.ts';
import type { FinishWay } from '../engine/work/finished.ts';
import { tokensOf } from '../engine/work/spend.ts';
import { findLoopFolders, foldersIn } from './clean/loop-folders.ts';
import { repositoryAbove } from './git/repository-above.ts';
import { readJournal } from './journal.ts';
import { inspectLock } from './lock.ts';

export interface SprintSummary {
  /** The sprint's folder. */
  dir: string;
  /** Relative to the repository. */
  where: string;
  /** Folder with the record of one that is over and archived; null for the sprint that the folder holds now. */
  archive: string | null;
  branch: string;
  /** Milliseconds since 1970, of its last line. */
  at: number;
  running: boolean;
  /** Null while it has not stopped. */
  stop: Stop | null;
  finished: FinishWay | null;
  usd: number;
  /** Tokens without a known price. */
  unpriced: number;
  tokens: number;
  hours: number;
}

/** Larger journals are left out, since all of it is read. */
const mostBytes = 50_000_000;

/** The newest first. What cannot be read is left out. */
export async function sprintsHere(folder: string): Promise<SprintSummary[]> {
  const root = (await repositoryAbove(folder)) ?? folder;
  const { dirs } = await findLoopFolders(root);
  const found: SprintSummary[] = [];
  for (const dir of dirs) {
    const where = relative(root, dir) || '.';
    for (const archive of [null, ...(await foldersIn(join(dir, '.loop', 'archive')))]) {
      const one = await summaryOf(join(archive ?? join(dir, '.loop'), 'journal.jsonl')).catch(() => undefined);
      if (one) found.push({ ...one, dir, where, archive, running: archive === null && (await inspectLock(dir)) !== undefined });
    }
  }
  return found.toSorted((one, other) => other.at - one.at);
}

/** Undefined for a pipeline, and where there is no journal. */
async function summaryOf(path: string): Promise<Omit<SprintSummary, 'dir' | 'where' | 'archive' | 'running'> | undefined> {
  const size = (await stat(path)).size;
  if (size > mostBytes) return undefined;
  const { events } = await readJournal(path);
  const last = events.at(-1);
  if (!last) return undefined;
  const { opened, stopped, ledger } = fold(events);
  if (opened.kind !== 'sprint') return undefined;
  const { spend, ran, finished } = ledger;
  return {
    branch: opened.branch,
    at: last.at,
    stop: stopped?.stop ?? null,
    finished: finished?.how ?? null,
    usd: spend.usd,
    unpriced: spend.unpriced ?? 0,
    tokens: tokensOf(spend),
    hours: hoursOf(ran),
  };
}
