import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { fold } from '../../../src/engine/core/fold.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { Draft } from '../../../src/engine/state/events.ts';
import { renderHistoryFile } from '../../../src/engine/render/history.ts';
import { readJournal } from '../../../src/host/journal.ts';
import { changeWords, refsOf } from '../../../src/views/model/history-refs.ts';
import { historyView, type HistoryView } from '../../../src/views/model/history-view.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import * as p from '../../engine/support/parts.ts';
import { begun, built, verification, ended, green, ref, run, settledBy, start, stateOf } from './sample.ts';
import { mended, other, payloads, told } from './story-sample.ts';

const get = (address: string): Promise<string> => Promise.resolve(payloads[address] ?? '');

async function viewOf(...drafts: Draft[]): Promise<HistoryView> {
  const view = await historyView(stateOf(...drafts), verification.id, get);
  assert.ok(view);
  return view;
}

describe('historyView', () => {
  it('contains the whole story in the order of events', async () => {
    const { story } = await viewOf(...told, ...mended);
    assert.deepEqual(
      story.map((item) => ('words' in item ? item.words : item.type)),
      [
        'Attempt 1: red, exit status 1 after 400 ms',
        'Attempt 2: green, exit status 0 after 400 ms',
        'Attempt 3: red, exit status 1 after 400 ms',
        'Change by T2: undone',
        'Attempt 4: red, exit status 1 after 400 ms',
        'Fix: undone',
        'Attempt 5: red, exit status 1 after 400 ms',
        'Fix: changed nothing',
        'Fix: kept',
        'The file of the verification was edited; that text is kept as .loop/verifications/value/adds.edited-1.sh, and did not run.',
        ...[6, 7, 8, 9].map((n) => `Attempt ${n}: green, exit status 0 after 400 ms`),
      ],
    );
  });

  it('puts a brief where it came: after the fixes before it, before the fix that went by it', async () => {
    const brief = {
      lineages: [verification.lineage],
      topic: 'Version 2',
      findings: 'milk is cream now',
      sources: [],
      by: 'person' as const,
    };
    const looked = [begun('11b', 'wait'), ended('11b', { fact: 'research.reported' as const, brief })];
    const { story } = await viewOf(...told, ...looked, ...mended);
    const words = story.map((item) => ('words' in item ? item.words : item.type));
    assert.deepEqual(words.slice(7, 10), ['Fix: changed nothing', 'brief', 'Fix: kept']);
  });

  it('puts an undone change directly after the red run that judged it', async () => {
    const change = { n: 2, author: { kind: 'task' as const, task: 'T2' }, step: 's-T2', files: [], patch: ref('f') };
    const early = ended('1b', { fact: 'verification.ran', run: run(1, { code: null }) });
    const later: Draft[] = [
      begun('5', 'run-verifications'),
      ended(
        '5',
        { fact: 'verification.ran', run: run(3, { where: 'revert', code: null }) },
        { fact: 'verification.ran', run: run(4, { code: null }) },
        { fact: 'tree.undone', change, why: 'it broke it', broke: [verification.id] },
      ),
      begun('6', 'run-verifications'),
      ended('6', { fact: 'verification.ran', run: run(5, { code: 1 }) }),
    ];
    const { story } = await viewOf(...built.slice(0, 2), begun('1b', 'run-verifications'), early, ...built.slice(2), ...later);
    assert.deepEqual(
      story.map((item) => (item.type === 'attempt' ? `${item.verdict} ${item.place}` : item.type)),
      [
        'red on a change that was not kept',
        'red before any change (bbbbbbb)',
        'green after change 1 (1111111)',
        'red in a checkout of its own, with the work changed or taken out to prove it',
        'red on a change that was not kept',
        'setback',
        'red after change 1 (1111111)',
      ],
    );
  });

  it('shows for an attempt what failed, on which tree, and the output', async () => {
    const { story } = await viewOf(...told);
    const attempts = story.filter((item) => item.type === 'attempt');
    assert.deepEqual(
      attempts.map(({ place }) => place),
      [
        'before any change (bbbbbbb)',
        'after change 1 (1111111)',
        'on a change that was not kept',
        'after change 1 (1111111)',
        'on a change that was not kept',
      ],
    );
    assert.deepEqual(attempts[3], {
      type: 'attempt',
      n: 4,
      verdict: 'red',
      words: 'Attempt 4: red, exit status 1 after 400 ms',
      failure: 'test failure',
      at: start + 14_000,
      place: 'after change 1 (1111111)',
      summary: 'test failure, exit status 1\nexpected: 1 note\nactual: 0 notes',
      excerpt: 'adding milk\nexpected: 1 note\nactual: 0 notes',
      output: ref('4'),
      cases: null,
    });
  });

  it('shows failed cases, and research findings with their source', async () => {
    const failedCases = [
      { name: 'adds › milk', file: 'test/add.js', line: 3, verdict: 'failed' as const, message: 'not equal', expected: '1', actual: '0' },
      { name: 'bare', verdict: 'failed' as const },
    ];
    const cases = { total: 9, failed: 4, skipped: 0, shown: failedCases, ref: ref('9') };
    const ran: Fact = { fact: 'verification.ran', run: run(3, { verdict: 'red', exit: 1, cases }) };
    const brief = {
      lineages: [verification.lineage],
      topic: 'Version 2',
      findings: 'milk is cream now',
      sources: ['https://example.org/2'],
      by: 'research' as const,
    };
    const { story } = await viewOf(...built, begun('9', 'run-verifications'), ended('9', ran, { fact: 'research.reported', brief }));
    assert.deepEqual(
      story.slice(-2).map((item) => (item.type === 'attempt' ? item.cases : item)),
      [
        {
          words: 'Cases: 4 of 9 failed, the first 2',
          shown: [
            { name: 'adds › milk', place: 'test/add.js:3', message: 'not equal', values: { expected: '1', actual: '0' } },
            { name: 'bare', place: '', message: '', values: null },
          ],
        },
        { type: 'brief', topic: 'Version 2', findings: 'milk is cream now', source: 'https://example.org/2' },
      ],
    );
  });

  it('shows the fixer’s report next to the real change, and which verifications the fix was for', async () => {
    const { story } = await viewOf(...told);
    assert.deepEqual(
      story.find((item) => item.type === 'fix'),
      {
        type: 'fix',
        step: '8',
        at: start + 15_000,
        outcome: 'undone',
        words: 'Fix: undone',
        why: 'it broke value/adds, value/counts',
        said: {
          applied: 'Waits until the file is open.',
          reasoning: 'The note was written before the file was open, so it was lost.',
          files: ['src/a.ts', 'src/b.ts'],
        },
        changed: [{ path: 'src/a.ts', kind: 'modified' }],
        diff: { text: payloads[ref('c')], ref: ref('c') },
        madeFor: { words: 'Made for 2 verifications with the same cause', verifications: [verification.id, other.id] },
        doubt: null,
      },
    );
  });

  it('shows QC’s answer to a fixer who doubts the verification', async () => {
    const doubt = (view: HistoryView): unknown => view.story.flatMap((item) => (item.type === 'fix' && item.doubt) || []);
    const answer = 'QC looked at it and answered that it is right: requirement 1.1 says one note';
    assert.deepEqual(doubt(await viewOf(...told)), [{ what: 'The verification is wrong', evidence: 'The PRD says two notes.', answer }]);
    assert.deepEqual(doubt(await viewOf(...told.slice(0, -2))), [
      { what: 'The verification is wrong', evidence: 'The PRD says two notes.', answer: 'QC has not answered yet.' },
    ]);
    const rewritten: Draft[] = [
      begun('11', 'plan'),
      ended('11', { fact: 'verification.written', verification: { ...verification, script: ref('8') } }),
    ];
    assert.deepEqual(doubt(await viewOf(...told.slice(0, -2), ...rewritten)), [
      { what: 'The verification is wrong', evidence: 'The PRD says two notes.', answer: 'QC wrote the verification again.' },
    ]);
  });

  it('shows the present status, the fixes left, and which other verifications fail for the same cause', async () => {
    const { now } = await viewOf(...told);
    assert.deepEqual(now, {
      words: 'It fails.',
      summary: 'test failure, exit status 1\nexpected: 1 note\nactual: 0 notes',
      attempt: 4,
      next: ['3 fixes are left for it.'],
      siblings: { why: 'the same failure: expected: 1 note', verifications: [{ id: other.id, title: other.title }] },
    });
    const after = await viewOf(...told, ...mended);
    assert.deepEqual(after.now, { words: 'It passes.', summary: '', attempt: 9, next: [], siblings: null });
    assert.deepEqual([after.status, after.statusWords], ['passed', 'passed']);
  });

  it('says why a run has no result', async () => {
    const unrun = built.slice(0, 2);
    assert.equal((await viewOf(...unrun)).now.words, 'It has not run yet.');
    const none = run(1, { verdict: 'none', why: 'the install npm failed' });
    const { now } = await viewOf(...unrun, begun('n', 'run-verifications'), ended('n', { fact: 'verification.ran', run: none }));
    assert.equal(now.words, 'It has no result yet: the install npm failed.');
  });

  it('shows what the person can do when no fix is left', async () => {
    const burns = [tank('lineage', verification.lineage), tank('signature', `${verification.lineage}/sig-2`)];
    const burnedFixes = Array.from({ length: 3 }, (_, i): Draft[] => [
      { ...begun(`x${i}`, 'fix', verification.id), burns } as Draft,
      ended(`x${i}`),
    ]);
    const { status, now } = await viewOf(...told, ...burnedFixes.flat());
    assert.deepEqual(
      [status, now.words, now.next],
      [
        'blocked',
        'It fails, and no fix is left for it.',
        ['Run the verification yourself, then mend the cause or the requirement and start again.'],
      ],
    );
  });

  it('lists every proof that was tried, when, and its result', async () => {
    const { trust } = await viewOf(...told, ...mended);
    assert.equal(trust.trusted, false);
    assert.deepEqual(
      trust.proofs.map(({ name, outcome, when }) => [name, outcome, when]),
      [
        ['Seen red before it was ever green', 'not proven', ''],
        [
          'Control: the work with other comments, the script with other values, the work with its text but without its behaviour',
          'passed',
          'after change 2 (2222222)',
        ],
      ],
    );
    const proven = await viewOf(
      ...told,
      ...mended,
      begun('15', 'run-verifications'),
      ended('15', {
        fact: 'verification.proven',
        proof: {
          lineage: verification.lineage,
          script: verification.script,
          kind: 'revert',
          code: 2,
          outcome: 'red',
          why: 'without the commit it fails',
        },
      }),
    );
    assert.deepEqual([proven.trust.trusted, proven.trust.why], [true, 'without the commit it fails']);
    assert.deepEqual(proven.trust.proofs.at(-1), {
      name: 'Run with the work that it covers taken out',
      outcome: 'proven',
      why: 'without the commit it fails',
      when: 'after change 2 (2222222)',
    });
  });

  it('lists as siblings the verifications that fail the same way now, not those that once did', async () => {
    const past = { ...verification, id: 'value/past', lineage: 'value/past', title: 'past' };
    const sameFailure = run(1, { summary: 'red\nno note' });
    const state = stateOf(
      ...built.slice(0, 2),
      begun('5', 'run-verifications'),
      ended(
        '5',
        { fact: 'verification.written', verification: other },
        { fact: 'verification.written', verification: past },
        { fact: 'verification.ran', run: sameFailure },
        { fact: 'verification.ran', run: { ...sameFailure, verification: other.id, lineage: other.lineage } },
        { fact: 'verification.ran', run: { ...sameFailure, verification: past.id, lineage: past.lineage } },
        { fact: 'verification.ran', run: run(2, { ...green, verification: past.id, lineage: past.lineage }) },
      ),
    );
    assert.deepEqual((await historyView(state, verification.id, get))?.now.siblings?.verifications, [{ id: other.id, title: other.title }]);
  });

  it('shows why a verification does not run, and no failure of older code as a present one', async () => {
    const health = { ...verification, id: 'health/up', lineage: 'health/up', tier: 'health' };
    const ranHealth = (n: number, change: Partial<Run>): Fact => ({
      fact: 'verification.ran',
      run: run(n, { ...change, verification: health.id, lineage: health.lineage }),
    });
    const later: Draft[] = [...told, begun('20', 'run-verifications'), ended('20', settledBy('T2', 2))];
    const { status, now } = await viewOf(...later);
    assert.deepEqual(
      [status, now],
      ['pending', { words: 'It has not run on the tree as it is.', summary: '', attempt: null, next: [], siblings: null }],
    );
    const broken = [ranHealth(1, { ...green, code: 1 }), ranHealth(2, { code: 2 })];
    const heldBack = await viewOf(
      ...later,
      begun('21', 'run-verifications'),
      ended('21', { fact: 'verification.written', verification: health }, ...broken),
    );
    assert.deepEqual([heldBack.status, heldBack.now.words], ['pending', 'It is not run while health/up, on which it builds, is broken.']);
  });

  it('shows how a criterion was judged', async () => {
    const criterion = p.criterion({ id: verification.id, lineage: verification.lineage });
    const judged = p.evaluation({ criteria: [{ verification: verification.id, met: false, evidence: 'it looks bad' }] });
    const facts = [
      { fact: 'verification.written', verification: criterion } as const,
      { fact: 'evaluation.reported', evaluation: judged } as const,
    ];
    const view = await viewOf(...built.slice(0, 2), begun('5', 'plan'), ended('5', ...facts));
    assert.deepEqual(view.story, [{ type: 'judgement', met: false, words: 'Judged not met after change 1', evidence: 'it looks bad' }]);
    assert.deepEqual([view.header, view.trust.proofs], [[], []]);
  });

  it('is undefined for a verification that does not exist', async () => {
    assert.equal(await historyView(stateOf(...built), 'value/other', get), undefined);
  });

  it('shows the rest when a payload is lost, cuts long outputs, and removes control characters', async () => {
    const state = stateOf(
      ...told,
      begun('12', 'run-verifications'),
      ended('12', { fact: 'verification.ran', run: run(6, { excerpt: `\u001B[31mred\u202E${'x'.repeat(50_000)}` }) }),
    );
    const view = await historyView(state, verification.id, () => Promise.reject(new RangeError('gone')));
    assert.match(view?.script.text ?? '', /missing/);
    const last = view?.story.at(-1);
    assert.ok(last?.type === 'attempt');
    assert.match(last.excerpt, /^redx{19000}/);
    assert.ok(last.excerpt.length <= 20_000);
  });

  it('allows opening exactly the payloads that it shows', async () => {
    const view = await viewOf(...told, ...mended);
    const runs = Array.from({ length: 9 }, (_, i) => ref(String(i + 1)));
    assert.deepEqual([...refsOf(view)].sort(), [...runs, ref('a'), ref('c'), ref('e'), ref('f')]);
    assert.deepEqual(
      [ref('c'), ref('f'), ref('1')].map((address) => changeWords(view, address)),
      ['fix: undone', 'change by T2: undone', 'change'],
    );
  });

  it('has the same entries as history.md', async () => {
    const state = stateOf(...told, ...mended);
    const file = renderHistoryFile(state, verification);
    const view = await viewOf(...told, ...mended);
    const words = view.story.map((item) => {
      if (item.type === 'brief') return item.topic;
      return item.words.replace(/ after 400 ms$/, '');
    });
    const places = words.map((text) => file.indexOf(text.startsWith('Fix: ') ? '#### Fix: ' : text));
    assert.ok(!places.includes(-1), file);
    for (const { name, why } of view.trust.proofs) assert.ok(file.includes(name) && file.includes(why), name);
    assert.match(file, /^# value\/adds\n\nadds a note\n\nStatus: passed\n\n- Proves 1\.1: It adds\n\n## Trust\n\nNot trusted yet: /);
    assert.match(file, /Made for 2 verifications with the same cause: value\/adds, value\/lists\n/);
  });

  for (const file of readdirSync('test/golden').filter((name) => name.endsWith('.jsonl')))
    it(`contains all runs and fixes of every verification of ${file}`, async () => {
      const state = fold((await readJournal(join('test/golden', file))).events);
      for (const { id, lineage } of Object.values(state.work.verifications)) {
        const view = await historyView(state, id, () => Promise.resolve('text'));
        const runs = state.ledger.runs[lineage] ?? [];
        assert.deepEqual(
          view?.story.flatMap((item) => (item.type === 'attempt' ? [item.n] : [])),
          runs.map(({ n }) => n),
        );
        const fixes = view.story.filter((item) => item.type === 'fix').length;
        assert.equal(fixes, state.ledger.fixes[lineage]?.length ?? 0);
        assert.deepEqual(JSON.parse(JSON.stringify(view)), view, 'the view is plain JSON, so it can be sent to another thread');
      }
    });
});
