/** What sprints cost that ended in a folder, in its archive, and in the folders beside it: what a person may expect of the next one. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fold, goesOn } from '../engine/core/fold.ts';
import { typicalOf, type Typical } from '../engine/render/typical.ts';
import { tokensOf } from '../engine/work/spend.ts';
import { readJournal } from './journal.ts';

/** The newest count: older ones were of other models and prices. */
const mostSprints = 8;
const mostBytes = 20_000_000;

/** Undefined where none ended. A journal that cannot be read is left out. */
export async function typicalCost(sprintDir: string): Promise<Typical | undefined> {
  const beside = await foldersIn(dirname(sprintDir));
  const loops = [...new Set([sprintDir, ...beside])].map((dir) => join(dir, '.loop'));
  const archived = await Promise.all(loops.map((loop) => foldersIn(join(loop, 'archive'))));
  const dated = await Promise.all([...loops, ...archived.flat()].map((folder) => datedJournal(join(folder, 'journal.jsonl'))));
  const newest = dated.flat().toSorted((a, b) => b.at - a.at);
  const ended: { usd: number; tokens: number }[] = [];
  for (const { path } of newest) {
    const cost = ended.length < mostSprints ? await costOf(path).catch(() => undefined) : undefined;
    if (cost) ended.push(cost);
  }
  return typicalOf(ended);
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

async function datedJournal(path: string): Promise<{ path: string; at: number }[]> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() && found.size <= mostBytes ? [{ path, at: found.mtimeMs }] : [];
}

/** A sprint that goes on, or that no model was asked in, tells nothing. */
async function costOf(path: string): Promise<{ usd: number; tokens: number } | undefined> {
  const { events } = await readJournal(path);
  if (events.length === 0) return undefined;
  const state = fold(events);
  const { spend } = state.ledger;
  if (state.opened.kind !== 'sprint' || goesOn(state) || spend.calls === 0) return undefined;
  return { usd: spend.usd, tokens: tokensOf(spend) };
}
