/** The PRD as the engine reads it (`engine/parse/requirements.ts`), with the places that an editor needs. */
import type { Position, Range } from 'vscode-languageserver-types';
import { cellParts, idCell, type Block } from '../engine/parse/blocks.ts';
import { tooLong } from '../engine/parse/reading-problems.ts';
import { outlined, readRequirements, type Reading } from '../engine/parse/requirements.ts';
import { unreadDemands } from '../engine/parse/unread-demands.ts';
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
  /** The highest last number behind each beginning: `2.` of `2.1`, `FR-` of `FR-001`. */
  highest: ReadonlyMap<string, number>;
  /** The lines, from 0, of what demands something and is no requirement. */
  unread: { line: number; lastLine: number }[];
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
  /** Where its words end in its line: in a row of a table, before the bar of their cell. */
  wordsEnd: Position;
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
  const rows = new Map(outline.blocks.flatMap(({ kind, line, cells, words }) => (kind === 'row' ? [[line, { cells, words }]] : [])));
  const placed = ({ id, line }: { id: string; line: number }): Numbered => {
    const row = rows.get(line);
    const at = writtenAt(lines[line - 1] ?? '', id, row && idCell(row.cells));
    const end = endOfLine(lines, (ends.get(line) ?? line) - 1);
    return {
      id,
      title: titles.get(line) ?? '',
      line: line - 1,
      number: within(line - 1, at.from, at.from + at.written.length),
      written: at.written,
      wordsEnd: row ? endOfCell(lines, line - 1, row) : endOfLine(lines, line - 1),
      range: lineRange(lines, line - 1),
      body: { start: { line: line - 1, character: 0 }, end },
    };
  };
  const prose = outline.lines.map((line) => line.prose);
  const highest = new Map<string, number>();
  for (const { id } of outline.ids) {
    const [, begin = '', last = ''] = counted.exec(id) ?? [];
    if (last !== '') highest.set(begin, Math.max(highest.get(begin) ?? 0, Number(last)));
  }
  return {
    lines,
    prose,
    constraints: new Set(constraints.map(({ line }) => line - 1)),
    highest,
    numbered: outline.ids.map(placed),
    requirements: requirements.map(placed),
    unread: unreadDemands(outline.blocks, outline.claims).map(({ line, lastLine }) => ({ line: line - 1, lastLine: lastLine - 1 })),
    problems,
  };
}

/**
 * Where an id stands in its line: whole, or as the last part of it. Nowhere where the reader made it from the words.
 * @param cell of a row of a table, which of its cells tells the id.
 */
function writtenAt(line: string, id: string, cell: number | undefined): { from: number; written: string } {
  const begin = cell === undefined ? 0 : beginOf(line, cell);
  const from = begin + (beforeId.exec(line.slice(begin))?.[0].length ?? 0);
  const shorter = [...id.matchAll(/\./g)].map(({ index }) => id.slice(index + 1));
  const written = [id, ...shorter].find((one) => line.startsWith(one, from) && !/^(?:[a-z\d]|\.\d)/i.test(line.slice(from + one.length)));
  return written === undefined ? { from: 0, written: '' } : { from, written };
}

/** Marks of a list, a heading and emphasis, and the noun of `Requirement 3`. */
const beforeId = /^\s*(?:#{1,6}\s+)?(?:[-*+]\s+(?:\[[ xX]\]\s+)?)?[*_`[(]*(?:§|(?:\p{L}+\s+){1,2})?/u;

/** Where a cell of a row begins. */
function beginOf(line: string, cell: number): number {
  let bars = line.trimStart().startsWith('|') ? -1 : 0;
  for (const { 0: part, index } of line.matchAll(cellParts)) {
    if (bars === cell) return index;
    if (part === '|') bars += 1;
  }
  return line.length;
}

/** Where the last cell ends that a row's words come from. */
function endOfCell(lines: readonly string[], line: number, { cells, words }: Pick<Block, 'cells' | 'words'>): Position {
  const text = lines[line] ?? '';
  const cell = cells.findLastIndex(([, told]) => told !== '' && (words === told || words.endsWith(`: ${told}`)));
  if (cell < 0) return endOfLine(lines, line);
  const before = text.slice(0, beginOf(text, cell + 1)).trimEnd();
  return { line, character: before.replace(/\s*(?<!\\)\|$/, '').length };
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

/** The id after the last one that begins alike; undefined where none counts. */
export function freeNumber({ highest }: Prd, id: string): string | undefined {
  const [, begin = '', last = ''] = counted.exec(id) ?? [];
  return last === '' ? undefined : `${begin}${String((highest.get(begin) ?? 0) + 1).padStart(last.length, '0')}`;
}

const counted = /^(|.*\D)(\d+)$/;

/** How an id is written in place of another one: `2` for `2.2` in a list that leaves out its section's number. */
export function writtenAs(id: string, { id: was, written }: Pick<Numbered, 'id' | 'written'>): string {
  const isShort = was.includes('.') && !written.includes('.');
  return isShort && sectionOf(id) === sectionOf(was) ? id.slice(sectionOf(id).length + 1) : id;
}
