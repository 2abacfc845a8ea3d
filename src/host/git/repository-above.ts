import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The nearest folder upwards that contains `.git` or is a bare repository. */
export async function repositoryAbove(folder: string): Promise<string | undefined> {
  const signs = [['.git'], ['HEAD', 'objects', 'refs']];
  for (const sign of signs) {
    const present = await Promise.all(
      sign.map((name) =>
        access(join(folder, name)).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (present.every(Boolean)) return folder;
  }
  return dirname(folder) === folder ? undefined : repositoryAbove(dirname(folder));
}
