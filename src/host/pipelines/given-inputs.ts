/** Paths and globs as a person gives them at a shell: relative to the folder where they are. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';

/** Relative to the root, as the files of a pipeline name them. @throws InputError for what lies outside of it. */
export async function givenInputs(root: string, folder: string, given: readonly string[]): Promise<string[]> {
  const [top, here] = [await realpath(root), await realpath(folder)];
  return Promise.all(given.map(async (text) => patternIn(top, here, text)));
}

async function patternIn(root: string, folder: string, text: string): Promise<string> {
  if (text.trim() === '')
    throw new InputError('An input has no path.', 'Name a file, a folder or a glob; "." is all of the folder where you are.');
  const path = resolve(folder, text.trim());
  // A link may lead into the repository from elsewhere.
  const within = inside(root, path) ?? inside(root, await realpath(path).catch(() => path));
  if (within === undefined)
    throw new InputError(
      `The input "${text}" lies outside of ${root}.`,
      'Give a file of the repository, relative to the folder where you are.',
    );
  return within === '' ? '**' : within;
}

function inside(root: string, path: string): string | undefined {
  const way = relative(root, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way.split(sep).join('/');
}
