import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { deedOf, questionOf } from '../../../src/engine/work/human-action.ts';
import { sprintView, type HumanActionView } from '../../../src/views/model/sprint-view.ts';
import { headline, needsPersonNow, statusWords } from '../../../src/views/model/headline.ts';
import { begun, built, ended, ref, run, start, stateOf } from './sample.ts';

const humanAction: HumanActionView = {
  id: 'H1',
  kind: 'deed',
  status: 'open',
  answer: null,
  answers: 0,
  action: 'Supply the token',
  instructions: 'Put it into token.txt',
  paths: ['token.txt'],
  tasks: 'T2',
  missing: '',
  points: [],
};

const { id, action, instructions, paths } = humanAction;
const deed = { id, action, instructions, paths };

describe('sprintView', () => {
  it('contains every field of an unfinished sprint', () => {
    const state = stateOf(...built, begun('5', 'execute', 'T2', 'its dependencies are done'));
    assert.deepEqual(sprintView(state, start + 60_000), {
      name: 'notes',
      branch: 'loop/notes-20261120-100000',
      elapsed: 60_000,
      phase: 'Building',
      current: { action: 'execute', target: 'T2', why: 'its dependencies are done', behind: ['vrc'], session: null },
      elsewhere: null,
      decisions: 5,
      process: { health: 'GREEN', strategy: 'the usual one' },
      fuel: { left: 35, size: 40 },
      spend: { usd: 0, unpriced: 0, budgetUsd: 25, tokens: 0, budgetTokens: 20_000_000, calls: 0, hours: 0.0025, maxHours: 24 },
      ending: null,
      finished: null,
      humanActions: [],
      words: [],
      pauseAsked: false,
      requirements: [{ id: '1.1', title: 'It adds', provenBy: null, verifiedBy: null, descoped: null }],
      costs: { steps: [], roles: [], phases: [] },
      phases: [
        {
          name: 'Core',
          tasks: [
            {
              id: 'T1',
              status: 'done',
              title: 'build T1',
              description: 'build T1',
              value: 'the user can note',
              acceptance: 'T1 works',
              requirements: ['1.1'],
              dependencies: [],
              waitsFor: null,
              setback: null,
              reopened: null,
              dropped: null,
              attempts: 1,
              cost: null,
            },
          ],
        },
        {
          name: 'More',
          tasks: [
            {
              id: 'T2',
              status: 'active',
              title: 'build T2',
              description: 'build T2',
              value: 'the user can note',
              acceptance: 'T2 works',
              requirements: ['1.1'],
              dependencies: ['T1'],
              waitsFor: null,
              setback: null,
              reopened: null,
              dropped: null,
              attempts: 1,
              cost: null,
            },
          ],
        },
      ],
      categories: [
        {
          name: 'value',
          verifications: [
            {
              id: 'value/adds',
              title: 'adds a note',
              kind: 'script',
              status: 'passed',
              requirements: ['1.1'],
              trusted: false,
              trustWhy: 'no run of it that counts was red for its stated reason yet',
              strength: null,
              counted: false,
              runs: 2,
              heldBackBy: null,
              lastGreen: 'last green after change 1 (commit 1111111111)',
              isOwn: false,
              mayEdit: true,
              edit: null,
              file: 'verifications/value/adds.sh',
              script: ref('a'),
              result: { n: 2, report: { outcome: 'passed', duration: 400, message: '', diff: null, line: 1 } },
              last: { n: 2, verdict: 'green', words: 'exit status 0 after 400 ms', summary: 'it passed' },
              waits: null,
            },
          ],
        },
      ],
      changes: [{ code: 1, commit: '1'.repeat(40), title: 'T1', patch: ref('d'), files: [{ path: 'src/a.ts', kind: 'added' }] }],
      services: [],
    });
  });

  it('is plain JSON, so it can be sent to another thread', () => {
    const view = sprintView(stateOf(...built), start);
    assert.deepEqual(JSON.parse(JSON.stringify(view)), view);
  });

  it('shows which task waits for the person, and for what', () => {
    const view = sprintView(
      stateOf(...built, begun('5', 'wait', 'H1'), ended('9', { fact: 'human-action.asked', humanAction: deedOf({ ...deed, task: 'T2' }) })),
      start,
    );
    const task = view.phases[1]?.tasks[0];
    assert.deepEqual([task?.status, task?.waitsFor, view.humanActions], ['waiting', 'Supply the token', [humanAction]]);
  });

  it('shows hints and advice with their kind, the answer and the number of answers', () => {
    const asked: Fact[] = [
      {
        fact: 'human-action.asked',
        humanAction: questionOf({ id: 'H1', action: 'What is lost?', instructions: '' }, ['value/adds']),
      },
      { fact: 'human-action.asked', humanAction: questionOf({ id: 'H2', action: 'How?', instructions: '', task: 'T2' }, []) },
      { fact: 'human-action.answered', id: 'H2', answer: 'skip' },
    ];
    const question = { instructions: '', paths: [], missing: '', points: [] };
    assert.deepEqual(sprintView(stateOf(...built, begun('5', 'wait', 'H1'), ended('5', ...asked)), start).humanActions, [
      { ...question, id: 'H1', kind: 'hint', status: 'open', answer: null, answers: 0, action: 'What is lost?', tasks: '' },
      { ...question, id: 'H2', kind: 'advice', status: 'answered', answer: 'skip', answers: 1, action: 'How?', tasks: 'T2' },
    ]);
  });

  it('distinguishes a task that waits for another task from one that is ready', () => {
    const planned = stateOf(...built.slice(0, 2));
    const statuses = sprintView(planned, start).phases.flatMap((p) => p.tasks.map((t) => t.status));
    assert.deepEqual(statuses, ['ready', 'later']);
  });

  it('does not show a proof run as the last result', () => {
    const state = stateOf(
      ...built,
      begun('5', 'run-verifications'),
      ended('5', { fact: 'verification.ran', run: run(3, { where: 'revert', code: 1 }) }),
    );
    assert.equal(sprintView(state, start).categories[0]?.verifications[0]?.last?.n, 2);
  });

  it('does not show a run on an undone change as the result', () => {
    const broken = run(3, { code: null, summary: 'broken by a change' });
    const state = stateOf(...built, begun('5', 'run-verifications'), ended('5', { fact: 'verification.ran', run: broken }));
    const verification = sprintView(state, start).categories[0]?.verifications[0];
    assert.deepEqual([verification?.status, verification?.last?.n, verification?.result?.n], ['passed', 3, 2]);
  });

  it('shows the ending with its reasons, and stops counting the time', () => {
    const state = stateOf(...built, begun('5', 'close'), ended('5'));
    const view = sprintView(state, start + 999_000);
    assert.equal(view.ending?.stop, 'failed');
    assert.equal(view.ending?.resumes, false);
    assert.match(view.ending?.reasons.join('\n') ?? '', /Requirement 1\.1 \(It adds\) is not proven/);
    assert.equal(view.elapsed, 9000);
  });
});

describe('headline', () => {
  const executing = sprintView(stateOf(...built, begun('5', 'execute', 'T2')), start);
  const closed = sprintView(stateOf(...built, begun('5', 'close'), ended('5')), start);
  const waiting = { ...executing, humanActions: [humanAction] };
  const words = (view: typeof executing, running: boolean): string => headline(view, running).words;

  it('says what is done, and to what, while the sprint runs here', () => assert.equal(words(executing, true), 'building T2'));
  it('says "interrupted" when no process runs the sprint', () => assert.equal(words(executing, false), 'interrupted'));
  it('says "needs you" while the sprint runs, and when it stopped only for the person', () => {
    const blocked = sprintView(stateOf(...built, begun('5', 'wait', 'H1')), start);
    assert.equal(words({ ...blocked, humanActions: [humanAction] }, true), 'needs you');
    assert.equal(words({ ...blocked, humanActions: [humanAction] }, false), 'needs you');
  });
  it('says "interrupted" when the sprint was stopped during other work', () => assert.equal(words(waiting, false), 'interrupted'));
  it('says what is done while it asks, and both what it costs and that it asks in the status bar', () => {
    assert.equal(words(waiting, true), 'needs you · building T2');
    const paid = { ...waiting, spend: { ...waiting.spend, usd: 0.414 } };
    const at = (elapsed: number): string => statusWords(paid, true, { elapsed, lines: [] });
    assert.deepEqual([at(8_900), at(200_000)], ['building T2 · 8 s · $0.41 · needs you', 'building T2 · 3 min · $0.41 · needs you']);
    assert.equal(statusWords(executing, true, null), 'building T2 · $0.00');
    assert.equal(statusWords(executing, false, null), 'interrupted');
    assert.equal(statusWords({ ...waiting, elsewhere: { process: 7 } }, false, null), 'running elsewhere (process 7)');
  });
  it('says "paused" from the pause on, and first that it comes', () => {
    const paused = { ...waiting, pauseAsked: true };
    assert.deepEqual([words(paused, true), words(paused, false)], ['pausing after this step', 'paused']);
    assert.equal(statusWords(paused, true, null), 'pausing after this step');
    assert.equal(words({ ...closed, pauseAsked: true }, false), 'failed');
  });
  it('names the other process that runs the sprint, and does not ask the person here', () => {
    const elsewhere = { process: 4711 };
    assert.equal(words({ ...waiting, elsewhere }, false), 'running elsewhere (process 4711)');
    assert.equal(words({ ...executing, elsewhere: { process: null } }, false), 'running elsewhere');
    const blocked = { ...sprintView(stateOf(...built, begun('5', 'wait', 'H1')), start), humanActions: [humanAction] };
    assert.deepEqual([needsPersonNow(blocked, false), needsPersonNow({ ...blocked, elsewhere }, false)], [true, false]);
  });
  it('asks for nothing after the sprint has ended', () => {
    assert.equal(words({ ...closed, humanActions: [humanAction] }, false), 'failed');
  });
  it('does not ask again for an answered human action', () => {
    assert.equal(words({ ...executing, humanActions: [{ ...humanAction, status: 'answered' }] }, true), 'building T2');
  });
});
