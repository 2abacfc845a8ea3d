/** The PRD as the engine reads it (`engine/parse/requirements.ts`), with the places that an editor needs. */
import type { Range } from 'vscode-languageserver-types';
import { proseOf, readRequirements, scan } from '../engine/parse/requirements.ts';
import { endOfLine, linesOf, lineRange, within } from './lines.ts';

export interface Prd {
  lines: string[];
  /** The lines as the reader sees them: empty in comments and code. */
  prose: string[];
  /** Every number, of a section too, in order; two may be the same. */
  numbered: Numbered[];
  /** What must be true. */
  requirements: Numbered[];
}

export interface Numbered {
  id: string;
  title: string;
  /** 0-based. */
  line: number;
  /** The number as it is written, which may leave out that of its section. */
  number: Range;
  written: string;
  /** The whole line. */
  range: Range;
  /** From its line to the last one that belongs to it. */
  body: Range;
}

export function readPrd(text: string): Prd {
  const lines = linesOf(text);
  const normal = lines.join('\n');
  const prose = proseOf(normal);
  const numbered = scan(prose).map(({ id, title, line, end }) => {
    const { 0: written, index: from } = /\d+(?:\.\d+)*/.exec(lines[line - 1] ?? '') ?? { 0: '', index: 0 };
    const body = { start: { line: line - 1, character: 0 }, end: endOfLine(lines, lastSaid(lines, line - 1, end - 1)) };
    const number = within(line - 1, from, from + written.length);
    return { id, title, line: line - 1, number, written, range: lineRange(lines, line - 1), body };
  });
  const required = new Set(readRequirements(normal).requirements.map(({ line }) => line - 1));
  return { lines, prose, numbered, requirements: numbered.filter(({ line }) => required.has(line)) };
}

/** The last line up to `end` that is not empty. */
export function lastSaid(lines: readonly string[], line: number, end: number): number {
  let last = end;
  while (last > line && lines[last]?.trim() === '') last -= 1;
  return last;
}

/** The section's number: `2` of `2.1`, empty for `2`. */
export function sectionOf(id: string): string {
  return id.includes('.') ? id.slice(0, id.lastIndexOf('.')) : '';
}

/** The number after the last one of the same section. */
export function freeNumber({ numbered }: Prd, id: string): string {
  const section = sectionOf(id);
  const siblings = numbered.filter((one) => sectionOf(one.id) === section);
  const last = Math.max(0, ...siblings.map((one) => Number(one.id.split('.').at(-1))));
  return section === '' ? String(last + 1) : `${section}.${last + 1}`;
}

/** How an id is written in place of another one: `2` for `2.2` in a list that leaves out its section's number. */
export function writtenAs(id: string, { id: was, written }: Pick<Numbered, 'id' | 'written'>): string {
  const isShort = was.includes('.') && !written.includes('.');
  return isShort && sectionOf(id) === sectionOf(was) ? id.slice(sectionOf(id).length + 1) : id;
}
