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
