/** Continues the sample with everything that can happen to one verification, for tests of its history and its page. */
import type { Draft } from '../../../src/engine/state/events.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { FixRecord } from '../../../src/engine/work/fix.ts';
import { begun, built, verification, ended, green, ref, run } from './sample.ts';

export const other = { ...verification, id: 'value/lists', lineage: 'value/lists', title: 'lists notes', script: ref('9') };

const patch = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
-const file = open();
+const file = await open();
 export default file;
`;

/** The text of every payload in the story. */
export const payloads: Record<string, string> = {
  [verification.script]: '#!/bin/sh\n# TEST: adds a note\nnode notes.js add milk || { echo "no note"; exit 1; }\n',
  [ref('c')]: patch,
  [ref('e')]: patch.replaceAll('a.ts', 'b.ts'),
  [ref('f')]: patch.replaceAll('a.ts', 'c.ts'),
};

const author = { kind: 'fix' as const, lineage: verification.lineage, verification: verification.id, also: [other.lineage] };
const changed = (step: string, n: number, address: string): Extract<Fact, { fact: 'tree.changed' }> => ({
  fact: 'tree.changed',
  change: { n, author, step, files: [{ path: 'src/a.ts', kind: 'modified' }], patch: address },
});
const reported = (step: string, report: Partial<FixRecord>): Fact => ({
  fact: 'fix.reported',
  step,
  report: {
    lineage: verification.lineage,
    verification: verification.id,
    signature: 'sig-1',
    fixApplied: 'Waits until the file is open.',
    filesChanged: ['src/a.ts'],
    reasoning: 'The note was written before the file was open, so it was lost.',
    answer: { kind: 'fixed' },
    also: [other.lineage],
    ...report,
  },
});
const ran = (n: number, change: Parameters<typeof run>[1]): Fact => ({ fact: 'verification.ran', run: run(n, change) });
const failure = 'test failure, exit status 1\nexpected: 1 note\nactual: 0 notes';
const red = { summary: failure, excerpt: 'adding milk\nexpected: 1 note\nactual: 0 notes', signature: 'sig-2' };

/**
 * The events of `built`, then: a task's change breaks the verification and is undone; it is red on a kept change, for the same
 * cause as another verification; a fix is undone; the next fix doubts the verification and QC upholds it; the person edits its file.
 */
export const told: Draft[] = [
  ...built,
  begun('5', 'execute', 'T2'),
  ended('5', { fact: 'verification.written', verification: other }),
  begun('6', 'run-verifications'),
  ended('6', ran(3, { ...red, code: null }), {
    fact: 'tree.undone',
    change: {
      n: 2,
      author: { kind: 'task', task: 'T2' },
      step: '5',
      files: [{ path: 'src/c.ts', kind: 'added' }],
      patch: ref('f'),
    },
    why: `it broke ${verification.id}`,
    broke: [verification.id],
  }),
  begun('7', 'run-verifications'),
  ended('7', ran(4, { ...red, code: 1 }), {
    fact: 'verification.ran',
    run: run(1, { ...red, code: 1, verification: other.id, lineage: other.lineage, script: other.script }),
  }),
  begun('8', 'fix', verification.id),
  ended('8', reported('8', { filesChanged: ['src/a.ts', 'src/b.ts'] }), changed('8', 3, ref('c'))),
  begun('9', 'run-verifications'),
  ended('9', ran(5, { ...red, code: null }), {
    ...changed('8', 3, ref('c')),
    fact: 'tree.undone',
    why: 'it broke value/adds, value/counts',
    broke: [verification.id, 'value/counts'],
  }),
  begun('10', 'fix', verification.id),
  ended(
    '10',
    reported('10', {
      fixApplied: 'nothing',
      filesChanged: [],
      reasoning: 'The script asks for the wrong thing.',
      answer: { kind: 'doubt', evidence: 'The PRD says two notes.', script: verification.script },
    }),
  ),
  begun('11', 'run-verifications'),
  ended(
    '11',
    {
      fact: 'verification.upheld',
      lineage: verification.lineage,
      script: verification.script,
      why: 'requirement 1.1 says one note',
    },
    {
      fact: 'verification.edited',
      id: verification.id,
      lineage: verification.lineage,
      kept: '.loop/verifications/value/adds.edited-1.sh',
      text: null,
      atWork: false,
    },
  ),
];

/** The end of the story: the third fix is kept, the verification is green four times and passes its control. */
export const mended: Draft[] = [
  begun('12', 'fix', verification.id),
  ended('12', reported('12', {}), changed('12', 4, ref('e'))),
  begun('13', 'run-verifications'),
  ended(
    '13',
    {
      fact: 'tree.settled',
      settled: {
        code: 2,
        commit: '2'.repeat(40),
        author,
        step: '12',
        files: [{ path: 'src/b.ts', kind: 'modified' }],
        patch: ref('e'),
      },
    },
    ...[6, 7, 8, 9].map((n) => ran(n, { ...green, code: 2 })),
  ),
  begun('14', 'run-verifications'),
  ended('14', {
    fact: 'verification.proven',
    proof: {
      lineage: verification.lineage,
      script: verification.script,
      kind: 'control',
      code: 2,
      outcome: 'red',
      why: 'it goes by what the work does, not by its text',
    },
  }),
];
