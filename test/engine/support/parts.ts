/** Parts of a small sprint (a command that prints totals), and its stories from planned to delivered. */
import type { Criterion, Run, Script, Suite } from '../../../src/engine/work/verification.ts';
import type { Evaluation, Vrc } from '../../../src/engine/work/assessment.ts';
import type { DocumentReview, Point } from '../../../src/engine/work/document-review.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { choiceOf, deedOf, questionOf, type Choice, type Deed, type HumanAction } from '../../../src/engine/work/human-action.ts';
import type { Task } from '../../../src/engine/work/task.ts';
import type { Author, Change, Settled } from '../../../src/engine/work/tree.ts';
import { refOf, Story } from './events.ts';

export function task(over: Partial<Task> = {}): Task {
  return {
    id: 'T1',
    status: 'pending',
    source: 'plan',
    description: 'Print the total of an order',
    value: 'The clerk sees what to charge',
    prdSection: ['1'],
    acceptance: 'total 2 3 prints 5',
    dependencies: [],
    phase: 'core',
    filesExpected: ['total.sh'],
    ...over,
  };
}

export function verification(over: Partial<Script> = {}): Script {
  return {
    id: 'value/total',
    lineage: 'value/total',
    kind: 'script',
    by: 'qc',
    title: 'the total is printed',
    category: 'value',
    ext: 'sh',
    script: refOf('script of value/total'),
    prd: ['1'],
    red: 'wrong total',
    requires: [],
    tier: 'value',
    timeout: 60,
    varies: false,
    ...over,
  };
}

export function criterion(over: Partial<Criterion> = {}): Criterion {
  const id = 'value/tone';
  const named = { id, lineage: id, title: 'the tone is kind', category: 'value', ext: 'md', script: refOf('script of value/total') };
  return { ...named, kind: 'criterion', prd: ['V1'], ...over };
}

/** The repository's own tests from before the sprint, as a suite. */
export function suite(over: Partial<Suite> = {}): Suite {
  const id = 'suite/unit';
  const named = {
    id,
    lineage: id,
    title: 'what was green before the sprint still is: npm test',
    category: 'suite',
    ext: 'sh',
    script: refOf('npm test'),
  };
  return { ...named, kind: 'suite', suite: 'unit', files: ['test/**'], without: [], timeout: 60, ...over };
}

export function run(over: Partial<Run> = {}): Run {
  const red = over.verdict === 'red' || over.verdict === 'flaky';
  return {
    verification: 'value/total',
    lineage: 'value/total',
    script: verification().script,
    n: 1,
    where: 'tree',
    code: 0,
    exit: red ? 1 : 0,
    timedOut: false,
    duration: 12,
    output: refOf('output'),
    excerpt: 'output',
    verdict: 'green',
    redSeen: red,
    ...(red ? { kind: 'test_failure' as const } : {}),
    summary: red ? 'test failure, exit status 1\nwrong total' : '',
    signature: red ? 'test_failure-1' : '',
    ...over,
  };
}

export const byTask = { kind: 'task', task: 'T1' } satisfies Author;
export const byFix = { kind: 'fix', lineage: 'value/total', verification: 'value/total', also: [] } satisfies Author;

export function change(over: Partial<Change> = {}): Change {
  return { n: 1, author: byTask, step: 's1', files: [{ path: 'total.sh', kind: 'added' }], patch: refOf('patch'), ...over };
}

export function settled(over: Partial<Settled> = {}): Settled {
  const { author, step, files, patch } = change();
  return { code: 1, commit: 'c1', author, step, files, patch, ...over };
}

export function humanAction(over: Partial<Deed> = {}): Deed {
  const what = { id: 'H1', action: 'Put prices.csv there', instructions: 'Export it from the till.', task: 'T1' };
  return { ...deedOf({ ...what, paths: ['prices.csv'] }), ...over };
}

/** A question to the person: a hint when it names lineages, advice otherwise. */
export function asked(lineages: readonly string[] = [], over: Partial<Pick<HumanAction, 'id' | 'status' | 'task'>> = {}): HumanAction {
  return { ...questionOf({ id: 'H1', action: 'Say what you know', instructions: 'A word is enough.' }, lineages), ...over };
}

export function vrc(over: Partial<Vrc> = {}): Vrc {
  return {
    code: 1,
    scope: 'final',
    fallback: false,
    valueScore: 1,
    verified: 2,
    total: 2,
    blocked: 0,
    gaps: [],
    recommendation: 'SHIP_READY',
    summary: 'All of it is there.',
    ...over,
  };
}

export function evaluation(over: Partial<Evaluation> = {}): Evaluation {
  const criteria = [{ verification: 'value/tone', met: true, evidence: 'I read the greeting: it is kind.' }];
  return { code: 1, scope: 'final', fallback: false, findings: [], criteria, summary: 'I used it.', howToUse: [], ...over };
}

export const report = { verified: 'ran it', notes: '' };

export const context: Fact = {
  fact: 'context.discovered',
  context: {
    deliverableType: 'software',
    projectType: 'cli',
    codebaseState: 'greenfield',
    environment: {},
    verificationStrategy: {},
    install: '',
    suites: [],
    services: [],
    needs: [],
    valueProofs: ['The greeting is kind'],
    unresolvedQuestions: [],
  },
};
const stated: Fact = { fact: 'requirements.read', requirements: [{ id: '1', title: 'Totals', text: 'Totals', line: 3, lastLine: 3 }] };
const promised: Fact = {
  fact: 'requirements.read',
  requirements: [{ id: 'V1', title: 'The greeting is kind', text: 'The greeting is kind', line: 0, lastLine: 0 }],
};
export const revertProof: Fact = {
  fact: 'verification.proven',
  proof: {
    lineage: 'value/total',
    script: verification().script,
    kind: 'revert',
    code: 1,
    outcome: 'red',
    why: 'it fails without the work',
  },
};
export const controlProof: Fact = {
  fact: 'verification.proven',
  proof: {
    lineage: 'value/total',
    script: verification().script,
    kind: 'control',
    code: 1,
    outcome: 'red',
    why: 'it goes by what the work does',
  },
};

/** A review of Vision and PRD that approves them. */
export function judged(over: Partial<DocumentReview> = {}): Fact {
  const lens = { verdict: 'PASS' as const, why: '' };
  const vision = { extraction: lens, forces: lens, causality: lens, pre_mortem: lens, synthesis: lens };
  return { fact: 'documents.judged', review: { verdict: 'APPROVE', why: '', vision, killCriteria: [], points: [], ...over } };
}

/** Two requirements that do not say the same. */
export function point(over: Partial<Point> = {}): Point {
  return {
    id: 'P1',
    weight: 'SOFT',
    kind: 'contradiction',
    verdict: 'AMEND',
    document: 'PRD.md',
    requirement: '1',
    quote: 'Totals',
    wrong: 'The Vision shows cents, the PRD does not.',
    proposed: 'Totals with two decimals',
    options: [
      { answer: 'Two decimals', follows: 'as in the Vision' },
      { answer: 'None', follows: 'the Vision’s example changes' },
    ],
    recommended: 0,
    ...over,
  };
}

/** The person is asked about three points. */
export function choice(over: Partial<Choice> = {}): Choice {
  const points = ['P1', 'P2', 'P3'].map((id) => point({ id, weight: 'HARD' }));
  return { ...choiceOf({ id: 'H1', action: 'Decide 3 points', instructions: '' }, points), ...over };
}

export function gate(name: 'inputs' | 'discovery' | 'plan' | 'prepare'): Fact {
  return { fact: 'gate.passed', gate: name };
}

/** A review of the plan in which every lens approves. */
export const approved: Fact = { fact: 'plan.judged', review: { findings: [], value: 1 } };

/** Vision and PRD are read, and what is to be delivered is known: plan is due. */
export function discovered(story = new Story()): Story {
  return story.act('inputs', stated, gate('inputs')).act('discovery', context, promised, gate('discovery'));
}

/** Qualified, with one task and no verifications yet: write-verifications is due. */
export function planned(story = new Story()): Story {
  return discovered(story)
    .act('plan', { fact: 'task.added', task: task() }, gate('plan'), { fact: 'fuel.sized', sprint: 55, mint: 1, evaluation: 5 }, approved)
    .act('prepare', gate('prepare'));
}

/** The verifications are written and were red on the base: execute is due. */
export function awaiting(story = planned()): Story {
  return story
    .act(
      'write-verifications',
      { fact: 'verification.written', verification: verification() },
      { fact: 'verification.written', verification: criterion() },
    )
    .act('run-verifications', { fact: 'verification.ran', run: run({ verdict: 'red' }) });
}

/** The task was built and reported: a change is open, and settle is due. */
export function built(story = awaiting()): Story {
  story.begin('execute', 'T1', ['execute/T1']);
  const step = story.state.open?.id ?? '';
  return story.end({ fact: 'task.reported', id: 'T1', report }, { fact: 'tree.changed', change: change({ step }) });
}

/** Settled as code 1 and green. The red run was before the work's file existed, so prove is due. */
export function green(story = built()): Story {
  const { step } = story.state.work.tree.change ?? change();
  const ran: Fact = { fact: 'verification.ran', run: run({ n: 2, code: 1 }) };
  return story.act('settle', { fact: 'tree.settled', settled: settled({ step }) }, ran);
}

/** Proven by reverting the work: final is due. */
export function proven(story = green()): Story {
  const ran: Fact = { fact: 'verification.ran', run: run({ n: 3, where: 'revert', code: null, verdict: 'red' }) };
  return story.act('prove', controlProof, ran, revertProof);
}

/** What an evaluator adds who assesses as well. */
export const assessment = { value_score: 1, recommendation: 'SHIP_READY' };

/** Has everything that a delivery needs; close is due. */
export function delivered(story = proven()): Story {
  const clean = { code: 1, why: '' };
  return story
    .act('final', { fact: 'verification.ran', run: run({ n: 4, where: 'clean', code: 1 }) }, { fact: 'clean.ran', clean })
    .act('final', { fact: 'vrc.reported', vrc: vrc() })
    .act('final', { fact: 'evaluation.reported', evaluation: evaluation() });
}
