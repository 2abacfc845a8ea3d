/**
 * Texts of files that a session would read first, so that it asks for none of them by a call: those that Vision and PRD name, of a
 * builder's task those that it expects to change, and for who uses the result those that it came with.
 */
import type { Context } from '../context.ts';
import { promptText } from '../ground/prompts.ts';
import { redact } from '../ground/redact.ts';
import { looksSecret } from '../ground/secret-names.ts';
import { ticksFor } from '../ground/text.ts';
import { namedPaths } from '../parse/named-paths.ts';
import { documentTexts } from '../run/documents.ts';
import { filesOf, textOf } from '../run/files.ts';
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

/** Without files that the sprint made, which may still change. @returns empty where there is none. */
export async function namedTexts(ground: Ground, without: readonly string[] = []): Promise<string> {
  const paths = (await namedInDocuments(ground)).filter((path) => !without.includes(path));
  const texts = await textsOf(ground.ports, paths.slice(0, mostNamed), limits.named);
  return texts === '' ? '' : promptText('named-texts', { texts });
}

async function namedInDocuments({ ports, state }: Ground): Promise<string[]> {
  const made = state.work.tree.commits.flatMap(({ files }) => files.flatMap(({ path, kind }) => (kind === 'added' ? [path] : [])));
  const documents = state.opened.inputs.map(({ name }) => name);
  const isShown = (path: string): boolean => {
    return !made.includes(path) && !looksSecret(path) && !documents.includes(path.slice(path.lastIndexOf('/') + 1));
  };
  return namedPaths(await documentTexts(state, ports), (await ports.tree.glob('**/*', '')).filter(isShown));
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
