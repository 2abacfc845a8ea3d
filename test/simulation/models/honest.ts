/** The honest agents, by the tool that ends their session. */
import { contradicting, type Brief, type Feature } from '../brief.ts';
import type { Random } from '../random.ts';
import { assignment } from '../world/work.ts';
import { askFor, build, expectedIn, fix, misdeclared, scriptIn } from './builders.ts';
import type { Scenario } from '../scenario.ts';
import {
  causes,
  changeStrategy,
  correct,
  judgePlan,
  planReview,
  quickAssessment,
  research,
  retire,
  reviewPlan,
  reviewSuite,
} from './steering.ts';
import { featuresIn, has, type Answer, type Call, type Program, type Programs, type Turn } from './turn.ts';

/** It finds out, and then judges the documents, in one reply or in two. */
const discover: Program = (turn) => {
  const { random, done } = turn;
  const isFound = done.some(({ tool, ok }) => ok && tool === 'report_discovery');
  if (isFound) return judgeDocuments(turn);
  return [...found(turn), ...(random.chance(0.9) ? judgeDocuments(turn) : [])];
};

export const found: Program = ({ scenario, brief }) => [
  [
    'report_discovery',
    {
      deliverable_type: 'software',
      project_type: 'cli',
      codebase_state: scenario.brownfield ? 'brownfield' : 'greenfield',
      install: '',
      value_proofs: ['The clerk sees feature_1'],
      services: servicesIn(scenario),
      suites: scenario.suite === 'none' ? [] : [{ name: 'unit', command: 'sh test/run', files: ['test/run', 'test/**'] }],
      needs: brief.needs.map((what) => ({ what, why: 'The first feature is worked out with it', required_by: ['1'] })),
    },
  ],
];

/** The name of the service that verifications of the first feature require. */
const service = 'api';

function servicesIn({ service: kind }: Scenario): unknown[] {
  if (kind === 'none') return [];
  const commands = { steady: 'works', dying: 'works', built: 'defined feature_1', misdeclared };
  const start = kind === 'external' ? { compose: service, file: 'compose.yaml' } : { command: commands[kind] };
  return [serviceWith(start)];
}

function serviceWith(start: Record<string, string>): unknown {
  return { name: service, start, ready: { command: `ask ${service}` }, limit: 5 };
}

/** QC, asked whether a declaration is wrong: only that of one service ever is. */
const reviewDeclaration: Program = ({ prompt }) =>
  prompt.includes(`"command": "${misdeclared}"`)
    ? [['amend_declaration', { services: [serviceWith({ command: 'works' })], why: 'I started it, and it comes up with works alone.' }]]
    : [['uphold_declaration', { why: 'I tried what is declared, and it is so.' }]];

const passes = { verdict: 'PASS' };
export const lenses = { extraction: passes, forces: passes, causality: passes, pre_mortem: passes, synthesis: passes };

/** Now and then it asks, where somebody answers. What they say in words of their own is judged once more, and found good. */
const judgeDocuments: Program = ({ random, scenario, prompt, target, brief }) => {
  if (scenario.hopeless) return [['report_document_review', rejection]];
  const isAnswered = scenario.person !== 'absent' && scenario.person !== 'silent';
  const isFirst = target !== '' || !prompt.includes('since the last review');
  const weight = !isFirst ? 'none' : random.pick(['HARD', 'SOFT', 'out', 'none', 'none', 'none']);
  const last = brief.features.at(-1);
  if (weight === 'out' && isAnswered && last && brief.features.length > 1) return [['report_document_review', descoping(last)]];
  if (weight === 'none' || weight === 'out' || (weight === 'HARD' && !isAnswered))
    return [['report_document_review', { vision: lenses, verdict: 'APPROVE' }]];
  const point = {
    weight,
    kind: 'untestable',
    verdict: 'AMEND',
    document: 'PRD.md',
    requirement: '1',
    quote: 'feature_1',
    wrong: 'Nobody says how the clerk sees it.',
    options: [
      { answer: 'By its value', follows: 'a command shows it' },
      { answer: 'By asking', follows: 'somebody has to look' },
    ],
    recommended: 1,
  };
  return [['report_document_review', { vision: lenses, verdict: 'AMEND', why: 'It is not said how it is seen.', points: [point] }]];
};

const rejection = {
  vision: lenses,
  verdict: 'REJECT',
  why: 'No work can be both.',
  points: [
    {
      weight: 'HARD',
      kind: 'contradiction',
      verdict: 'REJECT',
      document: 'PRD.md',
      requirement: '1',
      quote: 'feature_1',
      wrong: 'The Vision asks for another value.',
      options: [
        { answer: 'As the PRD says', follows: 'the Vision is broken' },
        { answer: 'As the Vision says', follows: 'the PRD is broken' },
      ],
      recommended: 1,
    },
  ],
};

/** Recommends to take the last requirement out of the sprint. */
function descoping({ requirement, name }: Feature) {
  const point = {
    weight: 'HARD',
    kind: 'scope',
    verdict: 'DESCOPE',
    document: 'PRD.md',
    requirement,
    quote: name,
    wrong: 'No clerk asked for it.',
    options: [
      { answer: 'Without it', follows: 'the others are built', descopes: [requirement] },
      { answer: 'With it', follows: 'all are built' },
    ],
    recommended: 1,
  };
  return { vision: lenses, verdict: 'DESCOPE', why: 'One of them serves nobody.', points: [point] };
}

const plan: Program = (turn) => {
  const { brief, done } = turn;
  const added = new Set(done.filter((d) => d.tool === 'manage_task' && d.ok).map((d) => d.input['task_id']));
  const tasks = brief.tasks.filter(({ id }) => !added.has(id)).map((task): Call => ['manage_task', taskInput(task)]);
  const asks = brief.tasks.flatMap(({ id, features }) =>
    features.flatMap((f): Call[] => (f.supply === undefined ? [] : [['request_human_action', askFor(id, f.supply, f.name)]])),
  );
  const isComplete = done.some(({ tool, ok }) => ok && tool === 'report_plan_complete');
  const review = has(turn, 'report_plan_review') && turn.prompt.includes('you judge yourself') ? [planReview([])] : [];
  if (isComplete) return review;
  return [...tasks, ...asks, ['report_plan_complete', { summary: 'Each feature in its turn.' }], ...review];
};

export function taskInput({ id, features, after }: { id: string; features: readonly Feature[]; after: readonly string[] }) {
  return {
    action: 'add',
    task_id: id,
    description: features.map((f) => f.name).join(', '),
    value: 'The clerk sees it',
    // The first feature is what the value proof is about.
    prd_section: features.flatMap((f) => (f.name === 'feature_1' ? [f.requirement, 'V1'] : [f.requirement])),
    acceptance: 'It has its value.',
    dependencies: after,
  };
}

const writeVerifications: Program = (turn) => {
  const wanted = wantedIn(turn);
  const written = new Set(turn.done.filter((d) => d.ok).map((d) => String(d.input['path'] ?? d.input['id'])));
  const calls = turn.brief.features
    .filter((f) => wanted.has(f.requirement) || (wanted.has('V1') && f.name === 'feature_1'))
    .flatMap((feature): Call[] => {
      if (feature.isCriterion) return [criterionCall(feature)];
      return Array.from({ length: turn.scenario.verifications }, (_, k) => verificationCall(turn, feature, k));
    });
  const left = calls.filter(
    ([, input]) => !written.has(String((input as { path?: string; id?: string }).path ?? (input as { id?: string }).id)),
  );
  return [...(turn.done.length === 0 ? extraCalls(turn) : []), ...left, ['report_verifications_complete', { summary: 'One for each.' }]];
};

/** What QC does besides writing: it retires a test that contradicts a requirement, or offers a mutant. */
function extraCalls({ random, scenario, prompt, brief, attempt }: Turn): Call[] {
  const [first] = brief.features;
  const guarded = scenario.suite === 'contradicts' && prompt.includes('suite/unit') && random.chance(0.3);
  const calls: Call[] = guarded ? [retire('suite/unit', [contradicting])] : [];
  if (first && attempt > 1 && random.chance(0.5)) calls.push(offer(brief, first));
  return calls;
}

/** Offers a mutant that may prove a verification of the feature. @param by the number that the mutant adds to the value */
export function offer({ language }: Brief, feature: Feature, by = 3): Call {
  const { name, value, path } = feature;
  const [old_string, new_string] = [assignment(language, name, value), assignment(language, name, value + by)];
  return [
    'offer_mutant',
    { verification: pathOf(feature, 0).replace(/\.sh$/, ''), path, old_string, new_string, why: 'The clerk would see another value.' },
  ];
}

/** The requirements that a QC session has to cover; all, where the prompt names none. */
export function wantedIn({ prompt, brief }: Turn): Set<string> {
  const [, line] = /^Needed now: (.*)$/m.exec(prompt) ?? [];
  return new Set(line?.split(', ') ?? [...brief.features.map((f) => f.requirement), 'V1']);
}

function verificationCall(turn: Turn, feature: Feature, k: number): Call {
  const { random, scenario, attempt } = turn;
  const mistake = random.chance(scenario.errorRate) ? random.pick(['value', 'header'] as const) : undefined;
  const value = feature.value + (mistake === 'value' ? 1 : 0);
  const litter = random.chance(0.1) ? 'write cache.tmp here\n' : '';
  const own = scenario.shared ? `keep store.tmp ${feature.name}_${k}\n` : '';
  // It looks closer once it is told what its verifications do not see.
  const look = scenario.shallow && attempt === 1 && random.chance(0.5) ? shallow(turn, feature) : `expect ${feature.name} ${value}`;
  const body = `# round ${attempt}\n${litter}${own}${loading(scenario, feature)}${look}`;
  const requires = requiredFor(scenario, feature);
  if (scenario.config.evidence !== 'strong')
    return verificationInput(feature, { k, body, header: mistake === 'header' ? 'TITLE' : 'TEST', requires });
  // Where strong evidence is asked for, it varies: all values stand in the PRD.
  const varied = { k, body: `say $SEED\n${body}`, requires: `${requires}# VARIES: SEED\n` };
  return verificationInput(feature, { ...varied, header: mistake === 'header' ? 'TITLE' : 'TEST' });
}

/** Scripts that see that the work does something, and not what. */
export function shallow({ random, brief }: { random: Random; brief: Brief }, { name }: Feature): string {
  const other = random.pick(brief.features);
  return random.pick([
    `defined ${name}`,
    `show ${name}\ndefined ${name}`,
    `defined ${name}\ndefined ${other.name}`,
    `defined ${other.name}`,
    `show ${name}\nexit 0`,
  ]);
}

/** The line that loads the work, where verifications do that. */
export function loading({ inProcess }: Scenario, { path }: Feature): string {
  return inProcess ? `source ${path}\n` : '';
}

/** The header line with the service that a verification requires. */
export function requiredFor(scenario: Scenario, { name }: Feature): string {
  return scenario.service !== 'none' && name === 'feature_1' ? `# REQUIRES: ${service}\n` : '';
}

interface Written {
  k: number;
  body: string;
  header?: string;
  requires?: string;
}

export function verificationInput(feature: Feature, { k, body, header = 'TEST', requires = '' }: Written): Call {
  const { name, requirement } = feature;
  const prd = name === 'feature_1' && k === 0 ? '1, V1' : requirement;
  const content = `#!/bin/sh\n# ${header}: ${name} has its value\n# PRD: ${prd}\n# RED: ${name} is wrong\n${requires}${body}\n`;
  return ['write_verification', { path: pathOf(feature, k), content }];
}

function pathOf({ name }: Feature, k: number): string {
  return `value/${name}_${k + 1}.sh`;
}

export function criterionCall({ name, value, requirement }: Feature): Call {
  return [
    'write_criterion',
    {
      id: `looks/${name}`,
      prd: [requirement],
      criterion: `Whoever looks sees ${value} in ${name}.`,
      why_no_command: 'It is a matter of taste.',
    },
  ];
}

/** The second QC makes mistakes, too, and mends what failed for one. It looks at values that others look at already. */
const writeHidden: Program = (turn) => {
  const { random, scenario, brief, prompt, attempt } = turn;
  const wanted = wantedIn(turn);
  const written = new Set(turn.done.filter((d) => d.ok).map((d) => String(d.input['path'])));
  const calls = brief.features
    .filter((f) => wanted.has(f.requirement) || (wanted.has('V1') && f.name === 'feature_1') || hasFailedWrongly(prompt, f))
    .map((feature) =>
      hiddenCall(scenario, feature, random.chance(scenario.errorRate) && attempt === 1 ? feature.value + 1 : feature.value),
    );
  const left = calls.filter(([, input]) => !written.has((input as { path: string }).path));
  return [...left, ['report_hidden_complete', { summary: 'One for each, and what failed was right or is mended.' }]];
};

/** One that failed expects another value than the PRD. */
function hasFailedWrongly(prompt: string, feature: Feature): boolean {
  const [, after = ''] = prompt.split(`### ${hiddenPath(feature)}`);
  const expected = new RegExp(`expect ${feature.name} (\\d+)`).exec(after)?.[1];
  return expected !== undefined && Number(expected) !== feature.value;
}

export function hiddenCall(scenario: Scenario, feature: Feature, value?: number): Call {
  const look = value === undefined ? 'exit 0' : `expect ${feature.name} ${value}`;
  const [, input] = verificationInput(feature, { k: 0, body: look, requires: requiredFor(scenario, feature) });
  return ['write_hidden_verification', { ...(input as { content: string }), path: hiddenPath(feature) }];
}

function hiddenPath({ name }: Feature): string {
  return `second/${name}.sh`;
}

/** QC, asked about a verification that a fixer calls wrong. */
const reviewVerification: Program = (turn) => {
  const { random, scenario, target, prompt } = turn;
  const script = scriptIn(prompt);
  const isMistaken = random.chance(scenario.errorRate);
  const wrong = expectedIn(turn, script).some(({ feature, value }) => feature.value !== value);
  if (wrong === isMistaken) return [['uphold_verification', { why: 'The PRD says just that, and the deliverable differs.' }]];
  const right = expectedIn(turn, script).reduce(
    (text, { feature, value }) =>
      text.replace(`expect ${feature.name} ${value}`, `expect ${feature.name} ${feature.value + (isMistaken ? 1 : 0)}`),
    script,
  );
  return [['write_verification', { path: `${target}.sh`, content: `${right}\n` }]];
};

/** The values that the session has seen; undefined before it looked. */
function shownIn(turn: Turn): ReadonlyMap<string, string> | undefined {
  const shown = turn.done.findLast((d) => d.tool === 'bash' && d.ok)?.text;
  return shown === undefined
    ? undefined
    : new Map([...shown.matchAll(/^(\w+) is (\w+)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** The features with a wrong value, or the call that shows the values first. */
export function inspect(turn: Turn): Feature[] | Answer {
  const shown = shownIn(turn);
  if (!shown) return [['bash', { command: `show ${turn.brief.features.map((f) => f.name).join(' ')}` }]];
  return turn.brief.features.filter((f) => shown.get(f.name) !== String(f.value));
}

export function isAnswer(wrong: Feature[] | Answer): wrong is Answer {
  return Array.isArray(wrong[0]);
}

const assess: Program = (turn) => {
  const quick = quickAssessment(turn);
  if (quick) return quick;
  const wrong = inspect(turn);
  if (isAnswer(wrong)) return wrong;
  const { random, scenario, target, brief } = turn;
  const isFalseAlarm = random.chance(scenario.errorRate / 3);
  const gaps = wrong.map((f) => ({ id: f.name, description: `${f.name} is not ${f.value}`, severity: 'critical', suggested_task: f.name }));
  if (isFalseAlarm)
    gaps.push({
      id: 'taste',
      description: 'It could be nicer',
      severity: random.pick(['polish', 'degraded', 'blocking']),
      suggested_task: 'feature_1 nicer',
    });
  return [['report_vrc', vrcInput(brief.features.length, gaps, target === 'vrc' && wrong.length === 0)]];
};

export function vrcInput(total: number, gaps: readonly unknown[], ships: boolean): Record<string, unknown> {
  const verified = total - Math.min(total, gaps.length);
  return {
    value_score: verified / total,
    deliverables_verified: verified,
    deliverables_total: total,
    gaps,
    recommendation: ships ? 'SHIP_READY' : 'CONTINUE',
    summary: 'I looked at each feature.',
  };
}

const evaluate: Program = (turn) => {
  const wrong = inspect(turn);
  if (isAnswer(wrong)) return wrong;
  const { random, scenario } = turn;
  // Work of open tasks is no finding, and criteria are judged only at the end.
  const isFinal = turn.target !== 'work';
  const findings = (isFinal ? wrong : []).map((f) => findingOf(`${f.name} is not ${f.value}`, 'critical', f.name));
  if (random.chance(0.5)) findings.push(findingOf('The help is short', 'polish', ''), findingOf('Colours are dull', 'polish', ''));
  if (random.chance(scenario.errorRate / 3))
    findings.push(findingOf('It is slow', random.pick(['degraded', 'blocking']), 'feature_1 faster'));
  const criteria = isFinal ? criteriaOf(turn, (f) => !wrong.includes(f)) : [];
  return [['report_evaluation', evaluationInput(findings, criteria, wrong.length === 0)]];
};

function findingOf(description: string, severity: string, suggested: string): Record<string, unknown> {
  return {
    severity,
    description,
    user_impact: 'The clerk charges the wrong sum',
    suggested_fix: suggested,
    evidence: 'I looked.',
  };
}

/** Whether who evaluates is to assess as well. */
export function assesses({ prompt }: Turn): boolean {
  return prompt.includes('`assessment`');
}

/** The assessment counts only where it is asked for. */
export function evaluationInput(findings: readonly unknown[], criteria: readonly unknown[], ships = true): Record<string, unknown> {
  return {
    summary: 'As the clerk I looked at each feature and compared it with what the PRD says. '.repeat(2),
    findings,
    criteria,
    assessment: { value_score: ships ? 1 : 0.5, recommendation: ships ? 'SHIP_READY' : 'CONTINUE' },
  };
}

export function criteriaOf(turn: Turn, isMet: (feature: Feature) => boolean): unknown[] {
  return [...turn.prompt.matchAll(/^- ([a-z0-9_-]+\/[a-z0-9_-]+): (.*)$/gm)].map(([, id, text = '']) => {
    const [feature] = featuresIn(turn, text);
    return { id, met: feature !== undefined && isMet(feature), evidence: 'I looked at it for a while and saw it.' };
  });
}

/** The programs by the tool that ends their session. */
export const honest: Programs = {
  report_discovery: discover,
  report_document_review: judgeDocuments,
  report_plan_complete: plan,
  report_verifications_complete: writeVerifications,
  report_hidden_complete: writeHidden,
  retire_test: reviewSuite,
  uphold_verification: reviewVerification,
  uphold_declaration: reviewDeclaration,
  report_task_complete: build,
  report_fix: fix,
  report_vrc: assess,
  report_evaluation: evaluate,
  report_strategy: changeStrategy,
  report_causes: causes,
  report_research: research,
  report_course_correction: correct,
  report_plan_health: reviewPlan,
  report_plan_review: judgePlan,
};

/** The tool that identifies a session: the first one with a program. */
export function sessionOf(turn: Turn): string {
  return Object.keys(honest).find((tool) => has(turn, tool)) ?? '';
}
