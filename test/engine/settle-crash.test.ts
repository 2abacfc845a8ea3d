/** Settling after a crash that came between the commit and its record: what verifications leave behind is no part of the tree. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { captureOrUndo, tidy } from '../../src/engine/actions/change.ts';
import { settle } from '../../src/engine/actions/settle.ts';
import { world } from '../support/fakes.ts';
import * as p from './support/parts.ts';
import { building, play, staged } from './support/play.ts';

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

describe('a change whose patch does not hold each byte', () => {
  it('is put back from the tree that was kept with it', async () => {
    const w = world();
    const { context } = building(w);
    w.repo.changes = () => Promise.resolve({ files: p.change().files, patch: 'caf\u{FFFD}', tree: 'a1' });
    const [captured] = await captureOrUndo(context, p.change().author);
    assert.ok(captured?.fact === 'tree.changed');
    w.repo.changes = () => Promise.resolve({ files: [], patch: 'an install wrote its lock file, too' });
    const restored: unknown[] = [];
    w.repo.restore = (change) => Promise.resolve(void restored.push(change));
    await tidy(context, captured.change);
    assert.deepEqual(restored, [{ patch: 'caf\u{FFFD}', tree: 'a1' }]);
  });
});
