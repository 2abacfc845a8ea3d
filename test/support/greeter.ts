/**
 * A small but complete sprint that runs in a second or two: three tasks, a real bug that turns a verification red,
 * and one file that only the person can supply. Tests replace one session of it at a time.
 */

interface Turn {
  text?: string;
  calls?: Record<string, unknown>[];
  repeat?: boolean;
}
export interface Session {
  role: string;
  purpose: string;
  turns: Turn[];
}

export const vision = `# Vision

Someone who says a name is greeted by it, politely and at once, in the words that their house uses.
`;

export const prd = `# PRD

## 1. Greeting

1.1 \`sh greet.sh NAME\` prints \`Hello, NAME!\`
1.2 without a name it prints \`Hello, world!\`
1.3 with \`--house\` the greeting's first word is the one in \`house.txt\`
`;

/** The file that the person puts into their checkout. */
export const supplied = { path: 'house.txt', text: 'Salute\n' };

export function script(id: string, { prd: ids, red, command, expect }: { prd: string; red: string; command: string; expect: string }) {
  const content = [
    '#!/usr/bin/env bash',
    `# TEST: ${id} behaves as the PRD says`,
    `# PRD: ${ids}`,
    `# RED: ${red}`,
    `out="$(${command} 2>/dev/null)"`,
    `[ "$out" = "${expect}" ] || { echo "${red}: expected '${expect}', got '$out'"; exit 1; }`,
  ].join('\n');
  return { write_verification: { path: `${id}.sh`, content } };
}

const passes = { verdict: 'PASS' };
/** Every lens passes. */
export const lensesPass = { extraction: passes, forces: passes, causality: passes, pre_mortem: passes, synthesis: passes };

/** @param more replaces parts of the review */
export const approvesDocuments = (more: Record<string, unknown> = {}) => ({
  report_document_review: { vision: lensesPass, verdict: 'APPROVE', ...more },
});

/** Discovery, which approves of Vision and PRD. @param more replaces parts of its report @param review of its review */
export const discovered = (more: Record<string, unknown> = {}, review: Record<string, unknown> = {}): Session => ({
  role: 'reasoner',
  purpose: 'discovery/',
  turns: [
    { text: 'I look at what is here.', calls: [{ bash: { command: 'ls' } }] },
    {
      calls: [
        {
          report_discovery: {
            deliverable_type: 'software',
            project_type: 'cli',
            codebase_state: 'greenfield',
            value_proofs: ['a person is greeted by their name'],
            ...more,
          },
        },
        approvesDocuments(review),
      ],
    },
  ],
});

/** A later review of Vision and PRD, which approves them. @param more replaces parts of the report */
export const judged = (more: Record<string, unknown> = {}): Session => ({
  role: 'reasoner',
  purpose: 'review-documents/',
  turns: [{ calls: [approvesDocuments(more)] }],
});

/** A point that only the person can decide, with wording for a line of `prd`. @param more replaces parts of it */
export const raised = (more: Record<string, unknown> = {}) => ({
  weight: 'HARD',
  kind: 'contradiction',
  verdict: 'AMEND',
  document: 'PRD.md',
  requirement: '1.2',
  quote: 'without a name it prints',
  wrong: 'Nobody says what an empty name is.',
  proposed: 'without a name, or with an empty one, it prints',
  options: [
    { answer: 'An empty name is none', follows: 'Both print the same' },
    { answer: 'An empty name is an error', follows: 'It exits 1' },
  ],
  recommended: 1,
  ...more,
});

/** A review would take requirement 1.3 out. */
export const unknownHouse = raised({
  kind: 'dependency',
  verdict: 'DESCOPE',
  requirement: '1.3',
  quote: 'the one in `house.txt`',
  wrong: 'Nobody has said which house it is.',
  proposed: '',
  options: [
    { answer: 'Keep it', follows: 'the file is asked for' },
    { answer: 'Leave it to a later sprint', follows: 'everyone is greeted by Hello', descopes: ['1.3'] },
  ],
  recommended: 2,
});

/** Nobody can meet it. */
export const unknowable = raised({ kind: 'infeasible', verdict: 'REJECT', wrong: 'No program knows who will come.' });

/** A review that is no approval. */
export const amending = (...points: Record<string, unknown>[]) => ({ verdict: 'AMEND', why: 'something is open', points });

const task = (id: string, description: string, more: Record<string, unknown>) => ({
  manage_task: { action: 'add', task_id: id, description, value: 'a greeting', acceptance: 'the command prints it', ...more },
});

/** What a review reports in which every lens approves of the plan. */
export const approving = {
  approves: ['craap', 'clarity', 'validate', 'connect', 'break', 'prune', 'tidy', 'blockers', 'vrc'],
  value_score: 1,
};

export const approvesPlan = { report_plan_review: approving };

export const planned = (...asks: Record<string, unknown>[]): Session => ({
  role: 'reasoner',
  purpose: 'plan/',
  turns: [
    {
      calls: [
        task('T1', 'Greet by name', { prd_section: ['1.1', 'V1'] }),
        task('T2', 'Greet the world where no name is given', { prd_section: ['1.2'], dependencies: ['T1'] }),
        task('T3', 'Use the word of the house', { prd_section: ['1.3'], dependencies: ['T1'] }),
        ...asks,
        { report_plan_complete: { summary: 'Three tasks, one of which needs a file of the person.' } },
        approvesPlan,
      ],
    },
  ],
});

/** Says once more that the plan is complete, after it was refused. */
export const completed = (summary: string) => ({ calls: [{ report_plan_complete: { summary } }, approvesPlan] });

export const planReviewed: Session = {
  role: 'reasoner',
  purpose: 'review-plan/',
  turns: [{ calls: [approvesPlan] }],
};

const askForHouse = {
  request_human_action: {
    action: 'Supply house.txt with the word of your house',
    instructions: 'Put a file house.txt with one word into the repository.',
    paths: [supplied.path],
    verification_command: 'test -s house.txt',
    blocked_task_id: 'T3',
  },
};

export const verifications = {
  name: script('cli/name', { prd: '1.1, V1', red: 'wrong greeting', command: 'sh greet.sh Ada', expect: 'Hello, Ada!' }),
  world: script('cli/world', { prd: '1.2', red: 'wrong default', command: 'sh greet.sh', expect: 'Hello, world!' }),
  house: script('cli/house', { prd: '1.3', red: 'wrong word', command: 'sh greet.sh --house Ada', expect: 'Salute, Ada!' }),
};

export const writeVerifications = (...calls: Record<string, unknown>[]): Session => ({
  role: 'qc',
  purpose: 'write-verifications/*',
  turns: [{ calls: [...calls, { report_verifications_complete: { summary: 'These verify what the PRD says.' } }], repeat: true }],
});

export const build = (id: string, ...calls: Record<string, unknown>[]): Session => ({
  role: 'builder',
  purpose: `execute/${id}`,
  turns: [
    {
      calls: [...calls, { report_task_complete: { task_id: id } }],
      repeat: true,
    },
  ],
});

const program = 'name="$1"\necho "Hello, $name!"\n';

const fix: Session = {
  role: 'fixer',
  purpose: 'fix/cli/world',
  turns: [
    { text: 'I reproduce it.', calls: [{ bash: { command: 'sh greet.sh' } }] },
    {
      calls: [
        { edit_file: { path: 'greet.sh', old_string: 'World', new_string: 'world' } },
        { report_fix: { fix_applied: 'lower case', files_changed: ['greet.sh'], reasoning: 'the PRD says world in lower case' } },
      ],
    },
  ],
};

/** A reasoner that finds no other course and never reports. */
const noOtherWay: Session = { role: 'reasoner', purpose: 'course-correct/*', turns: [{ text: 'I see no way.', repeat: true }] };

/** A reasoner that finds no better strategy and never reports. */
const noBetterWay: Session = { ...noOtherWay, purpose: 'strategy/*' };

/** A classifier that finds no shared cause. */
const nothingInCommon: Session = {
  role: 'classifier',
  purpose: 'triage/*',
  turns: [{ calls: [{ report_causes: { causes: [] } }], repeat: true }],
};

/** Research that reports that it found nothing. */
const nothingFound: Session = {
  role: 'researcher',
  purpose: 'research/*',
  turns: [
    {
      calls: [{ report_research: { found: false, topic: 'nothing', findings: 'There is nothing to look up for this.', sources: [] } }],
    },
  ],
};

const vrc: Session = {
  role: 'reasoner',
  purpose: '*vrc*',
  turns: [
    {
      calls: [
        {
          report_vrc: {
            value_score: 1,
            deliverables_verified: 4,
            deliverables_total: 4,
            recommendation: 'SHIP_READY',
            summary: 'Everyone is greeted as promised.',
          },
        },
      ],
    },
  ],
};

export const evaluation: Session = {
  role: 'evaluator',
  purpose: 'final/evaluation',
  turns: [
    { calls: [{ bash: { command: 'sh greet.sh Bob' } }] },
    {
      calls: [
        {
          report_evaluation: {
            summary: 'I ran it as its user would, with and without a name and with the word of the house.',
            assessment: { value_score: 1, recommendation: 'SHIP_READY' },
            findings: [
              {
                severity: 'polish',
                description: 'no --help',
                user_impact: 'small',
                evidence: 'sh greet.sh --help greets --help',
              },
              {
                severity: 'polish',
                description: 'no --version',
                user_impact: 'small',
                evidence: 'sh greet.sh --version greets it',
              },
            ],
          },
        },
      ],
    },
  ],
};

/** A sprint with many tasks is evaluated during the work too. */
const onTheWay: Session = { ...evaluation, purpose: 'critical-eval/work' };

export const honest: readonly Session[] = [
  discovered(),
  judged(),
  planned(askForHouse),
  planReviewed,
  writeVerifications(verifications.name, verifications.world, verifications.house),
  build('T1', { write_file: { path: 'greet.sh', content: program } }, { bash: { command: 'sh greet.sh Ada' } }),
  build('T2', { edit_file: { path: 'greet.sh', old_string: '$1', new_string: '${1:-World}' } }),
  build(
    'T3',
    { bash: { command: 'cat house.txt' } },
    {
      write_file: {
        path: 'greet.sh',
        content: [
          'word=Hello',
          '[ "$1" = --house ] && shift && word="$(cat house.txt)"',
          'name="${1:-world}"',
          'echo "$word, $name!"',
          '',
        ].join('\n'),
      },
    },
  ),
  fix,
  noOtherWay,
  noBetterWay,
  nothingInCommon,
  nothingFound,
  vrc,
  evaluation,
  onTheWay,
];

/** The honest sprint with the sessions of the same purpose replaced. */
export function withSessions(...changed: Session[]): Session[] {
  const purposes = new Set(changed.map((s) => s.purpose));
  return [...changed, ...honest.filter((s) => !purposes.has(s.purpose))];
}
