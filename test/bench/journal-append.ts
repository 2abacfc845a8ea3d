/**
 * Benchmark: one journal append after few and after many events. Both journals take turns with the same events, so that other load on
 * the machine affects both.
 */
import { copyFile } from 'node:fs/promises';
import * as path from 'node:path';
import { performance } from 'node:perf_hooks';

import type { Event } from '../../src/engine/state/events.ts';
import { openJournal, type OpenJournal } from '../../src/host/journal.ts';
import { temporaryFolder } from '../editor/temporary.ts';
import { bench, median, quantile, report, rounded, print, seedOf } from './support/figures.ts';
import { lifelikeEvents, writeLifelikeJournal } from './support/lifelike-journal.ts';

const fewCount = 100;
const manyCount = 100_000;
const roundCount = 40;
const warmUpRounds = 5;
/** Appends to one copy of the short journal, few enough that it stays short. */
const appendsPerCopy = 25;
const durableRounds = 8;
const goalMs = 1;
const goalGrowth = 1.5;

interface Samples {
  readonly few: number[];
  readonly many: number[];
}

bench(async () => {
  const seed = seedOf();
  const folder = await temporaryFolder('bench-append');
  try {
    print(`writing journals of ${fewCount} and ${manyCount} events`);
    const [few, many] = ['few.jsonl', 'many.jsonl'].map((name) => path.join(folder.path, name)) as [string, string];
    await writeLifelikeJournal(few, fewCount, seed);
    await writeLifelikeJournal(many, manyCount, seed);
    const events = lifelikeEvents(appendsPerCopy + 1, seed + 1).slice(1);
    reportAppends(await appendInTurns({ few, many, events, durable: false, rounds: roundCount }), seed);
    reportDurable(await appendInTurns({ few, many, events, durable: true, rounds: durableRounds }), seed);
  } finally {
    await folder.remove();
  }
});

function reportAppends({ few, many }: Samples, seed: number): void {
  const figure = (name: string, samples: number[]): void =>
    report({ name, value: median(samples), unit: 'ms', goal: goalMs }, about(samples, seed));
  figure('journal-append-100', few);
  figure('journal-append-100000', many);
  const growth = median(many) / median(few);
  report({ name: 'journal-append-growth', value: growth, unit: 'ratio', goal: goalGrowth }, { from: fewCount, to: manyCount, seed });
}

function reportDurable({ few, many }: Samples, seed: number): void {
  for (const [name, samples] of [
    ['100', few],
    ['100000', many],
  ] as const)
    report({ name: `journal-append-fsync-${name}`, value: median(samples), unit: 'ms', goal: null }, about(samples, seed));
}

function about(samples: readonly number[], seed: number): Record<string, number> {
  return { p99: rounded(quantile(samples, 0.99)), samples: samples.length, seed };
}

interface Turns {
  readonly few: string;
  readonly many: string;
  readonly events: readonly Event[];
  readonly durable: boolean;
  readonly rounds: number;
}

async function appendInTurns({ few, many, events, durable, rounds }: Turns): Promise<Samples> {
  print(`appending ${durable ? 'with' : 'without'} fsync`);
  const options = { durable };
  const long = await openJournal(many, options);
  const samples: Samples = { few: [], many: [] };
  let longLength = long.events.length;
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const copy = `${few}-copy`;
    await copyFile(few, copy);
    const short = await openJournal(copy, options);
    const kept = round < 0 ? { few: [], many: [] } : samples;
    for (const [index, event] of events.entries()) {
      const toShort = async (): Promise<unknown> => kept.few.push(await append(short, event, fewCount + index + 1));
      const toLong = async (): Promise<unknown> => kept.many.push(await append(long, event, (longLength += 1)));
      // Each journal goes first as often as the other.
      for (const appendNext of index % 2 === 0 ? [toShort, toLong] : [toLong, toShort]) await appendNext();
    }
    await short.close();
  }
  await long.close();
  return samples;
}

/** @returns how long the append took, in milliseconds */
async function append(journal: OpenJournal, event: Event, n: number): Promise<number> {
  const stamped = { ...event, n, owner: journal.owner };
  const begun = performance.now();
  await journal.append(stamped);
  return performance.now() - begun;
}
