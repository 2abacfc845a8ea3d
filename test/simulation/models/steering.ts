/** The honest agents that steer a sprint: classifier, researcher, course corrector, strategist, reviewers of plan and suite. */
import { contradicting } from '../brief.ts';
import { featuresIn, has, type Answer, type Call, type Program, type Turn } from './turn.ts';

/** Groups verifications by feature: those of one feature have one cause. */
export const causes: Program = (turn) => {
  const ids = failing(turn);
  const groups = turn.brief.features.map((f) => ids.filter((id) => featuresIn(turn, id).includes(f))).filter((g) => g.length > 1);
  return [['report_causes', { causes: groups.map((verifications) => ({ cause: 'one feature has another value', verifications })) }]];
};

/** The ids of the failing verifications in a classifier's prompt. */
export function failing({ prompt }: Turn): string[] {
  const heads = [...prompt.matchAll(/^### ([a-z0-9_/-]+):/gm)].map(([, id = '']) => id);
  const also = [...prompt.matchAll(/^With the same cause \(.*\): (.*)$/gm)].flatMap(([, ids = '']) => ids.split(', '));
  return [...new Set([...heads, ...also])];
}

export const research: Program = (turn) => {
  const { random, scenario, brief } = turn;
  const found = !random.chance(0.4 + scenario.errorRate);
  const features = featuresIn(turn, turn.prompt);
  const says = (features.length > 0 ? features : brief.features).map((f) => `${f.name} is ${f.value}`).join(', ');
  return [['report_research', { found, topic: 'its value', findings: `The documents say that ${says}.`, sources: [] }]];
};

/** Makes a pending task smaller or clearer; otherwise doubts a verification, or asks the person. */
export const correct: Program = (turn) => {
  const { random, scenario, done, prompt } = turn;
  const refused = done.filter((d) => d.tool === 'report_course_correction' && !d.ok).length;
  const pending = pendingIn(prompt);
  const wrong = contradictedIn(turn);
  const [task] = pending;
  if (refused === 0 && task && random.chance(scenario.errorRate)) return [correction('descope', { task_id: task.id })];
  if (refused === 0 && task) return [...changes(turn, task), correction('restructure', {})];
  const [doubted] = wrong.slice(refused);
  if (doubted !== undefined && refused < 3) return [correction('rewrite_verifications', { verifications: [doubted] })];
  if (refused < 5 && !prompt.includes('The person says'))
    return [correction('escalate', { question: `What are the features to be (${refused})?` })];
  return [];
};

/** Blocked verifications that expect something else than the PRD, and verifications that right fixes broke. */
function contradictedIn({ prompt, brief }: Turn): string[] {
  const issues = prompt.matchAll(/^## (\S+) is blocked\n[^#]*?expected (\w+) to be (\d+), got/gm);
  const wrong = [...issues].flatMap(([, id = '', name, value]) =>
    brief.features.some((f) => f.name === name && String(f.value) !== value) ? [id] : [],
  );
  const inTheWay = [...prompt.matchAll(/ broke (value\/\w+)/g)].map(([, id = '']) => id);
  return [...new Set([...wrong, ...inTheWay])];
}

export interface Pending {
  id: string;
  description: string;
  serves: string[];
}

export function pendingIn(prompt: string): Pending[] {
  const lines = prompt.matchAll(/^- \[ \] \*\*(\S+)\*\* (.*)\n(?: {2}- Value: .*\n)? {2}- Serves: (.*)$/gm);
  return [...lines].map(([, id = '', description = '', serves = '']) => ({ id, description, serves: serves.split(', ') }));
}

function changes({ random }: Turn, { id, description, serves }: Pending): Call[] {
  if (random.chance(0.5) || id.length > 20)
    return [['manage_task', { action: 'modify', task_id: id, acceptance: 'It has its value, and the rest is as it was.' }]];
  const heir = `${id}r`;
  return [
    [
      'manage_task',
      {
        action: 'add',
        task_id: heir,
        description: `Give ${description.split(',')[0]} just the value of the PRD, then ${description}`,
        value: 'The clerk sees it',
        prd_section: serves,
        acceptance: 'It has its value.',
      },
    ],
    ['manage_task', { action: 'remove', task_id: id, replaced_by: [heir], reason: 'a smaller step' }],
  ];
}

export function correction(action: string, more: Record<string, unknown>): Call {
  const diagnosis = 'The plan took for granted that each value would be right at the first try.';
  return ['report_course_correction', { action, diagnosis, guidance: 'Read the value in the PRD and write it as it stands.', ...more }];
}

/** The change of strategy for each pattern that the monitor names. */
const strategies: readonly [pattern: RegExp, changes: Record<string, string>][] = [
  [/the same failure came back/, { fix: 'rewrite', research: 'early' }],
  [/was mended \d+ times/, { fix: 'revert', triage: 'one_by_one' }],
  [/milestones do not come/, { order: 'risk', scope: 'smallest' }],
  [/the tokens of|of the budget is spent/, { effort: 'raised', tests: 'smaller' }],
];

/** Picks a change by the pattern that is not in force yet. Without one it asks the person, and then continues unchanged. */
export const changeStrategy: Program = ({ prompt, done, random, scenario }) => {
  const [, why = ''] = /as it goes: (.*)\. Find the pattern/.exec(prompt) ?? [];
  const isInForce = ([key, value]: [string, string]): boolean => new RegExp(`^- ${key}: .*\`${value}\` \\(now\\)`, 'm').test(prompt);
  const left = strategies.filter(([, dimensions]) => !Object.entries(dimensions).every(isInForce));
  const fitting = random.chance(scenario.errorRate) ? random.shuffled(left) : left.filter(([pattern]) => pattern.test(why));
  const [next] = done.length === 0 ? fitting : [];
  if (next) return [['report_strategy', strategyInput({ changes: next[1] })]];
  if (prompt.includes('The person says')) return [['report_strategy', strategyInput({ action: 'continue' })]];
  return [['report_strategy', strategyInput({ action: 'escalate', question: 'What are the features to be?' })]];
};

export function strategyInput(more: { action?: string; changes?: Record<string, unknown>; question?: string }): Record<string, unknown> {
  const pattern = 'One feature is mended over and over.';
  return { action: 'change', pattern, rationale: 'Each change undoes what the one before mended, so another way is tried.', ...more };
}

export const reviewPlan: Program = ({ random, prompt, done }) => {
  const [, fresh = ''] = /settled: (.*)\. Look only/.exec(prompt) ?? [];
  const [id = ''] = fresh.split(', ');
  const isImproved = done.length === 0 && random.chance(0.3);
  const modify: Call = ['manage_task', { action: 'modify', task_id: id, acceptance: 'Whoever looks sees it.' }];
  return [
    ...(isImproved ? [modify] : []),
    ['report_plan_health', { summary: isImproved ? 'Said better when it is done.' : 'Nothing needed it.' }],
  ];
};

const lenses = ['craap', 'clarity', 'validate', 'connect', 'break', 'prune', 'tidy', 'blockers', 'vrc'];

/** What a review reports; its lenses by turns find something about these tasks. */
export function planReview(tasks: readonly string[]): Call {
  const findings = tasks.map((task_id, i) => ({
    lens: lenses[i % lenses.length],
    task_id,
    wrong: 'Two builders would build two things.',
    change: 'Say what is seen when it is done.',
  }));
  const approves = lenses.filter((one) => !findings.some((finding) => finding.lens === one));
  return ['report_plan_review', { approves, findings, value_score: 1 }];
}

/** Now and then it finds one task that says too little, and mends it; in a later look it approves. */
export const judgePlan: Program = ({ random, prompt, done }) => {
  const mended = done.filter((d) => d.tool === 'manage_task' && d.ok).map((d) => String(d.input['task_id']));
  const [task] = pendingIn(prompt);
  const isFirst = done.length === 0 && prompt.includes('Nobody has reviewed it yet');
  if (!task || !isFirst || !random.chance(0.3)) return [planReview([...new Set(mended)])];
  const modify: Call = ['manage_task', { action: 'modify', task_id: task.id, acceptance: 'Whoever looks sees it.' }];
  return [modify, planReview([task.id])];
};

/** Upholds the suite, except for the one test that contradicts a requirement. */
export const reviewSuite: Program = (turn) => {
  const { random, scenario, target, prompt } = turn;
  const isWrong = scenario.suite === 'contradicts' && prompt.includes(contradicting);
  const isMistaken = random.chance(scenario.errorRate);
  const tried = turn.done.some((d) => d.tool === 'retire_test' && !d.ok);
  if (isWrong === isMistaken || tried) return [['uphold_verification', { why: 'No requirement asks for anything else than this test.' }]];
  return [retire(target, [isWrong ? contradicting : 'test/unit_legacy'])];
};

export function retire(suite: string, files: readonly string[]): Call {
  const why = 'The PRD asks for another value than this test expects.';
  return ['retire_test', { suite, files, requirement: '1', why }];
}

/** A quick assessment from figures alone; undefined where the session can inspect the deliverable. */
export function quickAssessment(turn: Turn): Answer | undefined {
  if (has(turn, 'bash')) return undefined;
  const { random, scenario, prompt } = turn;
  const [total, verified] = [prompt.match(/^- \[[ x]\] \*\*[V\d]/gm)?.length ?? 0, prompt.match(/^- \[x\] \*\*[V\d]/gm)?.length ?? 0];
  const recommendation = random.chance(scenario.errorRate / 3) ? 'COURSE_CORRECT' : 'CONTINUE';
  const score = total === 0 ? 0 : verified / total;
  return [
    [
      'report_vrc',
      {
        value_score: score,
        deliverables_verified: verified,
        deliverables_total: total,
        gaps: [],
        recommendation,
        summary: 'From the figures.',
      },
    ],
  ];
}
