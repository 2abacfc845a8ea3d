/** Settling after a crash that came between the commit and its record: what verifications leave behind is no part of the tree. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { settle } from '../../src/engine/actions/settle.ts';
import { world } from '../support/fakes.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

describe('settling what was committed before a crash', () => {
  it('takes away what verifications wrote: the next change would have carried it', async () => {
    const story = p.built();
    const { step } = story.state.work.tree.change ?? p.change();
    const w = await staged(world({ files: { 'total.sh': 'a + b' } }), story.begin('settle', '1', ['settle/1']));
    await w.repo.commit('T1: total', { 'Loop-Step': step });
    w.repo.files['before.tmp'] = 'left by the run before the crash';
    w.runner.decide = (files) => {
      files['cache.tmp'] = 'left by this run';
      return {};
    };
    const facts = await settle.run('1', play(w).context);
    assert.ok(facts.some((fact) => fact.fact === 'tree.settled'));
    assert.deepEqual(w.repo.files, { 'total.sh': 'a + b' });
  });
});
