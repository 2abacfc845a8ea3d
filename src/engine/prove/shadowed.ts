/**
 * What a script takes from Python's standard library, by `python -m` or in a text that it hands to Python, and in whose place the work
 * has put a module of its own: Python looks for it in the current folder first, so the work would judge itself.
 */
import { scriptLanguageOf } from '../work/script-language.ts';

/**
 * As the script names it: `python -m json.tool`, `import statistics`; undefined where there is none.
 * @param paths files of the work
 * @param asked the texts of its requirements: a module that they name as code (`calendar.next`, `calendar.py`) is the work's own
 */
export function shadowedTool(script: string, ext: string, paths: readonly string[], asked: string): string | undefined {
  const isShadowed = (module: string): boolean => paths.some((path) => path === `${module}.py` || path === `${module}/__init__.py`);
  const run = [...script.matchAll(byName)].map(([, shell, listed]) => shell ?? listed ?? '');
  const tool = run.find((name) => tools.has(rootOf(name)) && isShadowed(rootOf(name)));
  if (tool !== undefined) return `python -m ${tool}`;
  // A script in Python looks for what it imports itself in the library first.
  if (scriptLanguageOf(ext) === 'python') return undefined;
  const imported = [...script.matchAll(byImport)].flatMap(([, from, list = '']) => (from === undefined ? list.split(/[\s,]+/) : [from]));
  // `JSON` is a format, and no module.
  const isAsked = (module: string): boolean => new RegExp(`\\b${module}\\.\\w|\`${module}\``).test(asked);
  const module = imported.map(rootOf).find((name) => oracles.has(name) && isShadowed(name) && !isAsked(name));
  return module === undefined ? undefined : `import ${module}`;
}

const rootOf = (name: string): string => name.split('.')[0] ?? '';

/** In the text of a script in another language: on a line of its own, behind a quote or behind another statement. */
const byImport = /(?:^|["';])[ \t]*(?:from\s+([\w.]+)\s+import\b|import\s+([\w., \t]+))/gm;

/** `python3 -m json.tool` in a shell, `"-m", "json.tool"` in a list of arguments. */
const byName = /\bpython[\d.]*\s+(?:-[A-Za-ln-z]\w*\s+)*-m\s+([\w.]+)|["']-m["'],\s*["']([\w.]+)["']/g;

/** Modules with which a script works out what it expects. */
const oracles = new Set(
  (
    'ast base64 binascii bisect calendar cmath codecs collections colorsys configparser copy csv datetime decimal difflib email enum ' +
    'fnmatch fractions glob hashlib heapq hmac html ipaddress json locale math numbers operator os pathlib random re secrets shlex ' +
    'sqlite3 statistics string struct subprocess sys tempfile textwrap time timeit tomllib types unicodedata urllib uuid xml zlib zoneinfo'
  ).split(' '),
);

/** What a script looks at results with. Others, such as `calendar`, may be what the work is called. */
const tools = new Set('json unittest doctest pytest zipfile tarfile gzip base64 sqlite3 py_compile compileall timeit http'.split(' '));
