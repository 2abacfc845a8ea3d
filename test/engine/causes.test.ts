/** Causes that only a classifier sees: when it is asked, what its answer does, and how long that holds (I4, I11). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fix } from '../../src/engine/actions/fix.ts';
import { triage } from '../../src/engine/actions/triage.ts';
import { canBurn, tank } from '../../src/engine/state/fuel.ts';
import { reportCauses } from '../../src/engine/tools/report-causes.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import type { Verification } from '../../src/engine/work/verification.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { calls, world } from '../support/fakes.ts';
import { nameOf, type Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const named = (id: string): Verification => p.verification({ id, lineage: `line of ${id}`, title: `${id} works` });

/** The task is done, and these verifications are red; each says what it is given, or nothing that another one says. */
function broken(says: Record<string, string>): Story {
  const ids = Object.keys(says);
  const story = p.built(
    p.planned().act('write-verifications', ...ids.map((id): Fact => ({ fact: 'verification.written', verification: named(id) }))),
  );
  const { step } = story.state.work.tree.change ?? p.change();
  const runs = ids.map((id): Fact => {
    const text = { signature: `of ${id}`, summary: `test failure\n${id} fails`, excerpt: says[id] ?? '' };
    return {
      fact: 'verification.ran',
      run: p.run({ verification: id, lineage: named(id).lineage, n: 1, code: 1, verdict: 'red', ...text }),
    };
  });
  return story.act('settle', { fact: 'tree.settled', settled: p.settled({ step }) }, ...runs);
}

const alone = { a: '', b: '', c: '' };
const module = "Cannot find module 'one'";
const asked = (story: Story): string[] => triage.due(story.state).map(({ why }) => why);
const fixes = (story: Story): [string, string][] => fix.due(story.state).map(({ target, why }) => [target, why]);
const judged = (code: number, ...verifications: string[]): Fact => ({
  fact: 'causes.judged',
  code,
  groups: [{ cause: 'the parser', verifications }],
});

describe('triage', () => {
  it('asks where three failures share nothing with any other, and nowhere else', () => {
    assert.deepEqual(asked(broken(alone)), ['3 verifications fail in ways that share nothing a machine can see']);
    assert.deepEqual(asked(broken({ a: '', b: '' })), []);
    assert.deepEqual(asked(broken({ a: module, b: module, c: module, d: module, e: '', f: '' })), []);
  });

  it('asks once for a code number', () => {
    const story = broken(alone);
    const [due] = triage.due(story.state);
    assert.deepEqual(due?.burns, [tank('triage', '1')]);
    story.act('triage');
    story.state.ledger.burned.triage['1'] = 1;
    assert.equal(canBurn(story.state.ledger, due?.burns ?? []), false);
  });

  it('shows the classifier each group with its evidence, and takes its answer', async () => {
    const story = broken({ a: module, b: module, c: 'sum is 3', d: 'sum is 4', e: 'no sum' }).begin('triage', '', ['triage/1']);
    const w = await staged(world(), story);
    w.model.answers.push(calls(['report_causes', { causes: [{ cause: 'the sum is wrong', verifications: ['c', 'd'] }] }]));
    const { context } = play(w);
    await triage.run('', context);
    const [request] = w.model.asked;
    assert.equal(request?.role, 'classifier');
    const [block] = request?.messages[0]?.content ?? [];
    const text = block?.type === 'text' ? block.text : '';
    for (const part of ['### a: a works', 'the module one is missing): b', 'sum is 4', 'e fails']) assert.ok(text.includes(part), part);
    assert.deepEqual(context.state.work.causes, { code: 1, groups: [{ cause: 'the sum is wrong', verifications: ['c', 'd'] }] });
  });
});

describe('a classifier’s answer', () => {
  it('joins groups of the machine, whole, for one fix that each pays for', () => {
    const story = broken({ a: module, b: module, c: '', d: '', e: '' });
    story.act('triage', judged(1, 'b', 'd'));
    assert.deepEqual(fixes(story), [
      ['a', '3 verifications are broken: the parser'],
      ['c', 'verification c is broken'],
      ['e', 'verification e is broken'],
    ]);
    const [first] = fix.due(story.state);
    assert.deepEqual(
      first?.burns.map(nameOf).filter((name) => name.startsWith('lineage/')),
      ['lineage/line of a', 'lineage/line of b', 'lineage/line of d'],
    );
  });

  it('never takes apart what a machine has joined', () => {
    const story = broken({ a: module, b: module, c: '', d: '', e: '' });
    story.act('triage', {
      fact: 'causes.judged',
      code: 1,
      groups: [
        { cause: 'one', verifications: ['a', 'c'] },
        { cause: 'other', verifications: ['b', 'd'] },
      ],
    });
    assert.deepEqual(fixes(story)[0], ['a', '3 verifications are broken: one']);
    assert.equal(fixes(story).length, 3);
  });

  it('says nothing about another code number', () => {
    const story = broken(alone);
    story.act('triage', judged(0, 'a', 'b'));
    assert.equal(fixes(story).length, 3);
  });

  it('falls with the first fix that is taken back', () => {
    const story = broken(alone).act('triage', judged(1, 'a', 'b', 'c'));
    assert.equal(fixes(story).length, 1);
    const author = { kind: 'fix' as const, lineage: 'line of a', verification: 'a', also: [] };
    const change = p.change({ n: 2, author, step: 'x' });
    story.act('fix', { fact: 'tree.changed', change });
    story.act('settle', { fact: 'tree.undone', change, why: 'it broke z', broke: ['z'] });
    assert.equal(fixes(story).length, 3);
  });

  it('is refused where it names what does not fail, or one twice', () => {
    const { state } = broken(alone);
    const on = { state, target: '', step: 's', kept: '' };
    const answer =
      (...verifications: string[][]) =>
      () =>
        reportCauses.handle({ causes: verifications.map((v) => ({ cause: 'a cause of it', verifications: v })) }, on);
    assert.throws(answer(['a', 'nobody']), ToolError);
    assert.throws(answer(['a', 'b'], ['b', 'c']), ToolError);
    assert.deepEqual(answer()().facts, [{ fact: 'causes.judged', code: 1, groups: [] }]);
  });
});
