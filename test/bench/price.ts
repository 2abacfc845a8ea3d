/**
 * Benchmark: what qualifying costs of an example sprint's input: each session is priced by what it really sends, with the prefix
 * cache of the provider. Replies are recorded, so the figures are the same on any machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleRepository } from '../../scripts/example-repository.ts';
import type { AskRequest } from '../../src/engine/ground/messages.ts';
import type { Model } from '../../src/engine/ports.ts';
import { runSprint } from '../../src/host/sprint.ts';
import { createModel } from '../../src/models/create.ts';
import { pricesOf } from '../../src/models/prices.ts';
import { supplying } from '../support/person.ts';
import { bench, report } from './support/figures.ts';
import { InputPrices } from './support/input-prices.ts';

const example = join('examples', 'receipts');
/** Rows that ask a model before the first verification or task. */
const qualifying = ['discovery', 'review-documents', 'plan', 'review-plan'];
/** Those of them that a sprint without `qualify` does not have. */
const reviews = ['review-documents', 'review-plan'];
/** Qualifying may take that share of the whole sprint's input price. */
const goal = 0.15;

bench(async () => {
  const prices = await play();
  const all = [...prices.values()].reduce((sum, usd) => sum + usd, 0);
  for (const [row, usd] of prices)
    report({ name: `input-of-${row}`, value: usd, unit: 'USD', goal: null }, { share: usd / all, qualifying: qualifying.includes(row) });
  const sumOf = (rows: string[]): number => rows.reduce((sum, row) => sum + (prices.get(row) ?? 0), 0);
  const own = sumOf(qualifying);
  report({ name: 'reviews-share', value: sumOf(reviews) / all, unit: 'ratio', goal }, { usd: sumOf(reviews), of: all });
  report({ name: 'qualifying-share', value: own / all, unit: 'ratio', goal }, { usd: own, of: all });
});

/** US dollars of input by row, for one delivered sprint. */
async function play(): Promise<ReadonlyMap<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-bench-'));
  process.env['LOOP_STATE_HOME'] = join(folder, 'state');
  const repo = join(folder, 'receipts');
  const usd = new Map<string, number>();
  try {
    exampleRepository(example, repo);
    const person = supplying(join(example, 'supplied'), repo);
    const { ending } = await runSprint({
      sprintDir: join(repo, 'sprint'),
      model: pricing(await createModel({ kind: 'recorded', file: join(example, 'sprint', 'recording.yaml') }), usd),
      person,
      onOpen: (desk) => void (person.desk = desk),
      overrides: {},
      signal: new AbortController().signal,
      onEvent: () => undefined,
      onProgress: () => undefined,
    });
    if (ending.stop !== 'delivered') throw new Error(`The example ended ${ending.stop}: ${ending.reasons.join(' ')}`);
    return usd;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same model, with the input of each request added to its row. */
function pricing(model: Model, usd: Map<string, number>): Model {
  const input = new InputPrices(pricesOf);
  return {
    ...model,
    ask(request: AskRequest, onText, signal) {
      const [row = ''] = request.purpose.split('/');
      usd.set(row, (usd.get(row) ?? 0) + input.of(request));
      return model.ask(request, onText, signal);
    },
  };
}
