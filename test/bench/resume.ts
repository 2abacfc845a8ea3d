/**
 * Benchmark: resuming a long sprint, by reading and folding its journal in a fresh process, and how the time grows with ten times the
 * events.
 */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';

import { temporaryFolder } from '../editor/temporary.ts';
import type { ResumeTimes } from './children/resume.ts';
import { bench, median, report, rounded, print, seedOf } from './support/figures.ts';
import { writeLifelikeJournal } from './support/lifelike-journal.ts';

const shortCount = 10_000;
const longCount = 100_000;
const sampleCount = 9;
const maxDecisions = 500;
const goalMs = 500;
const goalGrowth = 12;

interface Sample extends ResumeTimes {
  /** Time in the process for reading and folding. */
  readonly total: number;
  /** Time from the start of the process to its end. */
  readonly process: number;
}

bench(async () => {
  const seed = seedOf();
  const folder = await temporaryFolder('bench-resume');
  try {
    print(`writing journals of ${shortCount} and ${longCount} events`);
    const [short, long] = ['short.jsonl', 'long.jsonl'].map((name) => path.join(folder.path, name)) as [string, string];
    await writeLifelikeJournal(short, shortCount, seed);
    await writeLifelikeJournal(long, longCount, seed);
    const samples: { short: Sample[]; long: Sample[] } = { short: [], long: [] };
    for (let index = 0; index < sampleCount; index += 1) {
      samples.short.push(await resumeOnce(short, shortCount));
      samples.long.push(await resumeOnce(long, longCount));
    }
    const { size } = await stat(long);
    for (const [events, measured] of [
      [shortCount, samples.short],
      [longCount, samples.long],
    ] as const)
      reportResume(events, measured, seed);
    const growth = median(totals(samples.long)) / median(totals(samples.short));
    const about = { from: shortCount, to: longCount, samples: sampleCount, seed, journalMB: rounded(size / 1e6) };
    report({ name: 'resume-growth', value: growth, unit: 'ratio', goal: goalGrowth }, about);
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
  report({ name: `resume-${events}`, value: median(totals(samples)), unit: 'ms', goal: events === longCount ? goalMs : null }, about);
}

function totals(samples: readonly Sample[]): number[] {
  return samples.map(({ total }) => total);
}

async function resumeOnce(journal: string, events: number): Promise<Sample> {
  const child = path.join(__dirname, 'children', 'resume.js');
  const begun = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [child, journal]);
  const times = JSON.parse(stdout) as ResumeTimes;
  if (times.n !== events) throw new Error(`${events} events were written and ${times.n} read`);
  if (times.decisions > maxDecisions) throw new Error(`${times.decisions} decisions: no sprint has such a journal`);
  return { ...times, total: times.read + times.fold, process: performance.now() - begun };
}
