/** What is told of runs that a stop cuts off. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Allowance } from '../../../src/engine/run/allowance.ts';
import { runVerifications } from '../../../src/engine/run/batch.ts';
import { world } from '../../support/fakes.ts';
import * as p from '../support/parts.ts';
import { play, staged } from '../support/play.ts';

describe('a batch of verifications', () => {
  for (const [exit, stops, told] of [
    [1, true, 'stopped'],
    [0, true, 'green'],
    [1, false, 'red'],
  ] as const)
    it(`tells ${told} of a run with exit status ${exit}${stops ? ' at which the sprint is stopped' : ''}`, async () => {
      const w = await staged(world(), p.awaiting().begin('run-verifications', '', []));
      const { context, abort } = play(w);
      w.runner.decide = () => {
        if (stops) abort.abort();
        return { exit, output: 'wrong total' };
      };
      const limit = { time: new Allowance(w.clock, 120), first: [] };
      const [one, other] = [p.verification(), p.verification({ id: 'value/other', lineage: 'value/other' })];
      await runVerifications(context, { verifications: [one, other], at: 'worktree', where: 'tree', code: 0, limit });
      const [first] = w.progress.flatMap((item) => (item.kind === 'verification' ? [item.verdict] : []));
      assert.equal(first, told);
      assert.deepEqual(
        w.progress.filter(({ kind }) => kind === 'note'),
        [],
      );
    });

  for (const [story, told] of [
    [p.awaiting, true],
    [p.green, undefined],
  ] as const)
    it(`tells a red ${told ? 'as expected before the work is built' : 'of what is built'}`, async () => {
      const w = await staged(world(), story().begin('run-verifications', '', []));
      w.runner.decide = () => ({ exit: 1, output: 'wrong total' });
      await runVerifications(play(w).context, { verifications: [p.verification()], at: 'worktree', where: 'tree', code: 0 });
      assert.deepEqual(
        w.progress.flatMap((item) => (item.kind === 'verification' ? [[item.verdict, item.isExpected]] : [])),
        [['red', told]],
      );
    });
});
