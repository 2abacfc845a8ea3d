/** The texts that a builder can read before it builds: the sprint's documents, and what the repository had of examples and tests. */
import type { Ports } from '../ports.ts';
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

/** Without files that the sprint made itself. */
export async function exampleTexts({ work }: State, { tree }: Pick<Ports, 'tree'>): Promise<string[]> {
  const own = new Set(work.tree.commits.flatMap(({ files }) => files.filter(({ kind }) => kind === 'added').map(({ path }) => path)));
  const paths = (await tree.glob('**/*', '')).filter((path) => !own.has(path) && (sample.test(path) || isNamedTest(path)));
  const texts = await Promise.all(paths.slice(0, most.files).map((path) => textOf(tree, path)));
  return texts.flatMap((text) => (text === undefined ? [] : [text.slice(0, most.characters)]));
}
