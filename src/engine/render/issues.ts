/**
 * ISSUES.md: what the sprint could not do, written by the engine from its own record: goal, attempts, kinds, last command, exit
 * status, evidence, and a next step for the person. A rendering (I1).
 */
import { spentOf, tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { pictureOf, type StandingService } from '../picture/picture.ts';
import type { StandingVerification } from '../picture/verifications.ts';
import { serviceLineage } from '../work/service.ts';
import { readyWords, startWords } from '../services/service-words.ts';
import type { Run, Verification } from '../work/verification.ts';
import type { FixRecord } from '../work/fix.ts';
import type { Task } from '../work/task.ts';
import { amendmentWords } from './decisions.ts';
import { exitWords, failureWords, fixWords, personCan, provesWords } from './words.ts';
import { oneLine, sentence } from '../ground/text.ts';

/** The whole file; undefined where there is no issue. */
export function renderIssues(state: State): string | undefined {
  const { live, services, tasks } = pictureOf(state);
  const entries = [
    ...services.filter(({ isGivenUp }) => isGivenUp).map((one) => deadService(state, one)),
    ...live.filter(({ isExhausted }) => isExhausted).map((one) => blocked(state, one)),
    ...tasks.filter(({ status }) => status === 'given-up').map(({ task }) => givenUpTask(state, task)),
    ...live.filter(({ status }) => status === 'flaky').map(({ verification }) => flaky(state, verification)),
    ...(state.ledger.amendments.length > 0 ? [amendments(state)] : []),
  ];
  return entries.length === 0 ? undefined : `${heading(state)}${entries.join('\n\n')}\n`;
}

/** For a file that told of issues which are mended. */
export function renderNoIssues(state: State): string {
  return `${heading(state)}No issue is open.\n`;
}

function heading({ opened }: State): string {
  return `# Issues of sprint ${opened.sprint}\n\n`;
}

function deadService(state: State, { service, probe: last, dependants }: StandingService): string {
  const { name } = service;
  const lineage = serviceLineage(name);
  const probes = (state.ledger.probes[lineage] ?? []).filter((p) => !p.up);
  const fixes = state.ledger.fixes[lineage] ?? [];
  return [
    `## Service ${name} is down`,
    '',
    `- Goal: it answers at ${readyWords(service)} within ${service.limit} s`,
    `- Verifications that wait for it: ${dependants.join(', ')}`,
    `- Down: ${probes.length} times (${[...new Set(probes.map((p) => p.cause))].join(', ')}), fixes tried: ${fixes.length}`,
    ...fixes.map(fixLine),
    `- Last command: ${startWords(service)}, ${last && last.exit !== null ? `exit status ${last.exit}` : 'no exit status'}`,
    `- Cause: ${oneLine(last?.why ?? 'not known')}`,
    '',
    ...(last?.excerpt.trim() ?? '')
      .split('\n')
      .slice(-12)
      .map((line) => `      ${line}`),
    '',
    `- Next: start it yourself in a checkout of the branch, then mend how it starts and start again.`,
  ].join('\n');
}

function blocked(state: State, { verification, lastGreen }: StandingVerification): string {
  const fixes = state.ledger.fixes[verification.lineage] ?? [];
  return [
    `## ${verification.id} is blocked`,
    '',
    `- Goal: ${verification.title}${provesWords(verification)}`,
    `- Attempts: ${attempts(state, verification)}, fixes tried: ${fixes.length}`,
    ...fixes.map(fixLine),
    `- ${sentence(lastGreen)}`,
    ...evidence(state, verification),
    `- Next: read .loop/failures/${verification.id}/history.md. ${personCan.blocked}`,
  ].join('\n');
}

/** Indented below the line that counts the fixes. */
function fixLine(fix: FixRecord): string {
  return `  - ${oneLine(fix.fixApplied)} (${fixWords(fix)})`;
}

function givenUpTask({ ledger }: State, { id, description, acceptance, setback }: Task): string {
  return [
    `## Task ${id} was given up`,
    '',
    `- Goal: ${oneLine(description)}`,
    `- Done when: ${oneLine(acceptance)}`,
    `- Attempts: ${spentOf(ledger, tank('execute', id)) + spentOf(ledger, tank('retry', id))}`,
    `- Last: ${oneLine(setback ?? 'nothing was recorded')}`,
    '- Next: split the task in PRD.md into smaller requirements, or say there what is missing, and start again.',
  ].join('\n');
}

function flaky(state: State, verification: Verification): string {
  return [
    `## ${verification.id} is flaky`,
    '',
    `- Goal: ${verification.title}${provesWords(verification)}`,
    '- It was red, then green, on the same tree. No agent mends that.',
    ...evidence(state, verification),
    `- Next: ${personCan.flaky}`,
  ].join('\n');
}

function amendments({ ledger }: State): string {
  const lines = ledger.amendments.map((one) => `- ${amendmentWords(one)}`);
  return ['## What discovery declared was amended', '', ...lines, '- Next: see that it asks no less than before.'].join('\n');
}

function attempts({ ledger }: State, verification: Verification): string {
  const red = (ledger.runs[verification.lineage] ?? []).filter(isFailure);
  const kinds = [...new Set(red.map((run) => run.kind ?? 'unknown'))];
  return `${red.length} red (${kinds.map((kind) => failureWords[kind]).join(', ') || 'none'})`;
}

function isFailure({ verdict, where }: Run): boolean {
  return (verdict === 'red' || verdict === 'flaky') && where !== 'revert';
}

function evidence({ ledger }: State, verification: Verification): string[] {
  const last = ledger.runs[verification.lineage]?.findLast(isFailure);
  if (!last) return ['- Evidence: none was recorded'];
  return [
    `- Last command: the script .loop/verifications/${verification.id}.${verification.ext}, ${exitWords(last)}`,
    `- Evidence: .loop/failures/${verification.id}/${last.n}.log`,
    '',
    ...last.summary.split('\n').map((line) => `      ${line}`),
    '',
  ];
}
