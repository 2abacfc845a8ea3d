/**
 * The words of the screen, in the language of the editor. The English words are the key, so what has no translation is shown in
 * English. What Loop writes down (journal, report, prompts) stays English, since others read it too.
 */

type Value = string | number;

let bundle: Readonly<Record<string, string>> = {};

/** To be called before any module that holds words is loaded. @param words of `vscode.l10n.bundle`; nothing for English. */
export function useWords(words: Readonly<Record<string, string>> | undefined): void {
  bundle = words ?? {};
}

/** @param message literal, so that the test of translations finds it; `{0}` stands for the first value. */
export function t(message: string, ...values: readonly Value[]): string {
  return filled(translated(message), values);
}

/** `plural(files, '{0} file', '{0} files')`. */
export function plural(count: number, one: string, many: string): string {
  return t(count === 1 ? one : many, count);
}

/** Words that a table of the engine holds, such as those of a status. */
export function translated(words: string): string {
  return Object.hasOwn(bundle, words) ? (bundle[words] ?? words) : words;
}

function filled(text: string, values: readonly Value[]): string {
  return text.replaceAll(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
}
