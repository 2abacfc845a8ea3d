/** Every decision can be explained in words: why it was made, its fuel, and what else was due. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaults } from '../../../src/engine/ground/config.ts';
import { fold } from '../../../src/engine/core/fold.ts';
import { openingSizes } from '../../../src/engine/state/tanks.ts';
import { readJournal } from '../../../src/host/journal.ts';
import { behindWords, explanation } from '../../../src/engine/render/explanation.ts';
import { openedEvent, Story } from '../support/events.ts';

const golden = ['delivered', 'waiting', 'out-of-budget', 'claims-only', 'breaks-what-was-green', 'rubber-stamp'];

describe('the last decision', () => {
  it('has an explanation at any point of any sprint, without ids of rows or tanks', async () => {
    for (const name of golden) {
      const { events } = await readJournal(`test/golden/${name}.jsonl`);
      for (let n = 1; n <= events.length; n += 1) {
        const state = fold(events.slice(0, n));
        const text = explanation(state);
        const last = state.ledger.decisions.at(-1);
        if (!last) continue;
        for (const part of ['## Why', '## What it burned', '## What was due behind it', '## What came before'])
          assert.ok(text.includes(part), `${name} ${n} lacks ${part}`);
        assert.doesNotMatch(text, /write-verifications|run-verifications|undefined|NaN|\[object/, `${name} ${n}`);
        assert.equal(text.match(/^- one of /gm)?.length ?? 0, last.decision.burns.length);
      }
    }
  });

  it('has a description for every tank that it burns', () => {
    const burned = Object.keys(openingSizes(defaults)).filter((kind) => !['mint', 'wait', 'limits'].includes(kind));
    const { state } = new Story().begin(
      'fix',
      '',
      burned.map((kind) => `${kind}/a/b/c`),
    );
    const described = [...explanation(state).matchAll(/^- one of the (.*), /gm)].map(([, what]) => what ?? '');
    assert.equal(described.length, burned.length + 1);
    assert.deepEqual(
      described.filter((what) => burned.some((kind) => what.startsWith(`${kind} `))),
      [],
    );
    const { state: service } = new Story().begin('service-fix', 'api', ['reinstall/api@3', 'service/api', 'base/unit']);
    assert.match(
      explanation(service),
      /one of the installs for service api on this code, 0 left\n- one of the fixes of service api, 1 left\n- one of the runs of suite unit on the base commit, 2 left/,
    );
  });

  it('comes with the reason of a stop', async () => {
    const { events } = await readJournal('test/golden/waiting.jsonl');
    assert.match(explanation(fold(events)), /## Where it stopped\n\n- waiting\n- /);
  });

  it('has a placeholder before the first decision', () => {
    assert.equal(explanation(fold([openedEvent()])), 'Nothing was decided yet.\n');
  });

  it('shows an unknown row by its id', () => {
    assert.deepEqual(['fix cli/x', 'teleport', 'constructor'].map(behindWords), [
      'Mending a failed verification: cli/x',
      'teleport',
      'constructor',
    ]);
  });
});
