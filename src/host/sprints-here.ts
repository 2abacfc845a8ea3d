/** The sprints of a repository, those that are over and in an archive too: how each stands, and what it cost. */
import { stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fold } from '../engine/core/fold.ts';
import { messageOf } from '../engine/ground/errors.ts';
import { counted, oneLine } from '../engine/ground/text.ts';
import { hoursOf } from '../engine/state/hours.ts';
import type { Stop } from '../engine/state/state.ts';
import type { FinishWay } from '../engine/work/finished.ts';
import { tokensOf } from '../engine/work/spend.ts';
import { findLoopFolders, foldersIn } from './clean/loop-folders.ts';
import { repositoryAbove } from './git/repository-above.ts';
import { unlessMissing } from './disk.ts';
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

/** One whose journal is there, and does not say how it stands. */
export interface UnreadSprint extends Pick<SprintSummary, 'dir' | 'where' | 'archive'> {
  why: string;
}

interface SprintsHere {
  /** The newest first. */
  sprints: SprintSummary[];
  unread: UnreadSprint[];
}

/** Larger journals are not read, since all of it would be. */
const mostBytes = 50_000_000;

export async function sprintsHere(folder: string): Promise<SprintsHere> {
  const root = (await repositoryAbove(folder)) ?? folder;
  const { dirs } = await findLoopFolders(root);
  const sessions = join(root, '.loop', 'pipelines') + sep;
  const found: SprintsHere = { sprints: [], unread: [] };
  for (const dir of dirs) {
    const where = relative(root, dir) || '.';
    for (const archive of [null, ...(await foldersIn(join(dir, '.loop', 'archive')))]) {
      const place = { dir, where, archive };
      const one = await summaryOf(join(archive ?? join(dir, '.loop'), 'journal.jsonl')).catch((error: unknown) =>
        oneLine(messageOf(error)),
      );
      if (typeof one === 'object') found.sprints.push({ ...one, ...place, running: archive === null && (await isRunning(dir)) });
      else if (one !== undefined && !dir.startsWith(sessions)) found.unread.push({ ...place, why: one });
    }
  }
  found.sprints.sort((one, other) => other.at - one.at);
  return found;
}

async function isRunning(dir: string): Promise<boolean> {
  return (await inspectLock(dir).catch(() => undefined)) !== undefined;
}

/** Undefined for a pipeline, and where there is no journal. @throws where it is damaged. */
async function summaryOf(path: string): Promise<Omit<SprintSummary, 'dir' | 'where' | 'archive' | 'running'> | undefined> {
  const size = (await unlessMissing(stat(path)))?.size;
  if (size === undefined) return undefined;
  if (size > mostBytes) throw new Error(`${path} has ${counted(Math.round(size / 1_000_000), 'megabyte')}, too many for a list.`);
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
