/** The process that the benchmark `resume` measures: it reads and folds a journal, and prints how long that takes. */
import { performance } from 'node:perf_hooks';

import { fold } from '../../../src/engine/core/fold.ts';
import { readJournal } from '../../../src/host/journal.ts';

/** Times in milliseconds. */
export interface ResumeTimes {
  readonly read: number;
  readonly fold: number;
  /** Processor time of both, over all threads. */
  readonly processor: number;
  /** The number of the last event, which proves that all were read. */
  readonly n: number;
  /** The number of decisions, which shows that the journal could be a sprint's. */
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
