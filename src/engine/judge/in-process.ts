/**
 * Whether a script loads files of the work into its own process: then the work could speak for it, and its proof is never more
 * than fair. Judged by its text, so that a way of loading which is not known here counts too.
 */
import { scriptLanguageOf, type ScriptLanguage } from '../work/script-language.ts';

/** @param paths of the files of the work. */
export function loadsWork(script: string, extension: string, paths: readonly string[]): boolean {
  const names = new Set(paths.flatMap((path) => path.split('/')).map(bare));
  const language = scriptLanguageOf(extension);
  return language === undefined || ways[language](script, names);
}

const node = (script: string, names: ReadonlySet<string>): boolean =>
  /\b(?:import|require)\s*\((?!\s*['"`])/.test(script) || runsNode.test(script) || importsNode(script, names);

const ways: Readonly<Record<ScriptLanguage, (script: string, names: ReadonlySet<string>) => boolean>> = {
  // It may hand a text of another language to that one's interpreter.
  shell: (script, names) =>
    sources.test(script) || byModule.test(script) || runsNode.test(script) || importsPython(script, names) || importsNode(script, names),
  python: (script, names) => byModule.test(script) || runsPython.test(script) || importsPython(script, names),
  node,
  typescript: node,
};

const byModule = /\b(importlib|runpy|__import__)\b/;

/** `re.compile` and `find -exec` run no Python. */
const runsPython = /(?<!\bre\.|[\w-])(exec|compile)\b/;

/** A text as code, such as a script of a page; a browser's `page.$eval(` is in another process. */
const runsNode =
  /\b(?:from|import|require|getBuiltinModule)\s*(?:\(\s*)?['"`](?:node:)?vm['"`]|\(\s*0\s*,\s*eval\s*\)|(?<![\w$.])(?:globalThis\.)?eval\s*\(|\bnew\s+Function\s*\(/;

/** At the beginning of a command, wherever that stands on its line. */
const sources = /(?:^|[;&|!({]|\b(?:then|do|else|if|while|until))\s*(?:\.|source)\s+\S/m;

/** On a line of its own, behind another statement or `try:`, or first in what a command runs: `python3 -c "import cart; …"`. */
const byImport = /(?:^|;|\b(?:try|else|finally):|\s-[a-zA-Z]*c\s+["'])\s*(?:from\s+\.*(?=[\w.]*[\s\\]+import\b)|import\s+)([\w., ]+)/gm;

function importsPython(script: string, names: ReadonlySet<string>): boolean {
  const modules = [...script.matchAll(byImport)].flatMap(([, list = '']) => list.split(/[,\s]+/));
  return modules.some((module) => names.has(module.split('.')[0] ?? ''));
}

/** PHP and Ruby load as Node.js does; a test library has words like `.to.include`, and prose has them, too. */
function importsNode(script: string, names: ReadonlySet<string>): boolean {
  const specifiers = [
    ...script.matchAll(/(?:\b(?:from|import|require(?:_once)?)|(?:^|[;"'{]|\bphp)\s*include(?:_once)?)\s*\(?\s*(['"`])(.*?)\1/gm),
  ];
  return specifiers.some(([, , one = '']) => /^(\.|\/|file:|\$)/.test(one) || names.has(bare(one.split('/')[0] ?? '')));
}

function bare(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}
