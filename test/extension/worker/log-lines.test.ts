import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Event } from '../../../src/engine/state/events.ts';
import { deedOf } from '../../../src/engine/work/human-action.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { progressLines } from '../../../src/cli/progress.ts';
import { AgentLines, linesOf } from '../../../src/extension/worker/log-lines.ts';
import { begun, built, ended, opening, run, settledBy, stateOf } from '../../views/model/sample.ts';

const stamped = (draft: object): Event => ({ ...draft, n: 1, owner: 1, at: 0 }) as Event;

describe('linesOf', () => {
  it('logs each decision, run, human action and failure', () => {
    const humanAction = deedOf({ id: 'H1', action: 'Supply it', instructions: '', task: 'T1' });
    const events = [
      opening,
      begun('1', 'execute', 'T1', 'it is ready'),
      ended('1', { fact: 'verification.ran', run: run(1) }, { fact: 'human-action.asked', humanAction }),
      { type: 'step.ended', id: '2', outcome: 'failed', why: 'the disk is full', facts: [] },
    ];
    assert.deepEqual(
      events.flatMap((event) => linesOf(stamped(event)).map(({ level, text }) => `${level} ${text}`)),
      [
        'info Sprint notes opened on loop/notes-20261120-100000, at bbbbbbb',
        'info Building: T1 (it is ready)',
        'info verification value/adds, attempt 1: red (exit status 1 after 400 ms) no note',
        'warn needs you: Supply it',
        'warn failed: the disk is full',
      ],
    );
  });
});

describe('in the same words in the log and in the terminal', () => {
  it('a decision is told', () => {
    const printed: string[] = [];
    const event = stamped(begun('1', 'execute', 'T1', 'it is ready'));
    progressLines((line) => printed.push(line)).event(event, stateOf(...built));
    assert.match(printed[1] ?? '', /^\d\d:\d\d:\d\d {2}Building: T1 \(it is ready\) {2}\[fuel /);
  });

  it('a change is told as kept or undone', () => {
    const change = { n: 2, author: { kind: 'task' as const, task: 'T1' }, step: '5', files: [], patch: 'd'.repeat(64) };
    const facts: Fact[] = [settledBy('T1', 1), { fact: 'tree.undone', change, why: 'it broke value/adds', broke: [] }];
    const event = stamped(ended('5', ...facts));
    const printed: string[] = [];
    progressLines((line) => printed.push(line)).event(event, stateOf(...built));
    const logged = linesOf(event).map(({ level, text }) => `${level} ${text}`);
    assert.deepEqual(logged, ['info kept as 1111111111 (1 file)', 'warn undone: it broke value/adds']);
    assert.deepEqual(
      printed,
      logged.map((line) => line.replace(/^\w+ /, '    ')),
    );
  });
});

describe('a red run', () => {
  it('is told as expected where the work is not built, or has a fault in it', () => {
    const printed: string[] = [];
    const lines = progressLines((line) => printed.push(line));
    const item = { kind: 'verification', id: 'value/adds', verdict: 'red', duration: 1200 } as const;
    for (const one of [item, { ...item, isExpected: true as const }]) lines.progress(one);
    assert.deepEqual(
      printed.map((line) => line.trim()),
      ['red   value/adds (1.2 s)', 'red   value/adds (1.2 s), as expected'],
    );
    assert.match(
      new AgentLines()
        .add({ ...item, isExpected: true })
        .map(({ text }) => text)
        .join(),
      /red, as expected, after/,
    );
  });
});

describe('AgentLines', () => {
  it('joins pieces of text to lines and separates roles', () => {
    const lines = new AgentLines();
    const add = (role: string, text: string): string[] => lines.add({ kind: 'agent', role, text }).map((line) => line.text);
    assert.deepEqual(add('Builder', 'I wr'), []);
    assert.deepEqual(add('Builder', 'ite\n\nand te'), ['Builder: I write']);
    assert.deepEqual(add('QC', 'I look'), ['Builder: and te']);
    assert.deepEqual(
      lines.add({ kind: 'note', text: 'now' }).map((line) => line.text),
      ['QC: I look', 'now'],
    );
    assert.deepEqual(lines.flush(), []);
  });
});
