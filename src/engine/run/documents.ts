/** The texts that a builder can read before it builds: the sprint's documents, and what the repository had of examples and tests. */
import type { Ports } from '../ports.ts';
import { addedLines, isAdded, removedLines, type AddedLines } from '../prove/added-lines.ts';
import { isNamedTest } from '../prove/own-tests.ts';
import { documentsOf } from '../state/documents.ts';
import type { State } from '../state/state.ts';
import { textOf } from './files.ts';

export function documentTexts(state: State, { payloads }: Pick<Ports, 'payloads'>): Promise<string[]> {
  return Promise.all(documentsOf(state).map(({ ref }) => payloads.get(ref)));
}

/** Files that are read at most, and characters of each. */
const most = { files: 200, characters: 100_000 };
const sample = /(^|\/)(examples?|samples?|fixtures?|testdata|tests?|specs?|__tests__|docs?)\/|(^|\/)(readme|examples?)\b[^/]*$/i;

/** As they were before the sprint: without what it made itself, and with what it took out, or nobody would know that any more. */
export async function exampleTexts({ work: { tree } }: State, ports: Pick<Ports, 'tree' | 'payloads'>): Promise<string[]> {
  const patches = await Promise.all(tree.commits.map(({ patch }) => ports.payloads.get(patch)));
  const [added, removed] = [addedLines(patches), removedLines(patches)];
  const own = new Set(tree.commits.flatMap(({ files }) => files.filter(({ kind }) => kind === 'added').map(({ path }) => path)));
  const isExample = (path: string): boolean => !own.has(path) && (sample.test(path) || isNamedTest(path));
  const paths = [...new Set([...(await ports.tree.glob('**/*', '')), ...removed.keys()])].filter(isExample);
  const texts = await Promise.all(paths.slice(0, most.files).map(async (path) => ({ path, text: (await textOf(ports.tree, path)) ?? '' })));
  return texts.flatMap(({ path, text }) => {
    const before = [without(text, added.get(path)), ...(removed.get(path) ?? [])].filter(Boolean).join('\n');
    return before === '' ? [] : [before.slice(0, most.characters)];
  });
}

function without(text: string, lines: AddedLines | undefined): string {
  if (!lines) return text;
  const isOwn = isAdded(text, lines);
  return text
    .split('\n')
    .filter((line) => !isOwn(line))
    .join('\n');
}
