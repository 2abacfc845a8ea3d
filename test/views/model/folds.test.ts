import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { foldsOf } from '../../../src/views/model/folds.ts';

const text = ['# A', '', '## B', 'b', '', '### C', '```text', '## no heading', '```', '', '## D', 'd', '### E', ''].join('\n');

describe('foldsOf', () => {
  it('folds each heading with what stands below it, without the empty line at its end', () => {
    assert.deepEqual(
      foldsOf(text).map(({ from, to }) => [from, to]),
      [
        [0, 12],
        [2, 8],
        [5, 8],
        [10, 12],
      ],
    );
  });

  it('takes no line in a fence for a heading, whatever fences stand in it', () => {
    assert.deepEqual(foldsOf('# A\n````text\n```\n# B\n````\nend'), [{ from: 0, to: 5 }]);
  });

  it('folds nothing in a text without headings', () => assert.deepEqual([foldsOf(''), foldsOf('a\nb')], [[], []]));
});
