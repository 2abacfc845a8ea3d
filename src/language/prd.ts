/** The PRD as the engine reads it (`engine/parse/requirements.ts`), with the places that an editor needs. */
import type { Range } from 'vscode-languageserver-types';
import { tooLong } from '../engine/parse/reading-problems.ts';
import { outlined, readRequirements, type Reading } from '../engine/parse/requirements.ts';
import { endOfLine, linesOf, lineRange, within } from './lines.ts';

export interface Prd {
  lines: string[];
  /** The lines as the reader sees them: empty in comments and code. */
  prose: string[];
  /** Every number, of a section too, in order; two may be the same. */
  numbered: Numbered[];
  /** What must be true. */
  requirements: Numbered[];
  /** Lines, from 0, at which a constraint begins. */
  constraints: ReadonlySet<number>;
  /** The highest last number of each section. */
  highest: ReadonlyMap<string, number>;
  /** What the reader finds wrong. */
  problems: Reading['problems'];
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

let latest: { text: string; prd: Prd } | undefined;

/** Several answers about one text follow each other, so the last one is kept. */
export function readPrd(text: string): Prd {
  if (latest?.text !== text) latest = { text, prd: read(text) };
  return latest.prd;
}

function read(text: string): Prd {
  const lines = linesOf(text);
  const normal = lines.join('\n');
  // No sprint reads a document that is too long, and a server must not run out of memory by one.
  const outline = outlined(tooLong(normal) ? '' : normal);
  const { requirements, constraints, problems } = readRequirements(normal, outline);
  const ends = new Map(requirements.map(({ line, lastLine }) => [line, lastLine]));
  const titles = new Map(requirements.map(({ line, title }) => [line, title]));
  const placed = ({ id, line }: { id: string; line: number }): Numbered => {
    const at = writtenAt(lines[line - 1] ?? '', id);
    const end = endOfLine(lines, (ends.get(line) ?? line) - 1);
    return {
      id,
      title: titles.get(line) ?? '',
      line: line - 1,
      number: within(line - 1, at.from, at.from + at.written.length),
      written: at.written,
      range: lineRange(lines, line - 1),
      body: { start: { line: line - 1, character: 0 }, end },
    };
  };
  const prose = outline.lines.map((line) => line.prose);
  const highest = new Map<string, number>();
  for (const { id } of outline.ids) {
    const last = Number(id.split('.').at(-1));
    const section = sectionOf(id);
    if (Number.isInteger(last)) highest.set(section, Math.max(highest.get(section) ?? 0, last));
  }
  return {
    lines,
    prose,
    constraints: new Set(constraints.map(({ line }) => line - 1)),
    highest,
    numbered: outline.ids.map(placed),
    requirements: requirements.map(placed),
    problems,
  };
}

/** Where an id stands in its line: whole, or as the last part of it. Nowhere where the reader made it from the words. */
function writtenAt(line: string, id: string): { from: number; written: string } {
  const whole = line.indexOf(id);
  if (whole >= 0) return { from: whole, written: id };
  const { 0: written, index: from } = /\d+(?:\.\d+)*/.exec(line) ?? { 0: '', index: 0 };
  return written !== '' && id.endsWith(written) ? { from, written } : { from: 0, written: '' };
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
export function freeNumber({ highest }: Prd, id: string): string {
  const section = sectionOf(id);
  const last = highest.get(section) ?? 0;
  return section === '' ? String(last + 1) : `${section}.${last + 1}`;
}

/** How an id is written in place of another one: `2` for `2.2` in a list that leaves out its section's number. */
export function writtenAs(id: string, { id: was, written }: Pick<Numbered, 'id' | 'written'>): string {
  const isShort = was.includes('.') && !written.includes('.');
  return isShort && sectionOf(id) === sectionOf(was) ? id.slice(sectionOf(id).length + 1) : id;
}
