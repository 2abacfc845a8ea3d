// Owns the benchmark of going on with a long sprint: reading and folding its journal, each time in a fresh process, and how
// that grows with ten times the events.

import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';

import { temporaryFolder } from '../editor/temporary.ts';
import type { ResumeTimes } from './children/resume.ts';
import { bench, median, report, rounded, say, seedOf } from './support/figures.ts';
import { writeLifelikeJournal } from './support/lifelike-journal.ts';

const SHORT = 10_000;
const LONG = 100_000;
const SAMPLES = 9;
const MOST_DECISIONS = 500;
const GOAL_MS = 500;
const GOAL_GROWTH = 12;

interface Sample extends ResumeTimes {
  /** Read and fold, in the process. */
  readonly total: number;
  /** From starting the process to its end. */
  readonly process: number;
}

bench(async () => {
  const seed = seedOf();
  const folder = await temporaryFolder('bench-resume');
  try {
    say(`writing journals of ${SHORT} and ${LONG} events`);
    const [short, long] = ['short.jsonl', 'long.jsonl'].map((name) => path.join(folder.path, name)) as [string, string];
    await writeLifelikeJournal(short, SHORT, seed);
    await writeLifelikeJournal(long, LONG, seed);
    const samples: { short: Sample[]; long: Sample[] } = { short: [], long: [] };
    for (let index = 0; index < SAMPLES; index += 1) {
      samples.short.push(await resumed(short, SHORT));
      samples.long.push(await resumed(long, LONG));
    }
    const { size } = await stat(long);
    for (const [events, some] of [
      [SHORT, samples.short],
      [LONG, samples.long],
    ] as const)
      reportResume(events, some, seed);
    const growth = median(totals(samples.long)) / median(totals(samples.short));
    const about = { from: SHORT, to: LONG, samples: SAMPLES, seed, journalMB: rounded(size / 1e6) };
    report({ name: 'resume-growth', value: growth, unit: 'ratio', goal: GOAL_GROWTH }, about);
  } finally {
    await folder.remove();
  }
});

function reportResume(events: number, samples: readonly Sample[], seed: number): void {
  const middle = (of: (sample: Sample) => number): number => rounded(median(samples.map(of)));
  const parts = {
    read: middle((s) => s.read),
    fold: middle((s) => s.fold),
    processor: middle((s) => s.processor),
    process: middle((s) => s.process),
  };
  const spread = { min: rounded(Math.min(...totals(samples))), max: rounded(Math.max(...totals(samples))) };
  const about = { ...parts, ...spread, samples: samples.length, seed };
  report({ name: `resume-${events}`, value: median(totals(samples)), unit: 'ms', goal: events === LONG ? GOAL_MS : null }, about);
}

function totals(samples: readonly Sample[]): number[] {
  return samples.map(({ total }) => total);
}

async function resumed(journal: string, events: number): Promise<Sample> {
  const child = path.join(__dirname, 'children', 'resume.js');
  const begun = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [child, journal]);
  const times = JSON.parse(stdout) as ResumeTimes;
  if (times.n !== events) throw new Error(`${events} events were written and ${times.n} read`);
  if (times.decisions > MOST_DECISIONS) throw new Error(`${times.decisions} decisions: no sprint has such a journal`);
  return { ...times, total: times.read + times.fold, process: performance.now() - begun };
}
