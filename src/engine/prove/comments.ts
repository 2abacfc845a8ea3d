/**
 * Whether a change of a file touches only comments and white space. The file's name tells the style of its comments. Other
 * files have no comments: in a text or a table every word is part of the work.
 */

type Style = 'slash' | 'hash' | 'dash' | 'semicolon' | 'star' | 'markup';

const styles: [Style, RegExp][] = [
  ['slash', /\.(c|h|cc|cpp|cxx|hpp|cs|java|kts?|scala|swift|go|rs|jsx?|mjs|cjs|tsx?|mts|cts|dart|php|proto|groovy|gradle|scss|less)$/],
  ['hash', /\.(py|sh|bash|zsh|awk|rb|p[lm]|r|ya?ml|toml|tcl|jl|exs?|nix|mk|cmake|conf)$|(^|\/)[^./]+$/],
  ['dash', /\.(sql|lua|hs|elm|ad[abs])$/],
  ['semicolon', /\.(lisp|el|cljs?|scm|asm|s|ini)$/],
  ['star', /\.css$/],
  ['markup', /\.(html?|xml|svg|vue|md)$/],
];
const lineEnd: Partial<Record<Style, RegExp>> = {
  slash: /(^|\s)\/\/.*$/gm,
  hash: /(^|\s)#.*$/gm,
  dash: /(^|\s)--.*$/gm,
  semicolon: /(^|\s);.*$/gm,
};
const block: Partial<Record<Style, RegExp>> = {
  slash: /\/\*[\s\S]*?(\*\/|$)/g,
  star: /\/\*[\s\S]*?(\*\/|$)/g,
  markup: /<!--[\s\S]*?(-->|$)/g,
};

/** Whether both texts of a file are the same code: equal except for comments and white space. */
export function isSameCode(path: string, before: string, after: string): boolean {
  return codeOf(path, before) === codeOf(path, after);
}

function codeOf(path: string, text: string): string {
  const style = styles.find(([, names]) => names.test(path.toLowerCase()))?.[0];
  let code = text;
  for (const comment of [style && block[style], style && lineEnd[style]]) if (comment) code = code.replaceAll(comment, '');
  return code.replaceAll(/\s+/g, '');
}
