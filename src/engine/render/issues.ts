/**
 * ISSUES.md: what the sprint could not do, written by the engine from its own record before any model's prose (spec/3):
 * goal, attempts, kinds, last command, exit status, evidence, and a next step for a person. A rendering (I1).
 */
import { canBurn } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { serviceLineage, type Service } from '../work/service.ts';
import { readyWords, startWords } from '../services/words.ts';
import { dependants, isGivenUp, probeOf, servicesOf } from '../services/services.ts';
import { isExhausted, statusOf } from '../judge/status.ts';
import { lastGreenWords } from '../judge/last-green.ts';
import { liveChecks } from '../state/covers.ts';
import type { Check } from '../work/check.ts';
import type { FixRecord } from '../work/fix.ts';
import { waitsFor } from '../work/pause.ts';
import type { Task } from '../work/task.ts';
import { exitWords, failureWords, outcomeWords, personCan } from './words.ts';
import { sentence } from '../ground/text.ts';

/** The whole file; undefined where there is no issue. */
export function renderIssues(state: State): string | undefined {
  const checks = liveChecks(state.work);
  const entries = [
    ...servicesOf(state.work).filter((s) => isGivenUp(state, s)).map((s) => deadService(state, s)), // prettier-ignore
    ...checks.filter((c) => isExhausted(state, c)).map((c) => blocked(state, c)),
    ...Object.values(state.work.tasks).filter((t) => isLeft(state, t)).map((t) => givenUp(state, t)), // prettier-ignore
    ...checks.filter((c) => statusOf(state, c) === 'flaky').map((c) => flaky(state, c)),
  ];
  return entries.length === 0 ? undefined : `# Issues of sprint ${state.opened.sprint}\n\n${entries.join('\n\n')}\n`;
}

function deadService(state: State, service: Service): string {
  const { name } = service;
  const lineage = serviceLineage(name);
  const probes = (state.ledger.probes?.[lineage] ?? []).filter((p) => !p.up);
  const fixes = state.ledger.fixes[lineage] ?? [];
  const last = probeOf(state, name);
  return [
    `## Service ${name} is down`,
    '',
    `- Goal: it answers at ${readyWords(service)} within ${service.limit} s`,
    `- Verifications that wait for it: ${dependants(state, service).map((c) => c.id).join(', ')}`,
    `- Seen down: ${probes.length} times (${[...new Set(probes.map((p) => p.cause))].join(', ')}), fixes tried: ${fixes.length}`,
    ...fixes.map(fixLine),
    `- Last command: ${startWords(service)}, ${last && last.exit !== null ? `exit status ${last.exit}` : 'no exit status'}`,
    `- Cause: ${last?.why ?? 'not known'}`,
    '',
    ...(last?.excerpt.trim() ?? '').split('\n').slice(-12).map((line) => `      ${line}`),
    '',
    `- Next: start it yourself in a checkout of the branch, then mend how it starts and start again.`,
  ].join('\n'); // prettier-ignore
}

function blocked(state: State, check: Check): string {
  const fixes = state.ledger.fixes[check.lineage] ?? [];
  return [
    `## ${check.id} is blocked`,
    '',
    `- Goal: ${check.title}${check.guard ? '' : ` (proves ${check.prd.join(', ')})`}`,
    `- Attempts: ${attempts(state, check)}, fixes tried: ${fixes.length}`,
    ...fixes.map(fixLine),
    `- ${sentence(lastGreenWords(state, check))}`,
    ...evidence(state, check),
    `- Next: read .loop/failures/${check.id}/history.md. ${personCan.blocked}`,
  ].join('\n');
}

/** Below the line that says how many were tried. */
function fixLine({ fixApplied, outcome, why }: FixRecord): string {
  return `  - ${fixApplied} (${outcomeWords[outcome]}${why ? `: ${why}` : ''})`;
}

function givenUp({ ledger }: State, { id, description, acceptance, setback }: Task): string {
  return [
    `## Task ${id} was given up`,
    '',
    `- Goal: ${description}`,
    `- Done when: ${acceptance}`,
    `- Attempts: ${ledger.burned[`execute/${id}`] ?? 0}`,
    `- Last: ${setback ?? 'nothing was recorded'}`,
    '- Next: split the task in PRD.md into smaller requirements, or say there what is missing, and start again.',
  ].join('\n');
}

function flaky(state: State, check: Check): string {
  return [
    `## ${check.id} is flaky`,
    '',
    `- Goal: ${check.title}${check.guard ? '' : ` (proves ${check.prd.join(', ')})`}`,
    '- It was red, then green, on the same tree. No agent mends that.',
    ...evidence(state, check),
    `- Next: ${personCan.flaky}`,
  ].join('\n');
}

function attempts({ ledger }: State, check: Check): string {
  const red = (ledger.runs[check.lineage] ?? []).filter((run) => run.verdict !== 'green' && run.where !== 'revert');
  const kinds = [...new Set(red.map((run) => run.kind ?? 'unknown'))];
  return `${red.length} red (${kinds.map((kind) => failureWords[kind]).join(', ') || 'none'})`;
}

function evidence({ ledger }: State, check: Check): string[] {
  const last = ledger.runs[check.lineage]?.findLast((run) => run.verdict !== 'green' && run.where !== 'revert');
  if (!last) return ['- Evidence: none was recorded'];
  return [
    `- Last command: the script .loop/verifications/${check.id}.${check.ext}, ${exitWords(last)}`,
    `- Evidence: .loop/failures/${check.id}/${last.n}.log`,
    '',
    ...last.summary.split('\n').map((line) => `      ${line}`),
    '',
  ];
}

/** Not done, waiting for nobody, and without an attempt left. */
function isLeft({ ledger }: State, task: Task): boolean {
  if (task.status !== 'pending' || canBurn(ledger, [`execute/${task.id}`])) return false;
  return waitsFor(ledger.pauses, task) === undefined;
}
