/** Which grammar reads which language, and the packages that they come from. `scripts/build.mjs` copies them beside the bundle. */
import type { Language } from '../../engine/prove/language.ts';

/** The name of a grammar's file in `dist/syntax`. */
export const grammarOf: Record<Language, string> = {
  javascript: 'javascript',
  typescript: 'typescript',
  tsx: 'tsx',
  python: 'python',
  shell: 'bash',
  go: 'go',
  rust: 'rust',
  java: 'java',
  kotlin: 'kotlin',
  ruby: 'ruby',
  php: 'php',
  csharp: 'c-sharp',
  // No package of a size that fits has a grammar of its own for C.
  c: 'cpp',
  cpp: 'cpp',
  html: 'html',
  css: 'css',
};

/** Bash's grammar does not know an index in an index, such as `${names[order[i]]}`. What it is given instead has the same length. */
export function readable(language: Language, text: string): string {
  if (language !== 'shell') return text;
  return text.replaceAll(indexInIndex, (_all, begin: string, index: string) => begin + index.replaceAll(/[[\]]/g, '_'));
}

const indexInIndex = /(\$\{[#!]?\w{1,80}\[)([^\]\s]{0,80}\[[^\]\s]{1,80}\][^\]\s]{0,80})(?=\])/g;
