/** The lines of a markdown document without what is not for the reader: comments and front matter. */

export interface Line {
  /** Without comments. */
  shown: string;
  /** Empty in a code fence too, unless the fence holds Gherkin. */
  prose: string;
}

/** A fence or a comment that nothing ends, from its 1-based line. */
export interface Unclosed {
  line: number;
  what: 'code fence' | 'comment';
}

export function linesOf(text: string): { lines: Line[]; unclosed: Unclosed | undefined } {
  let open: (Unclosed & { gherkin: boolean; ends: (line: string) => boolean }) | undefined;
  const all = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const first = frontMatter(all);
  const endsSoon = endingSoon(all);
  const lines = all.map((line, index): Line => {
    if (index < first) return hidden;
    if (open) {
      const { what, gherkin, ends } = open;
      if (ends(line)) open = undefined;
      return what === 'comment' ? hidden : { shown: line, prose: gherkin && open ? line : '' };
    }
    const [, fence, language = ''] = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}(?!.*`)|~{3,})\s*(\w*)/.exec(line) ?? [];
    if (fence) {
      const ends = (later: string): boolean =>
        later.trim().startsWith(fence) && later.trim() === fence.charAt(0).repeat(later.trim().length);
      open = { line: index + 1, what: 'code fence', gherkin: /^(gherkin|feature|cucumber)$/i.test(language), ends };
      return { shown: line, prose: '' };
    }
    const shown = line.replaceAll(/(`+[^`]*`+)|<!--.*?-->/g, '$1');
    const from = commentIn(shown);
    if (from < 0 || !(/^\s{0,3}$/.test(shown.slice(0, from)) || endsSoon[index + 1])) return { shown, prose: shown };
    open = { line: index + 1, what: 'comment', gherkin: false, ends: (later) => later.includes('-->') };
    const before = shown.slice(0, from).trimEnd();
    return { shown: before, prose: before };
  });
  return { lines, unclosed: open && { line: open.line, what: open.what } };
}

const hidden: Line = { shown: '', prose: '' };

/** Where a comment begins outside of inline code; -1 where none does. */
function commentIn(line: string): number {
  return [...line.matchAll(/`+[^`]*`+|<!--/g)].find(([found]) => found === '<!--')?.index ?? -1;
}

/** Whether a comment ends at a line or below it, before the next blank one: after text, others are no comments. */
function endingSoon(lines: readonly string[]): boolean[] {
  const ends: boolean[] = [];
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? '';
    ends[index] = line.trim() !== '' && (line.includes('-->') || ends[index + 1] === true);
  }
  return ends;
}

/** The number of lines of a YAML header. */
function frontMatter(lines: readonly string[]): number {
  if (lines[0] !== '---') return 0;
  const end = lines.indexOf('---', 1);
  const inside = lines.slice(1, Math.max(end, 1));
  return /^[\w-]+:/.test(inside[0] ?? '') && inside.every((line) => /^(?:[\w-]+:|\s|- |$)/.test(line)) ? end + 1 : 0;
}
