/** Every decision can be explained in words: why, at what price, and what was due behind it (design §5). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fold } from '../../../src/engine/fold.ts';
import { readJournal } from '../../../src/host/journal.ts';
import { behindWords, explanation } from '../../../src/engine/render/explanation.ts';
import { openedEvent } from '../support/events.ts';

const golden = ['delivered', 'waiting', 'out-of-budget', 'claims-only', 'breaks-what-was-green', 'rubber-stamp'];

describe('the last decision', () => {
  it('is explained at any point of any sprint, in words that name no row and no tank by its id', async () => {
    for (const name of golden) {
      const { events } = await readJournal(`test/golden/${name}.jsonl`);
      for (let n = 1; n <= events.length; n += 1) {
        const state = fold(events.slice(0, n));
        const text = explanation(state);
        const last = state.ledger.decisions.at(-1);
        if (!last) continue;
        for (const part of ['## Why', '## What it burned', '## What was due behind it', '## What came before'])
          assert.ok(text.includes(part), `${name} ${n} lacks ${part}`);
        assert.doesNotMatch(text, /generate-checks|run-checks|undefined|NaN|\[object/, `${name} ${n}`);
        assert.equal(text.match(/^- one of /gm)?.length ?? 0, last.decision.burns.length);
      }
    }
  });

  it('says why it stopped', async () => {
    const { events } = await readJournal('test/golden/waiting.jsonl');
    assert.match(explanation(fold(events)), /## Where it stopped\n\n- waiting\n- /);
  });

  it('is none before the first', () => {
    assert.equal(explanation(fold([openedEvent()])), 'Nothing was decided yet.\n');
  });

  it('takes a row that this version does not know as it is', () => {
    assert.deepEqual(['fix cli/x', 'teleport', 'constructor'].map(behindWords), ['Mending a failed verification: cli/x', 'teleport', 'constructor']);
  }); // prettier-ignore
});
