/** Vision and PRD are judged before anything is planned: what a review may say, and what follows from it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { table } from '../../src/engine/actions/table.ts';
import { decide } from '../../src/engine/core/decide.ts';
import { InputError } from '../../src/engine/ground/errors.ts';
import { answerHumanAction, type Answer } from '../../src/engine/person/desk.ts';
import { choiceAbout } from '../../src/engine/render/choice-about.ts';
import { guidance } from '../../src/engine/render/guidance.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import { renderChecklist } from '../../src/engine/render/checklist.ts';
import { pointWords, settledText } from '../../src/engine/render/point-words.ts';
import { askedPoints, descopedBy, unaskedPoints } from '../../src/engine/judge/open-points.ts';
import { coverage, ending } from '../../src/engine/judge/ending.ts';
import { farewell } from '../../src/cli/run.ts';
import type { Draft } from '../../src/engine/state/events.ts';
import type { State } from '../../src/engine/state/state.ts';
import { toolsNamed } from '../../src/engine/tools/registry.ts';
import { ToolError, type Reply } from '../../src/engine/tools/tool.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { choiceOf, type Choice } from '../../src/engine/work/human-action.ts';
import { recommendedWords } from '../../src/engine/work/recommended.ts';
import type { DocumentReview, Point } from '../../src/engine/work/document-review.ts';
import { visionLenses } from '../../src/engine/work/lenses.ts';
import { world } from '../support/fakes.ts';
import { lensesPass } from '../support/greeter.ts';
import { changed, deepFreeze, refOf, Story } from './support/events.ts';
import * as p from './support/parts.ts';

const [tool] = toolsNamed(['report_document_review']);
assert.ok(tool?.kind === 'report');
const { input: schema, handle, look } = tool;

/** Discovery is done; nothing is planned. */
const read = new Story()
  .act(
    'inputs',
    { fact: 'requirements.read', requirements: [{ id: '1', title: 'Totals', text: 'Totals', line: 1, lastLine: 1 }] },
    p.gate('inputs'),
  )
  .act('discovery', p.context, p.gate('discovery')).state;
const asking = (...unresolvedQuestions: string[]): State =>
  changed(p.planned().state, (s) => {
    s.work.gates = ['inputs', 'discovery'];
    Object.assign(s.work.context ?? {}, { unresolvedQuestions });
  });

const call = (given: object, state = read): Reply =>
  handle(schema.parse({ vision: lensesPass, verdict: 'APPROVE', ...given }), {
    state: deepFreeze(structuredClone(state)),
    target: '',
    step: 's9',
    kept: refOf('kept'),
  });
const refuses = (given: object, message: RegExp | string, state?: State): void => {
  assert.throws(
    () => call(given, state),
    (error) => error instanceof ToolError && (typeof message === 'string' ? error.message === message : message.test(error.message)),
  );
};
const reviewIn = ({ facts: [fact] }: Reply): DocumentReview => {
  assert.ok(fact?.fact === 'documents.judged');
  return fact.review;
};
/** What the person is asked once a review said this. */
const asks = (reply: Reply, before: State): Choice | undefined => {
  const points = unaskedPoints(changed(before, (s) => void s.ledger.documentReviews.push(reviewIn(reply))));
  return points.length === 0 ? undefined : choiceAbout(points, 'H1');
};
const options = [
  { answer: 'Two decimals', follows: 'as in the Vision' },
  { answer: 'None', follows: 'the Vision changes' },
];
const soft = {
  weight: 'SOFT',
  kind: 'contradiction',
  verdict: 'AMEND',
  document: 'PRD.md',
  requirement: '1',
  quote: 'Totals',
  wrong: 'The Vision shows cents.',
  options,
  recommended: 2,
};
const hard = { ...soft, weight: 'HARD' };
/** Recommends to take requirement 1 out. */
const out = { ...hard, verdict: 'DESCOPE', recommended: 1, options: [{ ...options[0], descopes: ['1'] }, options[1]] };
const readTwo = changed(read, (s) => {
  s.work.requirements = ['1', '2'].map((id) => ({ id, title: 'Totals', text: 'Totals', line: 1, lastLine: 1 }));
});
const amended = { verdict: 'AMEND', why: 'cents' };

describe('report_document_review', () => {
  it('is one short call where nothing is wrong', () => {
    const reply = call({});
    assert.equal(reply.text, 'Review taken, with 0 points.');
    const passed = { verdict: 'PASS', why: '' };
    const vision = Object.fromEntries(visionLenses.map((lens) => [lens, passed]));
    assert.deepEqual(reviewIn(reply), { verdict: 'APPROVE', why: '', vision, killCriteria: [], points: [] });
  });

  it('comes after what was found out', () => {
    const unknown = changed(read, (s) => void (s.work.context = null));
    refuses({}, /Call report_discovery first, in the same reply/, unknown);
  });

  it('numbers points over all reviews, and counts options from 0', () => {
    const before = changed(read, (s) => void s.ledger.documentReviews.push(reviewIn(call({ points: [soft, soft] }))));
    const { points } = reviewIn(call({ points: [soft] }, before));
    assert.deepEqual(
      points.map(({ id, recommended, proposed }) => ({ id, recommended, proposed })),
      [{ id: 'P3', recommended: 1, proposed: '' }],
    );
  });

  for (const lens of visionLenses)
    for (const verdict of ['CONDITIONAL', 'FAIL'])
      it(`takes ${verdict} of ${lens} with its reason and a point, and nothing less`, () => {
        const on = (why: string, points: object[]) => ({ vision: { ...lensesPass, [lens]: { verdict, why } }, ...amended, points });
        const about = { ...soft, document: 'VISION.md', requirement: '' };
        for (const point of [about, soft])
          assert.equal(
            reviewIn(call(on('it is an activity', [point]))).vision[lens].verdict,
            verdict,
            'what causes it may stand in PRD.md',
          );
        refuses(on(' ', [about]), `Lens ${lens} does not pass: say why.`);
        refuses(on('it is an activity', []), /add a point about VISION\.md or PRD\.md/);
      });

  for (const verdict of ['AMEND', 'DESCOPE', 'REJECT'])
    it(`takes ${verdict} of a requirement and of the whole, with a point and a reason`, () => {
      const state = verdict === 'DESCOPE' ? readTwo : read;
      const review = reviewIn(call({ verdict, why: 'it cannot be', points: [verdict === 'DESCOPE' ? out : { ...hard, verdict }] }, state));
      assert.deepEqual([review.verdict, review.points[0]?.verdict], [verdict, verdict]);
      refuses({ verdict, why: ' ', points: [hard] }, `Say in "why" what the ${verdict} is for.`);
      refuses({ verdict, why: 'x' }, verdict === 'REJECT' ? /needs a HARD point/ : `${verdict} needs a point with what to do.`);
    });

  it('refuses to approve over a HARD point, and to reject without one', () => {
    refuses({ points: [hard] }, /so the whole is not APPROVE/);
    refuses({ verdict: 'REJECT', why: 'x', points: [soft] }, /needs a HARD point that shows what makes it impossible/);
  });

  it('refuses a requirement and an option that are not there', () => {
    refuses({ points: [{ ...soft, requirement: '9' }] }, 'Point 1: there is no requirement 9. There are: 1.');
    refuses({ points: [soft, { ...soft, recommended: 3 }] }, 'Point 2: it recommends option 3, and has 2.');
  });

  it('keeps with an option what it descopes, and nothing where it descopes nothing', () => {
    const [one] = reviewIn(call({ ...amended, points: [out] }, readTwo)).points;
    assert.deepEqual(one?.options, [{ ...options[0], descopes: ['1'] }, options[1]]);
  });

  it('refuses to take a requirement out without the person, in silence, unknown, or as the last one', () => {
    const point = (over: object) => ({ ...amended, points: [{ ...out, ...over }] });
    refuses(point({ weight: 'SOFT' }), 'Point 1: only the person takes a requirement out of a sprint, so it is HARD.', readTwo);
    refuses(point({ verdict: 'AMEND' }), 'Point 1: what it recommends descopes something, so its verdict is DESCOPE, not AMEND.', readTwo);
    refuses(point({ recommended: 2 }), /its verdict is DESCOPE, so the option that it recommends names in descopes/, readTwo);
    refuses(
      point({ options: [{ ...options[0], descopes: ['9'] }, options[1]] }),
      'Point 1: there is no requirement 9. There are: 1, 2.',
      readTwo,
    );
    refuses(
      point({ options: [out.options[0], { ...options[1], answer: out.options[0]?.answer }] }),
      /two of its options have the same/,
      readTwo,
    );
    refuses(point({}), /descopes every requirement of PRD\.md\. If nothing of it can be had, that is a REJECT/, read);
  });

  it('takes up every open question of discovery, and no other', () => {
    const state = asking('Which currency?', 'Which month?');
    const [one, two] = [
      { ...soft, kind: 'question', question: 1 },
      { ...soft, kind: 'question', question: 2 },
    ];
    assert.equal(reviewIn(call({ points: [two, one] }, state)).points.length, 2);
    refuses({ points: [one] }, /No point takes up the open question 2/, state);
    refuses({ points: [one, two, { ...soft, question: 3 }] }, 'There is no open question 3; there are 2.', state);
    refuses({ points: [two] }, 'There is no open question 2; there are 0.');
  });

  it('parses no point without a way out, no long text, no other lens', () => {
    const wrong: object[] = [
      { points: [{ ...soft, options: options.slice(1) }] },
      { points: [{ ...soft, wrong: '' }] },
      { points: [{ ...soft, wrong: 'x'.repeat(401) }] },
      { points: Array.from({ length: 13 }, () => soft) },
      { points: [{ ...soft, document: 'README.md' }] },
      { vision: { ...lensesPass, synthesis: undefined } },
      { vision: { ...lensesPass, taste: { verdict: 'PASS' } } },
    ];
    for (const given of wrong)
      assert.equal(
        schema.safeParse({ vision: lensesPass, verdict: 'APPROVE', ...given }).success,
        false,
        JSON.stringify(given).slice(0, 80),
      );
  });

  it('believes only words that stand in the document, whatever breaks its lines', async () => {
    const { ports, payloads } = world();
    const inputs = [
      { name: 'VISION.md', ref: await payloads.put('# Vision\n\nSums as `212.00`,\nalways.\n') },
      { name: 'PRD.md', ref: await payloads.put('# PRD\n\n1. Totals as 212.0\n') },
    ];
    const state = { ...read, opened: { ...read.opened, inputs } };
    const quoting = (document: string, quote: string) =>
      look?.(schema.parse({ vision: lensesPass, verdict: 'APPROVE', points: [{ ...soft, document, quote }] }), { state, ports });
    await quoting('VISION.md', 'Sums as 212.00 , always');
    await quoting('VISION.md', 'Sums as 212.00, always.');
    await quoting('PRD.md', '');
    await assert.rejects(async () => quoting('VISION.md', '212.0,'), ToolError);
    await assert.rejects(async () => quoting('PRD.md', '212.00'), /Point 1: PRD\.md does not say "212\.00"/);
  });
});

describe('what a review settled', () => {
  const judged = new Story({}).act('discovery', p.judged({ points: [p.point()], killCriteria: ['no clerk uses it'] })).state;

  it('is told to every later agent, with the kill criteria', () => {
    assert.equal(
      settledText(judged),
      '- P1, PRD.md, requirement 1, "Totals": Assumed: Two decimals. It now reads: Totals with two decimals\n' +
        '- Kill criterion of the Vision: no clerk uses it',
    );
    assert.equal(settledText(read), '');
  });

  it('is told with what the plan decided', () => {
    const { state } = new Story({}).act('plan', { fact: 'gate.passed', gate: 'plan', decided: ['An import always asks'] });
    assert.equal(settledText(state), '- By the plan: An import always asks');
  });

  it('stands on the first page of the report', () => {
    const [head = '', ...sections] = renderReport(judged).split('\n## ');
    assert.match(head, /Decided for you:\*\* Assumed: Totals with two decimals \(P1, PRD\.md, requirement 1, "Totals"\)$/m);
    assert.match(sections.join(), /- Assumed: Totals with two decimals \(P1.*\)\n {2}- The answer: Two decimals\n/);
  });

  it('replaces the questions that discovery left open', () => {
    const open = asking('Which currency?');
    assert.match(guidance(open), /Which currency\?/);
    assert.doesNotMatch(guidance(changed(open, (s) => void s.ledger.documentReviews.push(reviewIn(call({}))))), /Which currency/);
  });

  it('ends the sprint with its reason where it rejects the whole', () => {
    const rejecting = p.judged({ verdict: 'REJECT', why: 'No program decides that.', points: [p.point({ weight: 'HARD' })] });
    const { stop, reasons } = ending(new Story().act('review-documents', rejecting, { fact: 'requirements.read', requirements: [] }).state);
    assert.equal(stop, 'failed');
    assert.equal(
      reasons[0],
      'The documents were rejected before anything was planned: No program decides that; PRD.md, requirement 1, "Totals": The Vision shows cents, the PRD does not. Change them, and begin anew.',
    );
  });
});

describe('what only the person can decide', () => {
  /** Discovery is done, and the review raised these points. */
  const after = (points: Point[], id = 'H1') =>
    new Story()
      .act('inputs', p.gate('inputs'))
      .act('discovery', p.gate('discovery'))
      .act('review-documents', p.judged({ verdict: 'AMEND', why: 'cents', points }), {
        fact: 'human-action.asked',
        humanAction: choiceOf({ id, action: 'Decide', instructions: '' }, askedPoints(points)),
      });
  const hardPoint = p.point({ weight: 'HARD' });
  const softPoint = p.point({ id: 'P2' });
  const chosen = (words: string): Fact => ({ fact: 'human-action.answered', id: 'H1', answer: 'done', chosen: { P1: words } });

  it('is asked in one human action, with the questions of discovery, and never without a HARD point', () => {
    const question = { ...soft, kind: 'question', question: 1 };
    const open = asking('Which currency?');
    const asked = asks(call({ ...amended, points: [hard, question, soft, hard] }, open), open);
    assert.ok(asked);
    assert.deepEqual(
      asked.points.map(({ id }) => id),
      ['P1', 'P2', 'P4'],
    );
    assert.equal(asked.action, 'Decide 3 points that your documents leave open');
    assert.match(
      asked.instructions,
      /^P1 \(only you can decide it\), PRD\.md, requirement 1, "Totals": .*\n {3}1\. Two decimals: .*\n {3}2\. None \(recommended\): /,
    );
    assert.equal(asks(call({ ...amended, points: [question, soft] }, open), open), undefined);
  });

  it('is asked once, and with it no question of an earlier review', () => {
    const question = { ...soft, kind: 'question', question: 1 };
    const open = asking('Which currency?');
    const before = changed(open, (s) => void s.ledger.documentReviews.push(reviewIn(call({ ...amended, points: [question] }, open))));
    const asked = asks(call({ ...amended, points: [hard] }, before), before);
    assert.deepEqual(
      asked?.points.map(({ id }) => id),
      ['P2'],
    );
    const { state } = after([hardPoint]);
    assert.deepEqual(unaskedPoints(state), []);
  });

  const answers: { when: string; said: Fact[]; next: string; settled: RegExp }[] = [
    {
      when: 'nobody answered',
      said: [],
      next: 'wait',
      settled: /^- P2.*Assumed: Two decimals\. It now reads: Totals with two decimals$/,
    },
    {
      when: 'an option is chosen',
      said: [chosen('None')],
      next: 'plan',
      settled: /^- P1.*The person decided: None \(the Vision’s example changes\)\n- P2/,
    },
    { when: 'they say it in their own words', said: [chosen('One decimal')], next: 'review-documents', settled: /decided: One decimal/ },
    {
      when: 'Loop shall decide',
      said: [
        { fact: 'human-action.answered', id: 'H1', answer: 'skip' },
        { fact: 'human-action.skipped', id: 'H1' },
      ],
      next: 'plan',
      settled: /^- P1.*Assumed: Two decimals\. It now reads: .*\n/,
    },
    {
      when: 'their own words were judged',
      said: [chosen('One decimal'), p.judged()],
      next: 'plan',
      settled: /^- P1.*The person decided: One decimal/,
    },
  ];
  for (const { when, said, next, settled } of answers)
    it(`decides for ${next} when ${when}`, () => {
      const { state } = after([hardPoint, softPoint]).act('wait', ...said);
      assert.equal(decide(state, table).action, next);
      assert.match(settledText(state), settled);
    });

  it('is judged three times at most; then it is planned by their words', () => {
    const { state } = after([hardPoint]).act('wait', chosen('One decimal'));
    const spent = changed(state, (s) => void (s.ledger.burned.documents[''] = 3));
    assert.equal(decide(spent, table).action, 'plan');
    assert.equal(
      decide(state, table).burns.some(({ kind }) => kind === 'documents'),
      true,
    );
  });

  it('stops the sprint as waiting where nobody can be asked', () => {
    const { state } = after([hardPoint]).act('wait', { fact: 'human-action.unattended', id: 'H1' });
    assert.equal(decide(state, table).action, 'close');
    assert.equal(ending(state).stop, 'waiting');
  });

  const refused: [what: string, answer: Answer][] = [
    ['done', 'done'],
    ['words for all of it', { said: 'as you like' }],
    ['a point that it does not ask about', { chosen: { P9: 'None' } }],
    ['an empty answer', { chosen: { P1: ' ' } }],
  ];
  for (const [what, answer] of refused)
    it(`is not answered by ${what}`, async () => {
      const { state } = after([hardPoint]);
      const append = () => Promise.reject(new Error('it was recorded'));
      await assert.rejects(answerHumanAction({ state, append }, 'H1', answer), InputError);
    });
});

describe('a requirement that the person takes out', () => {
  const point = p.point({
    weight: 'HARD',
    verdict: 'DESCOPE',
    wrong: 'It is a second product.',
    options: [
      { answer: 'Leave it out', follows: 'only the total is built', descopes: ['2', 'V1'] },
      { answer: 'Keep it', follows: 'both are built' },
      { answer: 'Leave all out', follows: 'nothing is left', descopes: ['1', '2'] },
    ],
  });
  const requirement = (id: string, line: number) => ({ id, title: `Title ${id}`, text: '', line, lastLine: line });
  const asked = () =>
    new Story()
      .act('inputs', { fact: 'requirements.read', requirements: [requirement('1', 3), requirement('2', 4)] }, p.gate('inputs'))
      .act('discovery', { fact: 'requirements.read', requirements: [requirement('V1', 0)] }, p.gate('discovery'))
      .act('review-documents', p.judged({ verdict: 'DESCOPE', why: 'two products', points: [point] }), {
        fact: 'human-action.asked',
        humanAction: choiceOf({ id: 'H1', action: 'Decide', instructions: '' }, [point]),
      });
  /** The facts that the desk records of an answer, and the state after it. */
  const answered = async (answer: Answer): Promise<{ facts: Fact[]; state: State }> => {
    const story = asked();
    let facts: Fact[] = [];
    const append = (draft: Draft) => {
      if (draft.type === 'person.said') facts = draft.facts;
      return Promise.resolve();
    };
    await answerHumanAction({ state: story.state, append }, 'H1', answer);
    const skipped: Fact[] = answer === 'skip' ? [{ fact: 'human-action.skipped', id: 'H1' }] : [];
    return { facts, state: story.act('wait', ...facts, ...skipped).state };
  };
  const ids = ({ work }: State) => [work.requirements, work.descoped.map((one) => one.requirement)].map((all) => all.map(({ id }) => id));

  const answers: { when: string; answer: Answer; descoped: string[]; chosen?: boolean }[] = [
    { when: 'by the option that says so', answer: { chosen: { P1: 'Leave it out' } }, descoped: ['2', 'V1'], chosen: true },
    { when: 'where they leave the point to Loop, which recommended it', answer: { chosen: {} }, descoped: ['2', 'V1'], chosen: false },
    { when: 'where they leave all to Loop', answer: 'skip', descoped: ['2', 'V1'], chosen: false },
    { when: 'not by another option', answer: { chosen: { P1: 'Keep it' } }, descoped: [] },
    { when: 'not by words of their own', answer: { chosen: { P1: 'Leave out 2, I think' } }, descoped: [] },
  ];
  for (const { when, answer, descoped, chosen } of answers)
    it(`leaves the sprint ${when}`, async () => {
      const { facts, state } = await answered(answer);
      assert.deepEqual(
        facts.slice(1),
        descoped.map((id) => ({ fact: 'requirement.descoped', id, why: 'It is a second product.', chosen })),
      );
      assert.deepEqual(ids(state), [['1', '2', 'V1'].filter((id) => !descoped.includes(id)), descoped]);
      assert.deepEqual(
        coverage(state).map((one) => one.requirement.id),
        ['1', '2', 'V1'].filter((id) => !descoped.includes(id)),
      );
    });

  it('is never the last one of PRD.md', async () => {
    await assert.rejects(answered({ chosen: { P1: 'Leave all out' } }), (error) => {
      return error instanceof InputError && error.message.startsWith('These answers descope every requirement of PRD.md');
    });
  });

  it('stays in a sprint whose review named nothing that its options take out, as older ones do', () => {
    const older = choiceOf({ id: 'H1', action: 'Decide', instructions: '' }, [p.point({ weight: 'HARD', verdict: 'DESCOPE' })]);
    assert.deepEqual([descopedBy(older, {}), descopedBy(older, { P1: 'Two decimals' })], [[], []]);
  });

  it('stays until they answer, whatever was recommended', () => assert.deepEqual(ids(asked().state), [['1', '2', 'V1'], []]));

  it('is named before they answer, and told to every later agent', async () => {
    assert.equal(
      asks(call({ ...amended, points: [out] }, readTwo), readTwo)?.action,
      'Decide 1 point that your documents leave open; what is recommended descopes 1',
    );
    assert.equal(recommendedWords(point), 'Leave it out. Descopes 2, V1.');
    assert.match(pointWords(point), /1\. Leave it out \(recommended\): only the total is built\. Descopes 2, V1\.$/m);
    const { state } = await answered({ chosen: { P1: 'Leave it out' } });
    assert.match(settledText(state), /The person decided: Leave it out \(only the total is built\)\. Descoped: 2, V1$/);
  });

  it('needs no task, no verification and no value: the sprint is delivered, and says first without what', () => {
    const { state } = p.delivered();
    const more = changed(state, (s) => {
      s.work.descoped = [{ requirement: requirement('2', 4), why: 'It is a second product.', chosen: true }];
    });
    assert.deepEqual(ending(more), { stop: 'delivered', reasons: [] });
    const report = renderReport(more);
    assert.match(report, /^Delivered, without 2 \(descoped by you: It is a second product\)\. 2 of 2 requirements/m);
    assert.match(report, /^- \[-\] \*\*2\*\* Title 2\n {2}- descoped by you: It is a second product$/m);
    assert.match(renderChecklist(more), /^- \[-\] \*\*2\*\* Title 2$/m);
    const loose = changed(more, (s) => void Object.assign(s.work.descoped[0] ?? {}, { chosen: false }));
    assert.match(renderReport(loose), /^Delivered, without 2 \(descoped, as you let Loop decide: /m);
    assert.match(renderReport(changed(more, (s) => void (s.work.results = {}))), /^Not delivered.* It is without 2 \(descoped by you: /m);
    assert.match(farewell({ ...more, stopped: { stop: 'delivered', reasons: [] } }, 'sprint').join('\n'), /^DELIVERED, without 2 \(/m);
  });
});
