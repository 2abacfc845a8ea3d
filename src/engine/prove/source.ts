/**
 * Changes source files for the control (docs/decisions/0008): other words with the same behaviour, and the same words without
 * behaviour. By the rules of comments and strings alone, so that a file that no parser understands can be silenced, too.
 */
import { languageOf, shebang, type Language } from './language.ts';
import type { Range } from './source-tree.ts';

/** The same program with one more comment at its end; unchanged if the language is unknown. */
export function reworded(path: string, text: string): string {
  const language = languageOf(path, text);
  if (language === undefined) return text;
  const isPage = language === 'php' && !endsInPhp(text);
  // In a page, a line more is printed.
  const end = text === '' || text.endsWith('\n') || isPage ? '' : '\n';
  const comment = `${isPage ? '<?php ' : ''}${commentOf(language)}\n`;
  // What follows this line is data that the program reads.
  const data = language === 'ruby' ? /^__END__$/m.exec(text)?.index : undefined;
  return data === undefined ? `${text}${end}${comment}` : text.slice(0, data) + comment + text.slice(data);
}

/**
 * The same words, each on its line, but none of it runs; blank if the language is unknown, or nothing in it runs: the words of a
 * document are what it does. The first line of code gets a sign in
 * front. It stands once more at the end as it was, for a verification that looks for how a line begins.
 */
export function silenced(path: string, text: string): string {
  const language = languageOf(path, text);
  if (language === undefined || isDocument(language, text)) return '\n';
  const start = startOfCode(language, text);
  const words = text.slice(start).replace(/\n$/, '');
  if (words.trim() === '') return text;
  const [first = ''] = words.split('\n', 1);
  const open = language === 'php' && !/^<\?php\s/.test(text.slice(0, start)) ? '<?php ' : '';
  return `${text.slice(0, start)}${open}${quiet(language, `${words}\n${first}`)}${entryOf(language, path, text)}\n`;
}

/** A style sheet, or a page without scripts and forms. */
function isDocument(language: Language, text: string): boolean {
  return (
    language === 'css' || (language === 'html' && !/<(script|form|button|input|select|textarea)\b|\son\w+\s*=|javascript:/i.test(text))
  );
}

/**
 * What silences these ranges of a text; where a language can silence only whole lines, a range of less stays. All lines stay where
 * they are: what a run of it reaches is told by line.
 */
export function silencing(language: Language, text: string, ranges: readonly Range[]): (Range & { now: string })[] {
  return ranges.flatMap(({ from, to }) => {
    const byLine = wordsAlone[language] !== undefined;
    const before = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
    const after = /^[^\n]*/.exec(text.slice(to))?.[0] ?? '';
    if (byLine && (before + after).trim() !== '') return [];
    if (!byLine) return [{ from, to, now: quiet(language, text.slice(from, to)) }];
    return [{ from: from - before.length, to, now: (before + text.slice(from, to)).replaceAll(/^/gm, '# ') }];
  });
}

const slashes = '// These words change nothing.';
const hashes = '# These words change nothing.';

function commentOf(language: Language): string {
  if (language === 'html') return '<!-- These words change nothing. -->';
  // The first standard of C has no other comment.
  if (language === 'css' || language === 'c') return '/* These words change nothing. */';
  return /^(python|shell|ruby|php)$/.test(language) ? hashes : slashes;
}

/**
 * What begins and ends PHP in a page, and what holds `?>` without an end: strings, comments of several lines, texts behind `<<<`. One that
 * nothing ends goes on to the end of the text, or each would be looked for from there again.
 */
const phpOpens = /<\?(?:php\b|=)/gi;
const phpTokens =
  /'(?:\\[^]|[^'\\])*(?:'|$)|"(?:\\[^]|[^"\\])*(?:"|$)|\/\*[^]*?(?:\*\/|$)|(?:\/\/|#(?!\[))(?:(?!\?>)[^\n])*|<<<[^\S\n]*(['"]?)(\w+)\1\r?\n[^]*?(?:\n[^\S\n]*\2\b|$)|\?>/g;

/** Whether a line at the end of the text would be code, and not part of the page around it. */
function endsInPhp(text: string): boolean {
  for (let at = 0; ;) {
    phpOpens.lastIndex = at;
    if (!phpOpens.test(text)) return false;
    phpTokens.lastIndex = phpOpens.lastIndex;
    let token = phpTokens.exec(text);
    while (token !== null && token[0] !== '?>') token = phpTokens.exec(text);
    if (token === null) return true;
    at = phpTokens.lastIndex;
  }
}

/** Behind what has to stay first, and behind lines that hold nothing but a comment. */
function startOfCode(language: Language, text: string): number {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  start += shebang.exec(text.slice(start))?.[0].length ?? 0;
  const passive = /^(python|shell|ruby)$/.test(language) ? /^[^\S\n]*(#.*[^\\\n]|#)?\n/ : /^[^\S\n]*(\/\/.*[^\\\n]|\/\/)?\n/;
  const skip = language === 'html' || language === 'css' ? /^\s*\n/ : passive;
  const opening = language === 'php' ? /^<\?php[^\S\n]*\n/.exec(text.slice(start)) : null;
  if (language === 'php' && !opening) return start;
  start += opening?.[0].length ?? 0;
  for (let line = skip.exec(text.slice(start)); line; line = skip.exec(text.slice(start))) start += line[0].length;
  return start;
}

/** Languages whose text without behaviour is a document in the program, with what stands before its end's name. */
const wordsAlone: Partial<Record<Language, string>> = { shell: ': <<', ruby: '<<' };

/** Words that do nothing. Where they end what silences them, that begins again at once, so that no word changes. */
function quiet(language: Language, words: string): string {
  const document = wordsAlone[language];
  if (document !== undefined) {
    let end = 'THE_WORDS_ALONE';
    while (words.includes(end)) end += '_';
    return `${document}'${end}' # ${words}\n${end}`;
  }
  if (language === 'python') {
    const inside = words.replaceAll(/\\[^]|'''/g, (found) => (found === "'''" ? "'''r'''" : found));
    return `r'''${inside}${/['\\]$/.test(inside) ? ' ' : ''}'''`;
  }
  if (language === 'html') return `<!-- ${words.replaceAll(/--!?>/g, '$&<!-- ')} -->`;
  const nests = language === 'rust' || language === 'kotlin';
  // `/**` would be documentation, which Rust refuses where nothing follows.
  const again = (sign: string, star = ''): string => (sign === '/*' ? '/**/' : star === '' ? '*//*' : '*//* ');
  const inside = nests ? words.replaceAll(/\/\*|\*\/(?=(\*)?)/g, again) : words.replaceAll('*/', '*//*');
  return `/*${inside}*/`;
}

/** What a compiler asks for: the package, and a program where there was one. It stands behind the last comment, on its line. */
function entryOf(language: Language, path: string, text: string): string {
  const name = /([^/]*?)(\.\w+)?$/.exec(path)?.[1] ?? '';
  const packaged = /^\s*package\s+[\w.]+/m.exec(text)?.[0].trim();
  if (language === 'go') return `${packaged ?? 'package main'}${/^func main\(\)/m.test(text) ? '; func main() {}' : ''}`;
  if (language === 'rust') return /^\s*(pub\s+)?(async\s+)?fn main\b/m.test(text) ? 'fn main() {}' : '';
  if (language === 'c' || language === 'cpp') return /^\s*(int|void|auto)\s+main\s*\(/m.test(text) ? 'int main(void) { return 0; }' : '';
  if (language === 'kotlin')
    return `${packaged === undefined ? '' : `${packaged}; `}${/\bfun main\s*\(/.test(text) ? 'fun main() {}' : ''}`;
  if (language === 'java') {
    const main = /\bstatic\s+void\s+main\s*\(/.test(text) ? `class ${name} { public static void main(String[] words) {} }` : '';
    return `${packaged === undefined ? '' : `${packaged}; `}${main}`;
  }
  if (language === 'csharp') return /\bMain\s*\(/.test(text) || name === 'Program' ? 'class Silent { static void Main() {} }' : '';
  return '';
}
