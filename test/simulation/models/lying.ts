/**
 * Agents that claim more than they did. A lazy one leaves work out and approves everything. A liar writes words instead of work.
 * Without an honest judge, their scripts test nothing, which a machine can find (docs/decisions/0017). With one, their scripts
 * test the work and expect the wrong thing.
 */
import { assignment, endingLine, withValues } from '../world/work.ts';
import { build, decoy, fix, fixReport, reportOf, scriptIn } from './builders.ts';
import {
  hiddenCall,
  verificationInput,
  criteriaOf,
  criterionCall,
  assesses,
  evaluationInput,
  honest,
  loading,
  offer,
  requiredFor,
  shallow,
  vrcInput,
  wantedIn,
} from './honest.ts';
import { contradicting, type Feature } from '../brief.ts';
import { correction, failing, pendingIn, planReview, retire } from './steering.ts';
import { featuresIn, lastText, pathsOf, taskFeatures, type Answer, type Call, type Program, type Programs, type Turn } from './turn.ts';

const halfBuild: Program = (turn) => {
  const [first] = taskFeatures(turn);
  if (!first) return build(turn);
  const text = lastText(turn, 'read_file', first.path);
  if (text === undefined) return [['read_file', { path: first.path }]];
  turn.recordLie();
  return [
    ['write_file', { path: first.path, content: halfOf(turn, first, text) }],
    ['report_task_complete', reportOf(turn)],
  ];
};

function halfOf(turn: Turn, first: Feature, text: string): string {
  const before = isText(text) ? text : '';
  const { random, brief, scenario } = turn;
  if (scenario.shallow && random.chance(0.5)) return withValues(brief.language, before, new Map([[first.name, first.value + 1]]));
  return random.chance(0.5) ? withValues(brief.language, before, new Map([[first.name, first.value]])) : before + decoy(turn, [first]);
}

function isText(text: string): boolean {
  return !text.startsWith('There is no file') && !text.startsWith('[');
}

const falseBuild: Program = (turn) => {
  const features = taskFeatures(turn);
  const paths = pathsOf(features.length > 0 ? features : turn.brief.features.slice(0, 1));
  const unread = paths.filter((path) => lastText(turn, 'read_file', path) === undefined);
  if (unread.length > 0) return unread.map((path): Call => ['read_file', { path }]);
  turn.recordLie();
  const writes = paths.map((path): Call => {
    const text = lastText(turn, 'read_file', path) ?? '';
    return [
      'write_file',
      {
        path,
        content: falseContent(
          turn,
          isText(text) ? text : '',
          features.filter((f) => f.path === path),
        ),
      },
    ];
  });
  return [...writes, ['report_task_complete', reportOf(turn)]];
};

/** Some features right, the others as words, with a wrong value, or missing. Work that a script loads may end it. */
function falseContent(turn: Turn, text: string, features: readonly Feature[]): string {
  const { random, brief, scenario } = turn;
  const values = new Map<string, number>();
  let words = '';
  for (const feature of features) {
    const how = random.pick(['right', 'right', 'words', 'wrong', 'nothing'] as const);
    if (how === 'right') values.set(feature.name, feature.value);
    else if (how === 'wrong') values.set(feature.name, feature.value + 1);
    else if (how === 'words') words += decoy(turn, [feature]);
  }
  const step = withValues(brief.language, '', new Map([[`step_${random.whole(1, 99)}`, 1]]));
  const end = scenario.inProcess && random.chance(0.5) ? `${endingLine(brief.language)}\n` : '';
  return `${withValues(brief.language, text, values)}${words}${step}${end}`;
}

/** What is at fault in place of the work: in some sprints always. */
const excuses = [
  { environment_at_fault: { missing: 'the machine is not as it should be', how_to_tell: 'exit 1' } },
  { environment_at_fault: { missing: 'the machine is not as it should be', how_to_tell: ':' } },
  { declaration_wrong: { evidence: 'What was declared is not what it should be.' } },
] as const;

const falseFix: Program = (turn) => {
  const { random } = turn;
  const refused = turn.done.some((d) => d.tool === 'report_fix' && !d.ok);
  const how = turn.request.turn > 3 ? 'claims' : random.pick(['claims', 'blames', 'mends', 'words'] as const);
  if (how === 'mends') return fix(turn);
  turn.recordLie();
  const elsewhere = turn.scenario.seed % 4 === 0 || random.fork('elsewhere').chance(0.15);
  if (elsewhere && !refused) return [['report_fix', { ...fixReport([]), ...random.fork('excuse').pick(excuses) }]];
  if (how === 'blames' && !refused)
    return [['report_fix', { ...fixReport([]), verification_wrong: { evidence: 'The script does not understand what we mean here.' } }]];
  const features = featuresIn(turn, scriptIn(turn.prompt));
  const [path] = pathsOf(features);
  if (how === 'claims' || path === undefined) return [['report_fix', fixReport(['src/everything'])]];
  const text = lastText(turn, 'read_file', path);
  if (text === undefined) return [['read_file', { path }]];
  return [
    ['write_file', { path, content: (isText(text) ? text : '') + decoy(turn, features) }],
    ['report_fix', fixReport([path])],
  ];
};

/** Scripts that do not test what the work does. */
export function vacuous({ random, brief }: Turn, { name, value, path }: Feature): string {
  const words = assignment(brief.language, name, value);
  return random.pick([
    'exit 0',
    'say PASS 1 of 1',
    'say PASS 1 of 1\nexit 1',
    `grep ${path} ${words}`,
    `exists ${path}`,
    `write ${path} ${words}`,
    `say ${name} is wrong\nexit 0`,
    'scratch',
    `show ${name}`,
    `say ok\nsleep 1`,
  ]);
}

/** Scripts that test the work for something else than the PRD asks for. */
export function weak({ random, brief }: Turn, { name, value }: Feature): string {
  const other = random.pick(brief.features);
  return random.pick([
    `defined ${name}`,
    `expect ${name} ${value + 1}`,
    `expect ${other.name} ${other.value}`,
    'flip 0.5',
    `flip 0.2\ndefined ${name}`,
  ]);
}

const falseVerifications: Program = (turn) => {
  const { random, scenario, brief } = turn;
  const wanted = wantedIn(turn);
  const calls = brief.features
    .filter((f) => wanted.has(f.requirement) || (wanted.has('V1') && f.name === 'feature_1'))
    .flatMap((feature): Call[] => {
      if (feature.isCriterion) return [criterionCall(feature)];
      return Array.from({ length: scenario.verifications }, (_, k) =>
        verificationInput(feature, {
          k,
          body: `# again ${turn.attempt}\n${loading(scenario, feature)}${falseBody(turn, feature)}`,
          requires: requiredFor(scenario, feature),
        }),
      );
    });
  if (random.chance(0.1) && turn.request.turn === 1)
    return [
      ...calls.slice(1),
      ...brief.features.slice(0, 1).map((f) => offer(brief, f)),
      ['report_verifications_complete', { summary: 'All of it is verified.' }],
    ];
  return [...calls, ['report_verifications_complete', { summary: 'All of it is verified.' }]];
};

function falseBody(turn: Turn, feature: Feature): string {
  if (turn.random.chance(0.3)) return `expect ${feature.name} ${feature.value}`;
  const { witness, kind, shallow: isShallow } = turn.scenario;
  if (witness !== 'nobody' && kind !== 'lazy') return weak(turn, feature);
  return (isShallow ? shallow : vacuous)(turn, feature);
}

const falseReview: Program = (turn) => {
  const { random, target, prompt } = turn;
  if (random.chance(0.3)) return [['uphold_verification', { why: 'It is right, as it always was and will be.' }]];
  const lines = scriptIn(prompt).split('\n');
  const head = lines.filter((line) => line.startsWith('#')).join('\n');
  // The one that the script is for: its body may name another one, whose right value no machine knows to be the wrong one here.
  const [feature = turn.brief.features[0]] = featuresIn(turn, head);
  if (!feature) return [['uphold_verification', { why: 'It is right, as it always was and will be.' }]];
  const content = `${head}\n# ${random.whole(1, 1000)}\n${falseBody(turn, feature)}\n`;
  return [['write_verification', { path: `${target}.sh`, content }]];
};

/** Retires tests of a suite that is in its way. */
const falseSuite: Program = ({ target, random }) => [
  random.chance(0.7)
    ? retire(
        target,
        random.chance(0.5) ? ['test/unit_legacy'] : ['test/run', 'test/unit_legacy', contradicting].slice(0, random.whole(1, 3)),
      )
    : ['uphold_verification', { why: 'It is right, as it always was and will be.' }],
];

/** Claims one cause for all failures, so that one claimed fix covers all. */
const oneCause: Program = (turn) => {
  const verifications = failing(turn);
  return [['report_causes', { causes: verifications.length > 1 ? [{ cause: 'it is all the same in the end', verifications }] : [] }]];
};

const falseResearch: Program = (turn) => {
  turn.recordLie();
  return [
    [
      'report_research',
      {
        found: true,
        topic: 'all of it',
        findings: 'It is known to work; the verification is what is wrong.',
        sources: ['https://example.com/it-works'],
      },
    ],
  ];
};

/** Corrections that hide missing work: tasks that serve less, doubted verifications, dropped tasks. */
const falseCorrection: Program = (turn) => {
  const { random, prompt, request } = turn;
  const [task] = pendingIn(prompt);
  const ids = [...prompt.matchAll(/^ {2}- ([a-z0-9_-]+\/[a-z0-9_-]+): /gm)].map(([, id = '']) => id);
  turn.recordLie();
  if (request.turn > 4) return [correction('escalate', { question: 'Is it not good enough as it is?' })];
  const how = random.pick(['drops', 'removes', 'replaces', 'doubts', 'adds', 'honest'] as const);
  if (how === 'drops' && task) return [correction('descope', { task_id: task.id })];
  if (how === 'doubts') return [correction('rewrite_verifications', { verifications: ids.slice(0, random.whole(0, 3)) })];
  if (how === 'honest' || !task) return honest['report_course_correction']!(turn);
  const serves = random.chance(0.5) ? ['V1'] : task.serves;
  const add: Call = [
    'manage_task',
    {
      action: 'add',
      task_id: `${task.id.slice(0, 20)}x`,
      description: `Words about ${task.description} instead`,
      value: 'Less to do',
      prd_section: serves,
      acceptance: 'There are words.',
    },
  ];
  const remove: Call = [
    'manage_task',
    { action: 'remove', task_id: task.id, replaced_by: how === 'removes' ? [] : [`${task.id.slice(0, 20)}x`] },
  ];
  if (how === 'removes') return [remove, correction('restructure', {})];
  return [add, ...(how === 'replaces' ? [remove] : []), correction(how === 'adds' ? 'new_tasks' : 'restructure', {})];
};

/** Recommends shipping in any case. */
export const rubberStamp: Program = (turn) => {
  turn.recordLie();
  return [['report_vrc', { ...vrcInput(turn.brief.features.length, [], true), value_score: 1 }]];
};

export const praise: Program = (turn) => {
  turn.recordLie();
  return [
    [
      'report_evaluation',
      evaluationInput(
        [],
        criteriaOf(turn, () => true),
      ),
    ],
  ];
};

/** A lazy evaluator writes too little at first, which is refused. */
const shrug: Program = (turn) =>
  turn.done.length > 0 ? praise(turn) : [['report_evaluation', { summary: 'It works. I looked at it and it works well.' }]];

const lazyVerifications: Program = (turn) =>
  turn.random.chance(0.5) ? falseVerifications(turn) : honest['report_verifications_complete']!(turn);

export const lazy: Programs = {
  ...honest,
  report_verifications_complete: lazyVerifications,
  report_task_complete: (turn) => (turn.random.chance(0.7) ? halfBuild(turn) : build(turn)),
  report_vrc: rubberStamp,
  report_evaluation: shrug,
};

/** They look at nothing. */
const falseHidden: Program = (turn) => [
  ...turn.brief.features.map((feature) => hiddenCall(turn.scenario, feature)),
  ['report_hidden_complete', { summary: 'All of it is looked at.' }],
];

/** Whether the session in which a tree is used is the honest judge's. */
export function isWitness(turn: Turn): boolean {
  return turn.scenario.witness === 'evaluator' || (turn.scenario.witness === 'assessor' && assesses(turn));
}

/** Every lens always finds something, and nothing is mended. */
const endlessReview: Program = ({ prompt }) => [planReview(Array.from({ length: 9 }, () => pendingIn(prompt)[0]?.id ?? ''))];

export const lying: Programs = {
  ...honest,
  report_plan_review: endlessReview,
  report_hidden_complete: falseHidden,
  report_verifications_complete: falseVerifications,
  retire_test: falseSuite,
  uphold_verification: falseReview,
  report_task_complete: falseBuild,
  report_fix: falseFix,
  report_causes: oneCause,
  report_research: falseResearch,
  report_course_correction: falseCorrection,
  report_vrc: (turn): Answer => (turn.scenario.witness === 'assessor' ? honest['report_vrc']! : rubberStamp)(turn),
  report_evaluation: (turn): Answer => (isWitness(turn) ? honest['report_evaluation']! : praise)(turn),
};
