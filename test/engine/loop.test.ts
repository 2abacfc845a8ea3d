/** Whole sprints in memory: the loop over real actions with fake ports, its endings, its bound, and a crash at any append. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import type { AskReply, AskRequest } from '../../src/engine/ground/messages.ts';
import type { Config } from '../../src/engine/ground/config.ts';
import { Interruption } from '../../src/engine/ground/errors.ts';
import { fold } from '../../src/engine/core/fold.ts';
import { left, tank } from '../../src/engine/state/fuel.ts';
import { actionTanks } from '../../src/engine/state/tanks.ts';
import { table } from '../../src/engine/actions/table.ts';
import { answerHumanAction } from '../../src/engine/person/desk.ts';
import { loop } from '../../src/engine/loop.ts';
import type { Ending, State } from '../../src/engine/state/state.ts';
import { documentLenses, planLenses } from '../../src/engine/work/lenses.ts';
import { calls, says, testPrices, world, type World } from '../support/fakes.ts';
import { lensesPass } from '../support/greeter.ts';
import { FakePerson } from '../support/person.ts';
import { openedEvent } from './support/events.ts';
import { approving } from '../support/greeter.ts';
import * as p from './support/parts.ts';
import { again, play } from './support/play.ts';

type Part =
  | 'strategy'
  | 'course-correct'
  | 'research'
  | 'discovery'
  | 'review-documents'
  | 'plan'
  | 'review-plan'
  | 'write-verifications'
  | 'execute'
  | 'fix'
  | 'evaluation';
/** Sessions that a sprint without trouble never has. */
const onTrouble: readonly string[] = ['strategy', 'course-correct', 'research', 'fix'];
type Reply = AskReply | ((request: AskRequest) => AskReply);
const script = ['# TEST: adds', '# PRD: 1, V1', '# RED: wrong total', './total.sh 2 3'].join('\n');
const task = {
  action: 'add',
  task_id: 'T1',
  description: 'Add',
  value: 'It adds',
  prd_section: ['1', 'V1'],
  acceptance: '5',
  files_expected: ['total.sh'],
};
const report = ['report_task_complete', { task_id: 'T1' }] as [string, unknown];
const fixed = ['report_fix', { fix_applied: 'added', files_changed: ['total.sh'], reasoning: 'it subtracted' }] as [string, unknown];

/** Agents that do their work well; each test lets one of them do it badly. */
const good: Record<Part, Reply> = {
  discovery: calls([
    'report_discovery',
    { deliverable_type: 'software', project_type: 'cli', codebase_state: 'brownfield', value_proofs: ['It adds'] },
  ]),
  'review-documents': calls(['report_document_review', { vision: lensesPass, verdict: 'APPROVE' }]),
  plan: calls(['manage_task', task], ['report_plan_complete', { summary: 'One task.' }], ['report_plan_review', approving]),
  'review-plan': calls(['report_plan_review', approving]),
  'write-verifications': calls(
    ['write_verification', { path: 'value/total.sh', content: script }],
    ['report_verifications_complete', { summary: 'One.' }],
  ),
  execute: calls(['write_file', { path: 'total.sh', content: 'a + b' }], report),
  fix: calls(['write_file', { path: 'total.sh', content: 'a + b' }], fixed),
  strategy: says('I see no way.'),
  'course-correct': says('I see no way.'),
  research: calls(['report_research', { found: false, topic: 'none', findings: 'I looked in the manual of sh.', sources: [] }]),
  evaluation: calls([
    'report_evaluation',
    { summary: 'I added numbers as the clerk would, and it was right. '.repeat(3), assessment: p.assessment },
  ]),
};

const shippable = calls([
  'report_vrc',
  {
    value_score: 1,
    deliverables_verified: 2,
    deliverables_total: 2,
    recommendation: 'SHIP_READY',
    summary: 'Its clerk would be glad of it.',
  },
]);

interface Given {
  /** A sprint of few tasks is not evaluated before its end, and assessed by its evaluator. */
  agents?: Partial<Record<Part | 'critical-eval' | 'vrc', Reply>>;
  config?: Partial<Config>;
  person?: FakePerson;
  files?: Record<string, string>;
}

function both(one: AskReply, other: AskReply): AskReply {
  return {
    ...one,
    content: [...one.content, ...other.content.map((block) => (block.type === 'tool_use' ? { ...block, id: 'both' } : block))],
  };
}

/** A journal with its opening, agents by the purpose of the request, and a check that looks at `total.sh`. */
async function opened({ agents, config, person, files = { 'total.sh': 'a - b' } }: Given = {}): Promise<World> {
  const w = world({ files, ...(person ? { person } : {}) });
  w.journal.events.push(openedEvent(config));
  for (const text of ['# Vision', '## 1. Totals']) await w.payloads.put(text);
  const all = { ...good, ...agents };
  w.ports.model = {
    id: 'by purpose',
    prices: () => testPrices,
    window: () => 200_000,
    ask: (request) => {
      w.model.asked.push(structuredClone(request));
      const [action = '', target = ''] = request.purpose.split(/[/#]/);
      const replyOf = (part: Part): AskReply => {
        const { [part]: reply } = all;
        return typeof reply === 'function' ? reply(request) : reply;
      };
      // Discovery judges the documents, too.
      if (action === 'discovery') return Promise.resolve(both(replyOf('discovery'), replyOf('review-documents')));
      return Promise.resolve(replyOf((action === 'final' ? target : action) as Part));
    },
  };
  w.runner.decide = (at) =>
    at['total.sh']?.split('\n')[0] === 'a + b' ? {} : { exit: 1, output: `wrong total: ${at['total.sh'] ?? 'none'}` };
  return w;
}
const run = (w: World): Promise<Ending> => loop(play(w).kernel, table);
const decided = (state: State): string[] =>
  state.ledger.decisions.map(({ decision: { action, target } }) => (target ? `${action} ${target}` : action));

describe('the loop', () => {
  it('stands in docs/algorithm.md word for word', () => {
    const told = /```ts\n(.*?)\n```/s.exec(readFileSync('docs/algorithm.md', 'utf8'))?.[1] ?? 'nothing';
    assert.ok(readFileSync('src/engine/loop.ts', 'utf8').includes(told.replace(/^/gm, '  ')));
  });
});

describe('a sprint', () => {
  it('goes through the table to its delivery', async () => {
    const w = await opened();
    assert.deepEqual(await run(w), { stop: 'delivered', reasons: [] });
    const state = fold(w.journal.events);
    assert.deepEqual(decided(state), [
      'inputs',
      'discovery',
      'plan',
      'prepare',
      'write-verifications plan',
      'execute T1',
      'settle 1',
      'prove',
      'final clean-run',
      'final evaluation',
      'close',
    ]);
    assert.deepEqual(w.repo.files, { 'total.sh': 'a + b' });
    assert.deepEqual(Object.keys(w.repo.closing), ['DELIVERY_REPORT.md', 'verifications/value/total.sh']);
    assert.match(w.repo.closing['DELIVERY_REPORT.md'] ?? '', /^# Delivery report: sprints\/total\n\nDelivered\./);
    const building = w.model.asked.find(({ purpose }) => purpose.startsWith('execute'));
    assert.match(JSON.stringify(building?.messages), /as they stand now:\\n\\ntotal\.sh:\\n\\n```\\na - b/);
  });

  it('is used as its user would while it is built, and mends what is critical before it goes on', async () => {
    const works = Object.entries({
      T1: 'sums',
      T2: 'taxes',
      T3: 'coupons',
      T4: 'rounding',
      T5: 'currencies',
      T6: 'receipts',
      T7: 'refunds',
    });
    const tasks = works.map(([task_id, what]): [string, unknown] => [
      'manage_task',
      { ...task, task_id, description: `Do the ${what} of an order` },
    ]);
    const [description, user_impact, evidence] = ['it cannot be read', 'the clerk guesses', 'I looked at it'];
    const findings = ['critical', 'polish'].map((severity) => ({ severity, description, user_impact, evidence }));
    const found = { summary: 'I used what is there as the clerk would, twice.', findings };
    const execute = ({ purpose }: AskRequest): AskReply => {
      const id = purpose.split(/[/#]/)[1] ?? '';
      return calls(
        ['write_file', { path: id === 'T1' ? 'total.sh' : `${id}.txt`, content: 'a + b' }],
        ['report_task_complete', { task_id: id }],
      );
    };
    const plan = calls(...tasks, ['report_plan_complete', { summary: 'Seven tasks.' }]);
    const agents = { plan, execute, 'critical-eval': calls(['report_evaluation', found]), vrc: shippable };
    const w = await opened({ agents });
    assert.deepEqual(await run(w), { stop: 'delivered', reasons: [] });
    const order = decided(fold(w.journal.events)).filter((d) => /^(execute|critical-eval)/.test(d));
    const before = works.slice(0, 6).map(([id]) => `execute ${id}`);
    assert.deepEqual(order, [...before, 'critical-eval work', 'execute G1', 'execute T7']);
    assert.equal(fold(w.journal.events).work.tasks['G1']?.description, 'it cannot be read');
  });

  it('proves by taking the work out what it could not see red on this surface', async () => {
    const w = await opened({ files: {} });
    assert.equal((await run(w)).stop, 'delivered');
    const state = fold(w.journal.events);
    assert.ok(decided(state).includes('prove'));
    assert.deepEqual(
      state.ledger.proofs.map(({ kind, outcome }) => `${kind} ${outcome}`),
      ['control red', 'revert red'],
    );
  });

  it('has failed when its only verification stays green without the work', async () => {
    const w = await opened({ files: {} });
    w.runner.decide = () => ({});
    const { stop, reasons } = await run(w);
    assert.equal(stop, 'failed');
    assert.match(reasons[0] ?? '', /value\/total is green but not trusted: it stays green when the work it covers is taken out/);
  });

  it('takes back what was not reported, tells the next builder, and goes on', async () => {
    let builds = 0;
    const half = calls(['write_file', { path: 'total.sh', content: 'half' }]);
    const execute = (request: AskRequest): AskReply => {
      if (request.purpose.endsWith('#1')) return request.turn === 1 ? half : says('I stop');
      builds += 1;
      const [first] = request.messages[0]?.content ?? [];
      assert.match(
        first?.type === 'text' ? first.text : '',
        /was not kept: the session ended without reporting the task\.[^]*total\.sh: half/,
      );
      return good.execute as AskReply;
    };
    const w = await opened({ agents: { execute } });
    assert.equal((await run(w)).stop, 'delivered');
    assert.deepEqual([builds, w.repo.undone], [1, 1]);
  });

  it('believes no report behind which nothing changed', async () => {
    const execute = (request: AskRequest): AskReply => (request.purpose.endsWith('#1') ? calls(report) : (good.execute as AskReply));
    const w = await opened({ agents: { execute } });
    assert.equal((await run(w)).stop, 'delivered');
    const why = 'it was reported complete, but nothing changed, and its verifications do not show it done';
    const returned = w.journal.events.flatMap((e) => (e.type === 'step.ended' ? e.facts.filter((f) => f.fact === 'task.returned') : []));
    assert.deepEqual(returned, [{ fact: 'task.returned', id: 'T1', why }]);
  });

  it('fixes what its task left broken', async () => {
    const w = await opened({ agents: { execute: calls(['write_file', { path: 'total.sh', content: 'a * b' }], report) } });
    assert.equal((await run(w)).stop, 'delivered');
    const state = fold(w.journal.events);
    assert.deepEqual(
      state.ledger.fixes['value/total']?.map((f) => [f.outcome, f.after]),
      [['kept', 2]],
    );
    assert.equal(state.work.tree.code, 2);
  });

  it('takes a fix back that breaks what was green', async () => {
    const two = calls(
      ['write_verification', { path: 'value/total.sh', content: script }],
      ['write_verification', { path: 'value/name.sh', content: script.replace('wrong total', 'wrong name') }],
      ['report_verifications_complete', { summary: 'Two.' }],
    );
    const execute = calls(
      ['write_file', { path: 'total.sh', content: 'a * b' }],
      ['write_file', { path: 'name', content: 'Total' }],
      report,
    );
    const fix = (request: AskRequest): AskReply =>
      request.purpose.endsWith('#1') ? calls(['write_file', { path: 'name', content: '' }], fixed) : (good.fix as AskReply);
    const w = await opened({ agents: { 'write-verifications': two, execute, fix }, files: { 'total.sh': 'a - b', name: '' } });
    const total = w.runner.decide;
    w.runner.decide = (at, job) => {
      if ('command' in job.run || job.run.name !== 'value-name') return total(at, job);
      return at['name'] === 'Total' ? {} : { exit: 1, output: 'wrong name' };
    };
    assert.equal((await run(w)).stop, 'delivered');
    const { ledger } = fold(w.journal.events);
    assert.deepEqual(
      ledger.fixes['value/total']?.map((f) => [f.outcome, f.why]),
      [
        ['undone', 'fix of value/total broke value/name'],
        ['kept', 'nothing that was green broke'],
      ],
    );
    assert.deepEqual(w.repo.files, { 'total.sh': 'a + b', name: 'Total' });
  });
});

describe('what verifications leave in the tree', () => {
  it('is neither kept nor blamed on anybody', async () => {
    const w = await opened();
    const verdict = w.runner.decide;
    w.runner.decide = (at, job) => {
      at[`cache${w.runner.jobs.length}`] = 'x';
      return verdict(at, job);
    };
    assert.equal((await run(w)).stop, 'delivered');
    assert.deepEqual(w.repo.files, { 'total.sh': 'a + b' });
    const { commits } = fold(w.journal.events).work.tree;
    assert.deepEqual(
      commits.map((c) => c.files),
      [[{ path: 'total.sh', kind: 'modified' }]],
    );
  });
});

describe('the review of the plan', () => {
  const lenses = approving.approves;
  const finding = { lens: 'clarity', task_id: 'T1', wrong: 'Nobody knows which numbers', change: 'name two numbers and their sum' };
  const found = { ...approving, approves: lenses.filter((one) => one !== 'clarity'), findings: [finding] };
  const modified = { action: 'modify', task_id: 'T1', acceptance: '2 and 3 give 5' };
  const reviews = (w: World): AskRequest[] => w.model.asked.filter(({ purpose }) => purpose.startsWith('review-plan'));
  const reportOf = (w: World): string => w.repo.closing['DELIVERY_REPORT.md'] ?? '';
  const execute = ({ purpose }: AskRequest): AskReply => {
    const [, id = ''] = purpose.split(/[/#]/);
    return calls(['write_file', { path: id === 'T1' ? 'total.sh' : `${id}.txt`, content: 'a + b' }], [report[0], { task_id: id }]);
  };
  const reviewed = async (reply: Reply): Promise<World> => {
    const w = await opened({ agents: { plan: unjudged, 'review-plan': reply, execute } });
    assert.equal((await run(w)).stop, 'delivered');
    return w;
  };
  /** Who made the plan does not judge it. */
  const unjudged = ({ messages }: AskRequest): AskReply =>
    messages.length === 1 ? calls(['manage_task', task], ['report_plan_complete', { summary: 'One task.' }]) : says('That is my plan.');

  it('is made by who made it where the plan is small, in the same reply', async () => {
    const w = await opened();
    assert.equal((await run(w)).stop, 'delivered');
    assert.equal(reviews(w).length, 0);
    assert.deepEqual(w.model.asked.filter(({ purpose }) => purpose.startsWith('plan/')).length, 1);
    assert.match(reportOf(w), /^- The plan, before it was built: 1 review by who made it, no fault found; it promised 1\.00/m);
  });

  it('by who made it leaves to another one what it could not mend', async () => {
    const plan = calls(['manage_task', task], ['report_plan_complete', { summary: 'One task.' }], ['report_plan_review', found]);
    const w = await opened({ agents: { plan, execute } });
    assert.equal((await run(w)).stop, 'delivered');
    assert.equal(reviews(w).length, 1);
    assert.match(JSON.stringify(reviews(w)[0]?.messages), /CLARITY of T1: Nobody knows which numbers\. Nothing was changed/);
    assert.match(reportOf(w), /2 reviews, 1 fault found, 0 mended/);
  });

  it('by who made it may still change the plan, and says what, of that alone', async () => {
    const second = { ...task, task_id: 'T2', description: 'Refuse words in the place of numbers' };
    const findings = [{ ...finding, task_id: 'T2' }];
    const w = await opened({
      agents: {
        plan: calls(
          ['manage_task', task],
          ['report_plan_complete', { summary: 'One task.' }],
          ['manage_task', second],
          ['report_plan_review', { ...found, findings }],
        ),
        execute,
      },
    });
    assert.equal((await run(w)).stop, 'delivered');
    const { work, ledger } = fold(w.journal.events);
    assert.deepEqual([work.tasks['T2']?.source, ledger.minted], ['plan', 0]);
    assert.deepEqual(
      ledger.planReviews.map((one) => [one.own, one.findings.map(({ task: id, mended }) => `${id} ${mended}`)]),
      [
        [true, ['T2 true']],
        [undefined, []],
      ],
    );
  });

  it('is somebody else’s where the plan is large, and at standard', async () => {
    const ids = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6'];
    const tasks = ids.map((task_id): [string, unknown] => ['manage_task', { ...task, task_id, description: `Add, ${task_id}` }]);
    const large = calls(...tasks, ['report_plan_complete', { summary: 'Six.' }], ['report_plan_review', approving]);
    for (const given of [
      { agents: { plan: large, execute, 'critical-eval': good.evaluation, vrc: shippable } },
      { config: { qualify: 'standard' as const } },
    ]) {
      const w = await opened(given);
      assert.equal((await run(w)).stop, 'delivered');
      assert.equal(reviews(w).length, 1);
      assert.match(reportOf(w), /1 review, no fault found/);
    }
  });

  it('is one short session for a plan without faults, with the prefix that planning left in the cache', async () => {
    const w = await reviewed(good['review-plan']);
    assert.equal(reviews(w).length, 1);
    const told = w.model.asked.find(({ purpose }) => purpose.startsWith('discovery'))?.messages;
    assert.match(JSON.stringify(told), /There is no browser here/);
    const planning = w.model.asked.findLast(({ purpose }) => purpose.startsWith('plan/'));
    const cached = ({ model, tools, system, context }: AskRequest) => ({ model, tools, system, context });
    assert.deepEqual(
      reviews(w).map(cached),
      [planning].flatMap((one) => (one ? [cached(one)] : [])),
    );
    assert.match(JSON.stringify(reviews(w)[0]?.messages), /Files expected: /);
    assert.doesNotMatch(JSON.stringify(w.model.asked.find(({ purpose }) => purpose.startsWith('write-verifications'))), /Files expected: /);
    const before = w.model.asked.filter(({ purpose }) => /^(discovery|plan|review-plan)\//.test(purpose));
    const prefixes = new Set(before.map(({ model, tools, system }) => JSON.stringify({ model, tools, system })));
    assert.equal(prefixes.size, 1, 'also before there is a context');
    assert.equal(before[0]?.context, undefined);
    assert.match(reportOf(w), /^- The plan, before it was built: 1 review, no fault found; it promised 1\.00 of the value\.$/m);
    assert.match(reportOf(w), /## Known to be wrong\n\nNothing is known\./);
  });

  it('mends what it finds, and looks once more whether it is mended', async () => {
    const w = await reviewed(({ purpose }) =>
      purpose.endsWith('#1') ? calls(['manage_task', modified], ['report_plan_review', found]) : calls(['report_plan_review', approving]),
    );
    const [, second] = reviews(w).map(({ messages }) => JSON.stringify(messages[0]));
    assert.match(second ?? '', /- CLARITY of T1: Nobody knows which numbers\. It was changed\./);
    assert.equal(reviews(w).length, 2);
    const { work, ledger } = fold(w.journal.events);
    assert.equal(work.tasks['T1']?.acceptance, '2 and 3 give 5');
    assert.deepEqual(
      ledger.planReviews.map(({ findings }) => findings.map(({ mended }) => mended)),
      [[true], []],
    );
    assert.match(reportOf(w), /2 reviews, 1 fault found, 1 mended/);
    assert.match(reportOf(w), /## Known to be wrong\n\nNothing is known\./);
  });

  it('ends after three rounds, though it always finds something, which goes on as a known weakness', async () => {
    const w = await reviewed(calls(['report_plan_review', found]));
    assert.equal(reviews(w).length, 3);
    const isLast = reviews(w).map(({ messages }) => JSON.stringify(messages[0]).includes('This is the last review'));
    assert.deepEqual(isLast, [false, false, true]);
    const weakness = 'The plan: CLARITY of T1: Nobody knows which numbers. Not mended: name two numbers and their sum';
    assert.ok(reportOf(w).includes(`## Known to be wrong\n\n- ${weakness}`), reportOf(w));
  });

  it('at standard is followed by a closer look through the lenses that found something, before the next round', async () => {
    const look = ({ purpose }: AskRequest): AskReply => {
      if (purpose === 'review-plan/#1') return calls(['manage_task', modified], ['report_plan_review', found]);
      return purpose === 'review-plan/clarity#1'
        ? calls(['report_plan_review', { approves: ['clarity'], value_score: 1 }])
        : calls(['report_plan_review', approving]);
    };
    const w = await opened({ agents: { plan: unjudged, 'review-plan': look, execute }, config: { qualify: 'standard' } });
    assert.equal((await run(w)).stop, 'delivered');
    assert.deepEqual(
      decided(fold(w.journal.events)).filter((d) => d.startsWith('review-plan')),
      ['review-plan', 'review-plan clarity', 'review-plan'],
    );
    const [, closer, last] = reviews(w).map(({ messages }) => JSON.stringify(messages[0]));
    assert.match(closer ?? '', /- CLARITY of T1: Nobody knows which numbers\. It was changed\..*through clarity alone/);
    assert.match(last ?? '', /Look only whether it is gone.*- CLARITY of T1/, 'what the first look found is still to be looked at');
  });

  it('says of what the last round changed that nobody looked again', async () => {
    const w = await reviewed(calls(['manage_task', modified], ['report_plan_review', found]));
    assert.ok(reportOf(w).includes('Nobody knows which numbers. It was changed, and nobody looked again.'), reportOf(w));
  });

  it('is tried three times, and then the sprint goes on and says that nobody reviewed its plan', async () => {
    const w = await reviewed(says('It looks fine.'));
    assert.equal(decided(fold(w.journal.events)).filter((d) => d === 'review-plan').length, 3);
    assert.match(reportOf(w), /## Known to be wrong\n\n- Nobody reviewed the plan\./);
  });

  it('may add and remove tasks of the plan, and the sprint has the fuel of the plan that is built', async () => {
    const second = { ...task, task_id: 'T2', description: 'Refuse words in the place of numbers' };
    const w = await reviewed(({ purpose }) =>
      purpose.endsWith('#1')
        ? calls(
            ['manage_task', second],
            ['manage_task', { action: 'remove', task_id: 'T1' }],
            ['report_plan_review', { ...found, findings: [finding, { ...finding, task_id: 'T2' }] }],
          )
        : purpose.endsWith('#2')
          ? calls(['manage_task', task], ['report_plan_review', found])
          : calls(['report_plan_review', approving]),
    );
    const { work, ledger } = fold(w.journal.events);
    assert.deepEqual(
      Object.values(work.tasks).map(({ id, source }) => `${id} ${source}`),
      ['T2 plan', 'T1 plan'],
    );
    const sizes = w.journal.events
      .flatMap((e) => ('facts' in e ? e.facts : []))
      .flatMap((f) => (f.fact === 'fuel.sized' ? [f.sprint] : []));
    assert.deepEqual([sizes, ledger.minted], [[55, 55, 70, 70], 0]);
  });

  it('is not made where the person wants nothing judged, and neither is that of the documents', async () => {
    const w = await opened({ config: { qualify: 'none' } });
    assert.deepEqual(await run(w), { stop: 'delivered', reasons: [] });
    const made = decided(fold(w.journal.events));
    assert.deepEqual(made.slice(0, 4), ['inputs', 'discovery', 'plan', 'prepare']);
    assert.doesNotMatch(reportOf(w), /[Rr]eviewed/);
  });

  it('is not made in a sprint that began before there was one', async () => {
    const w = await opened({ agents: { vrc: shippable } });
    const [first] = w.journal.events;
    assert.ok(first?.type === 'run.opened');
    const { lenses: _, ...sizes } = first.sizes;
    w.journal.events[0] = { ...first, sizes };
    assert.equal((await run(w)).stop, 'delivered');
    assert.equal(reviews(w).length, 0);
    assert.doesNotMatch(reportOf(w), /[Tt]he plan, before|reviewed/);
  });
});

describe('a sprint that cannot succeed', () => {
  it('ends within its fuel against a verification that always fails and fixers that change another file every time', async () => {
    let n = 0;
    const churn = (done: [string, unknown]) => () => calls(['write_file', { path: `f${(n += 1)}`, content: `${n}` }], done);
    const w = await opened({ agents: { execute: churn(report), fix: churn(fixed) } });
    w.runner.decide = () => ({ exit: 1, output: `wrong total: error ${(n += 1)}` });
    const { stop, reasons } = await run(w);
    const state = fold(w.journal.events);
    assert.deepEqual([stop, reasons[0]], ['failed', 'Requirement 1 (Totals) is not proven: value/total is red.']);
    assert.equal(decided(state).filter((d) => d.startsWith('fix')).length, 5);
    assert.equal(decided(state).filter((d) => d.startsWith('research')).length, 1);
    assert.ok(left(state.ledger, tank('sprint')) > 0);
  });

  it('gives up a failure that stays the same after three fixes', async () => {
    const same = calls(['write_file', { path: 'note', content: 'x' }], fixed);
    const w = await opened({ agents: { execute: calls(['write_file', { path: 'note', content: '' }], report), fix: same } });
    await run(w);
    assert.equal(decided(fold(w.journal.events)).filter((d) => d.startsWith('fix')).length, 3);
  });

  for (const part of Object.keys(good).filter((name) => !onTrouble.includes(name) && name !== 'review-plan') as Part[])
    it(`ends, and not as delivered, when the agent of ${part} never reports`, async () => {
      const w = await opened({ agents: { [part]: says('Done, trust me.') } });
      const { stop } = await run(w);
      assert.ok(stop === 'partial' || stop === 'failed', stop);
      assert.ok(fold(w.journal.events).ledger.decisions.length < 40);
    });

  it('ends an action that made all its effects as failed, and decides anew', async () => {
    const w = await opened();
    const { kernel } = play(w);
    const decision = { action: 'inputs' as const, target: '', why: '', burns: [tank('sprint'), tank('gate', 'inputs')], behind: [] };
    await kernel.append({ type: 'step.begun', step: { id: 's1', kind: 'action', decision }, burns: decision.burns });
    const burns = Array.from({ length: actionTanks.effects }, () => tank('effects', 's1'));
    const effect = { name: 'worktree', key: 'other', detail: '' };
    await kernel.append({ type: 'step.begun', step: { id: 's1/worktree:other', kind: 'effect', effect }, burns });
    assert.equal((await loop(kernel, table)).stop, 'delivered');
    assert.deepEqual(
      fold(w.journal.events)
        .ledger.decisions.slice(0, 3)
        .map(({ decision: { action }, outcome }) => [action, outcome]),
      [
        ['inputs', 'failed'],
        ['inputs', 'done'],
        ['discovery', 'done'],
      ],
    );
  });

  it('stops at its budget with what was settled, and goes on once a person raises it', async () => {
    const dear = { ...(good.execute as AskReply), usage: { input: 0, output: 100_000, cacheRead: 0, cacheWrite: 0 } };
    const w = await opened({ config: { budgetUsd: 1.2 }, agents: { execute: dear } });
    assert.equal((await run(w)).stop, 'out-of-budget');
    assert.deepEqual(w.repo.files, { 'total.sh': 'a + b' });
    const { kernel } = await again(w);
    assert.equal((await loop(kernel, table)).stop, 'out-of-budget');
    const raised = await again(w);
    await raised.kernel.append({ type: 'person.said', facts: [{ fact: 'budget.raised', usd: 25, tokens: 0, hours: 0 }] });
    assert.equal((await loop(raised.kernel, table)).stop, 'delivered');
  });
});

describe('a sprint that needs a person', () => {
  const ask = [
    'request_human_action',
    { action: 'Put prices.csv there', instructions: 'Export it.', paths: ['prices.csv'], blocked_task_id: 'T1' },
  ] as [string, unknown];
  const plan = calls(['manage_task', task], ask, ['report_plan_complete', { summary: 'One task.' }], ['report_plan_review', approving]);

  it('stops as waiting where nobody can be asked, and goes on when it was done', async () => {
    const w = await opened({ agents: { plan } });
    assert.equal((await run(w)).stop, 'waiting');
    assert.deepEqual(w.repo.commits, []);
    w.repo.supplies['prices.csv'] = '5';
    assert.equal((await loop((await again(w)).kernel, table)).stop, 'delivered');
  });

  it('looks for itself when they say that it is done, and tells what is missing', async () => {
    const person: FakePerson = new FakePerson(true, () => {
      if (person.asked.length === 2) w.repo.supplies['prices.csv'] = '5';
      return 'done';
    });
    const w = await opened({ agents: { plan }, person });
    assert.equal((await run(w)).stop, 'delivered');
    assert.deepEqual([person.asked, person.told], [['H1', 'H1'], ['There is no prices.csv in your checkout yet.']]);
  });

  it('does without what they skip, as they were told, and does not call that delivered', async () => {
    const told: (readonly string[])[] = [];
    const w = await opened({ agents: { plan }, person: new FakePerson(true, (_asked, tasks) => (told.push(tasks), 'skip')) });
    const { stop, reasons } = await run(w);
    assert.deepEqual([told, stop], [[['T1']], 'failed']);
    assert.deepEqual(reasons.slice(0, 1), ['Requirement 1 (Totals) is not proven: value/total is red.']);
  });
});

describe('a crash', () => {
  it('at any append leads to the same delivery, with each effect there once', async () => {
    const whole = await opened();
    await run(whole);
    for (let crashAt = 2; crashAt <= whole.journal.events.length; crashAt += 1) {
      const w = await opened();
      w.journal.crashAt = crashAt;
      await assert.rejects(run(w), Interruption);
      const { kernel } = await again(w);
      assert.deepEqual(await loop(kernel, table), { stop: 'delivered', reasons: [] }, `crash at ${crashAt}`);
      assert.deepEqual(
        w.repo.commits.map((c) => c.message),
        whole.repo.commits.map((c) => c.message),
        `crash at ${crashAt}`,
      );
      assert.deepEqual(w.repo.files, whole.repo.files);
      assert.deepEqual(decided(kernel.state), decided(fold(whole.journal.events)), `crash at ${crashAt}`);
      assert.deepEqual(fold(w.journal.events), kernel.state);
    }
  });

  it('after crash ends too: every resume burns fuel', async () => {
    const w = await opened({ config: { maxLoopIterations: 6 } });
    w.journal.crashAt = 12;
    await assert.rejects(run(w), Interruption);
    const seen: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      const { kernel } = await again(w);
      seen.push(left(kernel.state.ledger, tank('sprint')));
    }
    assert.deepEqual(
      seen,
      seen.map((_, i) => (seen[0] ?? 0) - i),
    );
  });
});

describe('a sprint whose documents leave open what only the person can decide', () => {
  const options = [
    { answer: 'Two decimals', follows: 'as on a bill' },
    { answer: 'None', follows: 'cents are lost' },
  ];
  const raised = { weight: 'HARD', verdict: 'AMEND', document: 'PRD.md', wrong: 'Nobody says how exact.', options, recommended: 1 };
  const points = [
    { ...raised, kind: 'untestable', requirement: '1', quote: 'Totals' },
    { ...raised, kind: 'scope' },
  ];
  const approves = { vision: lensesPass, verdict: 'APPROVE' };
  const review = ({ purpose }: AskRequest): AskReply =>
    purpose.startsWith('discovery')
      ? calls(['report_document_review', { vision: lensesPass, verdict: 'AMEND', why: 'exactness', points }])
      : calls(['report_document_review', approves]);
  const reviewed = (w: World): string[] => decided(fold(w.journal.events)).filter((d) => /^(review|wait|plan|close)/.test(d));

  it('asks all of it at once before a plan is paid for, and judges words of their own once more', async () => {
    const person = new FakePerson(true, () => ({ chosen: { P1: 'One decimal' } }));
    const w = await opened({ agents: { 'review-documents': review }, person });
    assert.deepEqual(await run(w), { stop: 'delivered', reasons: [] });
    assert.deepEqual(person.asked, ['H1']);
    assert.deepEqual(reviewed(w), ['wait H1', 'review-documents', 'plan', 'close']);
    const later = w.model.asked.filter(({ purpose }) => !purpose.startsWith('discovery'));
    assert.ok(later.length > 3);
    for (const { context, messages, purpose } of later) {
      assert.match(context ?? '', /deliverableType/, purpose);
      assert.doesNotMatch(context ?? '', /unresolvedQuestions|valueProofs/, `${purpose} is told them elsewhere`);
      const [first] = messages[0]?.content ?? [];
      const told = first?.type === 'text' ? first.text : '';
      assert.match(told, /P1, PRD\.md, requirement 1, "Totals": Nobody says how exact\. The person decided: One decimal\n/, purpose);
      assert.match(told, /P2, PRD\.md: Nobody says how exact\. Assumed: Two decimals \(as on a bill\)\n?/, purpose);
    }
    const [second] = w.model.asked.filter(({ purpose }) => purpose.startsWith('review-documents'));
    assert.match(JSON.stringify(second?.messages), /since the last review: P1\./);
    assert.match(
      w.repo.closing['DELIVERY_REPORT.md'] ?? '',
      /## Decided for you\n\n- The person decided: One decimal \(P1, PRD\.md, requirement 1/,
    );
  });

  it('stops as waiting where nobody can be asked, and goes on once they answered', async () => {
    const w = await opened({ agents: { 'review-documents': review } });
    assert.equal((await run(w)).stop, 'waiting');
    assert.deepEqual(reviewed(w), ['wait H1', 'close']);
    const { kernel } = await again(w);
    await answerHumanAction(kernel, 'H1', { chosen: { P1: 'None' } });
    assert.equal((await loop(kernel, table)).stop, 'delivered');
    assert.deepEqual(reviewed(w).slice(2), ['plan', 'close']);
  });

  it('ends where the documents are rejected, and pays for no plan', async () => {
    const rejected = { vision: lensesPass, verdict: 'REJECT', why: 'no program knows next year', points: points.slice(0, 1) };
    const w = await opened({ agents: { 'review-documents': calls(['report_document_review', rejected]) } });
    const { stop, reasons } = await run(w);
    assert.equal(stop, 'failed');
    assert.match(
      reasons[0] ?? '',
      /^The documents were rejected before anything was planned: no program knows next year; PRD\.md, requirement 1, .*: Nobody says how exact\./,
    );
    assert.deepEqual(reviewed(w), ['close']);
    assert.deepEqual(fold(w.journal.events).ledger.humanActions, {}, 'nobody is asked');
  });

  describe('and that are looked at more closely', () => {
    const more = { ...raised, kind: 'scope', quote: '', wrong: 'It is two products.' };
    /** The first look raises two points, the closer one `closer`. */
    const looking =
      (closer: AskReply) =>
      ({ purpose }: AskRequest): AskReply =>
        purpose.startsWith('discovery') ? review({ purpose } as AskRequest) : closer;
    const adding = calls(['report_document_review', { vision: lensesPass, verdict: 'AMEND', why: 'two products', points: [more] }]);
    const person = () => new FakePerson(true, () => ({ chosen: { P1: 'None' } }));
    const standard = { config: { qualify: 'standard' as const } };
    const once = 'review-documents untestable, scope';

    const rows: { profile: string; config: Partial<Config>; closer: Reply; order: string[] }[] = [
      { profile: 'lean', config: {}, closer: adding, order: ['wait H1', 'plan', 'close'] },
      {
        profile: 'standard, where something was raised',
        ...standard,
        closer: adding,
        order: [once, 'wait H1', 'plan', 'review-plan', 'close'],
      },
      {
        profile: 'standard, and the closer look ends without a report',
        ...standard,
        closer: says('It is as it is.'),
        order: [once, 'wait H1', 'plan', 'review-plan', 'close'],
      },
      {
        profile: 'thorough: each lens',
        config: { qualify: 'thorough' },
        closer: calls(['report_document_review', approves]),
        order: [
          ...documentLenses.map((lens) => `review-documents ${lens}`),
          'wait H1',
          'plan',
          'review-plan',
          ...planLenses.map((lens) => `review-plan ${lens}`),
          'close',
        ],
      },
    ];
    for (const { profile, config, closer, order } of rows)
      it(`are asked about once, after the last look: ${profile}`, async () => {
        const asked = person();
        const reply = typeof closer === 'function' ? closer : looking(closer);
        const w = await opened({ agents: { 'review-documents': reply }, person: asked, config });
        assert.equal((await run(w)).stop, 'delivered');
        assert.deepEqual([reviewed(w), asked.asked], [order, ['H1']]);
      });

    it('tell a closer look what was raised and through what it looks, and ask about its points with the others', async () => {
      const w = await opened({ agents: { 'review-documents': looking(adding) }, person: person(), ...standard });
      await run(w);
      const [closer, plan] = w.model.asked
        .filter(({ purpose }) => /^(review-documents|plan)/.test(purpose))
        .map(({ messages }) => JSON.stringify(messages[0]));
      assert.match(closer ?? '', /through untestable, scope alone/);
      assert.match(closer ?? '', /- P1 \(untestable\), PRD\.md, requirement 1, .*: Nobody says how exact\.\\n- P2 \(scope\)/);
      assert.doesNotMatch(closer ?? '', /Assumed/, 'a HARD point is not settled before the person was asked');
      assert.match(plan ?? '', /P1.*The person decided: None.*P3, PRD\.md: It is two products\./);
      const { ledger } = fold(w.journal.events);
      assert.deepEqual(
        ledger.documentReviews.map((one) => [one.lenses, one.points.map(({ id }) => id)]),
        [
          [undefined, ['P1', 'P2']],
          ['untestable, scope', ['P3']],
        ],
      );
      const asked = ledger.humanActions['H1'];
      assert.ok(asked?.kind === 'choice');
      assert.deepEqual(
        asked.points.map(({ id }) => id),
        ['P1', 'P2', 'P3'],
      );
    });

    it('are not looked at more closely where nothing is raised, nor in a sprint that opened without a tank for it', async () => {
      const w = await opened(standard);
      assert.equal((await run(w)).stop, 'delivered');
      assert.deepEqual(reviewed(w), ['plan', 'review-plan', 'close']);
      const older = await opened({ agents: { 'review-documents': looking(adding) }, person: person(), ...standard });
      const [opening] = older.journal.events;
      assert.ok(opening?.type === 'run.opened');
      const { closer: _closer, ...sizes } = opening.sizes;
      older.journal.events[0] = { ...opening, sizes };
      await run(older);
      assert.deepEqual(reviewed(older), ['wait H1', 'plan', 'review-plan', 'close']);
    });

    it('end where a closer look rejects them', async () => {
      const rejecting = { vision: lensesPass, verdict: 'REJECT', why: 'no program knows next year', points: [more] };
      const w = await opened({ agents: { 'review-documents': looking(calls(['report_document_review', rejecting])) }, ...standard });
      assert.equal((await run(w)).stop, 'failed');
      assert.deepEqual(reviewed(w), [once, 'close']);
      assert.deepEqual(fold(w.journal.events).ledger.humanActions, {});
    });

    it('are asked about once, wherever it crashes', async () => {
      const given = () => ({ agents: { 'review-documents': looking(adding) }, person: person(), ...standard });
      const whole = await opened(given());
      await run(whole);
      const asking = whole.journal.events.findIndex(
        (event) => 'facts' in event && event.facts.some((f) => f.fact === 'human-action.asked'),
      );
      for (let crashAt = 2; crashAt <= asking + 4; crashAt += 1) {
        const w = await opened(given());
        w.journal.crashAt = crashAt;
        await assert.rejects(run(w), Interruption);
        const { kernel } = await again(w);
        assert.equal((await loop(kernel, table)).stop, 'delivered', `crash at ${crashAt}`);
        assert.deepEqual([reviewed(w), Object.keys(kernel.state.ledger.humanActions)], [reviewed(whole), ['H1']], `crash at ${crashAt}`);
      }
    });
  });
});
