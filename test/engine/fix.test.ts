/** Mending by cause (I4, I9): one fix for what fails alike, within the bounds of every verification that it is made for. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { fix } from '../../src/engine/actions/fix.ts';
import { canBurn, left } from '../../src/engine/state/fuel.ts';
import { renderHistory } from '../../src/engine/render/history.ts';
import { reportFix } from '../../src/engine/tools/report-fix.ts';
import { coveringCommits } from '../../src/engine/judge/trust.ts';
import type { Verification } from '../../src/engine/work/verification.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { calls, world } from '../support/fakes.ts';
import { nameOf, tankOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const named = (id: string): Verification => p.verification({ id, lineage: `line of ${id}`, title: `${id} works` });

/** Why each verification fails: equal words are one cause. */
type Causes = Record<string, string>;

function ran(causes: Causes, n: number, code: number): Fact[] {
  return Object.entries(causes).map(([id, cause]) => {
    const { lineage } = named(id);
    const text = { signature: `${cause} in ${id}`, summary: `test failure\n${cause} in ${id}`, excerpt: `Cannot find module '${cause}'` };
    return { fact: 'verification.ran', run: p.run({ verification: id, lineage, n, code, verdict: 'red', ...text }) };
  });
}

/** The task is done, and its verifications are red. */
function broken(causes: Causes): Story {
  const written = Object.keys(causes).map((id): Fact => ({ fact: 'verification.written', verification: named(id) }));
  const story = p.built(p.planned().act('write-verifications', ...written));
  const { step } = story.state.work.tree.change ?? p.change();
  return story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, ...ran(causes, 1, 1));
}

const due = (story: Story): [string, string][] => fix.due(story.state).map(({ target, why }) => [target, why]);
const three: Causes = { a: 'one', b: 'two', c: 'two', d: 'three', e: 'three', f: 'three' };

describe('fix', () => {
  it('is due once for each cause, the one that unblocks most first', () => {
    assert.deepEqual(due(broken(three)), [
      ['d', '3 verifications are broken: the module three is missing'],
      ['b', '2 verifications are broken: the module two is missing'],
      ['a', 'verification a is broken'],
    ]);
  });

  it('burns the fuel of every verification that it is made for', () => {
    const [first] = fix.due(broken(three).state);
    assert.deepEqual(first?.burns.map(nameOf), [
      'lineage/line of d',
      'signature/line of d/three in d',
      'lineage/line of e',
      'signature/line of e/three in e',
      'lineage/line of f',
      'signature/line of f/three in f',
    ]);
  });

  it('leaves out who has no attempt left, and is made for the others', () => {
    const story = broken({ d: 'three', e: 'three', f: 'three' });
    story.state.ledger.burned.lineage['line of d'] = 5;
    story.state.ledger.burned.signature['line of e/three in e'] = 3;
    assert.deepEqual(due(story), [['f', 'verification f is broken']]);
  });

  it('is never made for a verification more often than its lineage and its failure allow, however groups change', () => {
    const causes = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('one', 'two'), { minKeys: 4 });
    fc.assert(
      fc.property(causes, fc.array(causes, { maxLength: 60 }), (first, later) => {
        const story = broken(first);
        const made: string[] = [];
        for (const next of later) {
          const [one] = fix.due(story.state).filter(({ burns }) => canBurn(story.state.ledger, burns));
          if (!one) break;
          const tanks = one.burns.map(nameOf);
          made.push(...tanks);
          story.begin('fix', one.target, tanks).end(...ran(next, made.length, 1));
        }
        for (const tank of new Set(made)) {
          const bound = tank.startsWith('lineage/') ? 5 : 3;
          assert.ok(made.filter((t) => t === tank).length <= bound, tank);
          assert.equal(left(story.state.ledger, tankOf(tank)), bound - made.filter((t) => t === tank).length, tank);
        }
      }),
    );
  });
});

describe('a fix for several', () => {
  /** The decision is on disk: d leads, e and f fail alike. */
  function begun(): Story {
    const story = broken(three);
    const [first] = fix.due(story.state);
    assert.ok(first);
    return story.begin('fix', first.target, first.burns.map(nameOf));
  }
  const also = ['line of e', 'line of f'];
  const author = { kind: 'fix' as const, lineage: 'line of d', verification: 'd', also };
  const report = {
    lineage: 'line of d',
    verification: 'd',
    also,
    signature: 'three in d',
    fixApplied: 'x',
    filesChanged: ['x'],
    reasoning: 'y',
    answer: { kind: 'fixed' as const },
  };

  it('is reported for all of them, and only for them', () => {
    const { state } = begun();
    const on = { state, target: 'd', step: state.open?.id ?? '', kept: '' };
    const { facts } = reportFix.handle({ fix_applied: 'x', files_changed: ['x'], reasoning: 'y' }, on);
    assert.deepEqual(facts, [{ fact: 'fix.reported', step: on.step, report }]);
  });

  for (const [outcome, reported] of [
    ['kept', true],
    ['undone', true],
    ['undone', false],
  ] as const)
    it(`is in the history of each, ${outcome}${reported ? '' : ', though nobody reported it'}`, () => {
      const story = begun();
      const step = story.state.open?.id ?? '';
      const change = p.change({ n: 2, author, step });
      const said: Fact[] = reported ? [{ fact: 'fix.reported', step, report }] : [];
      story.end(...said, { fact: 'tree.changed', change });
      const open = ['d', 'e', 'f'].map((id) => story.state.ledger.fixes[`line of ${id}`]?.map((f) => f.outcome));
      assert.deepEqual(open, reported ? [['open'], ['open'], ['open']] : [undefined, undefined, undefined]);
      if (outcome === 'kept') story.act('settle', { fact: 'tree.settled', settled: p.settled({ code: 2, author, step }) });
      else story.act('settle', { fact: 'tree.undone', change, why: 'it broke g', broke: ['g'] });
      for (const id of ['d', 'e', 'f']) {
        assert.deepEqual(
          story.state.ledger.fixes[`line of ${id}`]?.map((f) => [f.step, f.verification, f.after, f.outcome]),
          [[step, 'd', 1, outcome]],
        );
        const told = renderHistory(story.state, named(id));
        assert.match(told, /Made for 3 verifications with the same cause: d, e, f$/m);
        const covering = coveringCommits(story.state, named(id)).map((c) => c.code);
        assert.deepEqual(covering, outcome === 'kept' ? [1, 2] : [1], 'what it changed can be taken out to prove each');
      }
      assert.equal(story.state.ledger.fixes['line of a'], undefined);
    });

  it('shows the fixer all of them with their evidence, and changes in the name of all', async () => {
    const fixed: [string, unknown] = ['report_fix', { fix_applied: 'x', files_changed: ['x'], reasoning: 'y' }];
    const story = begun();
    const w = await staged(world(), story);
    w.model.answers.push(calls(['write_file', { path: 'x', content: 'x' }], fixed));
    const { context } = play(w);
    const facts = await fix.run(story.state.open?.decision.target ?? '', context);
    const [block] = w.model.asked[0]?.messages[0]?.content ?? [];
    const text = block?.type === 'text' ? block.text : '';
    for (const part of ['d: d works', '### e: e works', '### f: f works', 'three in e', 'three in f', 'script of value/total'])
      assert.ok(text.includes(part), part);
    assert.ok(!text.includes('b works'));
    assert.deepEqual(
      facts.map((f) => f.fact === 'tree.changed' && f.change.author),
      [author],
    );
  });

  it('is shown with what fits: hundreds of others are listed', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`c${i}`, 'one']));
    const one = broken(many);
    const [first] = fix.due(one.state);
    const w = await staged(world(), one.begin('fix', 'c0', first?.burns.map(nameOf)));
    w.model.answers.push(calls(['report_fix', { fix_applied: 'x', files_changed: [], reasoning: 'y' }]));
    await fix.run('c0', play(w).context);
    const [block] = w.model.asked[0]?.messages[0]?.content ?? [];
    const text = block?.type === 'text' ? block.text : '';
    assert.ok(text.includes('- c299: c299 works') && text.includes('### c20:') && !text.includes('### c21:'));
    assert.ok(text.length < 60_000, String(text.length));
  });
});
