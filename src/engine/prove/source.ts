/**
 * Changes source files for proofs. It needs to know no more of a language than its comments (docs/decisions/0008).
 */

export type Language = 'javascript' | 'python' | 'shell';

const byExtension: Record<string, Language> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  mts: 'javascript',
  cts: 'javascript',
  tsx: 'javascript',
  py: 'python',
  sh: 'shell',
  bash: 'shell',
  bats: 'shell',
};
const byProgram: [RegExp, Language][] = [
  [/\b(node|deno|bun|tsx)\b/, 'javascript'],
  [/\bpython[\d.]*\b/, 'python'],
  [/\b(ba|da|z|k)?sh\b/, 'shell'],
];
const shebang = /^#!.*\n?/;

/** By the name's extension, else by the shebang; undefined for any other language and for binary files. */
export function languageOf(path: string, text: string): Language | undefined {
  const [, extension] = /\.(\w+)$/.exec(path) ?? [];
  if (text.includes('\0') || text.includes('\uFFFD')) return undefined;
  if (extension !== undefined) return byExtension[extension];
  const [line = ''] = shebang.exec(text) ?? [];
  return byProgram.find(([program]) => program.test(line))?.[1];
}

/** The same program with one more comment at its end; unchanged if the language is unknown. */
export function reworded(path: string, text: string): string {
  const language = languageOf(path, text);
  if (language === undefined) return text;
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${end}${language === 'javascript' ? '//' : '#'} These words change nothing.\n`;
}

/** The same text, but none of it runs; blank if the language is unknown. */
export function silenced(path: string, text: string): string {
  const language = languageOf(path, text);
  if (language === undefined) return '\n';
  const [line] = shebang.exec(text) ?? [];
  const first = line === undefined ? '' : `${line.trimEnd()}\n`;
  const words = text.slice(line?.length ?? 0);
  if (language === 'javascript') return `${first}/*\n${words.replaceAll('*/', '* /')}\n*/\n`;
  if (language === 'python') return `${first}r'''\n${words.replaceAll(/'(?='')/g, "' ")}\n'''\n`;
  return `${first}: <<'THE_WORDS_ALONE'\n${words}\nTHE_WORDS_ALONE\n`;
}
