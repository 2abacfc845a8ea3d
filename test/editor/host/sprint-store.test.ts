/** What the editor holds about the sprint that it shows, beside an engine whose answers come late. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';

import type { EngineClient } from '../../../src/extension/editor/engine-client.ts';
import { SprintStore } from '../../../src/extension/editor/sprint-store.ts';

describe('the sprint that the editor shows', () => {
  it('runs also where it began while its last state was read', async () => {
    const answers = new Map<string, (value: unknown) => void>();
    const engine: Pick<EngineClient, 'request'> = {
      request: (kind) => new Promise((resolve) => answers.set(kind, (value) => resolve(value as never))),
    };
    const store = new SprintStore(() => engine as EngineClient);
    const showing = store.show('/sprint');
    store.run('/sprint', { model: { kind: 'claude' } as never, overrides: {}, baseURL: null });
    answers.get('read')?.({ finished: null, ending: null });
    await showing;
    assert.equal(store.shown?.running, true);
    store.dispose();
  });
});
