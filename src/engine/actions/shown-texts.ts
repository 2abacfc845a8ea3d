/**
 * Texts of files that a session would read first, so that it asks for none of them by a call: a small repository whole, of a larger one
 * those that Vision and PRD name, of a builder's task those that it expects to change, and for who uses the result those that it wrote.
 */
import type { Context } from '../context.ts';
import { isLockFile } from '../judge/notable-changes.ts';
import { promptText } from '../ground/prompts.ts';
import { redact } from '../ground/redact.ts';
import { looksSecret } from '../ground/secret-names.ts';
import { ticksFor } from '../ground/text.ts';
import { namedPaths } from '../parse/named-paths.ts';
import { documentTexts } from '../run/documents.ts';
import { filesOf, textOf } from '../run/files.ts';
import type { State } from '../state/state.ts';
import type { Task } from '../work/task.ts';

/** Characters that they share, the shortest first. One that does not fit is named: half a file would be read again as a whole. */
const limits = { expected: 12_000, named: 8000 };
/** Files that are shown because the documents name them. */
const mostNamed = 8;

type Ground = Pick<Context, 'ports' | 'state'>;

/** Those that it lists, and those that its words name. @returns empty where there is none. */
export async function expectedTexts({ ports }: Pick<Context, 'ports'>, task: Task): Promise<string> {
  const texts = await textsOf(ports, await expectedPaths(ports, task), limits.expected);
  return texts === '' ? '' : promptText('expected-texts', { texts });
}

export async function expectedPaths({ tree }: Context['ports'], { filesExpected, description, acceptance }: Task): Promise<string[]> {
  const paths = (await tree.glob('**/*', '')).filter((path) => !looksSecret(path));
  return [...new Set([...filesExpected, ...namedPaths([description, acceptance], paths)])];
}

/** Texts that the sprint made, such as the README, for who reads them as their reader would. @returns empty where there is none. */
export async function madeTexts({ ports, state }: Ground): Promise<string> {
  const files = await filesOf(ports.tree, state.work.tree.commits);
  const isText = (path: string): boolean => isProse.test(path) && !looksSecret(path);
  const texts = await textsOf(ports, Object.keys(files).filter(isText), limits.expected);
  return texts === '' ? '' : promptText('made-texts', { texts });
}

const isProse = /\.(md|markdown|txt|rst|adoc|org)$/i;

/** `named`: what the documents name. `before`: a small repository whole, without what the sprint made. `now`: with that. */
type Scope = 'named' | 'before' | 'now';

/** Of a larger repository always those that are named. @returns empty where there is none. */
export async function repositoryTexts(ground: Ground, scope: Scope, without: readonly string[] = []): Promise<string> {
  const { ports, state } = ground;
  const left = new Set([...without, ...(scope === 'now' ? [] : madeIn(state))]);
  const there = (await ports.tree.glob('**/*', '')).filter((path) => isShown(state, path) && !left.has(path));
  const named = namedPaths(await documentTexts(state, ports), there).slice(0, mostNamed);
  const paths = scope !== 'named' && (await isSmall(ports, there)) ? [...new Set([...named, ...there])] : named;
  const texts = await textsOf(ports, paths, limits.named);
  return texts === '' ? '' : promptText('repository-texts', { texts });
}

/** Is no part of what was there, and judges look at it as its user would. */
function madeIn({ work }: State): string[] {
  return work.tree.commits.flatMap(({ files }) => files.flatMap(({ path, kind }) => (kind === 'added' ? [path] : [])));
}

function isShown({ opened }: State, path: string): boolean {
  const isDocument = opened.inputs.some(({ name }) => path.endsWith(`/${name}`) || path === name);
  return !isDocument && !looksSecret(path) && !isLockFile(path);
}

/** Files of a small repository, at most. */
const fewFiles = 30;

async function isSmall({ tree }: Context['ports'], paths: readonly string[]): Promise<boolean> {
  if (paths.length > fewFiles) return false;
  const texts = await Promise.all(paths.map((path) => textOf(tree, path)));
  return texts.reduce((sum, text = '') => sum + text.length, 0) <= limits.named;
}

async function textsOf({ tree }: Context['ports'], paths: readonly string[], limit: number): Promise<string> {
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: await textOf(tree, path) })));
  const there = texts.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
  const shown = new Set<string>();
  let left = limit;
  for (const { path, text } of there.toSorted((one, other) => one.text.length - other.text.length)) {
    left -= text.length;
    if (left >= 0) shown.add(path);
  }
  const partOf = ({ path, text }: (typeof there)[number]): string =>
    shown.has(path) ? `${path}:\n\n${fenced(redact(text))}` : `${path}: ${text.length} characters, not shown here.`;
  return there.map(partOf).join('\n\n');
}

function fenced(text: string): string {
  const fence = ticksFor(text, 3);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}
