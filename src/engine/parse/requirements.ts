/**
 * Reads PRD.md: what must be true (requirements), how it must be built (constraints), and what only explains (background).
 * A requirement is the smallest thing that has a number or a code in the text. Where nothing has one, it is the list item, table
 * row, scenario or sentence that demands something. docs/requirements.md tells the rules.
 */
import { InputError } from '../ground/errors.ts';
import type { Passage, Requirement } from '../work/requirement.ts';
import { blocksOf } from './blocks.ts';
import { claimsOf, type Claim, type Claims } from './claims.ts';
import { linesOf, type Line, type Unclosed } from './lines.ts';
import { outlineOf, type Placed } from './outline.ts';
import { problemsIn, tooLong, type ReadingProblem } from './reading-problems.ts';
import { idsOfWords } from './requirement-ids.ts';
import { withoutStrayNumbers } from './stray-numbers.ts';

/** What a document says, and what is wrong with it. Lines count from 1. */
export interface Reading {
  requirements: Requirement[];
  /** How it must be built: for those who plan and build, without a verification each. */
  constraints: Passage[];
  /** Sections in which nothing is demanded. */
  background: Passage[];
  /** By line. */
  problems: ReadingProblem[];
}

/** @throws InputError for the first problem that a sprint cannot start with. */
export function parseRequirements(name: string, text: string): Reading {
  const reading = readRequirements(text);
  requireReadable(name, reading);
  return reading;
}

/** @throws InputError for the first problem that a sprint cannot start with. */
export function requireReadable(name: string, { problems }: Reading): void {
  const problem = problems.find(({ refuses }) => refuses);
  if (problem) throw new InputError(`${name}:${problem.line}: ${problem.message}.`, problem.next);
}

/**
 * Never throws: a document may be anything while it is written. Linear in its length.
 * @param known the outline of this text, if it was made already.
 */
export function readRequirements(text: string, known?: Outlined): Reading {
  const long = tooLong(text);
  if (long) return { requirements: [], constraints: [], background: [], problems: [long] };
  const { lines, unclosed, blocks, claims, ids } = known ?? outlined(text);
  const passages = claims.map((claim) => ({ ...claim, passage: passageOf(claim, blocks, lines) }));
  const more = passages.filter(({ kind }) => kind === 'more');
  const requirements = withMore(withIds(passages.filter(({ kind }) => kind === 'requirement')), more);
  const constraints = passages.filter(({ kind }) => kind === 'constraint').map(({ passage }) => passage);
  const background = backgroundOf(blocks, lines, [...requirements, ...constraints, ...more.map(({ passage }) => passage)]);
  return { requirements, constraints, background, problems: problemsIn({ text, lines, blocks, claims, ids, requirements, unclosed }) };
}

/** A document with the places of what it says. */
export interface Outlined extends Claims {
  lines: Line[];
  unclosed: Unclosed | undefined;
  blocks: Placed[];
}

export function outlined(text: string): Outlined {
  const { lines, unclosed } = linesOf(text);
  const blocks = outlineOf(withoutStrayNumbers(blocksOf(lines)));
  return { lines, unclosed, blocks, ...claimsOf(blocks) };
}

function passageOf({ block, end }: Claim, blocks: readonly Placed[], lines: readonly Line[]): Passage {
  const { kind, line, words, cells } = block;
  const title = plain(words);
  const before = (blocks[end]?.from ?? lines.length + 1) - 1;
  const isShort = kind === 'row' || (kind === 'paragraph' && end === block.index + 1) || kind === 'scenario';
  const lastLine = isShort ? block.lastLine : lastOf(lines, block.lastLine, before);
  if (kind === 'row') {
    const told = cells.filter(([, cell]) => cell !== '').map(([column, cell]) => (column === '' ? cell : `${column}: ${cell}`));
    return { title, text: told.join('\n'), line, lastLine };
  }
  const below = lines.slice(kind === 'scenario' ? line : block.lastLine, lastLine).map(({ shown }) => shown.trimEnd());
  return { title, text: [words, ...below].join('\n'), line, lastLine };
}

/** The last line up to `before` that says something: not blank, and no rule between two parts. */
function lastOf(lines: readonly Line[], first: number, before: number): number {
  let last = before;
  while (last > first && /^\s{0,3}(?:([-*_])(?:\s*\1){2,})?\s*$/.test(lines[last - 1]?.shown ?? '')) last -= 1;
  return last;
}

function withIds(claims: readonly { id: string | undefined; passage: Passage }[]): Requirement[] {
  const idOf = idsOfWords(new Set(claims.flatMap(({ id }) => id ?? [])));
  return claims.map(({ id, passage }) => ({ id: id ?? idOf(passage.title), ...passage }));
}

/** Each with what tables and lists below say of it. */
function withMore(requirements: Requirement[], more: readonly { id: string | undefined; passage: Passage }[]): Requirement[] {
  const told = new Map<string, string[]>();
  for (const { id = '', passage } of more) {
    const texts = told.get(id);
    if (texts) texts.push(passage.text);
    else told.set(id, [passage.text]);
  }
  return requirements.map((one) => ({ ...one, text: [one.text, ...(told.get(one.id) ?? [])].join('\n') }));
}

/** The largest sections that say something and hold nothing else, and stand in nothing else. */
function backgroundOf(blocks: readonly Placed[], lines: readonly Line[], others: readonly Passage[]): Passage[] {
  const starts = others.map(({ line }) => line).sort((a, b) => a - b);
  const inside = new Set(others.flatMap(({ line, lastLine }) => Array.from({ length: lastLine - line + 1 }, (_, n) => line + n)));
  const found: Passage[] = [];
  for (const block of blocks) {
    const { kind, line, level, end, words } = block;
    if (kind !== 'heading' || inside.has(line) || line <= (found.at(-1)?.lastLine ?? 0)) continue;
    const lastLine = lastOf(lines, block.lastLine, (blocks[end]?.from ?? lines.length + 1) - 1);
    const isTitle = block.index === 0 && level === 1 && end === blocks.length && blocks.some((b) => b.kind === 'heading' && b !== block);
    const next = starts.findIndex((start) => start > line);
    const holdsOthers = next >= 0 && (starts[next] ?? 0) <= lastLine;
    if (isTitle || holdsOthers || !saysSomething(block, blocks, lines, lastLine)) continue;
    const below = lines.slice(block.lastLine, lastLine).map(({ shown }) => shown);
    found.push({ title: plain(words), text: [words, ...below].join('\n'), line, lastLine });
  }
  return found;
}

/** Not only headings. */
function saysSomething(block: Placed, blocks: readonly Placed[], lines: readonly Line[], lastLine: number): boolean {
  const headings = new Set(blocks.slice(block.index, block.end).flatMap((b) => (b.kind === 'heading' ? [b.line, b.lastLine] : [])));
  return lines.slice(block.line, lastLine).some(({ shown }, n) => shown.trim() !== '' && !headings.has(block.line + 1 + n));
}

/** Without emphasis; inline code stays as it is, and what is nothing but marks. */
function plain(words: string): string {
  const told = words
    .split(/(`+[^`]*`+)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/\*+|(?<!\w)_+|_+(?!\w)/g, '')))
    .join('')
    .trim();
  return told === '' ? words : told;
}
