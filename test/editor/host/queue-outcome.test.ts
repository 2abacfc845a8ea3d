/** What a queue tells of a sprint that broke off in it. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';

import { tellOutcome } from '../../../src/extension/editor/notifications.ts';
import { tellQueue } from '../../../src/extension/editor/queue-sprints.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import { built, start, stateOf } from '../../views/model/sample.ts';
import { toldBy } from './replaced.ts';

const view = sprintView(stateOf(...built), start);
const dir = '/somewhere/sprint';

describe('a sprint that broke off in a queue', () => {
  const failure = { kind: 'error' as const, message: 'the thread ended', detail: 'its stack' };
  const outcome = { dir, view, queued: true, failure };

  it('is logged with all that is known, and told of only at the queue’s end', async () => {
    const logged: string[] = [];
    const log = { error: (line: string) => logged.push(line) };
    assert.deepEqual(await toldBy(() => tellOutcome(outcome, log as never)), []);
    assert.deepEqual(logged, ['the thread ended\nits stack']);
  });

  it('is told of with what broke it', async () => {
    const [text = ''] = await toldBy(() => tellQueue([dir, '/somewhere/next'], [outcome]));
    assert.match(text, /somewhere: .* \(\$.*\): Something in Loop failed: the thread ended; next: not begun$/);
  });
});
