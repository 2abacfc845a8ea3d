/** Why the engine does what it does, in words: the last decision, what it burned, and what was due behind it (design §5). */
import type { Decision, Tank, TankKind } from '../state/events.ts';
import { left } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { actionWords } from './words.ts';

/** One line of at most so many characters; what models wrote is in it. */
function plain(text: string, most = 300): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** Decisions that led to the last one and are shown. */
const before = 5;

/** As text: the reasons quote what models wrote. */
export function explanation(state: State): string {
  const { decisions } = state.ledger;
  const last = decisions.at(-1);
  if (!last) return 'Nothing was decided yet.\n';
  const { decision, outcome } = last;
  const earlier = decisions.slice(-1 - before, -1).reverse();
  return `${[
    `# ${decisionWords(decision)}`,
    `Decision ${decisions.length} of this sprint, ${outcome === 'open' ? 'under way' : outcome}.`,
    `## Why\n\n${sentence(decision.why)}`,
    `## What it burned\n\n${decision.burns.map((tank) => `- ${fuelWords(state, tank)}`).join('\n') || 'Nothing: closing always works.'}`,
    `## What was due behind it\n\n${list(decision.behind.map(behindWords), 'Nothing else was due.')}`,
    `## What came before\n\n${list(
      earlier.map(({ decision: d }) => `${decisionWords(d)}: ${plain(d.why)}`),
      'It was the first decision.',
    )}`,
    ...(state.stopped ? [`## Where it stopped\n\n${list([state.stopped.stop, ...state.stopped.reasons], '')}`] : []),
  ].join('\n\n')}\n`;
}

export function decisionWords({ action, target }: Pick<Decision, 'action' | 'target'>): string {
  return target ? `${actionWords[action]}: ${plain(target, 80)}` : actionWords[action];
}

/** `<row> <target>`, as a decision keeps it. */
export function behindWords(name: string): string {
  const [action = '', ...target] = name.split(' ');
  return Object.hasOwn(actionWords, action)
    ? decisionWords({ action: action as Decision['action'], target: target.join(' ') })
    : plain(name);
}

function fuelWords({ ledger }: State, tank: Tank): string {
  return `one of the ${plain(tankWords[tank.kind](tank.key), 120).trim()}, ${Math.max(left(ledger, tank), 0)} left`;
}

/** By what a tank is for: what it holds, for a person. */
const tankWords: Readonly<Record<TankKind, (key: string) => string>> = {
  sprint: () => 'sprint’s decisions',
  mint: () => 'tasks that may be added',
  settle: (n) => `tries at settling change ${n}`,
  gate: (name) => `tries at this step (${name})`,
  base: (suite) => `runs of suite ${suite} on the base commit`,
  generate: () => 'rounds of writing verifications',
  rewrite: (lineage) => `looks of QC at ${lineage}`,
  run: (key) => `runs of ${withoutCode(key)} on this code`,
  triage: () => 'questions about common causes on this code',
  lineage: (lineage) => `fixes of ${lineage}`,
  signature: (key) => `fixes of this failure of ${key.slice(0, key.lastIndexOf('/'))}`,
  research: (lineage) => `lookups for ${lineage}`,
  reserve: (lineage) => `fixes that research opened for ${lineage}`,
  service: (name) => `fixes of service ${name}`,
  reinstall: (key) => `installs for service ${withoutCode(key)} on this code`,
  execute: (task) => `attempts at task ${task}`,
  proof: proofTankWords,
  strategy: () => 'looks at how the work is done',
  correct: () => 'course corrections',
  review: () => 'reviews of added tasks',
  vrc: () => 'assessments',
  evaluation: () => 'looks as its user before the last',
  final: (part) => `tries at this part of the final look (${part})`,
  wait: () => 'times that your word is taken for something done',
  limits: () => 'waits for the provider',
  turns: () => 'turns of one session',
  calls: () => 'calls of one session',
  effects: () => 'effects of one action',
};

/** `cli/total@3/1a2b3c4d`: what was run, on which code, by which script. */
function withoutCode(key: string): string {
  return key.replace(/@.*/, '');
}

/** `cli/total/1a2b3c4d/revert`. */
function proofTankWords(key: string): string {
  const parts = key.split('/');
  return `proofs (${parts.at(-1)}) of ${parts.slice(0, -2).join('/')}`;
}

function sentence(text: string): string {
  const words = plain(text, 1000);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;
}

function list(lines: readonly string[], none: string): string {
  return lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : none;
}
