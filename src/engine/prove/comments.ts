/**
 * Whether a change of a file is one of words alone: of comments and white space (design §6). Which signs begin a comment goes
 * by the file's name; a file of another kind has none, since in a text or a table every word is the work. Pure (I3).
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

/** Whether both texts of one file say the same to whatever reads it as code. */
export function isSameCode(path: string, before: string, after: string): boolean {
  return codeOf(path, before) === codeOf(path, after);
}

function codeOf(path: string, text: string): string {
  const style = styles.find(([, names]) => names.test(path.toLowerCase()))?.[0];
  let code = text;
  for (const comment of [style && block[style], style && lineEnd[style]]) if (comment) code = code.replaceAll(comment, '');
  return code.replaceAll(/\s+/g, '');
}
