/**
 * Whether a sprint may be called delivered, computed from its journal alone, without the engine's own ending and trust: each
 * requirement needs a script that was red for its reason and is green on the last code, in the worktree and in a clean checkout.
 */
import type { Event } from '../../../src/engine/state/events.ts';
import {
  isRunnable,
  requirementsOf,
  type FaultTrial,
  type Run,
  type Runnable,
  type Verification,
} from '../../../src/engine/work/verification.ts';
import type { Fact, FactOf } from '../../../src/engine/work/facts.ts';
import type { Task } from '../../../src/engine/work/task.ts';
import { showsRed, type Witness } from './evidence.ts';

/** The reasons against calling the sprint delivered. */
export function objections(events: readonly Event[], textOf: Witness['textOf']): string[] {
  const facts = events.flatMap((event) => (event.type === 'step.ended' || event.type === 'person.said' ? event.facts : []));
  const of = <K extends Fact['fact']>(kind: K): FactOf<K>[] => facts.filter((fact): fact is FactOf<K> => fact.fact === kind);
  const code = of('tree.settled').length;
  const isMeasured = events.some((event) => event.type === 'run.opened' && event.config.evidence !== 'any');
  const verifications = liveOf(facts);
  const runnable = verifications.filter(isRunnable);
  // A run without a result says nothing.
  const runs = of('verification.ran').flatMap(({ run }) => (run.verdict === 'none' ? [] : [run]));
  const evaluation = of('evaluation.reported').at(-1)?.evaluation;
  const vrc = of('vrc.reported').at(-1)?.vrc;
  const cleanRunOf = (verification: Runnable): Run | undefined =>
    runs.findLast(
      (run) => run.verification === verification.id && run.where === 'clean' && run.script === verification.script && run.code === code,
    );
  const hasCleanRun = of('clean.ran').some(({ clean }) => clean.code === code);
  const isFine = (verification: Verification): boolean =>
    verification.kind === 'criterion'
      ? evaluation?.criteria.some(
          (criterion) => criterion.verification === verification.id && criterion.met && criterion.evidence !== '',
        ) === true
      : isGreen(verification, runs, code) &&
        wasRed(verification, runs, textOf) &&
        cleanRunOf(verification)?.exit === 0 &&
        of('verification.proven').some(
          (p) => p.proof.script === verification.script && p.proof.kind === 'control' && p.proof.outcome === 'red',
        );
  const descoped = of('requirement.descoped').map(({ id }) => id);
  const requirements = of('requirements.read')
    .flatMap((fact) => fact.requirements)
    .filter(({ id }) => !descoped.includes(id));
  const uncovered = requirements.filter(({ id }) => !verifications.some((v) => requirementsOf(v).includes(id) && isFine(v)));
  const blind = requirements.filter(({ id }) => {
    const about = verifications.filter((v) => requirementsOf(v).includes(id));
    return about.every(isRunnable) && !seesEnough(about.filter(isFine), of('verification.measured'));
  });
  const isStrong = events.some((event) => event.type === 'run.opened' && event.config.evidence === 'strong');
  const unhidden = requirements.filter(
    ({ id }) => verifications.filter((v) => requirementsOf(v).includes(id)).every(isRunnable) && !hasGreenHidden(id, { code, of }),
  );
  const mustBeFixed = (level: string): boolean => level === 'critical' || level === 'blocking';
  return [
    ...uncovered.map(({ id }) => `requirement ${id} is not proven`),
    ...(isMeasured ? blind.map(({ id }) => `nobody saw half of the faults in the work for requirement ${id}`) : []),
    ...(isStrong ? unhidden.map(({ id }) => `no hidden verification of requirement ${id} is green on code ${code}`) : []),
    ...runnable.filter((v) => !isGreen(v, runs, code)).map((v) => `${v.id} is not green on code ${code}`),
    ...(hasCleanRun ? [] : ['no clean run of the last code']),
    ...runnable.filter((v) => cleanRunOf(v)?.exit !== 0).map((v) => `${v.id} is not green in a clean checkout of code ${code}`),
    ...(vrc &&
    !vrc.fallback &&
    vrc.code === code &&
    vrc.scope === 'final' &&
    vrc.recommendation === 'SHIP_READY' &&
    !vrc.gaps.some((g) => mustBeFixed(g.severity))
      ? []
      : ['no assessment that recommends the last code']),
    ...(evaluation && !evaluation.fallback && evaluation.code === code && !evaluation.findings.some((f) => mustBeFixed(f.severity))
      ? []
      : ['no evaluation of the last code that finds nothing']),
    ...openTasks(of),
    ...openAsks(facts).map((id) => `${id} waits for the person`),
    ...(of('documents.judged').at(-1)?.review.verdict === 'REJECT' ? ['the documents were rejected'] : []),
  ];
}

/** What the person was asked, and neither they nor the engine's look ended. A deed that they call done is looked at. */
function openAsks(facts: readonly Fact[]): string[] {
  const open = new Map<string, string>();
  for (const fact of facts) {
    if (fact.fact === 'human-action.asked') open.set(fact.humanAction.id, fact.humanAction.kind);
    else if (fact.fact === 'human-action.answered' && isEnd(fact, open.get(fact.id))) open.delete(fact.id);
    else if (fact.fact === 'human-action.skipped' || fact.fact === 'human-action.not-needed') open.delete(fact.id);
    else if (fact.fact === 'human-action.verified' && fact.fulfilled) open.delete(fact.id);
  }
  return [...open.keys()];
}

function isEnd({ answer, said = '' }: FactOf<'human-action.answered'>, kind: string | undefined): boolean {
  if (kind === 'deed' || answer === 'skip') return false;
  return kind === 'choice' || kind === 'approval' || said.trim() !== '';
}

interface Journal {
  code: number;
  of: <K extends Fact['fact']>(kind: K) => FactOf<K>[];
}

/** Each one of it, as it was written last, is green in a clean checkout of the last code. */
function hasGreenHidden(id: string, { code, of }: Journal): boolean {
  const live = [...new Map(of('hidden.written').map(({ verification }) => [verification.id, verification])).values()];
  const about = live.filter(({ prd }) => prd.includes(id));
  const last = (script: string): Run | undefined =>
    of('hidden.ran').findLast(({ run }) => run.script === script && run.code === code && run.where === 'clean')?.run;
  return about.length > 0 && about.every(({ script }) => last(script)?.exit === 0);
}

/**
 * Whether the latest measures of exactly these scripts saw half of the faults that they could have seen, and one at least. Work
 * may have no place for a fault. What gets to nothing that was made for the requirement tells only where nothing else gets there.
 */
function seesEnough(verifications: readonly Verification[], measured: readonly FactOf<'verification.measured'>[]): boolean {
  const measures = verifications.flatMap(
    ({ lineage, script }) => measured.findLast(({ measure }) => measure.lineage === lineage && measure.script === script)?.measure ?? [],
  );
  const own = measures.filter(({ inOtherWork }) => !inOtherWork);
  const others = measures.flatMap((measure) => measure.trials);
  if (own.length === 0 && others.length > 0) return others.some(({ outcome }) => outcome === 'seen');
  const looking = own.filter(({ missed }) => !missed);
  const trials = (looking.length > 0 ? looking : own).flatMap((measure) => measure.trials);
  const places = (outcome: FaultTrial['outcome']): Set<string> =>
    new Set(trials.filter((trial) => trial.outcome === outcome).map(({ path, line, now }) => `${path}:${line}:${now}`));
  const [seen, unseen] = [places('seen'), places('unseen')];
  const missed = [...unseen].filter((place) => !seen.has(place));
  return measures.length > 0 && (trials.length === 0 || (seen.size > 0 && seen.size >= missed.length));
}

/** The verifications at the end. One that is retired and then written again counts. */
function liveOf(facts: readonly Fact[]): Verification[] {
  const live = new Map<string, Verification>();
  for (const fact of facts) {
    if (fact.fact === 'verification.written' || fact.fact === 'verification.adopted') live.set(fact.verification.id, fact.verification);
    else if (fact.fact === 'verification.retired') live.delete(fact.id);
  }
  return [...live.values()];
}

/** Whether the latest run on the sprint's tree is of this script and this code, and green. */
function isGreen(verification: Verification, runs: readonly Run[], code: number): boolean {
  const last = runs.findLast((run) => run.verification === verification.id && run.where !== 'revert' && run.code !== null);
  return last?.script === verification.script && last.code === code && last.exit === 0 && !last.timedOut;
}

function wasRed(verification: Verification, runs: readonly Run[], textOf: Witness['textOf']): boolean {
  return runs.some((run) => run.script === verification.script && run.exit !== 0 && showsRed(run, textOf) && !run.timedOut);
}

function openTasks(of: <K extends Fact['fact']>(kind: K) => FactOf<K>[]): string[] {
  const removed = new Set(of('task.removed').map((fact) => fact.id));
  const built = of('tree.settled').map(({ settled: { author } }) => (author.kind === 'task' ? author.task : ''));
  const settled = new Set([...built, ...of('task.shown').map((fact) => fact.id)]);
  const heirs = new Map(of('task.descoped').map((fact) => [fact.id, fact.replacedBy ?? []]));
  const skipped = of('human-action.answered')
    .filter((fact) => fact.answer === 'skip')
    .map((fact) => fact.id);
  const declined = of('human-action.asked')
    .filter((fact) => skipped.includes(fact.humanAction.id))
    .map(({ humanAction }) => humanAction);
  const tasks = of('task.added').map(({ task }) => task);
  const isConsented = ({ id, prdSection }: Task): boolean =>
    declined.some((p) => p.task === id || prdSection.some((prd) => p.requirements.includes(prd)));
  const isOver = (id: string): boolean => {
    const task = tasks.find((t) => t.id === id);
    return !task || removed.has(id) || settled.has(id) || isConsented(task) || (heirs.get(id)?.every(isOver) ?? false);
  };
  return tasks.filter(({ id }) => !isOver(id)).map(({ id }) => `task ${id} was never settled`);
}
