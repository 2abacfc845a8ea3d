/** The first ten lines of the report: what there is and where, what to try, what was decided, what is wrong, how to take it over. */
import { isLockFile } from '../judge/notable-changes.ts';
import { isTooWeak } from '../judge/strength.ts';
import { strengthLevels } from '../judge/strength-level.ts';
import { asCode, escaped, inWords } from '../ground/markdown.ts';
import { counted, firstWords, oneLine } from '../ground/text.ts';
import type { Picture } from '../picture/picture.ts';
import type { State, Stop } from '../state/state.ts';
import type { Requirement } from '../work/requirement.ts';
import { isFinding, titleOf, type Task } from '../work/task.ts';
import type { ChangedFile } from '../work/tree.ts';
import { isRunnable } from '../work/verification.ts';
import { withoutIn } from './descoped-words.ts';
import { exportOf, firstUses, installCommands, portsIn } from './how-to-use.ts';
import { tooWeakWords } from './too-weak.ts';

interface Lines {
  readonly wrong: readonly string[];
  readonly decided: readonly string[];
}

export function headLines(picture: Picture, stop: Stop, { wrong, decided }: Lines): string[] {
  const { state } = picture;
  return [
    `${headline(stop, picture)} ${provenWords(picture)}`,
    '',
    ...whatThereIs(picture),
    ...tryLines(state),
    `- **Decided for you:** ${firstOf(decided, 'decided-for-you')}`,
    `- **Known to be wrong:** ${firstOf(wrong, 'known-to-be-wrong')}`,
    `- **To go on:** ${wayOn(picture, stop)}`,
  ];
}

function wayOn(picture: Picture, stop: Stop): string {
  const before = stop === 'waiting' ? askedWords(picture) : '';
  const after = stop === 'partial' ? tooWeakWords(picture.state, startWords) : '';
  return [before, takeOver[stop], after].filter(Boolean).join(' ');
}

function startWords(flag: string): string {
  return `\`loop run FOLDER ${flag}\`, or _Loop: Start Sprint_ with the setting \`loop.evidence\``;
}

const headlines: Record<Stop, string> = {
  delivered: 'Delivered.',
  complete: 'Complete: every stage ended by its own rule. Nothing was proven.',
  partial: 'Not delivered, but part of it is proven.',
  failed: 'Not delivered: nothing is proven.',
  waiting: 'Waiting: it goes on once what it waits for is there.',
  'out-of-budget': 'Stopped at the budget.',
};

/** What was descoped stands first, so that nobody takes a part for the whole. */
function headline(stop: Stop, picture: Picture): string {
  const without = escaped(withoutIn(picture.state.work.descoped));
  const words = stop === 'partial' || stop === 'failed' ? unprovenWords(picture) : headlines[stop];
  if (without === '') return words;
  return stop === 'delivered' ? `Delivered, ${without}.` : `${words} It is ${without}.`;
}

function unprovenWords(picture: Picture): string {
  if (isOnlyTooWeak(picture)) return 'Not delivered: all is built and green, but some proofs see too little to count.';
  return picture.requirements.some(({ provenBy }) => provenBy) ? headlines.partial : headlines.failed;
}

/** Nothing is wrong that anybody knows of, and what is not proven lacks nothing but strength. */
function isOnlyTooWeak({ state, requirements }: Picture): boolean {
  const unproven = requirements.filter(({ provenBy }) => !provenBy);
  const runs = requirements.flatMap(({ verifications }) => verifications).filter(({ verification }) => isRunnable(verification));
  const isGreen = runs.every(({ status }) => status === 'passed');
  return isGreen && unproven.length > 0 && unproven.every(({ requirement }) => isTooWeak(state, requirement.id));
}

function provenWords({ requirements }: Picture): string {
  const proven = requirements.filter(({ provenBy }) => provenBy).length;
  const all = counted(requirements.length, 'requirement');
  const levels = requirements.flatMap(({ strength }) => strength?.level ?? []);
  const strengths = strengthLevels
    .toReversed()
    .map((level) => ({ level, count: levels.filter((one) => one === level).length }))
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => `${count} ${level}`);
  const judged = requirements.filter(({ provenBy }) => provenBy && !isRunnable(provenBy)).length;
  if (strengths.length > 0 && judged > 0) strengths.push(`${judged} judged, not run`);
  const strong =
    strengths.length > 0
      ? ` Faults were put into the work, one at a time, to see what the proofs notice ([more](#requirements)): ${strengths.join(', ')}${weakestWords(requirements)}.`
      : '';
  return `${proven} of ${all} and value proofs are proven on the tree as it is.${strong}`;
}

/** Where to look first: of the lowest level that misses a fault, or met none, the requirement that sees the smallest share. */
function weakestWords(requirements: Picture['requirements']): string {
  const missing = requirements.flatMap(({ requirement: { id }, strength }) => {
    if (!strength || strength.level === 'strong') return [];
    const { level, seen, reached } = strength;
    return seen < reached || reached === 0 ? [{ id, level, seen, reached, share: reached === 0 ? 0 : seen / reached }] : [];
  });
  const rank = ({ level }: (typeof missing)[number]): number => strengthLevels.indexOf(level);
  const [weakest] = missing.toSorted((a, b) => rank(a) - rank(b) || a.share - b.share);
  if (!weakest) return '';
  const { id, seen, reached } = weakest;
  const sees = reached === 0 ? 'on which no fault was tried' : `which sees ${seen} of ${counted(reached, 'fault')}`;
  return `; the weakest is that of ${id}, ${sees}`;
}

/** What of the Vision's promises is proven; before any is, what was built. */
function whatThereIs(picture: Picture): string[] {
  const { state } = picture;
  if (provenPromises(picture).length === 0) return [`- **What there is:** ${builtWords(state)}${filesWords(state)}`];
  const shown = promisesInHead(picture).map(({ id, text }) => `  - ${id}: ${oneLine(text)}`);
  const { length } = picture.requirements.filter(({ requirement, provenBy }) => requirement.line === 0 && provenBy);
  const more = length > shown.length ? ` ([all ${length}](#requirements))` : '';
  return [`- **What there is:** ${titleWords(state)}${filesWords(state)} It is proven that${more}:`, ...shown];
}

/** What the first page says whole. */
export function promisesInHead(picture: Picture): Requirement[] {
  return provenPromises(picture).slice(0, mostPromises);
}

function provenPromises({ requirements }: Picture): Requirement[] {
  return requirements.flatMap(({ requirement, provenBy }) =>
    requirement.line === 0 && provenBy && isRunnable(provenBy) ? [requirement] : [],
  );
}

/** Promises that the first page gives. */
const mostPromises = 3;

/** Tasks whose words are given; more are counted. */
const mostTasks = 5;

/** What was built, in the builders' words; empty where nothing was. */
function builtWords(state: State): string {
  return tasksDone(state, (task) => task.report?.summary ?? titleOf(task));
}

/** What was built, in a few words for each task: how its description begins. */
function titleWords(state: State): string {
  return tasksDone(state, (task) => firstWords(titleOf(task).split(':')[0] ?? '', longestTitle));
}

/** One for a finding is left out: it is called by the fault that it mended. */
function tasksDone({ work }: State, wordsOf: (task: Task) => string): string {
  const done = Object.values(work.tasks).filter((task) => task.status === 'done' && !isFinding(task));
  if (done.length === 0) return '';
  const words = done.slice(0, mostTasks).map((task) => inWords(wordsOf(task)).replace(/\.$/, ''));
  const more = done.length > words.length ? ` and ${done.length - words.length} more` : '';
  return `${words.join('; ')}${more}. `;
}

/** Characters of a task's title on the first page. */
const longestTitle = 80;

/** Files that are named of one kind; more are counted. */
const mostFiles = 6;

/** What the branch changes, so that it can be told from what was there. */
function filesWords({ work, opened }: State): string {
  const changes = new Map<string, ChangedFile['kind']>();
  for (const { path, kind } of work.tree.commits.flatMap((commit) => commit.files)) {
    const isNew = changes.get(path) === 'added';
    if (isNew && kind === 'deleted') changes.delete(path);
    else if (!isNew) changes.set(path, changes.has(path) && kind === 'added' ? 'modified' : kind);
  }
  const of = (wanted: ChangedFile['kind']): string => namedFiles([...changes].flatMap(([path, kind]) => (kind === wanted ? [path] : [])));
  if (changes.size === 0) return `Nothing was kept; the branch \`${opened.branch}\` is as it began.`;
  const [added, modified, deleted] = [of('added'), of('modified'), of('deleted')];
  const kept = modified || deleted ? '' : 'no file that was there is changed';
  const parts = [added && `adds ${added}`, modified && `changes ${modified}`, deleted && `deletes ${deleted}`, kept];
  return `The branch \`${opened.branch}\` ${parts.filter(Boolean).join('; ')}.`;
}

function namedFiles(paths: readonly string[]): string {
  const telling = paths.filter((path) => !isLockFile(path) && !/(^|\/)\./.test(path));
  const named = (telling.length > 0 ? telling : paths).slice(0, mostFiles).map(asCode);
  const more = paths.length - named.length;
  return named.length === 0 ? '' : `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function tryLines(state: State): string[] {
  const { lines, isAll } = firstUses(state);
  if (lines.length === 0) return ['- **Try it:** nobody used this tree as its user would, so no command is known to work.'];
  const ports = portsIn(state, lines);
  const port = ports.length > 0 ? [`\`${exportOf(ports)}\``] : [];
  const rest = isAll ? '' : ' ([all](#how-to-use-it))';
  return [
    `- **Try it** after ${[`\`git switch --detach ${state.opened.branch}\``, ...installCommands(state), ...port].join(', ')}${rest}:`,
    ...lines.map((line) => line.replaceAll(/^/gm, '  ')),
  ];
}

/** The first line, which stands whole in its section, and how many there are. */
function firstOf(lines: readonly string[], anchor: string): string {
  const [first] = lines;
  if (first === undefined) return 'nothing is recorded.';
  const words = (first.split('\n')[0] ?? '').replace(/^- /, '');
  const shown = wholeCode(firstWords(words, longestFirst));
  const rest = lines.length > 1 ? [`all ${lines.length}`] : shown === words ? [] : ['all of it'];
  return [shown, ...rest.map((which) => `([${which}](#${anchor}))`)].join(' ');
}

/** Without the begin of a piece of code whose end was cut off. */
function wholeCode(shown: string): string {
  const isCut = shown.endsWith('…') && shown.split('`').length % 2 === 0;
  return isCut ? `${shown.slice(0, shown.lastIndexOf('`')).replace(/[\s(]+$/, '')}…` : shown;
}

/** Characters of a line that stands whole further below. */
const longestFirst = 160;

/** What only the person can do, before they resume. */
function askedWords({ humanActions }: Picture): string {
  return humanActions.map(({ humanAction }) => `${inWords(humanAction.action).replace(/\.$/, '')}.`).join(' ');
}

const verifies = '`loop verify FOLDER` runs its verifications again; FOLDER is where PRD.md lies.';
const takeOver: Record<Stop, string> = {
  delivered: `_Loop: Finish Sprint_ in the editor, or \`loop finish FOLDER merge\`, brings it into your branch. ${verifies}`,
  complete: '_Loop: Finish Sprint_ in the editor, or `loop finish FOLDER merge`, brings it into your branch.',
  partial: `_Loop: Finish Sprint_ in the editor, or \`loop finish FOLDER\` with \`merge\`, \`squash\`, \`keep\` or \`drop\`, decides what becomes of it. ${verifies}`,
  failed: '_Loop: Finish Sprint_ in the editor, or `loop finish FOLDER keep` or `drop`, ends it; FOLDER is where PRD.md lies.',
  waiting: 'Then _Loop: Resume Sprint_ in the editor, or `loop run FOLDER`; FOLDER is where PRD.md lies.',
  'out-of-budget':
    '_Loop: Resume Sprint_ in the editor, or `loop run FOLDER --budget-usd N` (or `--budget-tokens N`, `--max-hours N`) with more; FOLDER is where PRD.md lies.',
};
