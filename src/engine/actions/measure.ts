/**
 * Measures how much proofs prove: puts faults into the lines that a verification reaches, one at a time, and counts how many it
 * sees. All runs go into one scratch checkout, and each sees its own fault alone. What is too slow beside others runs alone. Where
 * runs take long, faults that would tell nothing new are left out.
 */
import type { Context } from '../context.ts';
import { counted } from '../ground/text.ts';
import { hasBurned } from '../state/fuel.ts';
import { isStrong, isTooLittle, unmeasured } from '../judge/strength.ts';
import { proofTank } from '../judge/trust.ts';
import { patience } from '../run/alone.ts';
import { FaultBook } from '../run/fault-book.ts';
import { inParallel } from '../run/schedule.ts';
import { liveScripts } from '../state/covers.ts';
import type { Fact } from '../work/facts.ts';
import { faultKey, requirementsOf, type FaultTrial, type Measure, type Script } from '../work/verification.ts';
import type { Place } from '../work/job.ts';
import type { Action } from './action.ts';
import { installMissing } from './change.ts';
import { tryDocuments } from './trials/document-trials.ts';
import { askSiblings, durationOf, isTried, leaveOutUnread, leaveToOthers, tryFault, tryValues, type Trial } from './trials/fault-trials.ts';
import { subjectsOf, type Subject } from './trials/measure-subjects.ts';
import { withoutOwnTests } from './trials/without-own-tests.ts';

export const measure: Action = {
  id: 'measure',
  asksModel: false,
  afterQualifying: true,
  due(state) {
    const verifications = unmeasured(state);
    if (verifications.length === 0) return [];
    const why = `nobody knows yet which faults they see: ${verifications.map(({ id }) => id).join(', ')}`;
    return [{ target: '', burns: verifications.map((v) => proofTank(v, 'strength')), why }];
  },
  async run(_target, context) {
    const { state, open } = context;
    await installMissing(context);
    const verifications = liveScripts(state.work).filter((v) => hasBurned(open.decision, proofTank(v, 'strength')));
    return withoutOwnTests(context, { revert: [] }, async (at): Promise<Fact[]> => {
      const book = new FaultBook(state);
      book.keptAt = context.ports.clock.now();
      const subjects = await subjectsOf(context, verifications, at);
      const lateAt = endOfTime(context);
      const isLate = (): boolean => context.ports.clock.now() > lateAt;
      await tryFaults(context, { subjects, book, isLate, lateAt }, at);
      const measureNow = (subject: Subject): Measure =>
        newMeasure(subject.verification, state.work.tree.code, { ...subject, trials: [...subject.trials, ...subject.beyond] });
      const measured = subjects.filter(isMeasured);
      const short = measured.filter((subject) => isTooLittle(state, [measureNow(subject)])).length;
      if (short > 0)
        context.ports.progress({
          kind: 'note',
          text: `Asking others about the faults that ${counted(short, 'verification')} did not see.`,
        });
      await inParallel(context, measured, async (subject) => {
        const isTheirs = (trial: FaultTrial): boolean => isForOthers(subject, trial);
        await leaveToOthers(context, { subject, trials: subject.near, book, isTheirs }, at);
        if (!isTooLittle(state, [measureNow(subject)])) return;
        const siblings = siblingsOf(subject, measured);
        // In other work everybody sees faults of their own.
        if (subject.inOtherWork) return;
        await askSiblings(context, { subject, siblings: siblings.filter(({ inOtherWork }) => !inOtherWork), book, isLate }, at);
        const isEnough = requirementsOf(subject.verification).every((id) => {
          const ofRequirement = [subject, ...siblings].filter(({ verification }) => requirementsOf(verification).includes(id));
          return !isTooLittle(state, ofRequirement.map(measureNow));
        });
        if (!isEnough) await leaveToOthers(context, { subject, trials: subject.trials, book }, at);
      });
      const strong = measured.filter((subject) => isStrong(state, [subject, ...siblingsOf(subject, measured)].map(measureNow)));
      await inParallel(context, strong, (subject) => tryValues(context, { subject, book, isLate }, at));
      return [...measured.map((subject): Fact => ({ fact: 'verification.measured', measure: measureNow(subject) })), ...book.facts()];
    });
  },
};

/**
 * Whether a fault near to right is asked of others: in a place that is not the nearest to it. Where nobody tells which lines a run
 * reaches, in a place in which it sees another one, since only there would it count as overlooked.
 */
function isForOthers({ near, isNearest }: Subject, trial: FaultTrial): boolean {
  if (trial.outcome === 'unseen') return !isNearest(trial);
  return (
    trial.outcome === 'untold' &&
    near.some(({ outcome, path, place }) => outcome === 'seen' && path === trial.path && place === trial.place)
  );
}

/** Those with a requirement in common: its strength is that of all of them together. */
function siblingsOf({ verification }: Subject, all: readonly Subject[]): Subject[] {
  const ids = requirementsOf(verification);
  return all.filter((one) => one.verification !== verification && requirementsOf(one.verification).some((id) => ids.includes(id)));
}

/** First those that run beside others, then one after the other what is too slow for that. */
async function tryFaults(
  context: Context,
  { subjects, book, isLate, lateAt }: { subjects: readonly Subject[]; book: FaultBook; isLate: () => boolean; lateAt: number },
  at: Place,
): Promise<void> {
  const tryAll = async (some: readonly Subject[], later: readonly Subject[], parallel?: number): Promise<void> => {
    const leaveOut = async (subject: Subject): Promise<void> => {
      await leaveOutUnread(context, subject, at);
      await tryDocuments(context, { subject, isLate }, at);
    };
    await inParallel(context, some, leaveOut, parallel);
    const tries = inTurns(some.map(triesOf));
    const told = tenths(context, tries, { later: later.flatMap(triesOf), lateAt });
    const tryOne = async (one: Try): Promise<void> => {
      if (isLate() && mayBeLeftOut(one)) one.subject.left += 1;
      else await tryFault(context, { ...one, book }, at);
      told();
    };
    await inParallel(context, tries, tryOne, parallel);
  };
  const isSlow = ({ isAlone }: Subject): boolean => isAlone;
  const [slow, beside] = [subjects.filter(isSlow), subjects.filter((one) => !isSlow(one))];
  await tryAll(beside, slow);
  for (const subject of subjects.filter(isHeldUp)) {
    subject.isAlone = true;
    subject.longest = subject.verification.timeout * patience;
    // What the others may have caused is tried once more.
    subject.isKept = false;
    subject.read = undefined;
  }
  await tryAll(subjects.filter(isSlow), [], 1);
}

/**
 * Seconds for all faults of all verifications. After that each meets only those without which nobody could tell how it does, and those
 * that are near to right: one of them alone makes a proof weak.
 */
const timeForAll = 120;

/** When the time for all faults is over; never where the person asked for the most. */
function endOfTime({ state, ports: { clock } }: Context): number {
  return state.config.evidence === 'strong' ? Infinity : clock.now() + timeForAll * 1000;
}

function mayBeLeftOut({ subject, trials }: Try): boolean {
  return trials !== subject.near && tellsEnough(subject);
}

/** So many more faults seen than not, or the other way round, tell what the others would. */
const clearLead = 5;

function tellsEnough({ trials }: Subject): boolean {
  const count = (of: FaultTrial['outcome']): number => trials.filter(({ outcome }) => outcome === of).length;
  return Math.abs(count('seen') - count('unseen') - count('untold')) >= clearLead;
}

type Try = Omit<Trial, 'book'>;

/** After every two faults one that is near to right: wherever time runs out, both were tried. */
function triesOf(subject: Subject): Try[] {
  const near = subject.nearMutants.map((mutant) => ({ subject, mutant, trials: subject.near }));
  const tries = subject.mutants.map((mutant) => ({ subject, mutant, trials: subject.trials }));
  return [...tries.flatMap((one, i) => (i % 2 === 1 ? [one, ...near.splice(0, 1)] : [one])), ...near];
}

/** The first of each, then the second of each, and so on. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}

/**
 * Tells a person how far it is, who waits for minutes: by how long each verification runs, since those that are slow may come last.
 * @param later what runs alone, one after the other, once these are tried. @returns what to call after each fault.
 */
function tenths(
  { state, ports }: Context,
  tries: readonly Try[],
  { later, lateAt }: { later: readonly Try[]; lateAt: number },
): () => void {
  const timeOf = (some: readonly Try[]): number => some.reduce((sum, { subject }) => sum + durationOf(state, subject.verification), 0);
  const began = ports.clock.now();
  const all = tries.length;
  let tried = 0;
  return () => {
    tried += 1;
    if (Math.floor((tried * 10) / all) === Math.floor(((tried - 1) * 10) / all)) return;
    const now = ports.clock.now();
    const pace = (now - began) / Math.max(1, timeOf(tries.slice(0, tried)));
    const rest = tries.slice(tried);
    const optional = pace * timeOf(rest.filter(mayBeLeftOut));
    const left = pace * timeOf(rest) - optional + Math.min(optional, Math.max(0, lateAt - now)) + timeOf(later);
    ports.progress({ kind: 'faults', tried, all, left });
  };
}

/** No fault gave a result, which the others that ran may have caused. */
function isHeldUp({ mutants, documents, trials, isKept, read }: Subject): boolean {
  return isKept && mutants.length + documents.length > 0 && !trials.some(isTried) && read?.seen !== true;
}

/** Where the machine kept every fault from a result, nothing is measured, and it is tried again while its tank lasts. */
function isMeasured({ trials, isKept, read }: Subject): boolean {
  return !isKept || trials.some(isTried) || read?.seen === true;
}

/** In an order of its own, because the runs end in any order (I3). */
function newMeasure(
  { lineage, script }: Script,
  code: number,
  {
    trials,
    near,
    values,
    limits,
    reached,
    own,
    missed,
    inOtherWork,
    left,
    read,
  }: Pick<Subject, 'trials' | 'near' | 'values' | 'limits' | 'reached' | 'own' | 'missed' | 'inOtherWork' | 'left' | 'read'>,
): Measure {
  const inOrder = (some: readonly FaultTrial[]): FaultTrial[] => some.toSorted((a, b) => (faultKey(a) < faultKey(b) ? -1 : 1));
  const lines = Object.fromEntries(
    Object.entries(reached).map(([path, of]) => [
      path,
      of.map((place): number | [number, number, number] => (typeof place === 'number' ? place : [...place])),
    ]),
  );
  return {
    lineage,
    script,
    code,
    trials: inOrder(trials),
    ...(own ? { own } : {}),
    ...(missed ? { missed } : {}),
    ...(inOtherWork ? { inOtherWork } : {}),
    near: inOrder(near),
    ...(values.length > 0 ? { values: inOrder(values) } : {}),
    ...(left > 0 ? { left } : {}),
    ...(read === undefined ? {} : { document: read }),
    reached: lines,
    limits,
  };
}
