/** The languages of verifications, each with the extensions of its files. `host/sandbox/interpreter.ts` has the programs that run them. */
const extensions = {
  shell: ['sh'],
  python: ['py'],
  node: ['js', 'mjs', 'cjs'],
  typescript: ['ts'],
};

export type ScriptLanguage = keyof typeof extensions;

/** What begins a comment. */
export const commentSigns: Readonly<Record<ScriptLanguage, '#' | '//'>> = { shell: '#', python: '#', node: '//', typescript: '//' };

/** Without a dot. */
export const scriptExtensions = Object.values(extensions).flat();

/** @param extension without a dot. */
export function scriptLanguageOf(extension: string): ScriptLanguage | undefined {
  return (Object.keys(extensions) as ScriptLanguage[]).find((language) => extensions[language].includes(extension));
}
