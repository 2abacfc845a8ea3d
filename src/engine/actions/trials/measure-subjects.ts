/**
 * What is measured of each verification: what its run reaches, which faults can be put there, and what limits its proof whatever they
 * show.
 */
import type { Context } from '../../context.ts';
import { counted, listPaths } from '../../ground/text.ts';
import type { Syntax } from '../../ports.ts';
import { isGreen } from '../../judge/verdict.ts';
import { askedValues, unknownValues } from '../../judge/known-values.ts';
import { loadsWork } from '../../judge/in-process.ts';
import { limitsOfProof } from '../../judge/limits-of-proof.ts';
import { getsTo, knownReach, ofOthers, type Reach } from '../../judge/own-places.ts';
import { coveringCommits } from '../../judge/trust.ts';
import { namedPaths } from '../../parse/named-paths.ts';
import { isDeclaration, mayDeclare } from '../../prove/declarations.ts';
import { languageOf } from '../../prove/language.ts';
import { isToldByLine, literalLines } from '../../prove/literals.ts';
import { faultsPerVerification, type Candidate, type Mutant } from '../../prove/mutants.ts';
import { isNamedHelper, isNamedTest } from '../../prove/own-tests.ts';
import { isSettings } from '../../prove/settings.ts';
import { patience } from '../../run/alone.ts';
import { documentTexts, exampleTexts } from '../../run/documents.ts';
import { filesIn, filesOf, type Files } from '../../run/files.ts';
import { addedBy, mutantsOf, Reading, type Added } from '../../run/mutants.ts';
import { runOnce } from '../../run/run-once.ts';
import { inParallel } from '../../run/schedule.ts';
import type { State } from '../../state/state.ts';
import type { Finished, Place, Reached } from '../../work/job.ts';
import { requirementsOf, type FaultTrial, type Measure, type Script } from '../../work/verification.ts';
import { drawFaults, type Common, type Drawn, type Faulty } from './drawn-faults.ts';

/** A green run before any fault. */
interface Sound {
  verification: Script;
  found: Finished;
  /** It is too slow beside others, and so it would be with each fault. */
  isAlone: boolean;
  /** Seconds that a run with a fault may take: many times as long as without one, and at most what it may take otherwise. */
  longest: number;
}

/** What is tried, and where; and what came of it so far: whatever tries a fault adds to its lists. */
export interface Subject extends Omit<Sound, 'found'>, Omit<Drawn, 'isNowhere'>, Pick<Faulty, 'reached' | 'others'> {
  readonly limits: string[];
  /** Its own work has no place for a fault, so they are in what its run reaches of other work. */
  readonly inOtherWork: boolean;
  /** Files that its requirement names, or else its work, where all of them are in no language into which faults can be put. */
  readonly documents: readonly { path: string; text: string }[];
  /** A requirement of it tells a number, which may be how long such a text may be: all of it twice may be wrong then. */
  readonly isLimited: boolean;
  near: FaultTrial[];
  /** None before its others were tried. */
  valueMutants: readonly Mutant[];
  values: FaultTrial[];
  /** The machine kept a fault from a result, or nobody could look for one. */
  isKept: boolean;
  /** Faults that were left out for want of time. */
  left: number;
  /** Of a run that gets to no place for a fault, what became of its documents. */
  read: Measure['document'];
}

/** Of verifications whose work is whole: what is not green before any fault measures nothing, and is tried again while its tank lasts. */
export async function subjectsOf(context: Context, verifications: readonly Script[], at: Place): Promise<Subject[]> {
  const { state, ports } = context;
  const known = [...(await documentTexts(state, ports)), ...(await exampleTexts(state, ports))];
  const files = await filesOf(ports.tree, state.work.tree.commits);
  const sound = await soundRuns(context, verifications, { at, tables: await tablesIn(ports.syntax, files) });
  const now = sound.map(({ verification, found }): Reach => ({ verification, reached: found.reached ?? {} }));
  const before = knownReach(state).filter(({ verification }) => !now.some((one) => one.verification === verification));
  const ground = { known, reaches: [...now, ...before], files, reading: new Reading(ports.syntax) };
  return inParallel(context, sound, (one) => subjectOf(context, one, ground));
}

/** Seconds that a run with a fault gets at least: a script that is soon green may wait for a while before it says that something is missing. */
const leastTime = 20;
/** So many times as long as without the fault is taken for ever. */
const timesAsLong = 10;

/** @param duration of the run without a fault, in milliseconds. @param times of its own limit, at most. */
export function longestOf({ timeout }: Script, duration: number, times = 1): number {
  return Math.min(timeout * times, Math.max(leastTime, timesAsLong * (duration / 1000)));
}

/**
 * Each is green on this code. Where it is not here, others beside it may have caused that, and then what tells where its run gets, which
 * takes time of its own: it runs once more alone, and once more without that. Where it gets, the run before told.
 */
async function soundRuns(
  context: Context,
  verifications: readonly Script[],
  { at, tables }: { at: Place; tables: Tables },
): Promise<Sound[]> {
  const soundRun = async (verification: Script, isAlone: boolean, reach = true): Promise<Sound> => {
    const times = isAlone ? patience : 1;
    const found = await runOnce(context, verification, { at, where: 'revert' }, { patience: times, ...(reach ? { reach } : {}) });
    return { verification, found, isAlone, longest: longestOf(verification, found.duration, times) };
  };
  const notGreen = (some: readonly Sound[]): Sound[] => some.filter(({ found }) => !isGreen(found));
  const say = (text: string): void => context.ports.progress({ kind: 'note', text });
  say(
    `Looking at which lines of the work ${counted(verifications.length, 'verification')} reach${verifications.length === 1 ? 'es' : ''}.`,
  );
  const first = await inParallel(context, verifications, (one) => soundRun(one, false));
  const again = notGreen(first).map(({ verification }) => verification.id);
  if (again.length > 0) say(`Not green while that was looked at: ${listPaths(again)}. Each runs again, alone.`);
  const alone = await inParallel(context, notGreen(first), ({ verification }) => soundRun(verification, true), 1);
  const untraced = async ({ verification, found: { reached } }: Sound): Promise<Sound> => {
    const one = await soundRun(verification, true, false);
    return { ...one, found: { ...one.found, ...(reached ? { reached } : {}) } };
  };
  const quick = await inParallel(context, notGreen(alone), untraced, 1);
  const green = [...first, ...alone, ...quick].filter(({ found }) => isGreen(found));
  return green.map((one) => ({ ...one, found: { ...one.found, reached: withTables(one.found.reached ?? {}, tables) } }));
}

/** First and last line of each table, by path. */
type Tables = ReadonlyMap<string, readonly (readonly [first: number, last: number])[]>;

async function tablesIn(syntax: Syntax, files: Files): Promise<Tables> {
  const entries = Object.entries(files).map(async ([path, text]) => {
    const language = languageOf(path, text);
    const tree = language && isToldByLine(language) ? await syntax.parse(language, text) : undefined;
    return [path, language && tree ? literalLines(language, text, tree) : []] as const;
  });
  return new Map(await Promise.all(entries));
}

/** With all lines of the tables of which it reaches one. */
function withTables(reached: Reached, tables: Tables): Reached {
  const entries = Object.entries(reached).map(([path, places]): [string, Reached[string]] => {
    const lines = (tables.get(path) ?? []).filter(([first, last]) => places.some((place) => isWithin(place, first, last)));
    return [path, [...places, ...lines.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))]];
  });
  return Object.fromEntries(entries);
}

function isWithin(place: Reached[string][number], first: number, last: number): boolean {
  const line = typeof place === 'number' ? place : place[0];
  return first <= line && line <= last;
}

async function subjectOf(context: Context, { verification, found, isAlone, longest }: Sound, common: Common): Promise<Subject> {
  const { state, ports } = context;
  const commits = coveringCommits(state, verification);
  const files = filesIn(common.files, commits);
  const added = await addedBy(ports.payloads, state.work.tree.commits, commits);
  const asked = await declarationsOf(context, verification, files);
  const declared = asked.length > 0 ? await common.reading.covered(files, added, asked) : [];
  const declarations = declared.some(({ places }) => places.length > 0) ? asked : [];
  const all = declarations.length > 0 ? declared : await common.reading.covered(files, added);
  const covered = all.filter(({ file }) => !helpsTestsAlone(file.path, common.reaches));
  const others = ofOthers(common.reaches, verification);
  // No run gets to a line that declares.
  const run = Object.fromEntries(Object.entries(files).filter(([path]) => !declarations.includes(path)));
  const faulty = { verification, files, covered, declarations, others, reached: within(found.reached ?? {}, run) };
  const { isNowhere, ...drawn } = await drawFaults(context, faulty, common);
  const isKept = isNowhere && (await isUnread(ports.syntax, files));
  const other = isNowhere && !isKept && isProgram(files, added) ? await faultsInOtherWork(context, found, common) : undefined;
  return {
    verification,
    isAlone,
    longest,
    others,
    reached: faulty.reached,
    limits: await limitsOf(context, faulty, common),
    ...drawn,
    ...other,
    inOtherWork: other !== undefined,
    near: [],
    valueMutants: [],
    values: [],
    left: 0,
    isKept,
    documents: documentsOf(state, verification, files),
    isLimited: textsOf(state, verification).some((text) => /\d/.test(text)),
    read: undefined,
  };
}

/** What keeps its proof from being strong, whatever it sees. */
async function limitsOf({ ports }: Context, { verification, files }: Faulty, { known }: Common): Promise<string[]> {
  const script = await ports.payloads.get(verification.script);
  const isVaried = verification.varies || unknownValues(askedValues(script, verification.red), known).length > 0;
  return [
    ...(loadsWork(script, verification.ext, Object.keys(files)) ? [limitsOfProof.inProcess] : []),
    ...(isVaried ? [] : [limitsOfProof.knownValues]),
    ...unknownIn(files),
  ];
}

/** It adds something, and not to documents or tests alone; what only takes something out cannot be faulty. */
function isProgram(files: Files, added: Added): boolean {
  const entries = Object.entries(files);
  return (
    entries.every(([path, text]) => languageOf(path, text) !== undefined) &&
    entries.some(([path]) => !isNamedTest(path) && (added.get(path)?.size ?? 0) > 0)
  );
}

/** Faults in whatever its run is known to reach of the sprint's work; undefined where there is no place for one. */
async function faultsInOtherWork(
  { state, ports }: Context,
  found: Finished,
  { files, reading }: Pick<Common, 'files' | 'reading'>,
): Promise<Pick<Subject, 'reached' | 'mutants'> | undefined> {
  const { commits } = state.work.tree;
  const covered = await reading.covered(files, await addedBy(ports.payloads, commits, commits));
  const reached = within(found.reached ?? {}, files);
  const isWanted = (place: Candidate): boolean => getsTo({ reached }, place);
  const mutants = await mutantsOf(covered, faultsPerVerification, { isWanted });
  return mutants.length > 0 ? { reached, mutants } : undefined;
}

/** Whether a file of the work could not be parsed, which may be for want of time: then nobody knows where a fault could be put. */
async function isUnread(syntax: Syntax, files: Files): Promise<boolean> {
  for (const [path, text] of Object.entries(files)) {
    const language = languageOf(path, text);
    if (language && (await syntax.errors(language, text)) === undefined) return true;
  }
  return false;
}

/** The files that its requirements name, or else all of its work; none where one of them is code, or settings, which have to parse. */
function documentsOf(state: State, verification: Script, files: Files): Subject['documents'] {
  const named = namedPaths(textsOf(state, verification), Object.keys(files));
  const all = (named.length > 0 ? named : Object.keys(files)).map((path) => ({ path, text: files[path] ?? '' }));
  return all.some(({ path, text }) => isSettings(path) || languageOf(path, text) !== undefined) ? [] : all;
}

/**
 * Those that its requirements name, where each of them names one: it is about them alone. Where all of them are about types, and it asks
 * a type checker, the programs that may declare some.
 */
async function declarationsOf({ state, ports }: Context, verification: Script, files: Files): Promise<string[]> {
  const work = Object.keys(files).filter((path) => !isNamedTest(path));
  const texts = textsOf(state, verification);
  const named = texts.map((text) => namedPaths([text], work.filter(isDeclaration)));
  if (named.every((paths) => paths.length > 0)) return [...new Set(named.flat())];
  const isOfTypes = texts.length > 0 && texts.every((text) => aboutTypes.test(text));
  return isOfTypes && checksTypes.test(await ports.payloads.get(verification.script)) ? work.filter(mayDeclare) : [];
}

/** What a run of the work could tell as well, such as the type of an event, is not among them: no faults would be put into its behaviour. */
const aboutTypes =
  /\btype errors?\b|\b(has|have) the types? `?(number|string|boolean|bigint|unknown|never|void|undefined|Promise|readonly)\b|\b(right|inferred) types?\b|\bwithout a cast\b|\bdo(es)? not compile\b/i;
const checksTypes = /\b(tsc|tsgo|vue-tsc|tsd|typecheck|type-check|test:types|expectTypeOf|attest)\b/;

/** Of its requirements. */
function textsOf({ work }: State, verification: Script): string[] {
  const ids = requirementsOf(verification);
  return work.requirements.filter(({ id }) => ids.includes(id)).map(({ text }) => text);
}

/** It is named as what helps tests, and no run of any verification gets into it. Where nobody can tell that, it is work as any other. */
function helpsTestsAlone(path: string, reaches: readonly Reach[]): boolean {
  const places = reaches.flatMap(({ reached }) => (reached[path] === undefined ? [] : [reached[path]]));
  return isNamedHelper(path) && places.length > 0 && places.every(({ length }) => length === 0);
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
