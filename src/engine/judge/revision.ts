/** What taking over changed documents does to the work: exactly what asks for something else re-opens. Fuel stays as it is (I4). */
import { oneLine, pieceOf } from '../ground/text.ts';
import type { Difference } from '../parse/difference.ts';
import { liveScripts, liveVerifications } from '../state/covers.ts';
import { mintLeft } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { isUnresolved, type HumanAction } from '../work/human-action.ts';
import type { Requirement } from '../work/requirement.ts';
import { dueRevision, provenAfter, servedAfter, type DocumentRef, type Revision } from '../work/revision.ts';
import { freeIds, longestDescription, longestTitle, type Task } from '../work/task.ts';
import { requirementsOf } from '../work/verification.ts';

/** What the person took over and is not carried out yet; undefined while a change of the tree is open, which may be undone. */
export function revisionDue({ ledger, work }: State): Revision | undefined {
  return work.gates.includes('inputs') && !work.tree.change ? dueRevision(ledger.revisions) : undefined;
}

export function takenFacts(state: State, difference: Difference, documents: readonly DocumentRef[]): Fact[] {
  const { reworded, added, removed, renumbered, whole, now } = difference;
  const requirements = requirementsAfter(state, difference);
  return [
    {
      fact: 'documents.taken',
      documents: [...documents],
      reworded,
      added,
      removed,
      renumbered,
      whole,
      requirements,
      constraints: now.constraints,
    },
    ...Object.values(state.work.tasks).flatMap((task) => taskFacts(state, task, difference)),
    ...retired(state, difference),
    ...noLongerAsked(state, difference),
    ...addedTasks(
      state,
      requirements.filter(({ id }) => isNew(state, difference, id)),
    ),
  ];
}

/** Requirements that no task of a plan that is made can serve yet. */
export function newRequirements(state: State, difference: Difference): Requirement[] {
  if (!state.work.gates.includes('plan')) return [];
  return difference.now.requirements.filter(({ id }) => isNew(state, difference, id));
}

/** What was descoped comes back when the person words it anew. */
function isNew({ work }: State, { added, reworded }: Difference, id: string): boolean {
  return added.includes(id) || (reworded.includes(id) && work.descoped.some(({ requirement }) => requirement.id === id));
}

/** A requirement that an older version of Loop read otherwise stays as it is. */
function requirementsAfter({ work }: State, difference: Difference): Requirement[] {
  const { before, now, proofs, added, reworded, renumbered } = difference;
  const former = new Map(Object.entries(renumbered).map(([from, to]) => [to, from]));
  const isKnown = (id: string): boolean => work.requirements.some((one) => one.id === (former.get(id) ?? id));
  const told = now.requirements.filter(({ id }) => added.includes(id) || reworded.includes(id) || isKnown(id));
  const otherwise = work.requirements.filter(({ id, line }) => line > 0 && !before.requirements.some((one) => one.id === id));
  return [...told, ...otherwise, ...proofs];
}

function taskFacts({ ledger }: State, { id, status, prdSection }: Task, { reworded, removed }: Difference): Fact[] {
  if (status === 'descoped') return [];
  const changed = prdSection.filter((one) => reworded.includes(one));
  if (changed.length > 0) return [{ fact: 'task.reopened', id, why: `the person changed what ${changed.join(', ')} asks for` }];
  const isLeft = prdSection.length === 0 || prdSection.some((one) => !removed.includes(one));
  if (isLeft || status === 'done') return [];
  const why = `the person took ${prdSection.join(', ')} out of the documents`;
  return [{ fact: 'task.skip-asked', id }, { fact: 'task.descoped', id, why }, ...notNeeded(ledger, (one) => one.task === id)];
}

function retired({ work }: State, difference: Difference): Fact[] {
  return liveVerifications(work).flatMap((one): Fact[] => {
    const prd = requirementsOf(one);
    if (prd.length === 0 || provenAfter(prd, difference).length > 0) return [];
    return [{ fact: 'verification.retired', id: one.id, why: `the documents ask something else of ${prd.join(', ')}` }];
  });
}

/** What was asked for the sake of what left. What is asked about the documents themselves: `person/ask-again.ts`. */
function noLongerAsked({ ledger }: State, difference: Difference): Fact[] {
  const isGone = ({ task, requirements }: HumanAction): boolean =>
    task === '' && requirements.length > 0 && servedAfter(requirements, difference).length === 0;
  return notNeeded(ledger, isGone);
}

function notNeeded({ humanActions }: State['ledger'], isGone: (one: HumanAction) => boolean): Fact[] {
  const asked = Object.values(humanActions).filter((one) => isUnresolved(one) && isGone(one));
  return asked.map(({ id }): Fact => ({ fact: 'human-action.not-needed', id, why: 'you changed the documents' }));
}

/** Before there is a plan, planning sees to them. */
function addedTasks({ work, ledger }: State, requirements: readonly Requirement[]): Fact[] {
  if (!work.gates.includes('plan')) return [];
  const served = requirements.slice(0, Math.max(0, mintLeft(ledger)));
  const ids = freeIds(work.tasks, 'N', served.length);
  return served.map(({ id, title, text }, index): Fact => {
    const task: Task = {
      id: ids[index] ?? '',
      status: 'pending',
      source: 'person',
      title: pieceOf(oneLine(title), 0, longestTitle),
      description: pieceOf(text, 0, longestDescription),
      value: 'The person added it to PRD.md',
      prdSection: [id],
      acceptance: `PRD.md, requirement ${id}, holds`,
      dependencies: [],
      phase: 'added',
      filesExpected: [],
    };
    return { fact: 'task.added', task };
  });
}

/** It was built before, and all that verifies what it serves is green: nothing of it need be built again. */
export function holdsStill({ work }: State, { id, reopened, prdSection }: Task): boolean {
  if (reopened === undefined || !work.tree.commits.some(({ author }) => author.kind === 'task' && author.task === id)) return false;
  const isGreen = (verification: string): boolean => {
    const result = work.results[verification];
    return result?.verdict === 'green' && result.code === work.tree.code;
  };
  return prdSection.every((one) => {
    const own = liveScripts(work).filter(({ prd }) => prd.includes(one));
    return own.length > 0 && own.every((script) => isGreen(script.id));
  });
}
