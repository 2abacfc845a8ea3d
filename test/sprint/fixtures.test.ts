/**
 * The verifications of test/fixtures/verifications, with real git and the real sandbox: a gamed one covers nothing, whatever
 * its trick; an honest one is proven and counts. Each is judged in a whole sprint on a small piece of work, new or existing.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { coverage, isCounted } from '../../src/engine/judge/ending.ts';
import type { State } from '../../src/engine/state/state.ts';
import { trustOf, wasGreen } from '../../src/engine/judge/trust.ts';
import type { Verification } from '../../src/engine/work/verification.ts';
import type { Ground } from '../support/sprint.ts';
import { verificationFiles, judged, refusalOf, type WorkName } from '../support/works.ts';

type Row = readonly [file: string, what: string, expected: string];

/** Each row has the trick of a verification, and why it is refused (`refusalOf`). */
const gamed: Record<WorkName, Row[]> = {
  greenfield: [
    ['exists.sh', 'the file is there', 'reads'],
    ['greps-the-work.sh', 'the source holds a word', 'reads'],
    ['greps-itself.sh', 'a text of its own holds a word', 'reads'],
    ['always-true.py', 'it passes', 'reads'],
    ['prints-its-red.mjs', 'it always prints its RED text', 'says RED when green'],
    ['missing-module.mjs', 'red only as long as the module is missing', 'reads'],
    ['own-copy.py', 'it puts its own copy of the work in place, and tests that', 'reads'],
    ['constant.cjs', 'it compares a constant with itself', 'reads'],
    ['line-count.js', 'the file has that many lines', 'elsewhere'],
    ['scratch.sh', 'it detects that it is being proven, and is red only then', 'elsewhere'],
    ['own-tests.sh', 'it runs the builder’s own tests', 'elsewhere'],
    ['own-script.sh', 'it runs a script that the builder wrote to try the work', 'elsewhere'],
    ['refused.py', 'red only because no process listens', 'not red'],
    ['exit-127.sh', 'red only because there is no such command', 'not red'],
  ],
  existing: [
    ['usage.sh', 'the program prints its usage', 'not red'],
    ['same-twice.sh', 'it compares an output with itself', 'not red'],
    ['any-word.py', 'some word of the output is in the README', 'not red'],
    ['old-and-own-tests.sh', 'it runs the existing tests with the builder’s own among them', 'not red'],
    ['swallowed.sh', 'it ignores each failure', 'says RED when green'],
  ],
};

/** Each row has what a verification is about, and the proof that it gets. */
const honest: Record<WorkName, Row[]> = {
  greenfield: [
    ['cli-output.sh', 'what a command prints', 'revert'],
    ['exit-status.sh', 'exit statuses', 'revert'],
    ['python-library.py', 'a function, in Python', 'mutant'],
    ['module.mjs', 'a function, in JavaScript', 'revert'],
    ['file-produced.cjs', 'an output file', 'revert'],
    ['http-server.mjs', 'a server that it starts itself', 'revert'],
    ['idempotent.sh', 'doing it twice', 'revert'],
    ['concurrent.py', 'doing it at the same time', 'revert'],
  ],
  existing: [
    ['new-option.sh', 'a new option of an old command', 'red run'],
    ['bug-fix.py', 'a bug that is fixed', 'revert'],
    ['error-message.js', 'bad input', 'red run'],
    ['sorting.js', 'an order, by a new file and a changed one', 'revert'],
    ['config.py', 'a file that is data', 'red run'],
    ['typescript.cjs', 'a function, in TypeScript', 'red run'],
    ['round-trip.py', 'reading what is written', 'red run'],
  ],
};

const works = ['greenfield', 'existing'] as const;
const pathsIn = (kind: string, rows: readonly Row[]): string[] => rows.map(([file]) => `${kind}/${file}`);

describe('verifications of test/fixtures', () => {
  let at: Ground;
  let state: State;
  let stop: string;
  const verificationOf = (path: string): Verification => {
    const verification = state.work.verifications[path.replace(/\.\w+$/, '')];
    assert.ok(verification, path);
    return verification;
  };

  it('are all in a table', () => {
    for (const [kind, tables] of Object.entries({ gamed, honest }))
      assert.deepEqual(works.flatMap((work) => pathsIn(kind, tables[work])).sort(), verificationFiles(kind as 'gamed' | 'honest').sort());
  });

  for (const work of works)
    describe(`gamed, ${work}`, () => {
      before(async () => ({ at, state, stop } = await judged(work, pathsIn('gamed', gamed[work]), 'fair')));
      after(() => at.dispose());

      for (const [file, trick, refusal] of gamed[work])
        it(`${file}: ${trick}`, () => {
          const verification = verificationOf(`gamed/${file}`);
          assert.ok(wasGreen(state, verification), 'it was green once');
          const trust = trustOf(state, verification);
          assert.deepEqual([trust.trusted, refusalOf(state, verification)], [false, refusal], trust.why);
          assert.equal(isCounted(state, verification), false);
        });

      it('cover nothing: the sprint is not delivered', () => {
        assert.deepEqual(
          coverage(state).filter(({ provenBy }) => provenBy),
          [],
        );
        assert.equal(stop, 'failed');
      });
    });

  for (const work of works)
    describe(`honest, ${work}`, () => {
      before(async () => ({ at, state, stop } = await judged(work, pathsIn('honest', honest[work]), 'any')));
      after(() => at.dispose());

      for (const [file, what, proof] of honest[work])
        it(`${file}: ${what}`, () => {
          const verification = verificationOf(`honest/${file}`);
          const trust = trustOf(state, verification);
          assert.ok(trust.trusted, trust.why);
          assert.equal(trust.by, proof, trust.why);
          assert.equal(isCounted(state, verification), true);
        });

      it('cover everything: the sprint is delivered', () => {
        assert.deepEqual(
          coverage(state).filter(({ provenBy }) => !provenBy),
          [],
        );
        assert.equal(stop, 'delivered');
      });
    });
});
