/**
 * A markdown document as a flat list of blocks: what can be a requirement, and the headings above it. Total and linear.
 * Source of the forms: CommonMark 0.31, GitHub's tables, Gherkin 6.
 */
import { labelled, numbered, type Label } from './labels.ts';
import type { Line } from './lines.ts';

export interface Block {
  kind: 'heading' | 'item' | 'row' | 'scenario' | 'paragraph';
  /** 1-based. */
  line: number;
  /** Where it begins: of the first row of a table, the line of the table's header. */
  from: number;
  /** The last line of its first paragraph; of the whole scenario. */
  lastLine: number;
  /** Of a heading: 1 to 6; 7 for a bold line, and for a Gherkin feature, which stand for one. */
  level: number;
  /** Columns before it. */
  indent: number;
  /** A list item by its mark, which holds what is indented below it; not a bare `1.1 …`. */
  marked: boolean;
  label: Label | undefined;
  /** Its first paragraph on one line, without mark and label, with its emphasis. */
  words: string;
  /** Of a row: each cell with the name of its column. */
  cells: readonly (readonly [column: string, cell: string])[];
}

/** Stands for a heading, below all headings with hashes. */
export const boldLevel = 7;

export function blocksOf(lines: readonly Line[]): Block[] {
  const blocks: Block[] = [];
  /** The block whose first paragraph goes on with the next line. */
  let open: Block | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const text = lines[index]?.prose ?? '';
    const last = open;
    open = undefined;
    if (text.trim() === '' || /^\s{0,3}>/.test(text) || linkDefinition.test(text)) continue;
    const table = rowsAt(lines, index);
    if (table) {
      blocks.push(...table.rows);
      index = table.end - 1;
      continue;
    }
    if (last && underlines(text, last)) {
      Object.assign(last, { kind: 'heading', level: text.trim().startsWith('=') ? 1 : 2, lastLine: index + 1 });
      last.label = labelled(last.words, 'heading').label ?? last.label;
      last.words = labelled(last.words, 'heading').words;
      continue;
    }
    if (rule.test(text)) continue;
    const isBroken = last !== undefined && isBrokenBefore(lines, index, last);
    const found = isBroken ? undefined : (headingAt(text, index) ?? scenarioAt(lines, index) ?? itemAt(text, index));
    if (found) {
      blocks.push(found);
      open = found.kind === 'item' ? found : undefined;
      index = Math.max(index, found.kind === 'scenario' ? found.lastLine - 1 : index);
      continue;
    }
    const { label, words } = isBroken ? { label: undefined, words: text.trim() } : labelled(text.trim(), 'paragraph');
    if (last && !label) {
      last.words = `${last.words} ${words}`;
      last.lastLine = index + 1;
      open = last;
      continue;
    }
    open = { ...blockAt(index, 'paragraph'), indent: indentOf(text), label, words };
    blocks.push(open);
  }
  return blocks;
}

const rule = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
/** A code in brackets with a sentence behind it is none. */
const linkDefinition = /^\s{0,3}\[[^\]]+\]:\s+\S+(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*$/;

function blockAt(index: number, kind: Block['kind']): Block {
  const line = index + 1;
  return { kind, line, from: line, lastLine: line, level: 0, indent: 0, marked: false, label: undefined, words: '', cells: [] };
}

function indentOf(text: string): number {
  return (/^\s*/.exec(text)?.[0] ?? '').replaceAll('\t', '    ').length;
}

/** The line under a heading. A `1. …` above it is a list item and a rule; `1.1 …` is no list. A sentence is no heading. */
function underlines(text: string, above: Block): boolean {
  const isTitle = above.line === above.lastLine && above.indent < 4 && !above.marked && !/[.!?:;]$|\|/.test(above.words);
  return isTitle && /^ {0,3}(?:=+|-{2,})\s*$/.test(text);
}

/** A sentence that is broken before a number goes on in a small letter. Bare lines with numbers, one below the other, are a list. */
function isBrokenBefore(lines: readonly Line[], index: number, above: Block): boolean {
  const proseAt = (at: number): string => lines[at]?.prose ?? '';
  const bare = bareAt(proseAt(index));
  if (!bare?.label || !/^\p{Ll}/u.test(bare.words) || bareAt(proseAt(index + 1)) || sentenceEnd.test(proseAt(index - 1))) return false;
  return !above.label || (above.marked && !bare.label.id.startsWith(`${above.label.id}.`));
}

const sentenceEnd = /[.:;!?。：；！？]["')\]*_]*\s*$/;

/** A number or a code that begins a line, without the mark of a list. */
function bareAt(text: string): Pick<Block, 'label' | 'words'> | undefined {
  const item = itemAt(text, 0);
  const found = item ?? labelled(text.trim(), 'paragraph');
  return item?.marked || !found.label ? undefined : found;
}

function headingAt(text: string, index: number): Block | undefined {
  const [, hashes, title] = /^(#{1,6})\s+(\S.*?)(?:\s+#+)?\s*$/.exec(text) ?? [];
  if (hashes && title) return { ...blockAt(index, 'heading'), ...labelled(title, 'heading'), level: hashes.length };
  const [, feature] = /^\s*(?:Feature|Funktionalität|Rule):\s+(\S.*)$/.exec(text) ?? [];
  if (feature) return { ...blockAt(index, 'heading'), words: `Feature: ${feature}`, level: boldLevel };
  const [, bold] = /^ {0,3}(?:\*\*|__)([^*_\s](?:[^*]{0,78}[^*\s])?)(?:\*\*|__)\s*:?\s*$/.exec(text) ?? [];
  if (bold && !/[.!?]$/.test(bold)) return { ...blockAt(index, 'heading'), ...labelled(bold, 'heading'), level: boldLevel };
  return undefined;
}

function itemAt(text: string, index: number): Block | undefined {
  const number = numbered(text);
  if (number) return { ...blockAt(index, 'item'), ...number, indent: indentOf(text), marked: /^\s*(?:[-*+]|\d+[.)])\s/.test(text) };
  const [, words] = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+|[•●▪◦・]\s*)(?:\[[ xX]\]\s+)?(\S.*)$/.exec(text) ?? [];
  return words ? { ...blockAt(index, 'item'), ...labelled(words, 'item'), indent: indentOf(text), marked: true } : undefined;
}

const scenario = /^\s*(?:[-*+]\s+)?\**(?:Scenario(?: Outline| Template)?|Szenario(?:grundriss)?):\**\s*(\S.*)$/;
/** Gherkin's other word for it; in prose it begins a sentence. */
const example = /^\s*(?:[-*+]\s+)?\**(?:Example|Beispiel):\**\s*(\S.*)$/;
/** What may stand below a scenario, in English and German. */
const step =
  /^\s*(?:[-*+]\s+)?\**(?:Given|When|Then|And|But|Examples|Scenarios|Angenommen|Gegeben|Wenn|Dann|Und|Aber|Beispiele)\b|^\s*(?:[|@"#]|\*\s)/;
const firstStep = /^\s*(?:[-*+]\s+)?\**(?:Given|When|Then|Angenommen|Gegeben|Wenn|Dann)\b/;
const otherPart = /^\s*(?:Background|Hintergrund|Grundlage|Regel):/;

function scenarioAt(lines: readonly Line[], index: number): Block | undefined {
  const title = scenarioTitle(lines, index);
  if (!title) return undefined;
  let lastLine = index + 1;
  let isInText = false;
  for (let next = index + 1; next < lines.length; next += 1) {
    const text = lines[next]?.prose ?? '';
    if (isBlank(lines[next])) continue;
    const isMark = /^\s*"""/.test(text);
    isInText = isInText !== isMark;
    // Nothing but the end of its fence ends a text that is open.
    if (isInText && !isMark && text.trim() !== '') continue;
    const isStep = step.test(text) && !/^#{1,6}\s/.test(text) && !/^\s*@/.test(text);
    if (!isStep && (lastLine < next || !goesOn(text))) break;
    lastLine = next + 1;
  }
  return { ...blockAt(index, 'scenario'), lastLine, words: title };
}

function scenarioTitle(lines: readonly Line[], index: number): string | undefined {
  const text = lines[index]?.prose ?? '';
  const [, title] = scenario.exec(text) ?? [];
  const [, named] = example.exec(text) ?? [];
  if (title !== undefined || named === undefined) return title;
  let next = index + 1;
  while (next < lines.length && isBlank(lines[next])) next += 1;
  return firstStep.test(lines[next]?.prose ?? '') ? named : undefined;
}

function isBlank(line: Line | undefined): boolean {
  return line?.prose.trim() === '' && line.shown.trim() === '';
}

/** The second line of a step, or words of the scenario: what begins nothing by itself. */
function goesOn(text: string): boolean {
  if (text.trim() === '' || [/^\s*[@>]/, rule, scenario, example, otherPart].some((other) => other.test(text))) return false;
  const item = itemAt(text, 0);
  const isItem = item && (item.marked || item.indent === 0);
  return !isItem && !headingAt(text, 0) && !labelled(text.trim(), 'paragraph').label;
}

/** The rows of a table that begins here with its header, and the index behind it. */
function rowsAt(lines: readonly Line[], index: number): { rows: Block[]; end: number } | undefined {
  const text = lines[index]?.prose ?? '';
  if (!text.includes('|') || !/^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[index + 1]?.prose ?? '')) return undefined;
  const header = cellsOf(text);
  if (cellsOf(lines[index + 1]?.prose ?? '').length !== header.length) return undefined;
  const rows: Block[] = [];
  let end = index + 2;
  for (; (lines[end]?.prose ?? '').includes('|'); end += 1) {
    const cells = cellsOf(lines[end]?.prose ?? '').map((cell, column) => [header[column] ?? '', cell] as const);
    const place = { line: end + 1, from: rows.length === 0 ? index + 1 : end + 1, indent: indentOf(text) };
    if (cells.some(([, cell]) => cell !== '')) rows.push(rowOf(cells, place));
  }
  return { rows, end };
}

const idColumn =
  /^(?:#|id|ids|no|nr|nummer|number|ref|reference|key|code|kennung|(?:req(?:uirement)?|anforderungs)[\s._-]*(?:id|no|nr|#))\.?$/i;
const textColumn = /requirement|description|what|statement|story|criteri|behaviou?r|\btext\b|anforderung|beschreibung|kriteri/i;

function rowOf(cells: Block['cells'], place: Pick<Block, 'line' | 'from' | 'indent'>): Block {
  const id = cells[idCell(cells)];
  const label = id && labelled(`${id[1].replaceAll(/[*_`]/g, '')}: x`, idColumn.test(id[0]) ? 'id' : 'paragraph').label;
  const others = cells.filter((cell) => cell[1] !== '' && (cell !== id || !label));
  const told = label ? [others.find(([column]) => textColumn.test(column)) ?? others[0]] : others.slice(0, 2);
  const words = told.flatMap((cell) => (cell ? [cell[1]] : [])).join(': ');
  return { ...blockAt(place.line - 1, 'row'), ...place, label, words, cells };
}

/** Which cell of a row tells its id, if any does. */
export function idCell(cells: Block['cells']): number {
  return Math.max(
    0,
    cells.findIndex(([column]) => idColumn.test(column)),
  );
}

/** A bar that is escaped, or stands in inline code, ends no cell. */
export const cellParts = /\\.|`[^`]*`|\||[^\\|`]+|[\\`]/g;

function cellsOf(text: string): string[] {
  const cells = [''];
  for (const part of text.trim().replace(/^\|/, '').replace(/\|$/, '').match(cellParts) ?? []) {
    if (part === '|') cells.push('');
    else cells.push(`${cells.pop() ?? ''}${part === '\\|' ? '|' : part}`);
  }
  return cells.map((cell) => cell.trim());
}
