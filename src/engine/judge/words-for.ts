/** Which of the person's words belong in the prompts of the open action. */
import type { Hears } from '../ground/prompts.ts';
import { coveredTasks } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { requirementsOf } from '../work/verification.ts';
import type { Subject, Word } from '../work/word.ts';
import { alsoFixed } from './status.ts';

export function wordsFor(state: State, hears: Hears): Word[] {
  if (hears === 'none') return [];
  const { words } = state.ledger;
  return hears === 'all' ? words : words.filter(({ about }) => about.kind === 'sprint' || isOwn(state, about));
}

/** A builder's own are its task and what it serves; a fixer's are the verifications that it mends, and what they cover. */
function isOwn(state: State, about: Exclude<Subject, { kind: 'sprint' }>): boolean {
  const { work, open } = state;
  if (!open) return false;
  const { action, target } = open.decision;
  if (action === 'execute') {
    if (about.kind === 'task') return about.id === target;
    return about.kind === 'requirement' && work.tasks[target]?.prdSection.includes(about.id) === true;
  }
  const lead = work.verifications[target];
  const verifications = lead ? [lead, ...alsoFixed(state, target)] : [];
  if (about.kind === 'verification') return verifications.some(({ lineage }) => lineage === about.lineage);
  if (about.kind === 'requirement') return verifications.some((one) => requirementsOf(one).includes(about.id));
  return verifications.flatMap((one) => coveredTasks(work, one)).some(({ id }) => id === about.id);
}
