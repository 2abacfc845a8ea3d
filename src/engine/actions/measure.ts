/**
 * Measures how much proofs prove: puts faults into the lines that a verification reaches, one at a time, and counts how many it
 * sees. All runs go into one scratch checkout, and each sees its own fault alone. What is too slow beside others runs alone. Where
 * runs take long, faults that would tell nothing new are left out.
 */
import type { Context } from '../context.ts';
import { hasBurned } from '../state/fuel.ts';
import { isGreen, mayBeMachine } from '../judge/verdict.ts';
import { askedValues, unknownValues } from '../judge/known-values.ts';
import { loadsWork } from '../judge/in-process.ts';
import { getsTo, knownReach, ofOthers, ownPlaces, requirementsAt, type Reach, type Spot } from '../judge/own-places.ts';
import { isTooLittle, unmeasured } from '../judge/strength.ts';
import { coveringCommits, proofTank } from '../judge/trust.ts';
import { classify } from '../diagnose/classify.ts';
import { languageOf } from '../prove/language.ts';
import { faultsPerVerification, type Mutant } from '../prove/mutants.ts';
import { patience } from '../run/alone.ts';
import { documentTexts, exampleTexts } from '../run/documents.ts';
import { FaultBook, keyOf } from '../run/fault-book.ts';
import { filesOf, type Files } from '../run/files.ts';
import { mutantsOf, nearMutantsOf, patchesOf, placesOf } from '../run/mutants.ts';
import { silentTests } from '../run/own-tests.ts';
import { runOnce } from '../run/run-once.ts';
import { inParallel } from '../run/schedule.ts';
import { liveScripts } from '../state/covers.ts';
import type { Fact } from '../work/facts.ts';
import { isReached, type Finished, type Place, type Reached } from '../work/job.ts';
import type { FaultEnd, FaultTrial, Measure, Script } from '../work/verification.ts';
import type { Action } from './action.ts';
import { withoutOwnTests } from './without-own-tests.ts';

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
    const verifications = liveScripts(state.work).filter((v) => hasBurned(open.decision, proofTank(v, 'strength')));
    return withoutOwnTests(context, { revert: [] }, async (at): Promise<Fact[]> => {
      const known = [...(await documentTexts(state, context.ports)), ...(await exampleTexts(state, context.ports))];
      const book = new FaultBook(state);
      const sound = await soundRuns(context, verifications, at);
      const now = sound.map(({ verification, found }): Reach => ({ verification, reached: found.reached ?? {} }));
      const before = knownReach(state).filter(({ verification }) => !now.some((one) => one.verification === verification));
      const reaches = [...now, ...before];
      const subjects = await inParallel(context, sound, (one) => subjectOf(context, one, known, reaches));
      const isLate = lateness(context);
      const tryAll = (some: readonly Subject[], parallel?: number): Promise<unknown> => {
        const tries = inTurns(some.map(triesOf));
        const told = tenths(context, tries.length);
        const tryOne = async (one: Omit<Trial, 'book'>): Promise<void> => {
          if (one.trials !== one.subject.near && isLate() && tellsEnough(one.subject)) one.subject.left += 1;
          else await tryFault(context, { ...one, book }, at);
          told();
        };
        return inParallel(context, tries, tryOne, parallel);
      };
      await tryAll(subjects.filter(({ isAlone }) => !isAlone));
      for (const subject of subjects.filter(isHeldUp)) Object.assign(subject, { isAlone: true, isKept: false });
      await tryAll(
        subjects.filter(({ isAlone }) => isAlone),
        1,
      );
      const measureNow = (subject: Subject): Measure =>
        measureOf(subject.verification, state.work.tree.code, { ...subject, trials: [...subject.trials, ...subject.beyond] });
      const measured = subjects.filter(isMeasured);
      await inParallel(context, measured, async (subject) => {
        await leaveToOthers(context, { subject, trials: subject.near, book }, at);
        if (isTooLittle(state, measureNow(subject))) await leaveToOthers(context, { subject, trials: subject.trials, book }, at);
      });
      return [...measured.map((subject): Fact => ({ fact: 'verification.measured', measure: measureNow(subject) })), ...book.facts()];
    });
  },
};

/**
 * Seconds for all faults of all verifications. After that each meets only those without which nobody could tell how it does, and those
 * that are near to right: one of them alone makes a proof weak.
 */
const timeForAll = 120;

/** Whether the time for all faults is over; never where the person asked for the most. */
function lateness({ state, ports: { clock } }: Context): () => boolean {
  const end = clock.now() + timeForAll * 1000;
  return () => state.config.evidence !== 'strong' && clock.now() > end;
}

/** So many more faults seen than not, or the other way round, tell what the others would. */
const clearLead = 5;

function tellsEnough({ trials }: Subject): boolean {
  const count = (of: FaultTrial['outcome']): number => trials.filter(({ outcome }) => outcome === of).length;
  return Math.abs(count('seen') - count('unseen') - count('untold')) >= clearLead;
}

/** After every two faults one that is near to right: wherever time runs out, both were tried. */
function triesOf(subject: Subject): Omit<Trial, 'book'>[] {
  const near = subject.nearMutants.map((mutant) => ({ subject, mutant, trials: subject.near }));
  const tries = subject.mutants.map((mutant) => ({ subject, mutant, trials: subject.trials }));
  return [...tries.flatMap((one, i) => (i % 2 === 1 ? [one, ...near.splice(0, 1)] : [one])), ...near];
}

/** The first of each, then the second of each, and so on. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}

/** Tells a person how far it is, who waits for minutes. @returns what to call after each fault. */
function tenths({ ports }: Context, all: number): () => void {
  let tried = 0;
  return () => {
    tried += 1;
    if (Math.floor((tried * 10) / all) > Math.floor(((tried - 1) * 10) / all)) ports.progress({ kind: 'faults', tried, all });
  };
}

/** A green run before any fault. */
interface Sound {
  verification: Script;
  found: Finished;
  /** It is too slow beside others, and so it would be with each fault. */
  isAlone: boolean;
}

interface Subject extends Omit<Sound, 'found'> {
  reached: Reached;
  mutants: Mutant[];
  trials: FaultTrial[];
  nearMutants: Mutant[];
  near: FaultTrial[];
  limits: string[];
  /** Its faults are all where only runs for its own requirement get. */
  own: boolean;
  /** Faults in its requirement's own places that its run does not reach: it sees none of them. */
  beyond: FaultTrial[];
  /** What reaches the work for other requirements. */
  others: readonly Reach[];
  /** The machine kept a fault from a result, or nobody could look for one. */
  isKept: boolean;
  /** Faults that were left out for want of time. */
  left: number;
}

/** No fault gave a result, which the others that ran may have caused. */
function isHeldUp({ mutants, trials, isKept }: Subject): boolean {
  return isKept && mutants.length > 0 && trials.every(({ outcome }) => outcome === 'unreached');
}

interface Trial {
  subject: Subject;
  mutant: Mutant;
  /** To which the result is added. */
  trials: FaultTrial[];
  book: FaultBook;
}

async function tryFault(context: Context, { subject, mutant, trials, book }: Trial, at: Place): Promise<void> {
  const { verification, reached } = subject;
  const known = book.endWith(verification, mutant);
  const end = known ?? (await endOf(context, subject, mutant, at));
  if (end === 'machine') {
    subject.isKept = true;
    return;
  }
  if (known === undefined) book.add(verification, mutant, end);
  if (end === 'green') trials.push(trialOf(mutant, reached[mutant.path] ? 'unseen' : 'untold'));
  else if (end !== 'broken') trials.push(trialOf(mutant, 'seen'));
}

/** Verifications of other requirements that try one fault, at most. */
const mostAsked = 8;

/**
 * A fault in a place where runs for other requirements get is theirs as well: where one of their verifications sees it, it is nothing
 * that this one would have to see.
 */
async function leaveToOthers(context: Context, { subject, trials, book }: Omit<Trial, 'mutant'>, at: Place): Promise<void> {
  const mutants = [...subject.mutants, ...subject.nearMutants];
  for (const [i, trial] of trials.entries()) {
    const mutant = trial.outcome === 'unseen' ? mutants.find((one) => keyOf(one) === keyOf(trial)) : undefined;
    if (!mutant) continue;
    for (const { verification } of subject.others.filter((one) => getsTo(one, trial)).slice(0, mostAsked)) {
      if (context.signal.aborted) return;
      const known = book.endWith(verification, mutant);
      const end = known ?? (await endOf(context, { verification, isAlone: false }, mutant, at));
      if (known === undefined && end !== 'machine') book.add(verification, mutant, end);
      if (end !== 'red') continue;
      trials[i] = { ...trial, outcome: 'elsewhere' };
      break;
    }
  }
}

/** Where the machine kept every fault from a result, nothing is measured, and it is tried again while its tank lasts. */
function isMeasured({ trials, isKept }: Subject): boolean {
  return !isKept || trials.some(({ outcome }) => outcome !== 'unreached');
}

/**
 * What is not green before any fault measures nothing, and is tried again while its tank lasts. Where the machine may have caused
 * it, it runs once more alone.
 */
async function soundRuns(context: Context, verifications: readonly Script[], at: Place): Promise<Sound[]> {
  const soundRun = async (verification: Script, isAlone: boolean): Promise<Sound> => {
    const times = isAlone ? patience : 1;
    return { verification, found: await runOnce(context, verification, { at, where: 'revert' }, times, { reach: true }), isAlone };
  };
  const first = await inParallel(context, verifications, (one) => soundRun(one, false));
  const kept = first.filter(({ found }) => mayBeMachine(found));
  const alone = await inParallel(context, kept, ({ verification }) => soundRun(verification, true), 1);
  return [...first, ...alone].filter(({ found }) => isGreen(found));
}

/** So many faults where only its own requirement's runs get say enough, without those in what it shares with others. */
const fewestOwn = 6;

/**
 * @param known texts that a builder could read.
 * @param reaches what reaches which places of the work, for all requirements.
 */
async function subjectOf(
  context: Context,
  { verification, found, isAlone }: Sound,
  known: readonly string[],
  reaches: readonly Reach[],
): Promise<Subject> {
  const { state, ports } = context;
  const commits = coveringCommits(state, verification);
  const [patches, files, script] = await Promise.all([
    patchesOf(ports.payloads, state.work.tree.commits, commits),
    filesOf(ports.tree, commits),
    ports.payloads.get(verification.script),
  ]);
  const reached = within(found.reached ?? {}, files);
  const limits = [
    ...(loadsWork(script, verification.ext, Object.keys(files))
      ? ['it loads the work into its own process, where the work could speak for it']
      : []),
    ...(verification.varies || unknownValues(askedValues(script, verification.red), known).length > 0
      ? []
      : ['it asks only for values that a builder could know: all of them stand in the documents, examples or tests']),
    ...unknownIn(files),
  ];
  const others = ofOthers(reaches, verification);
  const subject = { verification, isAlone, reached, limits, others };
  const mayReach = (place: Spot): boolean => {
    const places = reached[place.path];
    return places === undefined || isReached(places, place);
  };
  const faults = (isWanted?: Parameters<typeof mutantsOf>[4]): Promise<Mutant[]> =>
    mutantsOf(ports.syntax, files, patches, faultsPerVerification, isWanted);
  const all = await faults();
  const isTold = (place: Spot): boolean => reached[place.path] !== undefined && mayReach(place);
  const isOwn = ownPlaces(await placesOf(ports.syntax, files, patches), others, isTold);
  const inOwn = others.length > 0 ? await faults(isOwn) : [];
  const own = inOwn.length >= fewestOwn;
  const trials = all.filter((mutant) => !mayReach(mutant)).map((mutant) => trialOf(mutant, 'unreached'));
  const beyond = own ? inOwn.filter((mutant) => !mayReach(mutant)).map((mutant) => trialOf(mutant, 'unseen')) : [];
  const mutants = own ? inOwn.filter(mayReach) : trials.length === 0 ? all : await faults(mayReach);
  const isNear = (place: Spot): boolean => mayReach(place) && requirementsAt(others, place) <= 1;
  const nearMutants = await nearMutantsOf(ports.syntax, files, patches, isNear, others.length > 0);
  return {
    ...subject,
    own,
    beyond,
    mutants,
    trials,
    nearMutants,
    near: [],
    left: 0,
    isKept: all.length === 0 && (await isUnread(ports.syntax, files)),
  };
}

/** Whether a file of the work could not be parsed, which may be for want of time: then nobody knows where a fault could be put. */
async function isUnread(syntax: Context['ports']['syntax'], files: Files): Promise<boolean> {
  for (const [path, text] of Object.entries(files)) {
    const language = languageOf(path, text);
    if (language && (await syntax.errors(language, text)) === undefined) return true;
  }
  return false;
}

/** Of the work's files alone. */
function within(reached: Reached, files: Files): Reached {
  return Object.fromEntries(Object.entries(reached).filter(([path]) => Object.hasOwn(files, path)));
}

function unknownIn(files: Files): string[] {
  const paths = Object.entries(files).flatMap(([path, text]) => (languageOf(path, text) ? [] : [path]));
  return paths.length > 0 && paths.length === Object.keys(files).length
    ? [`${paths[0]} is in no language into which Loop can put faults`]
    : [];
}

/**
 * `broken`: the fault tells nothing, because the work does not run any more with it, or not to its end. The red of a verification
 * that was flaky before is run once more: red, then green tells nothing either.
 */
async function endOf(
  context: Context,
  { verification, isAlone }: Pick<Subject, 'verification' | 'isAlone'>,
  { path, text }: Mutant,
  at: Place,
): Promise<FaultEnd['end'] | 'machine'> {
  // Tests of the work that stand in the file would see the fault for it.
  const files = { [path]: text, ...(await silentTests(context.ports.syntax, { [path]: text })) };
  const once = (): Promise<Finished> => runOnce(context, verification, { at, where: 'revert' }, isAlone ? patience : 1, { files });
  const first = await once();
  if (isGreen(first)) return 'green';
  const wasFlaky = context.state.ledger.runs[verification.lineage]?.some((run) => run.verdict === 'flaky') === true;
  const isTold = (done: Finished): boolean => isPlain(done) || isOwnWord(done, verification);
  const done = isTold(first) && wasFlaky ? await once() : first;
  if (isGreen(done)) return 'broken';
  if (isTold(done)) return 'red';
  // Alone it was the fault that took the time.
  return (mayBeMachine(done) && !(done.timedOut && isAlone)) || done.lacks !== undefined ? 'machine' : 'broken';
}

/** The script itself said that something is wrong. */
function isPlain(done: Finished): boolean {
  return done.exit !== null && done.dead === undefined && done.lacks === undefined && !isBroken(done);
}

/** A Python script that says its reason by an exception of its own, whose words are the last line. */
function isOwnWord({ exit, dead, lacks, timedOut, output }: Finished, { red }: Script): boolean {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  return exit === 1 && dead === undefined && lacks === undefined && !timedOut && /^[\w.]+: /.test(last) && last.includes(red);
}

function isBroken({ exit, timedOut, output }: Finished): boolean {
  const kind = classify({ exit, timedOut, output });
  return kind === 'compile_error' || kind === 'runtime_error' || kind === 'tooling_error';
}

function trialOf({ path, line, column, operator, was, now, place }: Mutant, outcome: FaultTrial['outcome']): FaultTrial {
  return { path, line, column, operator, was, now, outcome, ...(place === undefined ? {} : { place }) };
}

/** In an order of its own, because the runs end in any order (I3). */
function measureOf(
  { lineage, script }: Script,
  code: number,
  { trials, near, limits, reached, own, left }: Pick<Subject, 'trials' | 'near' | 'limits' | 'reached' | 'own' | 'left'>,
): Measure {
  const inOrder = (some: readonly FaultTrial[]): FaultTrial[] => some.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
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
    near: inOrder(near),
    ...(left > 0 ? { left } : {}),
    reached: lines,
    limits,
  };
}
