/**
 * Reads PRD.md. Requirements are its numbered headings and list items. A numbered heading with numbered children is a section:
 * its children are the requirements. Code fences and comments are skipped.
 */
import { InputError } from '../ground/errors.ts';
import { normalizeRequirementId, type Passage, type Requirement } from '../work/requirement.ts';

/** What a document says, and what is wrong with it. Lines count from 1. */
export interface Reading {
  requirements: Requirement[];
  /** How it must be built: for those who plan and build, without a verification each. */
  constraints: Passage[];
  /** Sections in which nothing is demanded. */
  background: Passage[];
  /** By line. */
  problems: Problem[];
}

export interface Problem {
  line: number;
  /** What is wrong, without a full stop: `requirement 2.1 is there already, in line 4`. */
  message: string;
  /** How to mend it, one sentence. */
  next: string;
  /** False for what a sprint can start with. */
  refuses: boolean;
}

/** @throws InputError for the first problem that a sprint cannot start with. */
export function parseRequirements(name: string, text: string): Reading {
  const reading = readRequirements(text);
  const problem = reading.problems.find(({ refuses }) => refuses);
  if (problem) throw new InputError(`${name}:${problem.line}: ${problem.message}.`, problem.next);
  return reading;
}

/** Never throws: a document may be anything while it is written. */
export function readRequirements(text: string): Reading {
  const lines = linesOf(text);
  const numbered = scan(lines.map(({ prose }) => prose));
  const requirements = numbered
    .filter(({ id }) => !numbered.some((other) => other.id.startsWith(`${id}.`)))
    .map(({ id, title, words, line, end }): Requirement => {
      const body = lines.slice(line, end).map(({ shown }) => shown);
      const length = body.findLastIndex((shown) => shown.trim() !== '') + 1;
      return { id, title, text: [words, ...body.slice(0, length)].join('\n'), line, lastLine: line + length };
    });
  return { requirements, constraints: [], background: [], problems: [...none(requirements), ...twice(numbered)] };
}

function none(requirements: readonly Requirement[]): Problem[] {
  if (requirements.length > 0) return [];
  const message = 'there are no requirements: no numbered heading and no numbered list item';
  const next = 'Number what must be true, for example "## 1. Totals" and "1.1 The total is printed with two decimals".';
  return [{ line: 1, message, next, refuses: true }];
}

function twice(numbered: readonly Numbered[]): Problem[] {
  const first = new Map<string, number>();
  return numbered.flatMap(({ id, line }) => {
    const earlier = first.get(id);
    if (earlier === undefined) {
      first.set(id, line);
      return [];
    }
    const message = `requirement ${id} is there already, in line ${earlier}`;
    return [{ line, message, next: 'Give each requirement a number of its own.', refuses: true }];
  });
}

const heading = /^(#{1,6})\s+§?(\d+(?:\.\d+)*)[.):]?\s+(\S.*)$/;
const plainHeading = /^(#{1,6})\s+\S/;
const item = /^\s{0,6}(?:[-*]\s+\**)?§?(\d+(?:\.\d+)*)(?:[.):]|(?<=\.\d+))\**\s+(\S.*)$/;

interface Numbered {
  id: string;
  title: string;
  words: string;
  line: number;
  /** The last line before the next heading or numbered item. */
  end: number;
}

/** All numbers of a document in order, as they are written: two may be the same. @param lines as `proseOf` gives them. */
export function scan(lines: readonly string[]): Numbered[] {
  const found: Numbered[] = [];
  let section = '';
  for (const [index, line] of lines.entries()) {
    const [, , number = '', title = ''] = heading.exec(line) ?? [];
    const ends = number !== '' || plainHeading.test(line);
    if (ends) section = normalizeRequirementId(number);
    const own = ends ? { id: section, words: title } : listItem(line, section);
    const before = found.at(-1);
    if (before?.end === lines.length && (own ?? ends)) before.end = index;
    if (own && own.id !== '') found.push({ ...own, title: plain(own.words), line: index + 1, end: lines.length });
  }
  return found;
}

/** The document's lines without comments and code, which are empty. */
export function proseOf(text: string): string[] {
  return linesOf(text).map(({ prose }) => prose);
}

/** A line without comments; `prose` is empty in a code fence. */
interface Line {
  shown: string;
  prose: string;
}

function linesOf(text: string): Line[] {
  let ends: { fence: boolean; at: (line: string) => boolean } | undefined;
  return text.split(/\r?\n/).map((line) => {
    if (ends) {
      const { fence, at } = ends;
      if (at(line)) ends = undefined;
      return { shown: fence ? line : '', prose: '' };
    }
    const [, fence] = /^\s*(`{3,}(?!.*`)|~{3,})/.exec(line) ?? [];
    const shown = line.replaceAll(/<!--.*?-->/g, '');
    if (fence) {
      ends = { fence: true, at: (later) => later.trim().startsWith(fence) && later.trim() === fence.charAt(0).repeat(later.trim().length) };
      return { shown: line, prose: '' };
    }
    if (!/^\s{0,3}<!--/.test(shown)) return { shown, prose: shown };
    ends = { fence: false, at: (later) => later.includes('-->') };
    return { shown: '', prose: '' };
  });
}

/** `1.` under heading 2 is 2.1; a number that has dots already is kept. */
function listItem(line: string, section: string): { id: string; words: string } | undefined {
  const [, number = '', words = ''] = item.exec(line) ?? [];
  if (!number) return undefined;
  return { id: number.includes('.') || section === '' ? normalizeRequirementId(number) : `${section}.${number}`, words };
}

/** Without emphasis; inline code stays as it is. */
function plain(words: string): string {
  return words
    .split(/(`+[^`]*`+)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/\*+|(?<!\w)_+|_+(?!\w)/g, '')))
    .join('')
    .trim();
}
