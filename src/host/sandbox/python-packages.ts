/** Where a Python of the sandbox finds what the work installed. */

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
