/** A sprint whose fifteen verifications need one service, a server that greets by name, and parts to make that server fail. */
import { approvesDocuments, approvesPlan, build, type Session, withSessions, writeVerifications } from './greeter.ts';

/** An argument in the command line of each of the service's processes, to find them; other test files have it beside this one. */
export const mark = `the-greeting-service-of-${process.pid}.`;

/** The service that discovery reports. */
export const api = {
  name: 'api',
  start: { command: `exec node server.js ${mark}` },
  ready: { http: 'http://127.0.0.1:$PORT/health' },
  limit: 5,
};

export const discovery = (...services: Record<string, unknown>[]): Session => ({
  role: 'reasoner',
  purpose: 'discovery/',
  turns: [
    {
      calls: [
        {
          report_discovery: {
            deliverable_type: 'software',
            project_type: 'api',
            codebase_state: 'greenfield',
            services,
            value_proofs: ['a person is greeted by their name'],
          },
        },
        approvesDocuments(),
      ],
    },
  ],
});

const names = [
  'Ada',
  'Grace',
  'Alan',
  'Edsger',
  'Barbara',
  'Donald',
  'Frances',
  'John',
  'Jean',
  'Kathleen',
  'Leslie',
  'Margaret',
  'Niklaus',
  'Radia',
  'Tony',
];

/** A verification that one name is greeted. */
export const greets = (name: string, ids: string) => ({
  write_verification: {
    path: `api/${name.toLowerCase()}.sh`,
    content: [
      '#!/usr/bin/env bash',
      `# TEST: ${name} is greeted`,
      `# PRD: ${ids}`,
      `# RED: wrong greeting of ${name}`,
      '# REQUIRES: api, curl',
      `out="$(curl -s http://127.0.0.1:$PORT/${name})"`,
      `[ "$out" = "Hello, ${name}!" ] || { echo "wrong greeting of ${name}: expected 'Hello, ${name}!', got '$out'"; exit 1; }`,
    ].join('\n'),
  },
});

/** Fifteen verifications that need one service. */
export const fifteen = names.map((name, i) => greets(name, i === 0 ? '1.1, V1' : `1.${(i % 3) + 1}`));

const task = (id: string, prd_section: string[], more: Record<string, unknown> = {}) => ({
  manage_task: {
    action: 'add',
    task_id: id,
    description: `Greet, part ${id}`,
    value: 'a greeting',
    acceptance: 'it is answered',
    prd_section,
    ...more,
  },
});

export const plan = (...tasks: [id: string, prd: string[]][]): Session => ({
  role: 'reasoner',
  purpose: 'plan/',
  turns: [
    {
      calls: [
        ...tasks.map(([id, prd], i) => task(id, prd, i === 0 ? {} : { dependencies: [tasks[i - 1]?.[0]] })),
        { report_plan_complete: { summary: 'As few as it takes.' } },
        approvesPlan,
      ],
    },
  ],
});

/** The source of a working server, after the code in `before`. */
export const server = (before = ''): string =>
  `${before}const { createServer } = require('node:http');
const answer = (path) => (path === '/health' ? 'up' : \`Hello, \${path.slice(1)}!\`);
createServer((request, response) => response.end(answer(request.url))).listen(process.env.PORT, '127.0.0.1');
`;

export const writes = (content: string, path = 'server.js') => ({ write_file: { path, content } });

export const mendsService = (attempt: number, ...calls: Record<string, unknown>[]): Session => ({
  role: 'fixer',
  purpose: `service-fix/api#${attempt}`,
  turns: [
    {
      calls: [...calls, { report_fix: { fix_applied: `attempt ${attempt}`, files_changed: ['server.js'], reasoning: 'the log says so' } }],
    },
  ],
});

/** A sprint in which one task builds a server that dies at start; `fixes` are the fixers' sessions. */
export const behindDead = (...fixes: Session[]): Session[] =>
  withSessions(
    discovery(api),
    plan(['T1', ['1.1', '1.2', '1.3', 'V1']]),
    writeVerifications(...fifteen),
    build('T1', writes(server("throw new Error('no greeting was configured');\n"))),
    ...fixes,
  ).filter(({ purpose }) => purpose !== 'fix/cli/world');
