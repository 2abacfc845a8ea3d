/**
 * Helpers in the text of a script: each stands behind the header, between two lines of comment that name it. So what a helper was
 * is known from the script alone, and a script with another helper is another script.
 */
import { fieldsIn, headerEnd } from './header.ts';
import { commentSigns, scriptLanguageOf, type ScriptLanguage } from '../work/script-language.ts';

/** @param helpers the texts of those that it names, in the order in which it names them. */
export function withHelpers(script: string, helpers: readonly { name: string; text: string }[]): string {
  const lines = withoutHelpers(script).split('\n');
  const at = headerEnd(lines);
  const blocks = helpers.flatMap(({ name, text }) => [mark(name, 'helper'), text.trimEnd(), mark(name, 'end of helper')]);
  return [...lines.slice(0, at), ...blocks, ...lines.slice(at)].join('\n');
}

/** The script as it was written. */
export function withoutHelpers(script: string): string {
  return foldHelpers(script, () => '');
}

/** Scripts that are shown together, each helper once. */
export function eachHelperOnce(scripts: readonly string[]): string[] {
  const shown = new Set<string>();
  return scripts.map((script) =>
    foldHelpers(script, (block, name) => {
      if (shown.has(block)) return `${mark(name, 'helper')} as above\n`;
      shown.add(block);
      return block;
    }),
  );
}

/** Why a text can be no helper, as the middle of a sentence; undefined if it can. */
export function helperProblem(text: string): string | undefined {
  if (new RegExp(block, 'm').test(text)) return 'it holds the marks of a helper';
  const [field] = fieldsIn(text);
  return field && `its line ${field.line} is a field of a header; only scripts have these`;
}

/** The language of a script or helper by its file name. */
export function languageByName(name: string): ScriptLanguage | undefined {
  return scriptLanguageOf(name.slice(name.lastIndexOf('.') + 1));
}

const block = String.raw`^(?:#|//) --- helper (\S+) ---\n[\s\S]*?^(?:#|//) --- end of helper \1 ---(?:\n|$)`;

function foldHelpers(script: string, instead: (block: string, name: string) => string): string {
  return script.replaceAll(new RegExp(block, 'gm'), (whole, name: string) => instead(whole, name));
}

function mark(name: string, what: 'helper' | 'end of helper'): string {
  const language = languageByName(name);
  return `${language === undefined ? '//' : commentSigns[language]} --- ${what} ${name} ---`;
}
