/** What the person said of their own accord, and what becomes of it in the ledger. A part of it, updated in place. */
import type { Assessments } from '../work/assessment.ts';
import type { FactOf } from '../work/facts.ts';
import { hiddenAfter, type Hidden } from '../work/hidden.ts';
import type { HumanActions } from '../work/human-action.ts';
import { reduceRevisions, servedAfter, type Revision } from '../work/revision.ts';
import type { Word } from '../work/word.ts';
import type { Burned } from './fuel.ts';

/** Parts of the ledger. */
interface Said {
  readonly decisions: readonly unknown[];
  readonly documentReviews: readonly unknown[];
  readonly assessments: Pick<Assessments, 'vrcs' | 'evaluations'>;
  readonly burned: Burned;
  readonly humanActions: HumanActions;
  readonly hidden: Hidden;
  readonly words: Word[];
  readonly revisions: Revision[];
  readonly retries: Record<string, number>;
  pauseAsked: boolean;
  skipped: string[];
}

type SaidFact = FactOf<'word.said' | 'pause.asked' | 'task.skip-asked' | 'task.retry-asked' | 'documents.answered' | 'documents.taken'>;

export function enterSaid(ledger: Said, fact: SaidFact): void {
  switch (fact.fact) {
    case 'word.said':
      return void ledger.words.push({ ...fact.word, decisions: ledger.decisions.length, readIn: [] });
    case 'pause.asked':
      return void (ledger.pauseAsked = true);
    case 'task.skip-asked':
      return void (ledger.skipped = [...new Set([...ledger.skipped, fact.id])]);
    case 'task.retry-asked':
      return void (ledger.retries[fact.id] = (ledger.retries[fact.id] ?? 0) + 1);
    case 'documents.answered':
    case 'documents.taken':
      return enterRevision(ledger, fact);
  }
}

/** What is known by a requirement's id goes on under its new one, with all that was burned for it. */
function enterRevision(ledger: Said, fact: FactOf<'documents.answered' | 'documents.taken'>): void {
  const { documentReviews, assessments, decisions, hidden, humanActions, words, burned } = ledger;
  const judged = { reviews: documentReviews.length, vrcs: assessments.vrcs.length, evaluations: assessments.evaluations.length };
  reduceRevisions(ledger.revisions, fact, decisions.length, judged);
  if (fact.fact === 'documents.answered') return;
  const { renumbered } = fact;
  const idNow = (id: string): string => renumbered[id] ?? id;
  hidden.scripts = hiddenAfter(hidden.scripts, fact);
  for (const one of Object.values(humanActions)) one.requirements = servedAfter(one.requirements, fact);
  for (const one of words) if (one.about.kind === 'requirement') one.about = { ...one.about, id: idNow(one.about.id) };
  const units: Record<string, number> = {};
  for (const [id, spent] of Object.entries(burned.hidden)) units[idNow(id)] = Math.max(spent, units[idNow(id)] ?? 0);
  burned.hidden = units;
}
