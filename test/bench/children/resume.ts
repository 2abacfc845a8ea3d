// Owns the process that the benchmark `resume` measures: reads a journal, folds it, and says how long that took.

import { performance } from 'node:perf_hooks';

import { fold } from '../../../src/engine/core/fold.ts';
import { readJournal } from '../../../src/host/journal.ts';

/** Milliseconds. */
export interface ResumeTimes {
  readonly read: number;
  readonly fold: number;
  /** Processor time of both, all threads together. */
  readonly processor: number;
  /** Number of the last event and of decisions, to prove that all was read and that it can be a sprint's. */
  readonly n: number;
  readonly decisions: number;
}

async function main(journal: string): Promise<void> {
  const usedBefore = process.cpuUsage();
  const begun = performance.now();
  const { events } = await readJournal(journal);
  const read = performance.now();
  const { n, ledger } = fold(events);
  const times = { read: read - begun, fold: performance.now() - read };
  const { user, system } = process.cpuUsage(usedBefore);
  const all: ResumeTimes = { ...times, processor: (user + system) / 1000, n, decisions: ledger.decisions.length };
  process.stdout.write(JSON.stringify(all));
}

void main(process.argv[2] ?? '');
