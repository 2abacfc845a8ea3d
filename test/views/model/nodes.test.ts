import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { verificationNodes } from '../../../src/views/model/verification-nodes.ts';
import { sprintNodes } from '../../../src/views/model/sprint-nodes.ts';
import { sprintView, type HumanActionView, type SprintView } from '../../../src/views/model/sprint-view.ts';
import { taskNodes } from '../../../src/views/model/task-nodes.ts';
import type { TreeNode } from '../../../src/views/model/tree-node.ts';
import type { Draft } from '../../../src/engine/state/events.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import { renderPlan } from '../../../src/engine/render/plan-text.ts';
import type { Verification } from '../../../src/engine/work/verification.ts';
import * as p from '../../engine/support/parts.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import manifest from '../../../package.json';
import { begun, built, verification as sample, ended, start, stateOf } from './sample.ts';

const view = sprintView(stateOf(...built, begun('5', 'execute', 'T2')), start);
const hostileAction: HumanActionView = {
  id: 'H1',
  kind: 'deed',
  status: 'open',
  answer: null,
  answers: 0,
  action: 'Click [here](command:evil) $(zap)\nnow',
  instructions: '',
  paths: [],
  tasks: 'T2',
  missing: 'the file',
  points: [],
};

describe('tree nodes', () => {
  it('show a requirement that the person took out, and never a part as the whole', () => {
    const descoped = 'descoped by you: it is a second product';
    const more = { id: '2', title: 'It books', provenBy: null, verifiedBy: null, descoped };
    const delivered: SprintView = {
      ...view,
      current: null,
      ending: { stop: 'delivered', reasons: [], resumes: false },
      requirements: [...view.requirements.map((one) => ({ ...one, provenBy: 'value/adds' })), more],
    };
    const nodes = sprintNodes(delivered, false);
    const lines = linesOf(nodes);
    for (const line of ['notes | delivered, without 2', 'Requirements | 1 of 1 proven, 1 descoped', `  2 | ${descoped} · It books`])
      assert.ok(lines.includes(line), lines.join('\n'));
  });

  it('show the sprint', () => {
    assert.deepEqual(linesOf(sprintNodes(view, true)), [
      'notes | building T2',
      'Building T2 | build T2',
      '  it is due | ',
      'Fuel | 35 of 40 decisions left',
      'Cost | $0.00 of $25.00, 0 tokens',
      'Requirements | 0 of 1 verified so far',
      '  1.1 | not verified yet · It adds',
      'Changes | 1 kept, 1 file',
      '  T1 | 1111111',
      '    src/a.ts | added',
    ]);
  });

  it('show what is done now, in words and with its time', () => {
    const activity = {
      elapsed: 192_000,
      lines: [
        { kind: 'agent' as const, id: 'agent', words: 'Builder: now the parser', elapsed: 12_000 },
        { kind: 'verification' as const, id: 'value/adds', words: 'runs value/adds', elapsed: 900 },
      ],
    };
    assert.deepEqual(linesOf(sprintNodes(view, true, { activity, broke: null })).slice(1, 5), [
      'Building T2 | 3 min 12 s · build T2',
      '  Builder: now the parser | 12 s',
      '  runs value/adds | 0 s',
      '  it is due | ',
    ]);
  });

  it('show first why the sprint broke off, and try again on a click', () => {
    const [first] = sprintNodes(view, false, { activity: null, broke: 'The model did not answer. Check your connection.' });
    assert.deepEqual([first?.label, first?.context], ['The model did not answer. Check your connection.', 'broke']);
    assert.deepEqual(first?.opens, { kind: 'retry' });
    assert.notEqual(sprintNodes(view, false)[0]?.context, 'broke');
    assert.match(first?.tooltip.join() ?? '', /goes on from the last step/);
    const over = { ...view, ending: { stop: 'delivered' as const, reasons: [], resumes: false } };
    const [next] = sprintNodes(over, false, { activity: null, broke: 'The key is refused.' });
    assert.match(next?.tooltip.join() ?? '', /No new sprint began/);
  });

  it('show what the person said, and whether a session read it', () => {
    const said = (id: string, words: string): Draft => ({
      type: 'person.said',
      facts: [{ fact: 'word.said', word: { id, words, about: { kind: 'task', id: 'T2' } } }],
    });
    const step = { id: '5/a1', kind: 'ask' as const, request: 'r', role: 'builder', purpose: '', turn: 1, words: ['W1'] };
    const asked: Draft = { type: 'step.begun', step, burns: [tank('sprint')] };
    const told = stateOf(...built, said('W1', 'Use tabs.'), begun('5', 'execute', 'T2'), asked, said('W2', 'And [links](command:x).'));
    const lines = linesOf(sprintNodes(sprintView(told, start), true));
    assert.deepEqual(lines.slice(lines.indexOf('You said | 2 words, 1 not read yet')).slice(0, 3), [
      'You said | 2 words, 1 not read yet',
      '  Read | about task T2: Use tabs.',
      '  Taken | about task T2: And [links] (command:x).',
    ]);
  });

  it('show the tasks by phase', () => {
    assert.deepEqual(linesOf(taskNodes(view, true)), [
      'Core | 1 of 1 done',
      '  T1 | done · build T1',
      '    Done when: T1 works | ',
      '    Serves: 1.1 | ',
      '    Attempts: 1 | ',
      'More | 0 of 1 done',
      '  T2 | being worked on · build T2',
      '    Done when: T2 works | ',
      '    Serves: 1.1 | ',
      '    Needs: T1 | ',
      '    Attempts: 1 | ',
    ]);
  });

  it('show a task that was given up as given up, and not as ready', () => {
    const tried = ['5', '6', '7'].flatMap((n) => [begun(n, 'execute', 'T2'), ended(n)]);
    const row = (drafts: Draft[]): boolean =>
      linesOf(taskNodes(sprintView(stateOf(...built, ...drafts), start), false)).includes('  T2 | given up · build T2');
    assert.deepEqual([row(tried.slice(0, 4)), row(tried)], [false, true]);
  });

  it('say of a dropped task why, which is no attempt', () => {
    const why = 'the person skipped the action it waits for';
    const state = stateOf(...built, ended('5', { fact: 'task.descoped', id: 'T2', why }));
    const lines = linesOf(taskNodes(sprintView(state, start), false));
    assert.ok(lines.includes(`    Dropped: ${why} | `), lines.join('\n'));
    assert.doesNotMatch(`${lines.join('\n')}${renderPlan(state)}`, /Last attempt/);
    assert.match(renderPlan(state), new RegExp(`  - Dropped: ${why}`));
  });

  it('show a task as interrupted when no sprint is running', () => {
    assert.ok(linesOf(taskNodes(view, false)).includes('  T2 | interrupted · build T2'));
  });

  it('show what holds a verification back, and when it was last green', () => {
    const [category] = view.categories;
    const [verification] = category?.verifications ?? [];
    assert.ok(category && verification);
    const heldBack = { ...verification, status: 'pending' as const, heldBackBy: 'smoke/starts' };
    const [node] = verificationNodes({ ...view, categories: [{ ...category, verifications: [heldBack] }] })[0]?.children ?? [];
    assert.equal(node?.description, 'not run: held back by smoke/starts · not trusted yet');
    assert.match(JSON.stringify(node), /Last green after change 1 \(commit 1111111111\)\./);
  });

  it('show that a verification is the person’s, and that an edit of it waits for an answer', () => {
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

  it('offer to adopt an edit only of scripts that the person may edit', () => {
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
        .filter((node) => offeredOn(node).includes('adoptEdit'))
        .map(({ label }) => label);
    assert.deepEqual(adoptable(), ['adds']);
    assert.deepEqual(adoptable(begun('6', 'close'), ended('6')), []);
  });

  it('show the verifications by category; a click opens the history', () => {
    const nodes = verificationNodes(view);
    assert.deepEqual(linesOf(nodes), ['value | 1 of 1 passed', '  adds | passed · not trusted yet']);
    assert.deepEqual(nodes[0]?.children[0]?.opens, { kind: 'history', verification: 'value/adds' });
  });

  it('show text of models on one line, without active markup', () => {
    const [, node] = sprintNodes({ ...view, humanActions: [hostileAction] }, true);
    assert.deepEqual([node?.description, node?.context], ['Click [here] (command:evil) $ (zap) now', 'human-action']);
    assert.deepEqual(
      node?.children.map((child) => child.label),
      ['Still missing: the file'],
    );
  });

  const show = 'humanActionShow';
  const answered = { status: 'answered', answers: 1 } as const;
  const humanActions: { what: string; over: Partial<HumanActionView>; label: string; context: string; offers: string[] }[] = [
    { what: 'a deed', over: {}, label: 'Needs you', context: 'human-action', offers: ['humanActionDone', show, 'humanActionSkip'] },
    { what: 'a hint', over: { kind: 'hint' }, label: 'Needs you', context: 'human-question', offers: [show, 'humanActionSkip'] },
    { what: 'advice', over: { kind: 'advice' }, label: 'Needs you', context: 'human-question', offers: [show, 'humanActionSkip'] },
    {
      what: 'a deed that Loop verifies',
      over: { ...answered, answer: 'done' },
      label: 'Looking',
      context: 'human-action-answered',
      offers: [show],
    },
    {
      what: 'a question that was skipped',
      over: { ...answered, kind: 'advice', answer: 'skip' },
      label: 'Skipped',
      context: 'human-action-answered',
      offers: [show],
    },
  ];
  for (const { what, over, label, context, offers } of humanActions)
    it(`offer on ${what} only commands that can answer it`, () => {
      const [, node] = sprintNodes({ ...view, humanActions: [{ ...hostileAction, ...over }] }, true);
      assert.ok(node);
      assert.deepEqual([node.label, node.context, offeredOn(node)], [label, context, offers]);
    });

  it('ask the person for nothing when the sprint has ended', () => {
    const closed = sprintView(stateOf(...built, begun('5', 'close'), ended('5')), start);
    assert.ok(!linesOf(sprintNodes({ ...closed, humanActions: [hostileAction] }, false)).some((line) => line.includes('Click')));
  });

  it('have unique ids that stay the same after an update', () => {
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

/** The commands that the manifest offers on a node, from the `when` clauses on its context. */
function offeredOn({ context }: Pick<TreeNode, 'context'>): string[] {
  const fits = (when: string): boolean => {
    const [, exact, pattern = '$^'] = /viewItem (?:== (\S+)|=~ \/(.*)\/)$/.exec(when) ?? [];
    return exact === undefined ? new RegExp(pattern).test(context) : exact === context;
  };
  const entries = manifest.contributes.menus['view/item/context'].filter(({ when }) => fits(when));
  return [...new Set(entries.map(({ command }) => command.replace('loop.', '')))].sort();
}

function linesOf(nodes: TreeNode[], indent = ''): string[] {
  return nodes.flatMap((n) => [`${indent}${n.label} | ${n.description}`, ...linesOf(n.children, `${indent}  `)]);
}

function flat(nodes: TreeNode[]): TreeNode[] {
  return nodes.flatMap((n) => [n, ...flat(n.children)]);
}
