import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { verificationNodes } from '../../../src/views/model/verification-nodes.ts';
import { sprintNodes } from '../../../src/views/model/sprint-nodes.ts';
import { sprintView, type HumanActionView, type SprintView } from '../../../src/views/model/sprint-view.ts';
import { taskNodes } from '../../../src/views/model/task-nodes.ts';
import type { TreeNode } from '../../../src/views/model/tree-node.ts';
import type { Draft } from '../../../src/engine/state/events.ts';
import type { Verification } from '../../../src/engine/work/verification.ts';
import * as p from '../../engine/support/parts.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import manifest from '../../../package.json';
import { begun, built, verification as sample, ended, start, stateOf } from './sample.ts';

const view = sprintView(stateOf(...built, begun('5', 'execute', 'T2')), start);
const evil: HumanActionView = {
  id: 'H1',
  kind: 'deed',
  status: 'open',
  answer: null,
  answers: 0,
  action: 'Click [here](command:evil) $(zap)\nnow',
  instructions: '',
  paths: [],
  command: '',
  tasks: 'T2',
  missing: 'the file',
};

describe('tree nodes', () => {
  it('draw the sprint', () => {
    assert.deepEqual(drawn(sprintNodes(view, true)), [
      'notes | execute T2',
      'Building | T2',
      '  it is due | ',
      'Fuel | 35 of 40 decisions left',
      'Cost | $0.00 of $25.00, 0 tokens',
      'Requirements | 0 of 1 verified so far',
      '  1.1 It adds | not verified yet',
      'Changes | 1 kept, 1 file',
      '  T1 | 1111111',
      '    src/a.ts | added',
    ]);
  });

  it('draw the tasks by phase', () => {
    assert.deepEqual(drawn(taskNodes(view, true)), [
      'Core | 1 of 1 done',
      '  T1 build T1 | done',
      '    Done when: T1 works | ',
      '    Serves: 1.1 | ',
      '    Attempts: 1 | ',
      'More | 0 of 1 done',
      '  T2 build T2 | being worked on',
      '    Done when: T2 works | ',
      '    Serves: 1.1 | ',
      '    Needs: T1 | ',
      '    Attempts: 1 | ',
    ]);
  });

  it('do not say that a task is worked on when nobody works', () => {
    assert.ok(drawn(taskNodes(view, false)).includes('  T2 build T2 | interrupted'));
  });

  it('say what keeps a verification from being run, and when it was last green', () => {
    const [category] = view.categories;
    const [verification] = category?.verifications ?? [];
    assert.ok(category && verification);
    const gated = { ...verification, status: 'pending' as const, gatedBy: 'smoke/starts' };
    const [node] = verificationNodes({ ...view, categories: [{ ...category, verifications: [gated] }] })[0]?.children ?? [];
    assert.equal(node?.description, 'not run: gated by smoke/starts · not trusted yet');
    assert.match(JSON.stringify(node), /Last green after change 1 \(commit 1111111111\)\./);
  });

  it('say whose a verification is, and that an edit of it waits for a word', () => {
    const [category] = view.categories;
    const [verification] = category?.verifications ?? [];
    assert.ok(category && verification);
    const edit = { text: 'a'.repeat(64), kept: '.loop/verifications/value/adds.edited-1.sh', atWork: true };
    const [node] =
      verificationNodes({ ...view, categories: [{ ...category, verifications: [{ ...verification, isOwn: true, edit }] }] })[0]?.children ??
      [];
    assert.deepEqual(
      [node?.description, node?.context],
      ['passed · not trusted yet · yours · edited', 'verification-passed-script-edited'],
    );
    assert.match(JSON.stringify(node), /Edited: the text is kept as [^"]*adds\.edited-1\.sh, and waits for your word\./);
    assert.match(node?.spoken ?? '', /not trusted yet, yours, edited, /);
  });

  it('offer an edit to be adopted where there is a script of Loop’s that a person may edit, and nowhere else', () => {
    const written = (verification: Verification): Fact => ({ fact: 'verification.written', verification });
    const old = { ...sample, id: 'value/old', lineage: 'value/old' };
    const facts = [p.suite(), p.criterion(), old].map(written);
    const events = [
      ...built,
      begun('5', 'run-verifications'),
      ended('5', ...facts, { fact: 'verification.retired', id: 'value/old', why: 'x' }),
    ];
    const adoptable = (...more: Draft[]): string[] =>
      flat(verificationNodes(sprintView(stateOf(...events, ...more), start)))
        .filter((one) => offered(one).includes('adoptEdit'))
        .map(({ label }) => label);
    assert.deepEqual(adoptable(), ['adds']);
    assert.deepEqual(adoptable(begun('6', 'close'), ended('6')), []);
  });

  it('draw the verifications by category; a click opens the history', () => {
    const nodes = verificationNodes(view);
    assert.deepEqual(drawn(nodes), ['value | 1 of 1 passed', '  adds | passed · not trusted yet']);
    assert.deepEqual(nodes[0]?.children[0]?.opens, { kind: 'history', verification: 'value/adds' });
  });

  it('keep what models wrote inert and on one line', () => {
    const [, node] = sprintNodes({ ...view, humanActions: [evil] }, true);
    assert.deepEqual([node?.label, node?.context], ['Click [here] (command:evil) $ (zap) now', 'human-action']);
    assert.deepEqual(
      node?.children.map((c) => c.label),
      ['Still missing: the file'],
    );
  });

  const show = 'humanActionShow';
  const answered = { status: 'answered', answers: 1 } as const;
  const asked: [what: string, over: Partial<HumanActionView>, says: string, context: string, offers: string[]][] = [
    ['a deed', {}, 'needs you', 'human-action', ['humanActionDone', show, 'humanActionSkip']],
    ['a hint', { kind: 'hint' }, 'needs you', 'human-question', [show, 'humanActionSkip']],
    ['advice', { kind: 'advice' }, 'needs you', 'human-question', [show, 'humanActionSkip']],
    ['a deed that is looked at', { ...answered, answer: 'done' }, 'Loop looks whether it is done', 'human-action-answered', [show]],
    ['a question that was skipped', { ...answered, kind: 'advice', answer: 'skip' }, 'skipped', 'human-action-answered', [show]],
  ];
  for (const [what, over, says, context, offers] of asked)
    it(`offer on ${what} what answers it, and no click for words`, () => {
      const [, one] = sprintNodes({ ...view, humanActions: [{ ...evil, ...over }] }, true);
      assert.ok(one);
      assert.deepEqual([one.description, one.context, offered(one)], [says, context, offers]);
    });

  it('ask the person for nothing when the sprint is over', () => {
    const closed = sprintView(stateOf(...built, begun('5', 'close'), ended('5')), start);
    assert.ok(!drawn(sprintNodes({ ...closed, humanActions: [evil] }, false)).some((line) => line.includes('Click')));
  });

  it('have ids that are unique in their tree and survive an update', () => {
    const later: SprintView = { ...view, fuel: { left: 1, size: 40 } };
    for (const make of [(v: SprintView) => sprintNodes(v, true), (v: SprintView) => taskNodes(v, true), verificationNodes]) {
      const ids = flat(make(view)).map((node) => node.id);
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual(
        flat(make(later)).map((node) => node.id),
        ids,
      );
    }
  });
});

/** Commands that the manifest offers on a row, by what it asks of its context. */
function offered({ context }: Pick<TreeNode, 'context'>): string[] {
  const fits = (when: string): boolean => {
    const [, exact, pattern = '$^'] = /viewItem (?:== (\S+)|=~ \/(.*)\/)$/.exec(when) ?? [];
    return exact === undefined ? new RegExp(pattern).test(context) : exact === context;
  };
  const entries = manifest.contributes.menus['view/item/context'].filter(({ when }) => fits(when));
  return [...new Set(entries.map(({ command }) => command.replace('loop.', '')))].sort();
}

function drawn(nodes: TreeNode[], indent = ''): string[] {
  return nodes.flatMap((n) => [`${indent}${n.label} | ${n.description}`, ...drawn(n.children, `${indent}  `)]);
}

function flat(nodes: TreeNode[]): TreeNode[] {
  return nodes.flatMap((n) => [n, ...flat(n.children)]);
}
