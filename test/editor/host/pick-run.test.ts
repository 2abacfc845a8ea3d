/** Which run of a pipeline *Resume* and *Finish* are about. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';

import { readAndPick, resumePipeline } from '../../../src/extension/editor/run-pipeline.ts';
import { toldBy } from './replaced.ts';

const dir = '/somewhere/run';

describe('a pipeline that is asked for', () => {
  const run = { dir, running: false, view: { session: 'evening' } };
  const pipelines = () => {
    const store = { resumable: [] as object[], finishable: [], load: () => Promise.resolve(void store.resumable.push(run)) };
    return store;
  };

  it('is found although its view was never shown', async () => {
    assert.equal(await readAndPick(pipelines() as never, 'resumable', '', 'none'), run);
  });

  it('is said to be not there where there is none', async () => {
    assert.deepEqual(await toldBy(() => readAndPick(pipelines() as never, 'finishable', '', 'none')), ['none']);
  });

  it('is said not to go on where an old notification asks for it', async () => {
    const told = await toldBy(() => resumePipeline({ pipelines: pipelines() } as never, '/somewhere/else'));
    assert.match(told.join(), /runs, or cannot be resumed/);
  });
});
