/**
 * Whether a change of a file touches only comments and white space. A parsed file has its comments found; else the file's name
 * tells their style. Other files have no comments: in a text or a table every word is part of the work.
 */
import { edited, type Range } from './source-tree.ts';

/** A text, with its comments where they are known. */
export interface Commented {
  text: string;
  comments?: readonly Range[] | undefined;
}

type Style = 'slash' | 'hash' | 'dash' | 'semicolon';

/** Of languages that no parser here reads. */
const styles: [Style, RegExp][] = [
  ['slash', /\.(scala|swift|dart|proto|groovy|gradle|scss|less)$/],
  ['hash', /\.(awk|zsh|p[lm]|r|ya?ml|toml|tcl|jl|exs?|nix|mk|cmake|conf)$|(^|\/)[^./]+$/],
  ['dash', /\.(sql|lua|hs|elm|ad[abs])$/],
  ['semicolon', /\.(lisp|el|cljs?|scm|asm|s|ini)$/],
];
const lineEnd: Record<Style, RegExp> = {
  slash: /(^|\s)\/\/.*$/gm,
  hash: /(^|\s)#.*$/gm,
  dash: /(^|\s)--.*$/gm,
  semicolon: /(^|\s);.*$/gm,
};
const slashBlock = /\/\*[\s\S]*?(\*\/|$)/g;
const markup = /\.(xml|svg|vue|md)$/;
const markupBlock = /<!--[\s\S]*?(-->|$)/g;

/** Of these, and of a file without extension, an indentation is part of what is said. */
const layout = /\.(pyi?|ya?ml|md|hs|elm|mk)$|(^|\/)[^./]+$/;
/** A literal, whose white space counts; else an end of a line with all blank lines behind it, or blanks. */
const blanks =
  /("""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|`(?:\\.|[^`\\])*`?|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|\s*\n([^\S\n]*)|[^\S\n]+/g;

/** Whether both texts of a file are the same code: equal except for comments and white space that means nothing. */
export function isSameCode(path: string, before: Commented, after: Commented): boolean {
  return codeOf(path, before) === codeOf(path, after);
}

function codeOf(path: string, { text, comments }: Commented): string {
  const code = comments
    ? edited(
        text,
        comments.map((range) => ({ ...range, now: '' })),
      )
    : withoutComments(path.toLowerCase(), text);
  const hasLayout = layout.test(path.toLowerCase());
  const shortened = (_blank: string, literal?: string, indent?: string): string =>
    literal ?? (indent === undefined ? ' ' : hasLayout ? `\n${indent}` : '\n');
  return `\n${code}`.replaceAll(blanks, shortened).trimEnd();
}

function withoutComments(path: string, text: string): string {
  if (markup.test(path)) return text.replaceAll(markupBlock, '');
  const style = styles.find(([, names]) => names.test(path))?.[0];
  const whole = style === 'slash' ? text.replaceAll(slashBlock, '') : text;
  return style ? whole.replaceAll(lineEnd[style], '') : whole;
}
