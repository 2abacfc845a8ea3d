/** The description of trust shows each proof by itself, even if another proof refuses the verification (I8). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { trustOf } from '../../../src/engine/judge/trust.ts';
import { measureWords, proofWords, trustWords } from '../../../src/engine/render/trust-words.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { FaultTrial, Measure, Run } from '../../../src/engine/work/verification.ts';
import { changed } from '../support/events.ts';
import * as p from '../support/parts.ts';

/** Red for its reason, then green without new files, then a control with this outcome. */
function stateWith(green: Partial<Run>, control: 'red' | 'not-red', red: Partial<Run> = {}): State {
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

describe('the description of trust', () => {
  const cases: { what: string; state: State; words: string; outcome: string; why: string }[] = [
    {
      what: 'the verification was red for its reason',
      state: stateWith({}, 'red'),
      words: `Trusted: ${proven}`,
      outcome: 'proven',
      why: proven,
    },
    {
      what: 'the control refused it in spite of that',
      state: stateWith({}, 'not-red'),
      words: 'Not trusted yet: so it is',
      outcome: 'proven',
      why: proven,
    },
    {
      what: 'it prints its RED text when it is green',
      state: stateWith({ redSeen: true }, 'red'),
      words: 'Not trusted yet: it prints its RED text even when it passes',
      outcome: 'proven',
      why: proven,
    },
    {
      what: 'it was red for another reason',
      state: stateWith({}, 'red', { redSeen: false }),
      words: 'Not trusted yet: no run of it that counts was red for its stated reason yet',
      outcome: 'not proven',
      why: 'none of its runs before its first green was red for its stated reason ("wrong total") with all the files there that its work created',
    },
  ];
  for (const { what, state, words, outcome, why } of cases)
    it(`shows the ordinary runs and the control when ${what}`, () => {
      assert.equal(trustWords(trustOf(state, p.verification())), words);
      const [ordinary, control] = proofWords(state, p.verification());
      assert.deepEqual([ordinary?.outcome, ordinary?.why, control?.why], [outcome, why, 'so it is']);
    });
});

describe('the news of a measure', () => {
  it('counts what nobody can tell of where no fault is seen, as the strength of its proof does', () => {
    const words = (...outcomes: FaultTrial['outcome'][]): string => {
      const trials = outcomes.map((outcome, line): FaultTrial => ({
        path: 'a.css',
        line,
        operator: 'number changed',
        was: '',
        now: '',
        outcome,
      }));
      return measureWords({ lineage: 'phone/width', trials } as Measure);
    };
    assert.equal(words('untold', 'untold', 'wording'), 'phone/width sees 0 of 2 faults in the work');
    assert.equal(words('seen', 'unseen', 'untold'), 'phone/width sees 1 of 2 faults in the work');
  });
});
