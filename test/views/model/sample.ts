/** The journal of a small unfinished sprint: two tasks, and one verification that was red and then green. */
import { fold } from '../../../src/engine/core/fold.ts';
import { defaults } from '../../../src/engine/ground/config.ts';
import { classify } from '../../../src/engine/diagnose/classify.ts';
import type { Cases } from '../../../src/engine/diagnose/reports/read-cases.ts';
import { summarize } from '../../../src/engine/diagnose/signature.ts';
import type { Draft, Event } from '../../../src/engine/state/events.ts';
import { tank } from '../../../src/engine/state/fuel.ts';
import { openingSizes } from '../../../src/engine/state/tanks.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import type { Script, Run } from '../../../src/engine/work/verification.ts';
import type { Task } from '../../../src/engine/work/task.ts';
import type { verifiedView } from '../../../src/views/model/test-report.ts';

/** The address of a payload in these samples: one digit, 64 times. */
export const ref = (digit: string): string => digit.repeat(64);
export const start = 1_000_000;

export function stateOf(...drafts: Draft[]): State {
  return fold([opening, ...drafts].map((draft, n): Event => ({ ...draft, n, owner: 1, at: start + n * 1000 })));
}

export const opening: Draft = {
  type: 'run.opened',
  kind: 'sprint',
  sprint: 'notes',
  config: defaults,
  sizes: openingSizes(defaults),
  inputs: [],
  base: { commit: 'b'.repeat(40), branch: 'main' },
  branch: 'loop/notes-20261120-100000',
};

export const begun = (
  id: string,
  action: 'plan' | 'execute' | 'fix' | 'wait' | 'close' | 'run-verifications',
  target = '',
  why = 'it is due',
): Draft => ({
  type: 'step.begun',
  step: { id, kind: 'action', decision: { action, target, why, burns: [tank('sprint')], behind: ['vrc'] } },
  burns: [tank('sprint'), ...(action === 'execute' ? [tank('execute', target)] : [])],
});

export const ended = (id: string, ...facts: Fact[]): Draft => ({ type: 'step.ended', id, outcome: 'done', facts });

export const task = (id: string, change: Partial<Task> = {}): Task => ({
  id,
  status: 'pending',
  source: 'plan',
  description: `build ${id}`,
  value: 'the user can note',
  prdSection: ['1.1'],
  acceptance: `${id} works`,
  dependencies: [],
  phase: 'Core',
  filesExpected: [],
  ...change,
});

export const verification: Script = {
  id: 'value/adds',
  lineage: 'value/adds',
  kind: 'script',
  by: 'qc',
  title: 'adds a note',
  category: 'value',
  ext: 'sh',
  script: ref('a'),
  prd: ['1.1'],
  red: 'no note',
  requires: [],
  tier: 'value',
  timeout: 30,
  varies: false,
};

export const run = (n: number, change: Partial<Run> = {}): Run => ({
  verification: verification.id,
  lineage: verification.lineage,
  script: verification.script,
  n,
  where: 'tree',
  code: 0,
  exit: 1,
  timedOut: false,
  duration: 400,
  output: ref(String(n)),
  excerpt: 'no note was added',
  verdict: 'red',
  redSeen: true,
  kind: 'test_failure',
  summary: 'no note',
  signature: 'sig-1',
  ...change,
});

export const green = {
  exit: 0,
  verdict: 'green',
  excerpt: '',
  kind: undefined,
  summary: 'it passed',
  signature: '',
  redSeen: false,
} as unknown as Partial<Run>;

/** A run by hand, with the summary that the engine would write. */
export function byHand(
  ran: Pick<Parameters<typeof verifiedView>[0], 'id' | 'verdict' | 'duration' | 'output'> & { exit?: number; cases?: Cases },
): Parameters<typeof verifiedView>[0] {
  const { exit = 1, ...rest } = ran;
  const facts = { exit, timedOut: false, output: rest.output };
  return { ...rest, summary: rest.verdict === 'green' ? '' : summarize(facts, classify(facts), rest.cases) };
}

export const settledBy = (taskId: string, code: number): Fact => ({
  fact: 'tree.settled',
  settled: {
    code,
    commit: String(code).repeat(40),
    author: { kind: 'task', task: taskId },
    step: `s-${taskId}`,
    files: [{ path: 'src/a.ts', kind: 'added' }],
    patch: ref('d'),
  },
});

/** The plan is made, T1 is settled, and its verification was red and then green. */
export const built: Draft[] = [
  begun('1', 'plan'),
  ended(
    '1',
    { fact: 'requirements.read', requirements: [{ id: '1.1', title: 'It adds', text: 'It adds', line: 3, lastLine: 3 }] },
    { fact: 'task.added', task: task('T1') },
    { fact: 'task.added', task: task('T2', { dependencies: ['T1'], phase: 'More' }) },
    { fact: 'gate.passed', gate: 'plan' },
    { fact: 'verification.written', verification },
  ),
  begun('2', 'run-verifications'),
  ended('2', { fact: 'verification.ran', run: run(1) }),
  begun('3', 'execute', 'T1'),
  ended('3', { fact: 'task.reported', id: 'T1', report: { verified: 'ran it', notes: '' } }, settledBy('T1', 1)),
  begun('4', 'run-verifications'),
  ended('4', { fact: 'verification.ran', run: run(2, { ...green, code: 1 }) }),
];
