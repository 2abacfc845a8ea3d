/** Faults in a text that is in no language. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { documentFaults, repeated } from '../../../src/engine/prove/document-faults.ts';

const card = ['# Fridge', '', '1. Close the door.', '2. Wait 10 minutes.', '', 'Above 8 call 09 224 18 30, case I43, by 22:15.', ''].join(
  '\n',
);
const of = (operator: string, text = card) => documentFaults('card.md', text).filter((one) => one.operator === operator);

describe('faults of a document', () => {
  it('leave out each part of it once, and name the first line that has words', () => {
    const faults = of('part left out');
    assert.deepEqual(
      faults.map(({ line, was }) => `${line} ${was}`),
      ['1 # Fridge', '3 1. Close the door.', '4 2. Wait 10 minutes.', '6 Above 8 call 09 224 18 30, case I43, by 22:15.'],
    );
    for (const { was, text } of faults) assert.ok(!text.includes(was));
  });

  it('leave out eight parts of a long one, together all of it', () => {
    const long = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n');
    const faults = of('part left out', long);
    assert.equal(faults.length, 8);
    const gone = faults.flatMap(({ text }) => long.split('\n').filter((line) => !text.split('\n').includes(line)));
    assert.deepEqual(gone, long.split('\n'));
  });

  it('make numbers other ones, but not those of a list or in a name', () => {
    const now = of('number changed').map((one) => one.now);
    assert.deepEqual(now, [
      '2. Wait 11 minutes.',
      'Above 9 call 09 224 18 30, case I43, by 22:15.',
      'Above 8 call 10 224 18 30, case I43, by 22:15.',
      'Above 8 call 09 225 18 30, case I43, by 22:15.',
      'Above 8 call 09 224 19 30, case I43, by 22:15.',
      'Above 8 call 09 224 18 31, case I43, by 22:15.',
      'Above 8 call 09 224 18 30, case I43, by 23:15.',
    ]);
    for (const { text, now: line } of of('number changed')) assert.ok(text.split('\n').includes(line));
  });

  it('spread numbers over a long text', () => {
    const long = Array.from({ length: 70 }, (_, i) => `it took ${i} minutes`).join('\n');
    assert.deepEqual(
      of('number changed', long).map(({ line }) => line),
      [1, 11, 21, 31, 41, 51, 61],
    );
  });

  it('are none where it is empty', () => {
    assert.deepEqual(documentFaults('card.md', ' \n'), []);
  });

  it('say all of it twice, where that is asked for', () => {
    assert.equal(repeated('card.md', card).text, `${card}\n${card}`);
  });
});
