/**
 * Which program runs a script: the one of its shebang, else the one of its extension, as each platform calls it. Pure. Only
 * Linux has a sandbox to run it in so far.
 */

/** Marks a Node.js that is to run TypeScript, which old ones refuse. */
export const STRIP_TYPES = '--experimental-strip-types';

type Language = 'shell' | 'python' | 'node' | 'typescript';
const languages: Record<string, Language> = {
  sh: 'shell',
  py: 'python',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  ts: 'typescript',
};
export const knownExtensions = Object.keys(languages);

const node = [['node']];
const typescript = [['node', STRIP_TYPES, '--disable-warning=ExperimentalWarning']];
const unix: Record<Language, string[][]> = { shell: [['bash'], ['sh']], python: [['python3']], node, typescript };
/** Git for Windows brings bash. Windows' own `bash` starts another system, without the tree's programs. */
const windows: Record<Language, string[][]> = {
  shell: [['C:\\Program Files\\Git\\bin\\bash.exe'], ['C:\\Program Files (x86)\\Git\\bin\\bash.exe'], ['sh']],
  python: [['py', '-3'], ['python']],
  node,
  typescript,
};

/**
 * Commands to try in order, the first one that is there; the script's path follows. None where nothing is known for it.
 * @param ext without a dot.
 */
export function interpretersOf(ext: string, script: string, platform: NodeJS.Platform): string[][] {
  const [, program, rest = ''] = /^#![ \t]*(\S+)(?:[ \t]+([^\r\n]*?))?[ \t]*\r?(?:\n|$)/.exec(script) ?? [];
  const table = platform === 'win32' ? windows : unix;
  const language = Object.hasOwn(languages, ext) ? languages[ext] : undefined;
  if (program === undefined) return language ? table[language] : [];
  // As the kernel reads it: all the rest of the line is one argument, which `env -S` takes apart itself.
  return platform === 'win32' ? onWindows(program, rest) : [rest === '' ? [program] : [program, rest]];
}

/** Windows knows no shebang, and its paths name nothing there: the program's name tells the language. */
function onWindows(program: string, rest: string): string[][] {
  const words = rest.split(/[ \t]+/).filter(Boolean);
  const called = nameOf(program);
  const [name = called, ...options] =
    called === 'env'
      ? words.slice(words.findIndex((word) => !/^-|=/.test(word))).map((w, i) => (i === 0 ? nameOf(w) : w))
      : [called, ...words];
  const language = languageOf(name);
  return (language ? windows[language] : [[name]]).map((command) => [...command, ...options]);
}

function nameOf(program: string): string {
  return (program.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, '');
}

function languageOf(name: string): Language | undefined {
  if (/^(ba|da)?sh$/.test(name)) return 'shell';
  if (/^python[\d.]*$/.test(name)) return 'python';
  return name === 'node' ? 'node' : undefined;
}
