/** Describes why the engine does what it does: the last decision, what it burned, and what was due behind it. */
import type { Decision, Tank } from '../state/events.ts';
import type { TankKind } from '../state/tanks.ts';
import { left } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { actionWords } from '../state/rows.ts';
import { clip, oneLine, sentence } from '../ground/text.ts';

/** To be shown as plain text, because the reasons quote what models wrote. */
export function explanation(state: State): string {
  const { decisions } = state.ledger;
  const last = decisions.at(-1);
  if (!last) return 'Nothing was decided yet.\n';
  const { decision, outcome } = last;
  const earlier = decisions.slice(-1 - shownBefore, -1).reverse();
  return `${[
    `# ${decisionWords(decision)}`,
    `Decision ${decisions.length} of this sprint, ${outcome === 'open' ? 'under way' : outcome}.`,
    `## Why\n\n${sentence(plain(decision.why, 1000))}`,
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

/** Describes for the person what a tank holds. */
const tankWords: Readonly<Record<TankKind, (key: string) => string>> = {
  sprint: () => 'sprint’s decisions',
  mint: () => 'tasks that may be added',
  settle: (n) => `tries at settling change ${n}`,
  iteration: () => 'iterations of the pipeline',
  again: () => 'iterations that begin again after a raise',
  gate: (name) => (name === 'approval' ? 'requests for your approval' : `tries at the gate ${name}`),
  documents: () => 'reviews of Vision and PRD',
  lenses: () => 'reviews of the plan',
  closer: (about) => `looks at the ${about.replace(' ', ' through ')}`,
  base: (suite) => `runs of suite ${suite} on the base commit`,
  generate: () => 'rounds of writing verifications',
  hidden: (requirement) => `sessions about the hidden verification of ${requirement}`,
  rewrite: (lineage) => `reviews of ${lineage} by QC`,
  run: (key) => `runs of ${withoutCode(key)} on this code`,
  look: (key) => `looks at ${withoutCode(key)} alone on this code`,
  triage: () => 'questions about common causes on this code',
  lineage: (lineage) => `fixes of ${lineage}`,
  signature: (key) => `fixes of this failure of ${key.slice(0, key.lastIndexOf('/'))}`,
  research: (lineage) => `lookups for ${lineage}`,
  retry: (task) => `attempts at ${task} that you asked for`,
  reserve: (lineage) => `fixes that research opened for ${lineage}`,
  environment: (lineage) => `looks at the environment of ${lineage}`,
  amend: (key) => (key === '' ? 'amendments of what discovery declared' : 'preparations after an amendment'),
  service: (name) => `fixes of service ${name}`,
  reinstall: (key) => `installs for service ${withoutCode(key)} on this code`,
  execute: (task) => `attempts at task ${task}`,
  proof: proofTankWords,
  strategy: () => 'reviews of how the work is done',
  correct: () => 'course corrections',
  review: () => 'reviews of added tasks',
  vrc: () => 'assessments',
  evaluation: () => 'evaluations before the final one',
  final: (part) => `tries at this part of the final row (${part})`,
  wait: () => 'times that you may say that something is done',
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

function list(lines: readonly string[], none: string): string {
  return lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : none;
}

/** Earlier decisions that are shown. */
const shownBefore = 5;

/** One line of at most `most` characters, because models wrote some of these texts. */
function plain(text: string, most = 300): string {
  return clip(oneLine(text), most);
}
