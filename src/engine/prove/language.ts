/** The languages of the work that a proof can read, by a file's name or its shebang. */

export const languages = [
  'javascript',
  'typescript',
  'tsx',
  'python',
  'shell',
  'go',
  'rust',
  'java',
  'kotlin',
  'ruby',
  'php',
  'csharp',
  'c',
  'cpp',
  'html',
  'css',
] as const;
export type Language = (typeof languages)[number];

const extensions: Record<Language, string> = {
  javascript: 'js mjs cjs jsx',
  typescript: 'ts mts cts',
  tsx: 'tsx',
  python: 'py',
  shell: 'sh bash bats',
  go: 'go',
  rust: 'rs',
  java: 'java',
  kotlin: 'kt kts',
  ruby: 'rb rake',
  php: 'php phtml',
  csharp: 'cs',
  c: 'c h',
  cpp: 'cc cpp cxx hh hpp hxx',
  html: 'html htm',
  css: 'css',
};
const byProgram: [RegExp, Language][] = [
  [/\b(node|bun)\b/, 'javascript'],
  [/\b(deno|tsx|ts-node)\b/, 'typescript'],
  [/\bpython[\d.]*\b/, 'python'],
  [/\bruby\b/, 'ruby'],
  [/\bphp\b/, 'php'],
  [/\b(ba|da|z|k)?sh\b/, 'shell'],
];
/** In Rust `#![` begins an attribute. */
export const shebang = /^#!(?!\[).*\n?/;

/** By the name's extension, else by the shebang; undefined for any other language and for binary files. */
export function languageOf(path: string, text: string): Language | undefined {
  const [, extension] = /\.(\w+)$/.exec(path) ?? [];
  if (text.includes('\0') || text.includes('\uFFFD')) return undefined;
  if (extension !== undefined) return languages.find((language) => extensions[language].split(' ').includes(extension.toLowerCase()));
  const [line = ''] = shebang.exec(text) ?? [];
  return byProgram.find(([program]) => program.test(line))?.[1];
}
