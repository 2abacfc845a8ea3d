/**
 * How much a proof proves (docs/proof.md): of the faults that were put into lines which its run reaches, how many a verification
 * sees. A requirement has the strength of all its verifications together.
 */
import { canBurn } from '../state/fuel.ts';
import { liveScripts, liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { isReached } from '../work/job.ts';
import { isOpen } from '../work/task.ts';
import { requirementsOf, type FaultTrial, type Measure, type Operator, type Script, type Verification } from '../work/verification.ts';
import { isCompiled } from './compiled.ts';
import { strongerWords } from './stronger.ts';
import { coveringCommits, mayBeProven, proofTank, trustOf } from './trust.ts';

export const strengthLevels = ['weak', 'fair', 'strong'] as const;
export type StrengthLevel = (typeof strengthLevels)[number];

export interface Strength {
  level: StrengthLevel;
  /** Faults that were seen, and those that could have been. */
  seen: number;
  reached: number;
  unseen: readonly FaultTrial[];
  /** Why it is no stronger, as the middle of a sentence; empty for `strong`. */
  why: string;
  /** What would make it strong, in a sentence; empty for `strong`, and where nobody knows. */
  stronger: string;
}

/** Undefined until it was measured; a criterion never is. */
export function strengthOf(state: State, verification: Verification): Strength | undefined {
  const measure = measureOf(state, verification);
  return measure && strength(state, [measure]);
}

/** The strength of all measured verifications of one requirement together; undefined where none was measured. */
export function strengthFor(state: State, requirement: string): Strength | undefined {
  const measures = liveVerifications(state.work)
    .filter((v) => requirementsOf(v).includes(requirement) && trustOf(state, v).trusted)
    .flatMap((v) => measureOf(state, v) ?? []);
  return measures.length === 0 ? undefined : strength(state, measures);
}

/** Why no script of a requirement counts although one is proven, as the middle of a sentence; undefined where it counts. */
export function shortOfEvidence(state: State, requirement: string): string | undefined {
  const { evidence } = state.config;
  if (evidence === 'any') return undefined;
  const found = strengthFor(state, requirement);
  if (!found) return 'nobody measured yet how much its proof sees';
  return rankOf(found.level) >= rankOf(evidence) ? undefined : `its proof is ${found.level}: ${found.why}`;
}

/** Proven, but with less than the evidence that the sprint asks for: QC is asked for more, once no work is open. */
export function isTooWeak(state: State, requirement: string): boolean {
  if (Object.values(state.work.tasks).some(isOpen)) return false;
  const found = strengthFor(state, requirement);
  return found !== undefined && shortOfEvidence(state, requirement) !== undefined;
}

/** QC wrote more for it, and nobody knows yet what that sees. */
export function isToBeMeasured(state: State, requirement: string): boolean {
  return liveScripts(state.work).some((script) => {
    if (!requirementsOf(script).includes(requirement) || measureOf(state, script) !== undefined) return false;
    if ((state.work.results[script.id]?.verdict ?? 'green') !== 'green') return false;
    return mayBeProven(state, script) && canBurn(state.ledger, [proofTank(script, 'strength')]);
  });
}

/** Whether these measures together are less than the evidence that the sprint asks for. */
export function isTooLittle(state: State, measures: readonly Measure[]): boolean {
  const { evidence } = state.config;
  return evidence !== 'any' && rankOf(strength(state, measures).level) < rankOf(evidence);
}

/** By what was tried, these measures together are strong. */
export function isStrong(state: State, measures: readonly Measure[]): boolean {
  return strength(state, measures).level === 'strong';
}

/** The latest measure of exactly this script. */
export function measureOf({ ledger }: State, { lineage, script }: Verification): Measure | undefined {
  return ledger.measures.findLast((measure) => measure.lineage === lineage && measure.script === script);
}

/** Trusted verifications that are green on this code, whose work is settled, and which were not measured on it. */
export function unmeasured(state: State): Script[] {
  const { work, ledger, config } = state;
  // While work is open, what is measured would have to be measured again.
  if (config.evidence === 'any' || Object.values(work.tasks).some(isOpen)) return [];
  return liveScripts(work).filter((verification) => {
    const result = work.results[verification.id];
    if (result?.verdict !== 'green' || result.code !== work.tree.code) return false;
    if (!trustOf(state, verification).trusted) return false;
    const changed = Math.max(0, ...coveringCommits(state, verification).map(({ code }) => code));
    const known = measureOf(state, verification);
    return (known === undefined || known.code < changed) && canBurn(ledger, [proofTank(verification, 'strength')]);
  });
}

/** Where its run does not get, or what another requirement's verification sees. */
function isBesides({ outcome }: FaultTrial): boolean {
  return outcome === 'unreached' || outcome === 'elsewhere' || outcome === 'loaded';
}

function rankOf(level: StrengthLevel): number {
  return strengthLevels.indexOf(level);
}

/**
 * At least so many faults, and such a share of their weight, or more than it, must be seen; of faults in a requirement's own places more
 * than `own`. Weak is also what misses
 *
 * - that something is not printed, or given back as it came or emptied, unless it sees all that a strong one does;
 * - that a value is not returned, unless it sees `rest` of all;
 * - that something is not called, or done the other way round, unless it sees `own`;
 *
 * what leaves all but `least` to other requirements' verifications; and where more than `blind.all` of all faults lie where nobody gets,
 * or more than `blind.prints`, and with them all that is printed.
 */
const needed = {
  strong: { faults: 3, share: 0.9 },
  fair: { over: 0.5, own: 0.6, rest: 0.75, least: 0.25 },
  blind: { all: 0.5, prints: 0.4 },
};

/** Faults of these kinds often change little for a user, or nothing. */
const small: readonly Operator[] = [
  'bound off by one',
  'number changed',
  'text changed',
  'condition always true',
  'condition always false',
  'visibility changed',
];

function weightOf(trials: readonly FaultTrial[]): number {
  return trials.reduce((sum, { operator }) => sum + (small.includes(operator) ? 0.5 : 1), 0);
}

/** What nobody sees counts against all whose runs get there, in equal parts. */
function partOf(trials: readonly FaultTrial[]): number {
  return trials.reduce((sum, trial) => sum + weightOf([trial]) / (1 + (trial.others ?? 0)), 0);
}

/** Which of these tells that nobody looks at what the work prints, gives or does, for a verification that sees this share of all. */
function lostIn(unseen: readonly FaultTrial[], share: number): FaultTrial | undefined {
  const isIdle = ({ operator }: FaultTrial): boolean => /^(output left out|argument given back|argument emptied)$/.test(operator);
  const isGiven = ({ operator, was }: FaultTrial): boolean =>
    (operator === 'return left out' || operator === 'other value returned') && /^\s*return\s+[^\s;]/.test(was);
  const isDeed = ({ operator }: FaultTrial): boolean => operator === 'call left out' || operator === 'condition negated';
  const { strong, fair } = needed;
  const kinds: [is: (trial: FaultTrial) => boolean, under: number][] = [
    [isIdle, strong.share],
    [isGiven, fair.rest],
    [isDeed, fair.own],
  ];
  return kinds.flatMap(([is, under]) => (share < under ? unseen.filter(is) : []))[0];
}

/**
 * A fault that is near to right in a place at which a verification looks: it sees another one there, and ones of this kind in no more
 * places than it does not.
 */
function overlooked(measures: readonly Measure[]): FaultTrial | undefined {
  const known = together(measures.flatMap(({ near = [] }) => near));
  const seen = known.filter(({ outcome }) => outcome === 'seen');
  const isSeen = (trial: FaultTrial): boolean => seen.some((one) => keyOf(one) === keyOf(trial));
  const isSamePlace = (one: FaultTrial, other: FaultTrial): boolean => one.path === other.path && one.place === other.place;
  const looked = measures.flatMap(({ near = [] }) => near.filter((trial) => near.some((one) => isSamePlace(one, trial) && isSeen(one))));
  const missed = together(looked.filter((trial) => trial.outcome === 'unseen' && !isSeen(trial)));
  const count = (some: readonly FaultTrial[], kind: Operator): number => some.filter(({ operator }) => operator === kind).length;
  return missed.find(({ operator }) => count(seen, operator) <= count(missed, operator));
}

function strength(state: State, all: readonly Measure[]): Strength {
  const own = all.filter(({ inOtherWork }) => !inOtherWork);
  const looking = own.filter(({ missed }) => !missed);
  const measures = [looking, own, all].find(({ length }) => length > 0) ?? all;
  const trials = together(measures.flatMap((measure) => measure.trials));
  const of = (outcome: FaultTrial['outcome']): FaultTrial[] => trials.filter((trial) => trial.outcome === outcome);
  const [seen, unseen, untold] = [of('seen').length, of('unseen'), of('untold')];
  // Where the work is compiled before it runs, nobody sees which lines are reached; a fault that was seen there tells it.
  const besideSeen = untold.filter((one) => of('seen').some(({ path, line }) => path === one.path && line === one.line));
  const blind = of('unreached').filter((trial) => !isReachedBySome(state, trial));
  const reached = seen + unseen.length;
  const share = weightOf(of('seen')) / weightOf([...of('seen'), ...unseen]);
  const fairShare = weightOf(of('seen')) / (weightOf(of('seen')) + partOf(unseen));
  const lost = lostIn(
    unseen.filter(({ others = 0 }) => others === 0),
    share,
  );
  const limits = measures.every((measure) => measure.limits.length > 0) ? (measures[0]?.limits ?? []) : [];
  const left = measures.reduce((sum, one) => sum + (one.left ?? 0), 0);
  const found = { seen, reached, unseen: [...unseen, ...blind, ...besideSeen] };
  const met = reached + untold.length;
  const faults = { reached: met, all: met + trials.filter(isBesides).length, least: needed.strong.faults };
  const lack = { more: [...enoughOf(unseen, [...of('seen'), ...untold]), ...untold], blind, faults, left, limits };
  const level = (
    one: StrengthLevel,
    why: string,
    { also = [], stronger = strongerWords(lack) }: { also?: readonly FaultTrial[]; stronger?: string } = {},
  ): Strength => ({ ...found, unseen: [...found.unseen, ...also], level: one, why, stronger });
  const documents = documentsIn(measures);
  if (documents && seen === 0 && reached + untold.length === 0) return { ...found, ...documents };
  if (trials.length === 0) {
    const none = 'no fault could be put into its work that leaves it running';
    return level('fair', limits[0] ?? none, { stronger: limits[0] === undefined ? neverStrong : `It is never strong, since ${none}.` });
  }
  if (own.length === 0) return level(...ofOtherWork(seen, trials.length), { stronger: seen > 0 ? neverStrong : onceFair });
  if (seen === 0 && reached + untold.length === 0)
    return level('weak', 'it reaches none of the lines of its work into which a fault could be put', {
      stronger: strongerWords({ ...lack, blind: of('unreached') }),
    });
  const words = `it sees ${seen} of ${reached + (seen === 0 ? untold.length : 0)} faults${unseen[0] ? `, and not ${faultWords(unseen[0])}` : ''}`;
  const over = measures.every((measure) => measure.own) ? needed.fair.own : needed.fair.over;
  if (seen === 0 || fairShare <= over) return level('weak', words);
  const elsewhere = of('elsewhere');
  if (weightOf(of('seen')) <= needed.fair.least * (weightOf(of('seen')) + partOf([...unseen, ...elsewhere])))
    return level('weak', `${words}, and leaves ${elsewhere.length} more to verifications of other requirements`, {
      also: elsewhere,
      stronger: strongerWords({ ...lack, first: ['it sees more of these itself'] }),
    });
  const missed = lost ?? overlooked(measures);
  const isNear = missed !== undefined && !unseen.includes(missed);
  if (missed)
    return level('weak', `it does not notice ${faultWords(missed)}`, {
      stronger: strongerWords({ ...lack, first: isNear ? ['it notices that'] : [] }),
    });
  const unreached = whereNobodyGets(blind, trials, blind.length / (reached + of('wording').length + untold.length + blind.length));
  if (unreached !== undefined) return level('weak', unreached);
  if (share < needed.strong.share || reached < needed.strong.faults) return level('fair', words);
  if (left > 0) return level('fair', `${words}; ${left} more ${left === 1 ? 'was' : 'were'} not tried, because its runs take long`);
  if (besideSeen[0]) return level('fair', `it sees another fault in its line, and not ${faultWords(besideSeen[0])}`);
  if (untold[0]) return level('fair', untoldWords(state, untold[0], untold));
  if (blind[0]) return level('fair', `no verification reaches ${blind[0].path}:${blind[0].line}`);
  if (limits[0] !== undefined) return level('fair', limits[0]);
  const values = missedValues(measures);
  if (!values) return level('strong', '', { stronger: '' });
  return level('fair', values.why, { also: values.unseen, stronger: strongerWords({ ...lack, more: values.more }) });
}

/** Those that make a strong proof where they are seen besides these: the weightiest, and no more than it takes. */
function enoughOf(unseen: readonly FaultTrial[], seen: readonly FaultTrial[]): readonly FaultTrial[] {
  const all = weightOf([...seen, ...unseen]);
  const first = unseen.toSorted((a, b) => weightOf([b]) - weightOf([a]));
  const count = first.findIndex((_, n) => weightOf([...seen, ...first.slice(0, n)]) / all >= needed.strong.share);
  return count < 0 ? first : first.slice(0, count);
}

/** A strong proof sees nine of ten of the work's further values, too. */
function missedValues(measures: readonly Measure[]): { why: string; unseen: FaultTrial[]; more: FaultTrial[] } | undefined {
  const tried = together(measures.flatMap(({ values = [] }) => values));
  const seen = tried.filter(({ outcome }) => outcome === 'seen');
  const unseen = tried.filter(({ outcome }) => outcome === 'unseen');
  const [first] = unseen;
  if (!first || seen.length >= needed.strong.share * (seen.length + unseen.length)) return undefined;
  const all = seen.length + unseen.length;
  const more = unseen.slice(0, Math.ceil(needed.strong.share * all) - seen.length);
  return { why: `of ${all} further values it sees ${seen.length}, and not ${faultWords(first)}`, unseen, more };
}

/** Most of the work, or much of it with all that it prints. @param part of all faults */
function whereNobodyGets(blind: readonly FaultTrial[], trials: readonly FaultTrial[], part: number): string | undefined {
  const prints = trials.filter(({ operator }) => operator.startsWith('output '));
  const [first, print] = [blind[0], prints[0]];
  if (first && part > needed.blind.all) return `no verification reaches most of its work, such as ${first.path}:${first.line}`;
  if (!print || part <= needed.blind.prints || !prints.every((one) => blind.includes(one))) return undefined;
  return `no verification gets to where its work prints, ${print.path}:${print.line}`;
}

const neverStrong = 'It is never strong then.';
const onceFair = 'It is fair once it turns red with a fault there, and never strong.';

/** Where its own work, such as a comment, has no place for a fault: it has to look at something that its run reaches. */
function ofOtherWork(seen: number, tried: number): [StrengthLevel, string] {
  const where = 'its own work has no place for a fault';
  if (seen > 0) return ['fair', where];
  return ['weak', `${where}, and of ${tried} in what its run reaches it sees none`];
}

/** Of a work in no language into which faults can be put, where no line of a program is reached; undefined where there is none. */
function documentsIn(measures: readonly Measure[]): (Pick<Strength, 'level' | 'why' | 'stronger'> & Partial<Strength>) | undefined {
  const documents = measures.flatMap(({ document }) => document ?? []);
  const [document] = documents.toSorted((a, b) => Number(b.seen) - Number(a.seen));
  if (!document) return undefined;
  const { path } = document;
  const trials = together(documents.flatMap((one) => one.trials ?? []));
  const unseen = trials.filter(({ outcome }) => outcome === 'unseen');
  const counts = { seen: trials.length - unseen.length, reached: trials.length, unseen };
  if (!document.seen) return { ...counts, level: 'weak', stronger: onceFair, why: `it stays green whatever part of ${path} is taken out` };
  const [first] = unseen;
  const why = first
    ? `it sees ${counts.seen} of ${trials.length} faults in ${path}, and not ${faultWords(first)}`
    : `${path} is in no language into which Loop can put faults`;
  return { ...(trials.length > 0 ? counts : {}), level: 'fair', why, stronger: 'It is never strong, since it is of a text.' };
}

/** Of a fault of which nobody can tell whether a run gets there: first of one in a line in which no verification sees any. */
function untoldWords({ work, ledger }: State, first: FaultTrial, untold: readonly FaultTrial[]): string {
  const trials = liveScripts(work).flatMap(({ lineage, script }) => {
    const measure = ledger.measures.findLast((one) => one.lineage === lineage && one.script === script);
    return measure?.trials.filter(({ outcome }) => outcome === 'seen') ?? [];
  });
  const isSeen = ({ path, line }: FaultTrial): boolean => trials.some((one) => one.path === path && one.line === line);
  const open = untold.find((trial) => !isSeen(trial));
  const trial = open ?? first;
  const others = open ? '' : '; a verification of another requirement sees a fault in that line';
  if (!isCompiled(trial.path)) return `nobody can tell whether its run reaches ${trial.path}:${trial.line}${others}`;
  return `Loop cannot see which lines of compiled work its run reaches, and it stays green with ${faultWords(trial)}${others}`;
}

/** Some other verification gets to this place: it is that one's to see a fault there. */
function isReachedBySome({ work, ledger }: State, { path, line, column }: FaultTrial): boolean {
  return liveScripts(work).some(({ lineage, script }) => {
    const measure = ledger.measures.findLast((one) => one.lineage === lineage && one.script === script);
    if (measure?.inOtherWork) return false;
    if (measure?.reached[path]) return isReached(measure.reached[path], { line, column });
    // Nobody tells its lines, but that run cannot do without the file.
    return measure?.trials.some((trial) => trial.path === path && (trial.outcome === 'seen' || trial.outcome === 'untold')) === true;
  });
}

/** A fault counts once: seen if any verification sees it. */
function together(trials: readonly FaultTrial[]): FaultTrial[] {
  const rank = { unreached: 0, untold: 1, unseen: 2, wording: 3, loaded: 4, elsewhere: 5, seen: 6 };
  const best = new Map<string, FaultTrial>();
  for (const trial of trials) {
    const key = keyOf(trial);
    const known = best.get(key);
    if (!known || rank[trial.outcome] > rank[known.outcome]) best.set(key, trial);
  }
  return [...best.values()];
}

function keyOf({ path, line, operator, was, now }: FaultTrial): string {
  return `${path}:${line}:${operator}:${was}:${now}`;
}

/** Where the line with the fault tells a person less than what it does. */
const nearWords: Partial<Record<Operator, string>> = {
  'output extended': 'that prints something more behind it',
  'output changed': 'that prints another last character',
  'output repeated': 'that prints it twice',
  'returned value changed': 'that gives a higher or longer value',
  'returned value shortened': 'that gives a lower or shorter value',
  'argument given back': 'that gives its argument back as it is',
  'argument emptied': 'that empties its argument and gives it back',
  'letters swapped': 'with capitals and small letters swapped',
  'output cut short': 'without the last',
  'output reversed': 'with the last first',
};

/** `"a > b" for "a >= b" in total.sh:3`, or `"return total" that gives a higher or longer value in total.js:4`. */
export function faultWords({ path, line, operator, was, now }: Omit<FaultTrial, 'outcome'>): string {
  const [before, after] = aroundChange(was.trim(), now.trim());
  if (operator === 'part left out') return `the part that begins with "${before}" left out of ${path}:${line}`;
  const near = nearWords[operator];
  return near ? `"${before}" ${near} in ${path}:${line}` : `"${after}" for "${before}" in ${path}:${line}`;
}

/** Characters of a line that are shown, and of what stands before the change and behind it in a longer one. */
const shown = { whole: 80, around: 24, end: 60 };

/** Both lines, without what is the same in long ones: the change must be seen. */
function aroundChange(was: string, now: string): [string, string] {
  if (Math.max(was.length, now.length) <= shown.whole) return [was, now];
  const shorter = Math.min(was.length, now.length);
  let before = 0;
  while (before < shorter && was[before] === now[before]) before += 1;
  let behind = 0;
  while (behind < shorter - before && was.at(-1 - behind) === now.at(-1 - behind)) behind += 1;
  const [from, kept] = [Math.max(0, before - shown.around), Math.max(0, behind - shown.around)];
  return [cut(was, from, kept), cut(now, from, kept)];
}

function cut(text: string, from: number, behind: number): string {
  const part = text.slice(from, text.length - behind);
  const middle = part.length > 2 * shown.end ? `${part.slice(0, shown.end)} … ${part.slice(-shown.end)}` : part;
  return `${from > 0 ? '…' : ''}${middle}${behind > 0 ? '…' : ''}`;
}
