/**
 * Documents of other people, from the first line to the plan: flawed ones end in a message that names the place and the ways out,
 * good ones are planned without a question. What a careful reader says of each is recorded beside it; that the engine takes it is
 * tested, not what a model would say. Flaws that a machine finds before a model is asked: flawed.test.ts, input-file.test.ts.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { farewell } from '../../src/cli/run.ts';
import { codeOfState } from '../../src/cli/exit-codes.ts';
import { table } from '../../src/engine/actions/table.ts';
import { fold } from '../../src/engine/core/fold.ts';
import { loop } from '../../src/engine/loop.ts';
import { readRequirements } from '../../src/engine/parse/requirements.ts';
import { settledText } from '../../src/engine/render/point-words.ts';
import type { State } from '../../src/engine/state/state.ts';
import { calls, says, testPrices, world } from '../support/fakes.ts';
import { lensesPass } from '../support/greeter.ts';
import { openedEvent } from './support/events.ts';
import { play } from './support/play.ts';

interface Documents {
  vision: string;
  prd: string;
}
interface Report {
  review: { points: { quote: string; wrong: string; options: { answer: string }[]; recommended: number }[] } & Record<string, unknown>;
  discovered?: Record<string, unknown>;
}

const folder = join('test', 'fixtures', 'qualify', 'judged');
const plain = (text: string): string => text.replaceAll('`', '');

/** Plays a sprint whose planner never reports, so that it ends where the plan begins. */
async function qualify({ vision, prd }: Documents, { review, discovered = {} }: Report): Promise<State> {
  const w = world();
  const inputs = [
    { name: 'VISION.md', ref: await w.payloads.put(vision) },
    { name: 'PRD.md', ref: await w.payloads.put(prd) },
  ];
  w.journal.events.push({ ...openedEvent(), inputs });
  const found = { deliverable_type: 'software', project_type: 'cli', codebase_state: 'greenfield', value_proofs: ['The sum is right'] };
  w.ports.model = {
    id: 'recorded',
    prices: () => testPrices,
    window: () => 200_000,
    ask({ purpose, messages }) {
      const [row] = purpose.split('/');
      // A review that is accepted ends its session, so a second turn says why it was refused.
      if (row !== 'plan' && messages.length > 1) assert.fail(JSON.stringify(messages.at(-1)));
      const judges = ['report_document_review', review] as [string, unknown];
      if (row === 'discovery') return Promise.resolve(calls(['report_discovery', { ...found, ...discovered }], judges));
      return Promise.resolve(row === 'review-documents' ? calls(judges) : says('I plan nothing.'));
    },
  };
  await loop(play(w).kernel, table);
  return fold(w.journal.events);
}

const rowsOf = ({ ledger }: State): string[] => [...new Set(ledger.decisions.map(({ decision }) => decision.action))];

describe('flawed documents', () => {
  for (const name of readdirSync(folder))
    it(`with ${name.replaceAll('-', ' ')} end in a message that says where, what and how`, async () => {
      const read = (file: string): string => readFileSync(join(folder, name, file), 'utf8');
      const { stop, ...report } = parse(read('review.yaml')) as Report & { stop: string };
      const state = await qualify({ vision: read('VISION.md'), prd: read('PRD.md') }, report);
      assert.equal(state.stopped?.stop, stop);
      const isPlanned = rowsOf(state).includes('plan');
      assert.equal(isPlanned, report.review['verdict'] === 'APPROVE');
      const said = plain(isPlanned || stop === 'failed' ? settledText(state) : farewell(state, 'sprint').join('\n'));
      for (const { quote, wrong, options, recommended } of report.review.points) {
        assert.ok(said.includes(`"${plain(quote)}": ${wrong}`), said);
        assert.ok(said.includes(options[recommended - 1]?.answer ?? 'none'), said);
        if (stop === 'waiting') for (const { answer } of options) assert.ok(said.includes(answer), said);
      }
      if (stop === 'waiting') assert.match(said, /Answer in the editor, by loop run at a terminal, or by loop answer/);
      assert.equal(codeOfState(state), stop === 'waiting' ? 3 : 1);
      if (report.review['verdict'] === 'REJECT')
        assert.match(
          farewell(state, 'sprint').join('\n'),
          /FAILED:\n {2}- The documents were rejected before anything was planned: no program/,
        );
    });
});

describe('good documents', () => {
  const requirements = join('test', 'fixtures', 'requirements');
  const examples = ['receipts', 'lent', 'hosting'].map((name) => join('examples', name, 'sprint'));
  const styles = ['01-numbered-headings', '05-table-with-ids', '08-gherkin', '10-ears', '15-deutsch'];
  const vision = readFileSync(join(folder, 'two-products', 'VISION.md'), 'utf8');
  const good: [string, Documents][] = [
    ...examples.map((path): [string, Documents] => [
      path,
      { vision: readFileSync(join(path, 'VISION.md'), 'utf8'), prd: readFileSync(join(path, 'PRD.md'), 'utf8') },
    ]),
    ...styles.map((name): [string, Documents] => [name, { vision, prd: readFileSync(join(requirements, `${name}.md`), 'utf8') }]),
  ];
  for (const [name, documents] of good)
    it(`such as ${name} are planned without a question`, async () => {
      assert.deepEqual(
        readRequirements(documents.prd).problems.filter(({ refuses }) => refuses),
        [],
      );
      const state = await qualify(documents, { review: { vision: lensesPass, verdict: 'APPROVE', points: [] } });
      assert.deepEqual(state.ledger.humanActions, {});
      assert.ok(rowsOf(state).includes('plan'));
    });
});
