/** Whose runs are those for a requirement, and where all of them miss what was made for it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  getsTo,
  isFixForOthers,
  missedPlaces,
  nearestPlaces,
  othersOf,
  sidesOf,
  type Reach,
  type Sides,
} from '../../../src/engine/judge/own-places.ts';
import * as p from '../support/parts.ts';

const ids = ['1', '2', 'V1', 'V2'];
const requirements = ids.map((id) => ({ id, title: id, text: id, line: id.startsWith('V') ? 0 : 3, lastLine: 3 }));
const state = { ...p.green().state, work: { ...p.green().state.work, requirements } };
const reach = (id: string, prd: string[], lines: number[]): Reach => ({
  verification: p.verification({ id, lineage: id, prd }),
  reached: { 'a.js': lines },
});

describe('runs for a requirement', () => {
  const all = [reach('one', ['1', 'V1'], []), reach('two', ['2', 'V1'], []), reach('value', ['V1'], []), reach('other', ['V2'], [])];
  const namesOf = (of: readonly Reach[]): string[] => of.map(({ verification }) => verification.id);
  const sides = (index: number): string[][] => {
    const [verification] = [all[index]?.verification];
    assert.ok(verification);
    const { own, others } = sidesOf(state, all, verification);
    return [namesOf(own), namesOf(others)];
  };

  it('are those that ask the same of PRD.md, whatever value proofs they share', () => {
    assert.deepEqual(sides(0), [['one'], ['two']]);
    assert.deepEqual(sides(1), [['two'], ['one']]);
  });

  it('are those that share a value proof, of a verification that has nothing else', () => {
    assert.deepEqual(sides(2), [['one', 'two', 'value'], ['other']]);
  });
});

describe('a fix', () => {
  const verifications = Object.fromEntries(
    Object.entries({ one: ['1', 'V1'], two: ['2', 'V1'], also: ['1'], value: ['V1'] }).map(([id, prd]) => [
      id,
      p.verification({ id, lineage: id, prd }),
    ]),
  );
  const known = { ...state, work: { ...state.work, verifications } };
  const isForOthers = (id: string, ...lineages: string[]): boolean => {
    const [lineage = '', ...also] = lineages;
    const one = verifications[id];
    assert.ok(one?.kind === 'script');
    return isFixForOthers(known, one, { author: { kind: 'fix', lineage, verification: lineage, also } });
  };

  it('is for others where none of its verifications asks what this one asks of PRD.md', () => {
    assert.ok(isForOthers('one', 'two'));
    assert.ok(!isForOthers('one', 'also'));
    assert.ok(!isForOthers('one', 'two', 'one'));
  });

  it('is for nobody else where one side asks nothing of PRD.md, or is gone, and a task never is', () => {
    assert.ok(!isForOthers('value', 'two'));
    assert.ok(!isForOthers('one', 'value'));
    assert.ok(!isForOthers('one', 'gone'));
    const { one } = verifications;
    assert.ok(one?.kind === 'script' && !isFixForOthers(known, one, { author: { kind: 'task', task: 'T1' } }));
  });
});

describe('what was made for a requirement', () => {
  const spot = (line: number): { path: string; line: number } => ({ path: 'a.js', line });
  const missed = (own: number[], others: number[], { made = [1], all = [1, 2] } = {}): number[] | undefined => {
    const sides: Sides = { own: [reach('one', ['1'], own)], others: [reach('two', ['2'], others)] };
    const is = missedPlaces({ all: all.map(spot), made: made.map(spot) }, sides);
    return is && all.filter((line) => is(spot(line)));
  };

  it('is missed where its runs get to none of it, and only to what others look at', () => {
    assert.deepEqual(missed([2], [2]), [1]);
  });

  it('is not missed where a run gets to it, or to what nobody else looks at, or where nothing tells', () => {
    assert.equal(missed([1], [1, 2]), undefined);
    assert.equal(missed([2], []), undefined);
    assert.equal(missed([2], [2], { made: [] }), undefined);
    assert.equal(missed([2], [1, 2]), undefined);
    const untold: Reach = { ...reach('one', ['1'], []), reached: {} };
    assert.equal(missedPlaces({ all: [spot(1)], made: [spot(1)] }, { own: [untold], others: [reach('two', ['2'], [2])] }), undefined);
  });
});

describe('a place', () => {
  it('is reached where its line is, or the part of it in which it stands', () => {
    const reached = { 'a.js': [3, [5, 2, 4], [5, 8, 9], [6, 0, 1], 6] as const };
    const rows: [line: number, column: number | undefined, isReached: boolean][] = [
      [3, 7, true],
      [4, undefined, false],
      [5, undefined, true],
      [5, 1, false],
      [5, 2, true],
      [5, 4, false],
      [5, 8, true],
      [6, 7, true],
    ];
    for (const [line, column, is] of rows) assert.equal(getsTo({ reached }, { path: 'a.js', line, column }), is, `${line}:${column}`);
    assert.ok(!getsTo({ reached }, { path: 'b.js', line: 3 }));
  });

  it('is one of the nearest where the fewest others get, of however many', () => {
    const all = Array.from({ length: 200_000 }, (_, i) => ({ path: 'a.js', line: i + 1 }));
    const isNearest = nearestPlaces(all, othersOf([reach('one', ['1'], [1, 2]), reach('two', ['2'], [2, 3])]));
    assert.deepEqual(all.slice(0, 4).map(isNearest), [false, false, false, true]);
  });
});
