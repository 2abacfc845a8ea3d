/** The clean run: no verification does the work that another one looks for (I7, docs/decisions/0017). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { final } from '../../src/engine/actions/final.ts';
import type { FactOf } from '../../src/engine/work/facts.ts';
import { world } from '../support/fakes.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

/** What a clean run of two verifications says; the first to run does this to its checkout, the other one looks for `work`. */
async function cleanRun(first: (files: Record<string, string>) => void): Promise<{ said: FactOf<'clean.ran'>['clean']; checkouts: number }> {
  const other = p.check({ id: 'value/other', lineage: 'value/other' });
  const story = p.proven().act('generate-checks', { fact: 'check.written', check: other }).begin('final', 'clean-run', ['final/clean-run']);
  const w = await staged(world(), story);
  w.runner.decide = (files, { run }) => {
    if (!('name' in run)) return {};
    if (run.name === 'value-total') first(files);
    return run.name === 'value-total' || files['work'] !== undefined ? {} : { exit: 1, output: 'wrong total' };
  };
  const facts = await final.run('clean-run', play(w).context);
  const said = facts.find((fact) => fact.fact === 'clean.ran')?.clean;
  assert.ok(said);
  return { said, checkouts: new Set(w.runner.jobs.map(({ at }) => JSON.stringify(at))).size };
} // prettier-ignore

describe('the clean run', () => {
  it('is made in one checkout where nothing is written into it', async () => {
    const { said, checkouts } = await cleanRun(() => undefined);
    assert.deepEqual([said.green, said.red, checkouts], [['value/total'], ['value/other'], 1]);
  });

  it('is made again, each verification by itself, where one of them wrote the work that another looks for', async () => {
    const { said, checkouts } = await cleanRun((files) => (files['work'] = 'done by a verification'));
    assert.deepEqual([said.green, said.red, checkouts], [['value/total'], ['value/other'], 3]);
  });
});
