/** Twelve changes of the documents in the middle of a sprint re-open what the table in docs/requirements-changed.md says, and nothing else. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { settledPoints } from '../../../src/engine/judge/open-points.ts';
import { trustOf } from '../../../src/engine/judge/trust.ts';
import { catchUpWithPerson } from '../../../src/engine/person/catch-up.ts';
import { say } from '../../../src/engine/person/say.ts';
import { liveScripts, liveVerifications } from '../../../src/engine/state/covers.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { isUnresolved } from '../../../src/engine/work/human-action.ts';
import { outdated } from '../../../src/engine/work/revision.ts';
import { requirementsOf } from '../../../src/engine/work/verification.ts';
import { world } from '../../support/fakes.ts';
import { refOf, Story } from '../support/events.ts';
import * as p from '../support/parts.ts';
import { again, play, staged } from '../support/play.ts';

const texts = {
  'VISION.md': '# Vision\n\nA clerk charges what is due, by the first day.\n\nThe greeting is kind\n',
  'PRD.md':
    '# Orders\n\nWhat a clerk needs, in shrot.\n\n## 1. Totals\n\n## 2. Receipts are printed\n\n## 3. Receipts are numbered\n\n' +
    '## Constraints\n\n- It runs without a network\n',
};
type Name = keyof typeof texts;

/** By the words of the table. */
const edits: Record<string, [document: Name, ...by: [from: string, to: string][]]> = {
  'a slip of the pen in the background': ['PRD.md', ['shrot', 'short']],
  'the lines of a requirement are broken anew': ['PRD.md', ['Receipts are printed', '  Receipts  are   printed']],
  'the words of 1, which is built and proven': ['PRD.md', ['1. Totals', '1. Totals in euros']],
  'the words of 3, which is not built yet': ['PRD.md', ['are numbered', 'are numbered, from 1 on']],
  'a requirement is added': ['PRD.md', ['## Constraints', '## 4. Receipts are kept\n\n## Constraints']],
  '2 is taken out, which is built and proven': ['PRD.md', ['## 2. Receipts are printed\n\n', '']],
  '3 is taken out, which is not built yet': ['PRD.md', ['## 3. Receipts are numbered\n\n', '']],
  '1 is called 7': ['PRD.md', ['1. Totals', '7. Totals']],
  '1 and 2 swap their numbers': ['PRD.md', ['1. Totals', '2. Totals'], ['2. Receipts', '1. Receipts']],
  'a constraint': ['PRD.md', ['without a network', 'offline, on one machine']],
  'a goal of the Vision': ['VISION.md', ['by the first day', 'by the first hour']],
  'a value proof, in the words of the Vision': ['VISION.md', ['The greeting is kind', 'The greeting names the clerk']],
};

describe('twelve changes in the middle of a sprint', () => {
  it('re-open what the table of the docs says of each, and nothing else', async () => {
    const table = tableOf(readFileSync('docs/requirements-changed.md', 'utf8'));
    const found = await Promise.all(Object.keys(edits).map(async (change) => [change, ...(await effectsOf(change))]));
    assert.equal(found.length, 12);
    assert.deepEqual(table, [
      ['changed', 'tasks open again', 'tasks dropped', 'tasks added', 'verifications', 'proven no more', 'questions', 'the whole'],
      ...found,
    ]);
  });
});

/** Cells of the table below the heading about the twelve, without its ruler. */
function tableOf(docs: string): string[][] {
  const [, section = ''] = docs.split('## Twelve changes');
  const rows = section.split('\n## ')[0]?.split('\n') ?? [];
  const cells = rows.filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1));
  return cells.map((row) => row.map((cell) => cell.trim())).filter(([first = '']) => !/^-+$/.test(first));
}

async function effectsOf(change: string): Promise<string[]> {
  const w = await staged(world(), inTheMiddle());
  const [opening] = w.journal.events;
  assert.ok(opening?.type === 'run.opened');
  const inputs = await Promise.all(Object.entries(texts).map(async ([name, text]) => ({ name, ref: await w.payloads.put(text) })));
  w.journal.events[0] = { ...opening, inputs };
  const before = standing(play(w).kernel.state);
  const [name, ...by] = edits[change] ?? assert.fail(change);
  const parts = by.reduce((text, [from, to], n) => text.replace(from, () => `<${n}>${to}`), texts[name]);
  const text = parts.replaceAll(/<\d>/g, '');
  assert.notEqual(text, texts[name], change);
  await say(play(w).kernel, { kind: 'amend', answer: 'take', documents: [{ name, text }] });
  const { kernel, context } = await again(w);
  await catchUpWithPerson(context);
  return differences(before, standing(kernel.state), kernel.state);
}

/** What stands at a moment, each thing with what it is about. */
function standing(state: State) {
  const { work, ledger } = state;
  const actions = Object.values(ledger.humanActions).filter(isUnresolved);
  return {
    verifications: new Map(liveVerifications(work).map((one) => [one.id, requirementsOf(one)])),
    proven: new Set(liveScripts(work).flatMap((one) => (trustOf(state, one).trusted ? one.prd : []))),
    questions: [...settledPoints(state).map(({ point }) => point.id), ...actions.map(({ id }) => id)],
    tasks: Object.keys(work.tasks),
  };
}

type Standing = ReturnType<typeof standing>;

function differences(before: Standing, after: Standing, { work, ledger }: State): string[] {
  const taken = ledger.revisions.at(-1)?.taken;
  const now = (id: string): string => taken?.renumbered[id] ?? id;
  const there = new Set(work.requirements.map(({ id }) => id));
  const tasks = Object.values(work.tasks);
  const verifications = [...before.verifications].flatMap(([id, prd]) => {
    const left = after.verifications.get(id);
    const lost = prd.filter((one) => !left?.includes(now(one)));
    if (!left) return [id];
    return lost.length > 0 ? [`${id} for ${lost.join()}`] : [];
  });
  const columns = [
    tasks.filter(({ reopened }) => reopened !== undefined).map(({ id }) => id),
    tasks.filter(({ status }) => status === 'descoped').map(({ id }) => id),
    tasks.filter(({ id }) => !before.tasks.includes(id)).map(({ id, prdSection }) => `${id} for ${prdSection.join()}`),
    verifications,
    [...before.proven].filter((id) => there.has(now(id)) && !after.proven.has(now(id))),
    before.questions.filter((id) => !after.questions.includes(id)),
    outdated(ledger.revisions).evaluations > 0 ? ['judged anew'] : [],
  ];
  return columns.map((one) => one.join(', ') || '–');
}

/** 1 and 2 are built and proven, 3 is not; each has an assumption, and for 3 a file is asked for. An evaluator used it all. */
function inTheMiddle(): Story {
  const requirement = (id: string, text: string, line: number) => ({ id, title: text, text, line, lastLine: line });
  const others: Fact = {
    fact: 'requirements.read',
    requirements: [requirement('2', 'Receipts are printed', 7), requirement('3', 'Receipts are numbered', 9)],
  };
  const points = ['1', '2', '3'].map((id) => p.point({ id: `P${id}`, requirement: id, quote: '', proposed: '' }));
  const tasks = ['2', '3'].map((id): Fact => ({ fact: 'task.added', task: p.task({ id: `T${id}`, prdSection: [id] }) }));
  const story = new Story()
    .act('inputs', others)
    .act('review-documents', p.judged({ points }))
    .act('plan', ...tasks);
  const named = { total: ['1'], receipts: ['2'], both: ['1', '2'], numbers: ['3'] };
  const written = Object.entries(named).map(([name, prd]): Fact => {
    const id = `value/${name}`;
    return { fact: 'verification.written', verification: p.verification({ id, lineage: id, script: refOf(id), prd }) };
  });
  const proof = { code: 2, outcome: 'red' as const, why: 'it fails without the work' };
  const proofs = ['total', 'receipts', 'both'].flatMap((name): Fact[] => {
    const of = { lineage: `value/${name}`, script: refOf(`value/${name}`), ...proof };
    return (['control', 'revert'] as const).map((kind) => ({ fact: 'verification.proven', proof: { ...of, kind } }));
  });
  const deed = { ...p.humanAction(), task: '', requirements: ['3'] };
  p.proven(p.green(p.built(p.awaiting(p.planned(story))))).act('write-verifications', ...written);
  story.begin('execute', 'T2', ['execute/T2']);
  const [author, step] = [{ kind: 'task' as const, task: 'T2' }, story.state.open?.id ?? ''];
  const change = p.change({ n: 2, author, step });
  return story
    .end({ fact: 'task.reported', id: 'T2', report: p.report }, { fact: 'tree.changed', change })
    .act('settle', { fact: 'tree.settled', settled: p.settled({ code: 2, commit: 'c2', author, step }) })
    .act('prove', ...proofs)
    .act('critical-eval', { fact: 'evaluation.reported', evaluation: p.evaluation() })
    .act('discovery', { fact: 'human-action.asked', humanAction: deed });
}
