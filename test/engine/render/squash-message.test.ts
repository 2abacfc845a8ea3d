/** The one commit of a squash says what was promised, what of it is proven, and what was built. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { squashMessage } from '../../../src/engine/render/squash-message.ts';
import * as p from '../support/parts.ts';

describe('the message of a squash', () => {
  it('lists the requirements that are proven, and the tasks that were built', () => {
    const [subject, ...rest] = squashMessage(p.delivered().act('close').state).split('\n\n');
    assert.match(subject ?? '', /^Sprint \S+: delivered$/);
    assert.deepEqual(rest.slice(0, 2), ['Proven:\n- 1 Totals\n- V1 The greeting is kind', 'Built:\n- T1 Print the total of an order']);
    assert.match(rest[2] ?? '', /^Made by Loop on loop\/\S+\.$/);
  });

  it('says what is not proven and what was dropped', () => {
    const { state } = p.awaiting().act('plan', { fact: 'task.descoped', id: 'T1', why: 'the person skipped it' });
    const parts = squashMessage(state).split('\n\n');
    assert.deepEqual(parts.slice(1, 3), [
      'Not proven:\n- 1 Totals\n- V1 The greeting is kind',
      'Dropped:\n- T1 Print the total of an order',
    ]);
    assert.ok(!parts.some((part) => part.startsWith('Proven:')));
  });
});
