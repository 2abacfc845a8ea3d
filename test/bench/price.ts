/**
 * Benchmark: what qualifying costs of an example sprint's input, and what of all input is read from the cache, by role: each request
 * is priced by what it really sends, with the prefix cache of the provider. Replies are recorded, so the figures are the same on any
 * machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleRepository } from '../../scripts/example-repository.ts';
import type { Overrides } from '../../src/engine/ground/config.ts';
import type { AskReply, AskRequest } from '../../src/engine/ground/messages.ts';
import type { Model } from '../../src/engine/ports.ts';
import { runSprint } from '../../src/host/sprint.ts';
import { createModel } from '../../src/models/create.ts';
import { pricesOf } from '../../src/models/prices.ts';
import { calls } from '../support/fakes.ts';
import { approving, lensesPass } from '../support/greeter.ts';
import { supplying } from '../support/person.ts';
import { bench, report } from './support/figures.ts';
import { added, InputPrices, noInput, type InputPrice } from './support/input-prices.ts';

const example = join('examples', 'receipts');
/** Rows that ask a model before the first verification or task. */
const qualifying = ['discovery', 'review-documents', 'plan', 'review-plan'];
/** Qualifying may take that share of the whole sprint's input price. */
const goal = 0.15;

/** The same at `standard`, in a sprint in which both reviews raise something. */
const goalOfStandard = 0.2;

/** Input may cost that share of what it would without a cache, and that share of it should come from there. */
const cacheGoals = { cost: 0.25, read: 0.85 };

bench(async () => {
  const { rows, roles } = await play({});
  const usdOf = (row: string): number => rows.get(row)?.usd ?? 0;
  const sumOf = (some: Iterable<string>): number => [...some].reduce((sum, row) => sum + usdOf(row), 0);
  const all = sumOf(rows.keys());
  for (const row of rows.keys())
    report(
      { name: `input-of-${row}`, value: usdOf(row), unit: 'USD', goal: null },
      { share: usdOf(row) / all, qualifying: qualifying.includes(row) },
    );
  const own = sumOf(qualifying);
  report({ name: 'qualifying-share', value: own / all, unit: 'ratio', goal }, { usd: own, of: all });
  const looked = await play({ qualify: 'standard' });
  const [spent, ofAll] = [qualifying, looked.rows.keys()].map((some) =>
    [...some].reduce((sum, row) => sum + (looked.rows.get(row)?.usd ?? 0), 0),
  );
  const figure = { name: 'qualifying-share-of-standard', value: (spent ?? 0) / (ofAll ?? 1), unit: 'ratio' as const, goal: goalOfStandard };
  report(figure, { usd: spent, of: ofAll });
  for (const [role, price] of [...roles, ['all', [...roles.values()].reduce(added, noInput)] as const]) reportCache(role, price);
});

function reportCache(role: string, { usd, uncached, sent, read }: InputPrice): void {
  report({ name: `cached-cost-of-${role}`, value: usd / uncached, unit: 'ratio', goal: cacheGoals.cost }, { usd, uncached });
  report({ name: `uncached-input-of-${role}`, value: 1 - read / sent, unit: 'ratio', goal: 1 - cacheGoals.read }, { sent, read });
}

/** The input of one delivered sprint, by what asks and by role. */
interface Played {
  rows: Map<string, InputPrice>;
  roles: Map<string, InputPrice>;
}

async function play(overrides: Overrides): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-bench-'));
  process.env['LOOP_STATE_HOME'] = join(folder, 'state');
  const repo = join(folder, 'receipts');
  const played: Played = { rows: new Map(), roles: new Map() };
  try {
    exampleRepository(example, repo);
    const person = supplying(join(example, 'supplied'), repo);
    const { ending } = await runSprint({
      sprintDir: join(repo, 'sprint'),
      model: pricing(raising(await createModel({ kind: 'recorded', file: join(example, 'sprint', 'recording.yaml') }), overrides), played),
      person,
      onOpen: (desk) => void (person.desk = desk),
      overrides,
      signal: new AbortController().signal,
      onEvent: () => undefined,
      onProgress: () => undefined,
    });
    if (ending.stop !== 'delivered') throw new Error(`The example ended ${ending.stop}: ${ending.reasons.join(' ')}`);
    return played;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** At `standard` the first look at documents and plan each raises something small, and later looks find nothing. */
function raising(model: Model, { qualify }: Overrides): Model {
  if (qualify !== 'standard') return model;
  return {
    ...model,
    async ask(request: AskRequest, onText, signal) {
      const [row, look] = request.purpose.split('/');
      if (row === 'discovery') return questioning(await model.ask(request, onText, signal));
      if (row !== 'review-documents' && row !== 'review-plan') return model.ask(request, onText, signal);
      const report_ = row === 'review-documents' ? 'report_document_review' : 'report_plan_review';
      const found = row === 'review-plan' && look === '#1' ? { approves: others, findings: [finding] } : {};
      const calm = row === 'review-documents' ? { vision: lensesPass, verdict: 'APPROVE' } : approving;
      return calls([report_, { ...calm, ...(look?.startsWith('clarity') ? { approves: ['clarity'] } : {}), ...found }]);
    },
  };
}

/** Discovery's judgement of the documents, with two small points. */
function questioning(reply: AskReply): AskReply {
  const content = reply.content.map((block) =>
    block.type === 'tool_use' && block.name === 'report_document_review'
      ? { ...block, input: { vision: lensesPass, verdict: 'APPROVE', points: [question, scope] } }
      : block,
  );
  return { ...reply, content };
}

const options = [
  { answer: 'As it stands', follows: 'it is built by 2.2' },
  { answer: 'Without it', follows: 'a clerk looks rates up' },
];
const scope = {
  weight: 'SOFT',
  kind: 'scope',
  verdict: 'AMEND',
  document: 'PRD.md',
  wrong: 'Nobody needs it yet.',
  options,
  recommended: 1,
};
const question = { ...scope, kind: 'question', question: 1 };
const finding = { lens: 'clarity', task_id: 'T1', wrong: 'Nobody knows which samples.', change: 'Name them.' };
const others = approving.approves.filter((one) => one !== 'clarity');

/** The same model, with the input of each request added to its row and its role. */
function pricing(model: Model, { rows, roles }: Played): Model {
  const input = new InputPrices(pricesOf);
  const add = (to: Map<string, InputPrice>, key: string, price: InputPrice): void => {
    to.set(key, added(to.get(key) ?? noInput, price));
  };
  return {
    ...model,
    ask(request: AskRequest, onText, signal) {
      const [row = ''] = request.purpose.split('/');
      const price = input.of(request);
      add(rows, row, price);
      add(roles, request.role, price);
      return model.ask(request, onText, signal);
    },
  };
}
