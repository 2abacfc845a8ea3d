/** Whom the book of faults would ask first: who saw another fault there. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FaultBook } from '../../../src/engine/run/fault-book.ts';
import type { Fault, FaultEnd, Script } from '../../../src/engine/work/verification.ts';
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

  it('tells what was tried by script, file, line and what stands there then, in whatever order the runs ended', () => {
    const places: [who: Script, path: string, line: number, now: string][] = [
      [slow, 'a.js', 2, 'z'],
      [slow, 'a.js', 10, 'b'],
      [slow, 'a.js', 10, 'c'],
      [slow, 'b.js', 1, 'a'],
      [soon, 'a.js', 1, 'a'],
    ];
    const told = (some: typeof places): unknown[] => {
      const book = new FaultBook(p.green().state);
      for (const [who, ...place] of some) book.add(who, fault(...place), 'red');
      return book.facts().map((one) => one.fact === 'fault.tried' && [one.tried.lineage, one.tried.path, one.tried.line, one.tried.now]);
    };
    const inOrder = places.map(([{ lineage }, ...place]) => [lineage, ...place]);
    assert.deepEqual(told(places), inOrder);
    assert.deepEqual(told(places.toReversed()), inOrder);
  });
  describe('knows a fault that a compiler refused', () => {
    const refused = fault('a.ts', 3, '2');
    const bookWith = (...ends: [who: Script, fault: Fault, end: FaultEnd['end']][]): FaultBook => {
      const book = new FaultBook(p.green().state);
      for (const end of ends) book.add(...end);
      return book;
    };

    it('for two scripts, as refused for a third one that has the file compiled, and for no other', () => {
      const book = bookWith([slow, refused, 'unbuilt'], [soon, refused, 'unbuilt'], [file, fault('a.ts', 9, '3'), 'unbuilt']);
      assert.deepEqual(
        [file, line].map((one) => book.endWith(one, refused)),
        ['unbuilt', undefined],
      );
      assert.equal(book.endWith(file, fault('a.ts', 3, '4')), undefined);
    });

    it('for one script alone, and one that broke while it ran, as tried by nobody else', () => {
      const other = fault('a.ts', 9, '3');
      const once = bookWith([slow, refused, 'unbuilt'], [soon, refused, 'broken'], [file, other, 'unbuilt']);
      assert.equal(once.endWith(file, refused), undefined);
    });

    it('as the script itself ended with it, whatever others say', () => {
      const other = fault('a.ts', 9, '3');
      const book = bookWith([slow, refused, 'unbuilt'], [soon, refused, 'unbuilt'], [file, other, 'unbuilt'], [file, refused, 'red']);
      assert.equal(book.endWith(file, refused), 'red');
    });
  });
});
