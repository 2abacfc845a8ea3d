/** The headings of a markdown document, each with the lines that belong to it. */
import { readPrd } from './prd.ts';

export interface Heading {
  /** 1 to 6. */
  level: number;
  /** As it is written, with its number. */
  title: string;
  /** Its number, if it has one. */
  id: string | undefined;
  /** 0-based. */
  line: number;
  /** The last line before the next heading of its level or a higher one. */
  end: number;
}

export function headingsOf(text: string): Heading[] {
  const { prose, numbered } = readPrd(text);
  const ids = new Map(numbered.map(({ id, line }) => [line, id]));
  const headings = prose.flatMap((one, line): Heading[] => {
    const [, marks, title] = /^(#{1,6})\s+(\S.*)$/.exec(one) ?? [];
    return marks && title ? [{ level: marks.length, title: title.trim(), id: ids.get(line), line, end: prose.length - 1 }] : [];
  });
  const open: Heading[] = [];
  for (const heading of headings) {
    while ((open.at(-1)?.level ?? 0) >= heading.level) {
      const closed = open.pop();
      if (closed) closed.end = heading.line - 1;
    }
    open.push(heading);
  }
  return headings;
}
