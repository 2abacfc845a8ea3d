/** What a person reads about a sprint: what it needs of them still, and nothing that is over. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { statusLines } from '../../../src/engine/render/status-lines.ts';
import * as p from '../support/parts.ts';

describe('the lines of a status', () => {
  const waiting = () =>
    p
      .awaiting()
      .act('plan', { fact: 'human-action.asked', humanAction: p.humanAction({ shown: true }) })
      .act('close');

  it('say what it needs of the person, and what of it is answered', () => {
    const story = waiting();
    const [asked] = Object.values(story.state.ledger.humanActions);
    assert.ok(statusLines(story.state).includes(`Needs you: ${asked?.action}`));
    story.said({ fact: 'human-action.answered', id: asked?.id ?? '', answer: 'skip' });
    const lines = statusLines(story.state);
    assert.ok(lines.includes(`Answered, and taken up before the next decision: ${asked?.action}`), lines.join('\n'));
    assert.ok(!lines.some((line) => line.startsWith('Needs you')));
  });

  it('need nothing any more of a sprint that was finished, and say how it was', () => {
    const story = waiting().said({ fact: 'sprint.finished', finished: { how: 'drop', commit: '' } });
    const lines = statusLines(story.state);
    assert.match(lines[0] ?? '', /^Sprint \S+ on loop\/total: \S+, finished: drop$/);
    assert.ok(!lines.some((line) => line.startsWith('Needs you')));
  });
});
