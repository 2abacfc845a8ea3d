/** Whom the book of faults would ask first: who saw another fault there. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FaultBook, type Fault } from '../../../src/engine/run/fault-book.ts';
import type { Script } from '../../../src/engine/work/verification.ts';
import * as p from '../support/parts.ts';

const script = (id: string): Script => p.verification({ id, lineage: id });
const fault = (path: string, line: number, now: string): Fault => ({ path, line, operator: 'number changed', was: '1', now });

describe('the book of faults', () => {
  const [slow, soon, file, line] = ['slow', 'soon', 'file', 'line'].map(script);
  assert.ok(slow && soon && file && line);
  const order = (book: FaultBook): string[] => {
    const durationOf = (one: Script): number => (one === soon ? 1 : 9);
    return book.likeliest([slow, soon, file, line], fault('a.js', 3, '2'), durationOf).map(({ id }) => id);
  };

  it('names first who saw a fault in the line, then who saw one in the file, then who is sooner done', () => {
    const book = new FaultBook(p.green().state);
    assert.deepEqual(order(book), ['soon', 'slow', 'file', 'line']);
    book.add(file, fault('a.js', 9, '3'), 'red');
    book.add(line, fault('a.js', 3, '4'), 'red');
    book.add(slow, fault('b.js', 3, '5'), 'red');
    book.add(slow, fault('a.js', 3, '6'), 'green');
    assert.deepEqual(order(book), ['line', 'file', 'soon', 'slow']);
  });
});
