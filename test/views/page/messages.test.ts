import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseFromPage, parsePanelState } from '../../../src/views/page/page-messages.ts';

const ref = 'a'.repeat(64);

describe('parseFromPage', () => {
  it('accepts the messages of the page', () => {
    for (const message of [
      { type: 'ready' },
      { type: 'open-payload', ref, what: 'diff' },
      { type: 'open-history', verification: 'value/x' },
      { type: 'adopt-edit' },
      { type: 'discard-edit' },
    ]) {
      assert.deepEqual(parseFromPage(message), message);
    }
  });

  it('refuses everything else, and drops unknown fields', () => {
    const bad = [
      undefined,
      null,
      'ready',
      {},
      { type: 'run', command: 'rm' },
      { type: 'open-payload', ref: '../../etc/passwd', what: 'diff' },
      { type: 'open-payload', ref: `${ref}\n`, what: 'diff' },
      { type: 'open-payload', ref: [ref], what: 'diff' },
      { type: 'open-payload', ref, what: 'shell' },
      { type: 'open-history', verification: 'x'.repeat(301) },
    ];
    assert.deepEqual(
      bad.map(parseFromPage),
      bad.map(() => undefined),
    );
    assert.deepEqual(parseFromPage({ type: 'ready', more: 1 }), { type: 'ready' });
    assert.deepEqual(parseFromPage({ type: 'adopt-edit', text: ref }), { type: 'adopt-edit' }, 'the page cannot name the text');
  });
});

describe('parsePanelState', () => {
  it('accepts a saved state and nothing else', () => {
    const state = { sprintDir: '/w', verification: 'value/x' };
    assert.deepEqual(parsePanelState({ ...state, more: 1 }), state);
    assert.deepEqual([parsePanelState(null), parsePanelState({ sprintDir: 1, verification: 'x' })], [undefined, undefined]);
  });
});
