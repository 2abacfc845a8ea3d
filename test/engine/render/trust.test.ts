/** How trust is told: each proof for itself, whatever another one says against the verification (I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { trustOf } from '../../../src/engine/judge/trust.ts';
import { proofWords, trustWords } from '../../../src/engine/render/trust-words.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import { changed } from '../support/events.ts';
import * as p from '../support/parts.ts';

/** Red for its reason, then green on a tree to which no file was added, and put to the control. */
function seen(green: Partial<Run>, control: 'red' | 'not-red', red: Partial<Run> = {}): State {
  return changed(p.awaiting().state, (s) => {
    s.ledger.runs = { 'value/total': [p.run({ verdict: 'red', ...red }), p.run({ n: 2, code: 1, ...green })] };
    s.ledger.proofs = [
      { lineage: 'value/total', script: p.verification().script, kind: 'control', code: 1, outcome: control, why: 'so it is' },
    ];
    s.work.tree.commits = [p.settled({ files: [{ path: 'total.sh', kind: 'modified' }] })];
    s.work.tree.code = 1;
  });
}

const proven = 'attempt 1 failed for its stated reason before it was ever green';

describe('trust, told', () => {
  const cases: [string, State, string, [string, string]][] = [
    ['it was red for its reason', seen({}, 'red'), `Trusted: ${proven}`, ['proven', proven]],
    ['the control refused it all the same', seen({}, 'not-red'), 'Not trusted yet: so it is', ['proven', proven]],
    [
      'it says RED when it is green',
      seen({ redSeen: true }, 'red'),
      'Not trusted yet: it prints its RED text even when it passes',
      ['proven', proven],
    ],
    [
      'it was red for another reason',
      seen({}, 'red', { redSeen: false }),
      'Not trusted yet: it has not been seen red for its stated reason yet',
      [
        'not proven',
        'none of its runs before its first green was red for its stated reason ("wrong total") with all the files there that its work created',
      ],
    ],
  ];
  for (const [what, state, words, [outcome, why]] of cases)
    it(`says what its ordinary runs showed where ${what}`, () => {
      assert.equal(trustWords(trustOf(state, p.verification())), words);
      const [ordinary, control] = proofWords(state, p.verification());
      assert.deepEqual([ordinary?.outcome, ordinary?.why, control?.why], [outcome, why, 'so it is']);
    });
});
