/**
 * Texts of files that a session would read first, so that it asks for none of them by a call: a small repository whole, of a larger one
 * its programs where they are few and short, and what Vision and PRD name; of a builder's task those that it expects to change, and for
 * who uses the result those that were written. Each is empty where there is none.
 */
import type { Context } from '../../context.ts';
import { isLockFile } from '../../judge/notable-changes.ts';
import { promptText, type PromptName } from '../../ground/prompts.ts';
import { redact } from '../../ground/redact.ts';
import { looksSecret } from '../../ground/secret-names.ts';
import { ticksFor } from '../../ground/text.ts';
import { globMatcher } from '../../ground/glob.ts';
import { namedPaths } from '../../parse/named-paths.ts';
import { scannedNames } from '../../parse/project-scan.ts';
import { languageOf } from '../../prove/language.ts';
import { programOutline } from '../../prove/program-outline.ts';
import { isBesideTests, isNamedTest } from '../../prove/own-tests.ts';
import { documentTexts } from '../../run/documents.ts';
import { textOf } from '../../run/files.ts';
import type { State } from '../../state/state.ts';
import type { Task } from '../../work/task.ts';

/**
 * Characters that they share: first what a task changes, which its builder reads in any case and so may be longer, then the shortest,
 * tests behind programs. One that does not fit is named: half a file would be read again as a whole.
 */
const limits = { changed: 40_000, own: 30_000, programs: 40_000, besides: 20_000, repository: 8000 };
/** Files that are shown because words name them, and of a repository all, or its programs, at most; in one with more files nobody looks. */
const most = { named: 8, whole: 30, programs: 40, files: 200 };

type Ground = Pick<Context, 'ports' | 'state'>;

/**
 * The repository without the files that the sprint added; those that it changed are shown as they stand now.
 * @param settings with what tells how it is installed, run and checked, for who finds that out.
 */
export async function textsThere(ground: Ground, { settings = false } = {}): Promise<string> {
  const made = madeIn(ground.state);
  return repositoryTexts(ground, await pathsIn(ground, made), { programs: limits.programs, settings });
}

/** For a builder: the files that its task lists or names, or that tasks before it wrote, and the rest as it stands now. */
export async function textsToBuildOn(ground: Ground, task: Task): Promise<string> {
  const paths = await pathsIn(ground);
  const listed = task.filesExpected.filter((path) => !looksSecret(path));
  const named = namedPaths([task.description, task.acceptance], paths).slice(0, most.named);
  const before = madeBefore(ground.state, task).filter((path) => paths.includes(path) && (!isNamedTest(path) || isBesideTests(path)));
  const own = [...new Set([...listed, ...named, ...before])];
  const others = paths.filter((path) => !own.includes(path));
  return joined([
    await textsIn(ground, 'expected-texts', own, limits.own, (path) => listed.includes(path)),
    await repositoryTexts(ground, others, { programs: limits.besides }),
  ]);
}

/** For who uses the result: the texts that the sprint wrote or changed, such as the README, and what the documents name besides. */
export async function textsToUse(ground: Ground): Promise<string> {
  const paths = await pathsIn(ground);
  const changed = new Set(ground.state.work.tree.commits.flatMap(({ files }) => files.map(({ path }) => path)));
  const written = paths.filter((path) => changed.has(path) && isProse.test(path));
  const others = paths.filter((path) => !changed.has(path));
  return joined([await textsIn(ground, 'made-texts', written, limits.own), await repositoryTexts(ground, others)]);
}

const isProse = /\.(md|markdown|txt|rst|adoc|org)$/i;

interface Wanted {
  /** Characters of all programs together, up to which they are shown, or all of a small repository; 0 for what documents name alone. */
  programs: number;
  settings?: boolean;
}

const isSetting = globMatcher(`**/{${scannedNames.join(',')}}`);

/** Those that the documents name; all of them, or else all programs, where they are few and short. */
async function repositoryTexts(ground: Ground, paths: readonly string[], wanted: Wanted = { programs: 0 }): Promise<string> {
  const named = namedPaths(await documentTexts(ground.state, ground.ports), paths).slice(0, most.named);
  const short = wanted.programs > 0 && paths.length <= most.files ? await shortOf(ground, paths, wanted) : [];
  const limit = limits.repository + (short.length > 0 ? wanted.programs : 0);
  return textsIn(ground, 'repository-texts', [...new Set([...named, ...short])], limit, (path) => short.includes(path));
}

/** All of them if they are short, or else the programs without their tests if these are. */
async function shortOf({ ports }: Ground, paths: readonly string[], { programs: limit, settings }: Wanted): Promise<readonly string[]> {
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: (await textOf(ports.tree, path)) ?? '' })));
  const isShown = (path: string, text: string): boolean =>
    languageOf(path, text) !== undefined || isSchema.test(path) || (settings === true && isSetting(path));
  const programs = texts.filter(({ path, text }) => isShown(path, text) && !isNamedTest(path));
  const isWithin = (some: typeof texts, count: number, length: number): boolean =>
    some.length <= count && some.reduce((sum, { text }) => sum + text.length, 0) <= length;
  if (isWithin(texts, most.whole, limits.repository)) return paths;
  return isWithin(programs, most.programs, limit) ? programs.map(({ path }) => path) : [];
}

/** Without the sprint's documents, which each request holds, what holds a secret, lock files, and what no work is about. */
async function pathsIn({ ports, state }: Ground, without: ReadonlySet<string> = new Set()): Promise<string[]> {
  const paths = await ports.tree.glob('**/*', '');
  const isLeftOut = (path: string): boolean => looksSecret(path) || isLockFile(path) || isFormal.test(path) || without.has(path);
  return paths.filter((path) => !isDocument(state, path) && !isLeftOut(path));
}

/** What programs and their data hold to: no fault is put into it, and who builds or verifies reads it first. */
const isSchema = /\.(sql|prisma|graphqls?|gql|proto)$/i;

const isFormal = /(^|\/)(licen[cs]e|copying|notice|security|code[_-]of[_-]conduct)(\.(md|txt|rst))?$/i;

/** By its name: nothing here knows in which folder the sprint lies. */
export function isDocument({ opened }: State, path: string): boolean {
  return opened.inputs.some(({ name }) => path === name || path.endsWith(`/${name}`));
}

function madeIn({ work }: State): Set<string> {
  return new Set(work.tree.commits.flatMap(({ files }) => files.flatMap(({ path, kind }) => (kind === 'added' ? [path] : []))));
}

/** Files that the tasks on which it depends wrote, whether directly or by others. */
function madeBefore({ work }: State, { dependencies }: Task): string[] {
  const before = new Set(dependencies);
  for (const id of before) for (const earlier of work.tasks[id]?.dependencies ?? []) before.add(earlier);
  const commits = work.tree.commits.filter(({ author }) => author.kind === 'task' && before.has(author.task));
  return commits.flatMap(({ files }) => files.map(({ path }) => path));
}

function joined(texts: readonly string[]): string {
  return texts.filter(Boolean).join('\n\n');
}

/** @param isFirst what has to be shown before all others. */
async function textsIn(
  { ports }: Ground,
  name: PromptName,
  paths: readonly string[],
  limit: number,
  isFirst: (path: string) => boolean = () => false,
): Promise<string> {
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: await textOf(ports.tree, path) })));
  const there = texts.flatMap(({ path, text }) =>
    text === undefined ? [] : [{ path, text: isChangeLog.test(path) ? newestOf(text) : text }],
  );
  if (there.length === 0) return '';
  const shown = new Set<string>();
  let [left, leftToChange] = [limit, limits.changed];
  const rank = ({ path, text }: (typeof there)[number]): number =>
    (isFirst(path) ? 0 : 2 * limit) + (isNamedTest(path) ? limit : 0) + Math.min(text.length, limit);
  for (const { path, text } of there.toSorted((one, other) => rank(one) - rank(other))) {
    left -= text.length;
    if (isFirst(path)) leftToChange -= text.length;
    if (left >= 0 || (isFirst(path) && leftToChange >= 0)) shown.add(path);
  }
  const partOf = async ({ path, text }: (typeof there)[number]): Promise<string> => {
    if (shown.has(path)) return `${path}:\n\n${fenced(redact(text))}`;
    const outline = isFirst(path) ? await outlineIn(ports, path, text) : '';
    return `${path}: ${text.length} characters, not shown here${outline === '' ? '.' : `. By line, it has:\n\n${fenced(redact(outline))}`}`;
  };
  return promptText(name, { texts: (await Promise.all(there.map(partOf))).join('\n\n') });
}

/** Who changes a long program reads parts of it, and so need not search where they begin. */
async function outlineIn({ syntax }: Ground['ports'], path: string, text: string): Promise<string> {
  const language = languageOf(path, text);
  const tree = language && (await syntax.parse(language, text));
  return tree ? programOutline(language, text, tree).join('\n') : '';
}

const isChangeLog = /(^|\/)(changes|changelog|history|news)(\.\w+)?$/i;
/** Characters of a log of changes that are shown: a new entry goes above the newest ones. */
const newest = 2000;

function newestOf(text: string): string {
  const end = text.lastIndexOf('\n', newest) + 1;
  return text.length <= newest || end === 0 ? text : `${text.slice(0, end)}[${text.length - end} more characters of older entries]\n`;
}

function fenced(text: string): string {
  const fence = ticksFor(text, 3);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}
