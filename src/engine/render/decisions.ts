/** What was decided on the way that made the sprint go otherwise than planned, and by whom: for the delivery report. */
import type { State } from '../state/state.ts';
import type { Correction } from '../work/correction.ts';
import type { HumanAction } from '../work/human-action.ts';
import type { Task } from '../work/task.ts';
import { strategyChanges } from './process.ts';

export function decisionLines(state: State): string[] {
  const { work, ledger } = state;
  return [
    ...ledger.corrections.map(corrected),
    ...strategyChanges(state),
    ...Object.values(work.tasks).flatMap(dropped),
    ...Object.values(ledger.humanActions).flatMap(answered),
    ...ledger.advice.map((said) => `- You said how to go on: ${oneLine(said)}`),
    ...ledger.briefs.filter((b) => b.by === 'person').map((b) => `- You said of ${b.lineages.join(', ')}: ${oneLine(b.findings)}`),
  ];
}

const kinds: Record<Correction['kind'], string> = {
  restructure: 'the plan was changed',
  new_tasks: 'tasks were added',
  rewrite_verifications: 'verifications were looked at again',
  descope: 'something was dropped',
  escalate: 'you were asked',
};

function corrected({ kind, diagnosis, guidance, decisions }: Correction): string {
  const told = guidance.trim() === '' ? '' : ` From then on: ${oneLine(guidance)}`;
  return `- After ${decisions} decisions the course was corrected, and ${kinds[kind]}. Why: ${oneLine(diagnosis)}${told}`;
}

function dropped({ id, status, setback, replacedBy }: Task): string[] {
  if (status !== 'descoped') return [];
  const instead = replacedBy ? `, ${replacedBy.join(', ')} instead` : '';
  return [`- ${id} was dropped${instead}: ${oneLine(setback ?? 'no reason was recorded')}`];
}

function answered({ status, action }: HumanAction): string[] {
  return status === 'skipped' ? [`- You went on without: ${oneLine(action)}`] : [];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
