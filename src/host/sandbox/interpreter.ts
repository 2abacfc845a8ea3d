/**
 * Selects the program that runs a script: by its shebang, else by its extension, with the name that the platform uses. Pure.
 * Only Linux has a sandbox so far.
 */

import type { BegunLanguage } from './begin.ts';
import { scriptLanguageOf, type ScriptLanguage } from '../../engine/work/script-language.ts';

/** Option of Node.js for TypeScript. Versions before 22.6 refuse it. */
export const stripTypes = '--experimental-strip-types';

const node = [['node']];
const typescript = [['node', stripTypes, '--disable-warning=ExperimentalWarning']];
const unix: Record<ScriptLanguage, string[][]> = { shell: [['bash'], ['sh']], python: [['python3']], node, typescript };
/** The bash of Git for Windows. The `bash` of Windows itself starts WSL, which lacks the tree's programs. */
const windows: Record<ScriptLanguage, string[][]> = {
  shell: [['C:\\Program Files\\Git\\bin\\bash.exe'], ['C:\\Program Files (x86)\\Git\\bin\\bash.exe'], ['sh']],
  python: [['py', '-3'], ['python']],
  node,
  typescript,
};

/**
 * Returns commands in order of preference; the first one that exists runs the script, whose path follows. Empty where no
 * interpreter is known.
 * @param ext without a dot. @param python the one that the work's packages are for, where it is known.
 */
export function interpretersOf(ext: string, script: string, platform: NodeJS.Platform, python?: string): string[][] {
  const [, program, rest = ''] = /^#![ \t]*(\S+)(?:[ \t]+([^\r\n]*?))?[ \t]*\r?(?:\n|$)/.exec(script) ?? [];
  const table = platform === 'win32' ? windows : unix;
  const language = scriptLanguageOf(ext);
  if (program === undefined && language === 'python' && python !== undefined) return [[python]];
  if (program === undefined) return language ? table[language] : [];
  // As the kernel does: the rest of the line is one argument, and `env -S` splits it.
  return platform === 'win32' ? onWindows(program, rest) : [rest === '' ? [program] : [program, rest]];
}

/**
 * The language in which a command runs a text that is handed over; undefined where it needs a file.
 * @param command one of `interpretersOf`.
 */
export function begunLanguageOf(command: readonly string[] | undefined): BegunLanguage | undefined {
  const words = (command ?? []).flatMap((word) => word.split(/[ \t]+/));
  if (words.includes(stripTypes) || words.includes('--test')) return undefined;
  const name = words.find((word) => !/^-|=/.test(word) && nameOf(word) !== 'env');
  return name === undefined ? undefined : languageOfProgram(nameOf(name));
}

/** Windows ignores shebangs and does not have their paths, so the program's name selects the language. */
function onWindows(program: string, rest: string): string[][] {
  const words = rest.split(/[ \t]+/).filter(Boolean);
  const first = nameOf(program);
  const [name = first, ...options] =
    first === 'env'
      ? words.slice(words.findIndex((word) => !/^-|=/.test(word))).map((w, i) => (i === 0 ? nameOf(w) : w))
      : [first, ...words];
  const language = languageOfProgram(name);
  return (language ? windows[language] : [[name]]).map((command) => [...command, ...options]);
}

function nameOf(program: string): string {
  return (program.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, '');
}

function languageOfProgram(name: string): BegunLanguage | undefined {
  if (/^(ba|da)?sh$/.test(name)) return 'shell';
  if (/^python[\d.]*$/.test(name)) return 'python';
  return name === 'node' ? 'node' : undefined;
}
