/** One fault after another in the work, and how a verification ends with each. */
import type { Context } from '../../context.ts';
import { isGreen, mayBeMachine } from '../../judge/verdict.ts';
import { counted } from '../../ground/text.ts';
import { getsTo, mayGetTo, requirementsAt, type Reach } from '../../judge/own-places.ts';
import { classify, isRefusedByCompiler, type RunFacts } from '../../diagnose/classify.ts';
import type { Mutant } from '../../prove/mutants.ts';
import { patience } from '../../run/alone.ts';
import type { FaultBook } from '../../run/fault-book.ts';
import type { Files } from '../../run/files.ts';
import { silentTests } from '../../run/own-tests.ts';
import { runOnce } from '../../run/run-once.ts';
import type { State } from '../../state/state.ts';
import type { Finished, Place } from '../../work/job.ts';
import { faultKey, type FaultEnd, type FaultTrial, type Script } from '../../work/verification.ts';
import { isRow, trialOf } from './drawn-faults.ts';
import { longestOf, type Subject } from './measure-subjects.ts';

export interface Trial {
  subject: Subject;
  mutant: Mutant;
  /** To which the result is added. */
  trials: FaultTrial[];
  book: FaultBook;
}

export async function tryFault(context: Context, { subject, mutant, trials, book }: Trial, at: Place): Promise<void> {
  const { reached } = subject;
  const end = await endIn(context, subject, mutant, book, at);
  if (end === 'machine') subject.isKept = true;
  else if (end === 'green') trials.push({ ...trialOf(mutant, reached[mutant.path] ? 'unseen' : 'untold'), ...sharedBy(subject, mutant) });
  else if (end === 'red') trials.push(trialOf(mutant, 'seen'));
}

/**
 * How many others go through there. All load the rows of a table, and the calls that fill it, whatever they ask of it, which tells nothing
 * of who uses them; but what else a program does when it starts, it does for all.
 */
function sharedBy({ others }: Subject, mutant: Mutant): Pick<FaultTrial, 'others'> {
  const count = mutant.atLoad === true && isRow(mutant) ? 0 : requirementsAt(others, mutant);
  return count > 0 ? { others: count } : {};
}

/** Is no program in any language. */
const garbage = ')]}\n';

/**
 * Nobody can tell which lines of a file are reached where it is compiled, or read by what tells nothing. But where a run stays green with
 * nothing of the file left, it does not get there.
 */
export async function leaveOutUnread(context: Context, subject: Subject, at: Place): Promise<void> {
  const isUntold = ({ path }: Mutant): boolean => subject.reached[path] === undefined;
  for (const path of new Set(subject.mutants.filter(isUntold).map((mutant) => mutant.path))) {
    if (context.signal.aborted || (await endOf(context, subject, { [path]: garbage }, at)) !== 'green') continue;
    const isThere = (mutant: Mutant): boolean => mutant.path === path;
    subject.trials.push(...subject.mutants.filter(isThere).map((mutant) => trialOf(mutant, 'unreached')));
    subject.mutants = subject.mutants.filter((mutant) => !isThere(mutant));
    subject.nearMutants = subject.nearMutants.filter((mutant) => !isThere(mutant));
  }
}

/**
 * Each has faults of its own: what one does not see, and another of the same requirement did not try, that one may see. Where no run is
 * known to get, it is asked itself as well: what tells where a run gets may be wrong.
 */
export async function askSiblings(
  context: Context,
  { subject, siblings, book, isLate }: { subject: Subject; siblings: readonly Subject[]; book: FaultBook; isLate: () => boolean },
  at: Place,
): Promise<void> {
  const { beyond } = subject;
  for (const trial of [...subject.trials, ...beyond].filter(({ outcome }) => outcome === 'unseen')) {
    const key = faultKey(trial);
    const mutant = mutantOf(subject, trial);
    if (!mutant) continue;
    const isBeyond = beyond.includes(trial);
    if (isBeyond && isLate()) continue;
    const mayGet = isBeyond ? [subject, ...siblings].slice(0, mostAskedBeyond) : siblings.filter((one) => getsTo(one, trial));
    const mayTry = mayGet.filter((one) => !one.trials.some((tried) => faultKey(tried) === key && isTried(tried)));
    for (const sibling of mayTry.slice(0, mostAsked)) {
      if (context.signal.aborted) return;
      if ((await endIn(context, sibling, mutant, book, at)) !== 'red') continue;
      sibling.trials.push(trialOf(mutant, 'seen'));
      if (sibling === subject) subject.beyond = subject.beyond.filter((one) => one !== trial);
      break;
    }
  }
}

/** Other verifications that try one fault, at most. */
const mostAsked = 8;
/** Most of those runs would be green, each to its end. */
const mostAskedBeyond = 3;

/**
 * A fault in a place where runs for other requirements get is theirs as well: where one of their verifications sees it, it is nothing
 * that this one would have to see.
 */
export async function leaveToOthers(
  context: Context,
  { subject, trials, book, isTheirs = isUnseen }: Omit<Trial, 'mutant'> & { isTheirs?: (trial: FaultTrial) => boolean },
  at: Place,
): Promise<void> {
  for (const [i, trial] of trials.entries()) {
    const mutant = isTheirs(trial) ? mutantOf(subject, trial) : undefined;
    if (!mutant) continue;
    const getsThere = isUnseen(trial) ? getsTo : mayGetTo;
    const mayGet = subject.others.filter((one) => getsThere(one, trial)).map(({ verification }) => verification);
    for (const verification of book.likeliest(mayGet, mutant, (one) => durationOf(context.state, one)).slice(0, mostAsked)) {
      if (context.signal.aborted) return;
      const longest = longestOf(verification, durationOf(context.state, verification));
      if ((await endIn(context, { verification, isAlone: false, longest }, mutant, book, at)) !== 'red') continue;
      trials[i] = { ...trial, outcome: isLoaded(mutant, subject.others) ? 'loaded' : 'elsewhere' };
      break;
    }
  }
}

function isUnseen({ outcome }: FaultTrial): boolean {
  return outcome === 'unseen';
}

/** Of its latest green run, in milliseconds. */
export function durationOf({ ledger }: State, { lineage, script, timeout }: Script): number {
  const green = ledger.runs[lineage]?.findLast((run) => run.script === script && run.verdict === 'green');
  return green?.duration ?? timeout * 1000;
}

/**
 * Faults in numbers and texts that no other fault changes, for a proof that is strong by those: one fault a line says little about a
 * table that stands in one line.
 */
export async function tryValues(
  context: Context,
  { subject, book, isLate }: { subject: Subject; book: FaultBook; isLate: () => boolean },
  at: Place,
): Promise<void> {
  subject.valueMutants = await subject.furtherValues();
  for (const mutant of subject.valueMutants) {
    if (context.signal.aborted) return;
    if (isLate()) subject.left += 1;
    else await tryFault(context, { subject, mutant, trials: subject.values, book }, at);
  }
  await leaveToOthers(context, { subject, trials: subject.values, book }, at);
}

export function isTried({ outcome }: FaultTrial): boolean {
  return outcome !== 'unreached' && outcome !== 'wording';
}

function mutantOf({ mutants, beyondMutants, nearMutants, valueMutants }: Subject, trial: FaultTrial): Mutant | undefined {
  const key = faultKey(trial);
  return [...mutants, ...beyondMutants, ...nearMutants, ...valueMutants].find((one) => faultKey(one) === key);
}

/** Each run for others that loads the file gets there: that tells nothing of what it uses, as with the rows of a table. */
function isLoaded(mutant: Mutant, others: readonly Reach[]): boolean {
  return mutant.atLoad === true && others.every((one) => one.reached[mutant.path] === undefined || getsTo(one, mutant));
}

/** By the book, where the same fault was tried there before. */
async function endIn(
  context: Context,
  subject: Pick<Subject, 'verification' | 'isAlone' | 'longest'>,
  mutant: Mutant,
  book: FaultBook,
  at: Place,
): Promise<FaultEnd['end'] | 'machine'> {
  const known = book.endWith(subject.verification, mutant);
  const end = known ?? (await endOf(context, subject, { [mutant.path]: mutant.text }, at, mutant.declared));
  if (known === undefined && end !== 'machine') book.add(subject.verification, mutant, end);
  await keepNowAndThen(context, book);
  return end;
}

/** Milliseconds between what is kept of faults, and how often at most: an action may make 200 effects. */
const keepsEach = 30_000;
const mostKeeps = 100;

/** Trying faults takes minutes: a sprint that is stopped in the middle, and goes on later, meets no fault a second time. */
async function keepNowAndThen(context: Context, book: FaultBook): Promise<void> {
  const { open, ports } = context;
  if (ports.clock.now() - book.keptAt < keepsEach || open.parts.size >= mostKeeps || context.signal.aborted) return;
  // One at a time, however long the disk takes: the next would have the same key.
  book.keptAt = Infinity;
  const facts = book.facts();
  const effect = { name: 'keep', key: `faults ${open.parts.size}`, detail: `how runs ended with ${counted(facts.length, 'fault')}` };
  await context.effect(effect, { run: () => Promise.resolve(''), facts: () => facts });
  book.keptAt = ports.clock.now();
}

/**
 * `broken`: the fault tells nothing, because the work does not run any more with it, or not to its end. The red of a verification
 * that was flaky before, or has to run alone, is run once more: red, then green tells nothing either. So is a run in which a service
 * ended, as it may by itself.
 */
export async function endOf(
  context: Context,
  { verification, isAlone, longest }: Pick<Subject, 'verification' | 'isAlone' | 'longest'>,
  faulty: Files,
  at: Place,
  declared = false,
): Promise<FaultEnd['end'] | 'machine'> {
  // Tests of the work that stand in the file would see the fault for it.
  const files = { ...faulty, ...(await silentTests(context.ports.syntax, faulty)) };
  const once = (): Promise<Finished> =>
    runOnce(context, verification, { at, where: 'revert' }, { files, timeout: longest, patience: isAlone ? patience : 1 });
  const first = await once();
  if (isGreen(first)) return 'green';
  const wasFlaky = context.state.ledger.runs[verification.lineage]?.some((run) => run.verdict === 'flaky') === true;
  const script = await context.ports.payloads.get(verification.script);
  // What compiles against declarations says by a compiler's words that one is wrong.
  const isTold = (done: Finished): boolean =>
    isPlain(done, script) || isOwnWord(done, verification) || (declared && isSaid(done, verification));
  const mayBeByItself = first.dead?.how === 'exited' || (isTold(first) && (wasFlaky || isAlone));
  const done = mayBeByItself ? await once() : first;
  if (isGreen(done)) return isTold(first) ? 'broken' : 'green';
  if (isTold(done)) return 'red';
  // Alone it was the fault that took the time.
  if ((mayBeMachine(done) && !(done.timedOut && isAlone)) || done.lacks !== undefined) return 'machine';
  return isRefusedByCompiler({ ...done, script }) ? 'unbuilt' : 'broken';
}

/** The script itself said that something is wrong. */
function isPlain(done: Finished, script: string): boolean {
  return done.exit !== null && done.dead === undefined && done.lacks === undefined && !couldNotRun({ ...done, script });
}

/** It ended by itself, with its reason. */
function isSaid({ exit, dead, lacks, timedOut, output }: Finished, { red }: Script): boolean {
  return exit !== null && dead === undefined && lacks === undefined && !timedOut && output.includes(red);
}

/** A Python script that says its reason by an exception of its own, whose words are the last line. */
function isOwnWord(done: Finished, verification: Script): boolean {
  const last = done.output.trimEnd().split('\n').at(-1) ?? '';
  return done.exit === 1 && isSaid({ ...done, output: last }, verification) && /^[\w.]+: /.test(last);
}

function couldNotRun(run: RunFacts): boolean {
  const kind = classify(run);
  return kind === 'compile_error' || kind === 'runtime_error' || kind === 'tooling_error';
}
