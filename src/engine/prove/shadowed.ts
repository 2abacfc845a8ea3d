/**
 * Tools of Python's standard library that a script runs by `python -m`, in whose place the work has put a module of its own: Python
 * looks for it in the current folder first, so the work would judge itself.
 */

/** The tool, as the script names it; undefined where there is none. @param paths files of the work */
export function shadowedTool(script: string, paths: readonly string[]): string | undefined {
  const named = [...script.matchAll(byName)].map(([, shell, listed]) => shell ?? listed ?? '');
  return named.find((name) => {
    const [module = ''] = name.split('.');
    return tools.has(module) && paths.some((path) => path === `${module}.py` || path === `${module}/__init__.py`);
  });
}

/** `python3 -m json.tool` in a shell, `"-m", "json.tool"` in a list of arguments. */
const byName = /\bpython[\d.]*\s+(?:-[A-Za-ln-z]\w*\s+)*-m\s+([\w.]+)|["']-m["'],\s*["']([\w.]+)["']/g;

/** What a script looks at results with. Others, such as `calendar`, may be what the work is called. */
const tools = new Set('json unittest doctest pytest zipfile tarfile gzip base64 sqlite3 py_compile compileall timeit http'.split(' '));
