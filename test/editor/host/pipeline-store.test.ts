/** What the editor holds about runs of pipelines, beside an engine that answers as a test wants. */
import * as assert from 'node:assert/strict';

import { afterEach, beforeEach, describe, it } from 'mocha';

import type { EngineClient } from '../../../src/extension/editor/engine-client.ts';
import { PipelineStore } from '../../../src/extension/editor/pipeline-store.ts';

const [here, elsewhere] = ['/one/.loop/pipelines/here', '/one/.loop/pipelines/elsewhere'];
const view = { finished: null, ending: null, elsewhere: null, stages: [] };

describe('the runs of pipelines that the editor shows', () => {
  let root: string | undefined;
  let asked: number;
  let store: PipelineStore;
  beforeEach(() => {
    root = '/one';
    asked = 0;
    const runs = [
      { dir: here, view },
      { dir: elsewhere, view: { ...view, elsewhere: { process: 1 } } },
    ];
    const request = (kind: string): Promise<unknown> => {
      // A run stays under way.
      if (kind !== 'pipeline-runs') return new Promise(() => undefined);
      asked += 1;
      return Promise.resolve(root === undefined ? null : { root, runs, unread: [] });
    };
    store = new PipelineStore(() => ({ request }) as unknown as EngineClient);
  });
  afterEach(() => store.dispose());
  const shown = (): string[] => store.shown.map(({ dir }) => dir);

  it('are under way where another process runs them', async () => {
    await store.load();
    assert.deepEqual(shown(), [here, elsewhere]);
    assert.deepEqual(
      store.underWay.map(({ dir }) => dir),
      [elsewhere],
    );
  });

  it('leave with their folder, but for one that runs in this window', async () => {
    await store.load();
    store.run(here, { model: { kind: 'anthropic' }, overrides: {}, baseURL: null });
    root = undefined;
    await store.foldersChanged();
    assert.deepEqual(shown(), [here]);
  });

  it('are not read for a folder before anybody looked at them', async () => {
    await store.foldersChanged();
    assert.equal(asked, 0);
  });
});
