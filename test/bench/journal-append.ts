// Owns the benchmark of one journal append, after few and after many events. Appends to the short and to the long journal
// take turns, with the same events, so that what else the machine does meets both.

import { copyFile } from 'node:fs/promises';
import * as path from 'node:path';
import { performance } from 'node:perf_hooks';

import type { Event } from '../../src/engine/state/events.ts';
import { openJournal, type OpenJournal } from '../../src/host/journal.ts';
import { temporaryFolder } from '../editor/temporary.ts';
import { bench, median, quantile, report, rounded, say, seedOf } from './support/figures.ts';
import { lifelikeEvents, writeLifelikeJournal } from './support/lifelike-journal.ts';

const FEW = 100;
const MANY = 100_000;
const ROUNDS = 40;
const WARM_UP_ROUNDS = 5;
/** Appends to one copy of the short journal: it stays short. */
const APPENDS = 25;
const DURABLE_ROUNDS = 8;
const GOAL_MS = 1;
const GOAL_GROWTH = 1.5;

interface Samples {
  readonly few: number[];
  readonly many: number[];
}

bench(async () => {
  const seed = seedOf();
  const folder = await temporaryFolder('bench-append');
  try {
    say(`writing journals of ${FEW} and ${MANY} events`);
    const [few, many] = ['few.jsonl', 'many.jsonl'].map((name) => path.join(folder.path, name)) as [string, string];
    await writeLifelikeJournal(few, FEW, seed);
    await writeLifelikeJournal(many, MANY, seed);
    const events = lifelikeEvents(APPENDS + 1, seed + 1).slice(1);
    reportAppends(await appendInTurns({ few, many, events, durable: false, rounds: ROUNDS }), seed);
    reportDurable(await appendInTurns({ few, many, events, durable: true, rounds: DURABLE_ROUNDS }), seed);
  } finally {
    await folder.remove();
  }
});

function reportAppends({ few, many }: Samples, seed: number): void {
  const figure = (name: string, samples: number[]): void =>
    report({ name, value: median(samples), unit: 'ms', goal: GOAL_MS }, about(samples, seed));
  figure('journal-append-100', few);
  figure('journal-append-100000', many);
  const growth = median(many) / median(few);
  report({ name: 'journal-append-growth', value: growth, unit: 'ratio', goal: GOAL_GROWTH }, { from: FEW, to: MANY, seed });
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
  say(`appending ${durable ? 'with' : 'without'} fsync`);
  const options = { held: () => true, durable };
  const long = await openJournal(many, options);
  const samples: Samples = { few: [], many: [] };
  const at = { long: long.events.length };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const copy = `${few}-copy`;
    await copyFile(few, copy);
    const short = await openJournal(copy, options);
    const kept = round < 0 ? { few: [], many: [] } : samples;
    for (const [index, event] of events.entries()) {
      const toShort = async (): Promise<unknown> => kept.few.push(await append(short, event, FEW + index + 1));
      const toLong = async (): Promise<unknown> => kept.many.push(await append(long, event, (at.long += 1)));
      // Each goes first as often as the other.
      for (const one of index % 2 === 0 ? [toShort, toLong] : [toLong, toShort]) await one();
    }
    await short.close();
  }
  await long.close();
  return samples;
}

/** Milliseconds. */
async function append(journal: OpenJournal, event: Event, n: number): Promise<number> {
  const stamped = { ...event, n, owner: journal.owner };
  const begun = performance.now();
  await journal.append(stamped);
  return performance.now() - begun;
}
