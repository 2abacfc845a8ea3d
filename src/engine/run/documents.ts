/** The texts that a builder can read before it builds: the sprint's documents, and what the repository had of examples and tests. */
import type { Ports } from '../ports.ts';
import { isAdded, type AddedLines } from '../prove/added-lines.ts';
import { isNamedTest } from '../prove/own-tests.ts';
import { documentsOf } from '../state/documents.ts';
import type { State } from '../state/state.ts';
import { textOf } from './files.ts';
import { addedBy } from './mutants.ts';

export function documentTexts(state: State, { payloads }: Pick<Ports, 'payloads'>): Promise<string[]> {
  return Promise.all(documentsOf(state).map(({ ref }) => payloads.get(ref)));
}

/** Files that are read at most, and characters of each. */
const most = { files: 200, characters: 100_000 };
const sample = /(^|\/)(examples?|samples?|fixtures?|testdata|tests?|specs?|__tests__|docs?)\/|(^|\/)(readme|examples?)\b[^/]*$/i;

/** Without what the sprint made itself: files, and lines in those that were there. */
export async function exampleTexts({ work: { tree } }: State, ports: Pick<Ports, 'tree' | 'payloads'>): Promise<string[]> {
  const added = await addedBy(ports.payloads, tree.commits, tree.commits);
  const own = new Set(tree.commits.flatMap(({ files }) => files.filter(({ kind }) => kind === 'added').map(({ path }) => path)));
  const paths = (await ports.tree.glob('**/*', '')).filter((path) => !own.has(path) && (sample.test(path) || isNamedTest(path)));
  const texts = await Promise.all(paths.slice(0, most.files).map(async (path) => ({ path, text: await textOf(ports.tree, path) })));
  return texts.flatMap(({ path, text }) => (text === undefined ? [] : [without(text, added.get(path)).slice(0, most.characters)]));
}

function without(text: string, lines: AddedLines | undefined): string {
  if (!lines) return text;
  const isOwn = isAdded(text, lines);
  return text
    .split('\n')
    .filter((line) => !isOwn(line))
    .join('\n');
}
