/** Which Python runs a script, and where it finds what the work installed. */
import { basename, join } from 'node:path';
import { isWithin, realPath } from './places.ts';
import type { Toolchains } from './toolchains.ts';

/**
 * The Python that the tree's `.venv` was made for: uv and poetry may take another one than `python3`, which would not see its packages.
 * Undefined unless it is one of the person's, since the work could have written any other (I8).
 */
export function pythonFor(root: string, { path, shown }: Toolchains): string | undefined {
  const program = realPath(join(root, '.venv', 'bin', 'python'));
  if (program === undefined || !/^python3\.\d+$/.test(basename(program)) || isWithin(program, root)) return undefined;
  return [...path.split(':'), ...shown].some((folder) => isWithin(program, folder)) ? program : undefined;
}

/**
 * Defines `installed(root)` in Python: the packages in the tree's `.venv`, and the folders of the tree that are installed as they are
 * (`pip install -e .`). Nothing else of the files that Python would read at its start (`.pth`) is taken, and none that cannot be read
 * stops anything, because the work could write one (I8).
 */
export const pythonInstalled = String.raw`
def installed(root):
    packages = root + '/.venv/lib/python%d.%d/site-packages' % sys.version_info[:2]
    paths = [packages]
    try:
        for name in sorted(os.listdir(packages)):
            path = os.path.join(packages, name)
            if name.endswith('.pth') and os.path.isfile(path):
                with open(path, errors='replace') as text:
                    paths += [line.strip() for line in text if (line.strip() + '/').startswith(root + '/')]
    except OSError:
        pass
    return paths
`;
