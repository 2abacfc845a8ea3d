/** Where ids of requirements stand: before a requirement, in prose (`§2.1`, `requirement 2.1`) and in headers (`PRD: 2.1`). */
import {
  CompletionItemKind,
  type CompletionItem,
  type Location,
  type Position,
  type Range,
  type TextEdit,
} from 'vscode-languageserver-types';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { fieldsIn } from '../engine/parse/header.ts';
import { normalizeRequirementId } from '../engine/work/requirement.ts';
import { linesOf, within } from './lines.ts';
import type { Kind } from './place.ts';
import { readPrd, sectionOf, type Numbered } from './prd.ts';

/** A document of a sprint folder. */
export interface Source {
  uri: string;
  kind: Kind;
  text: string;
}

interface Mention {
  id: string;
  range: Range;
  /** The requirement or section itself; undefined for what refers to it. */
  is: Numbered | undefined;
}

/**
 * The id at a position, with its place.
 * @param prd in which the codes stand that a document may name.
 */
export function idAt(
  source: Pick<Source, 'kind' | 'text'>,
  { line, character }: Position,
  prd = source.text,
): { id: string; range: Range } | undefined {
  return mentionsIn(source, codesIn([prd])).find(
    ({ range: { start, end } }) => start.line === line && start.character <= character && character <= end.character,
  );
}

/** Where a requirement stands in the PRD. */
export function definitionOf(sources: readonly Source[], id: string): Location[] {
  return placesOf(sources, id, (one) => one.is !== undefined).slice(0, 1);
}

export function referencesTo(sources: readonly Source[], id: string, withDefinition: boolean): Location[] {
  return placesOf(sources, id, (one) => withDefinition || one.is === undefined);
}

/**
 * Another number for a requirement, or for a section with all that is in it, wherever it stands.
 * @returns the edits by URI; a sentence where it is not possible.
 */
export function rename(sources: readonly Source[], from: string, to: string): Record<string, TextEdit[]> | string {
  const prds = sources.filter(({ kind }) => kind === 'prd');
  const ids = prds.flatMap(({ text }) => idsIn(text));
  const problem = renameProblem(ids, from, to);
  if (problem !== undefined) return problem;
  const codes = codesOf(sources);
  const edits = sources.map(({ uri, kind, text }): [string, TextEdit[]] => [
    uri,
    mentionsIn({ kind, text }, codes)
      .filter(({ id }) => isIn(id, from))
      .flatMap(({ id, range, is }) => {
        const newText = newNumber(is, id, from, to);
        return newText === undefined ? [] : [{ range, newText }];
      }),
  ]);
  const changes = Object.fromEntries(edits.filter(([, some]) => some.length > 0));
  const wanted = ids.map((id) => renumbered(id, from, to)).sort();
  const found = prds.flatMap(({ uri, text }) => idsIn(edited(text, changes[uri] ?? []))).sort();
  return wanted.join() === found.join() ? changes : unreadProblem(from, to);
}

/** The reader takes some numbers and codes only where a mark stands behind them, or others beside them. */
function unreadProblem(from: string, to: string): string {
  return isCode(to)
    ? `"${to}" would be read as words there; give a code with the letters of ${from}.`
    : `With "${to}" there, PRD.md would be read otherwise; give a number that goes on from those beside it.`;
}

function idsIn(prd: string): string[] {
  return readPrd(prd).numbered.map(({ id }) => id);
}

function edited(text: string, edits: TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create('', '', 0, text), edits);
}

/** The ids that fit at a position, with the words of their requirements. */
export function idCompletions({ kind, text }: Pick<Source, 'kind' | 'text'>, { line, character }: Position, prd: string): CompletionItem[] {
  const before = (linesOf(text)[line] ?? '').slice(0, character);
  const begun = (kind === 'verification' ? inHeader : inProse).exec(before)?.[1];
  if (begun === undefined) return [];
  return readPrd(prd).requirements.map(({ id, title }) => ({
    label: id,
    detail: title,
    // An editor shows `detail` in the chosen row only.
    labelDetails: { description: title },
    kind: CompletionItemKind.Reference,
    textEdit: { range: within(line, character - begun.length, character), newText: id },
  }));
}

const inHeader = /^\W*(?:PRD|AFTER)\s*:(?:.*[,\s])?([\w.-]*)$/;
const inProse = /(?:§|\b[Rr]equirements? )([\d.]*|[A-Z][\w.-]*)$/;

const number = String.raw`\d+(?:\.\d+)*`;
const joint = String.raw`\s*(?:[,/&–—-]|,?\s(?:and|or|to|through|und|oder|bis)\s)\s*§?\s?`;
/** A number, and those that are listed with it: `requirements 1.1, 1.2 and 1.4`, `§1.1–1.3`. */
const listed = new RegExp(String.raw`(?:§\s?|\b(requirements?|req\.) )(${number}(?:${joint}${number}(?![\w%]))*)`, 'gi');
const code = /(?<![\w.-])[A-Z]\w*(?:[.-]\w+)*/g;

/** Codes of requirements are known wherever they stand; a number might be any. */
function codesOf(sources: readonly Source[]): ReadonlySet<string> {
  return codesIn(sources.filter(({ kind }) => kind === 'prd').map(({ text }) => text));
}

function codesIn(prds: readonly string[]): ReadonlySet<string> {
  const numbered = prds.flatMap((text) => readPrd(text).numbered.filter(({ written }) => written !== ''));
  return new Set(numbered.map(({ id }) => id).filter(isCode));
}

function isCode(id: string): boolean {
  return /^[A-Z]/.test(id);
}

function mentionsIn({ kind, text }: Pick<Source, 'kind' | 'text'>, codes: ReadonlySet<string>): Mention[] {
  if (kind === 'verification') return inFields(text);
  if (kind !== 'prd' && kind !== 'vision') return [];
  const { prose: read, numbered: all } = readPrd(text);
  const numbered = kind === 'prd' ? all.filter(({ written }) => written !== '') : [];
  const own = new Map(numbered.map((one) => [one.line, one.number.end.character]));
  const references = read.flatMap((prose, line) =>
    [...numbersIn(prose), ...codesAt(prose).filter(({ id }) => codes.has(id))].flatMap(({ id, from }): Mention[] => {
      const end = from + id.length;
      return end <= (own.get(line) ?? -1) ? [] : [{ id, range: within(line, from, end), is: undefined }];
    }),
  );
  return [...numbered.map((one) => ({ id: one.id, range: one.number, is: one })), ...references];
}

interface Named {
  id: string;
  from: number;
}

function numbersIn(prose: string): Named[] {
  return [...prose.matchAll(listed)].flatMap(({ 0: whole, 1: noun, 2: list = '', index }) => {
    const begin = index + whole.length - list.length;
    const all = [...list.matchAll(new RegExp(number, 'g'))].map(({ 0: id, index: at }) => ({ id, from: begin + at }));
    const isListed = noun?.toLowerCase() === 'requirements' || list.includes('.');
    // What stands behind "requirement 1 and" may count something else.
    return all.filter(({ id }, place) => place === 0 || (isListed && id.includes('.') === all[0]?.id.includes('.')));
  });
}

function codesAt(prose: string): Named[] {
  return [...prose.matchAll(code)].map(({ 0: id, index }) => ({ id, from: index }));
}

function inFields(text: string): Mention[] {
  return fieldsIn(linesOf(text).join('\n'))
    .filter(({ field }) => field === 'PRD' || field === 'AFTER')
    .flatMap(({ value, line, at }) =>
      [...value.matchAll(/[^\s,]+/g)].map(({ 0: word, index }): Mention => {
        const id = normalizeRequirementId(word);
        const from = at + index + (word.startsWith('§') ? 1 : 0);
        return { id, range: within(line - 1, from, from + id.length), is: undefined };
      }),
    );
}

function placesOf(sources: readonly Source[], id: string, where: (mention: Mention) => boolean): Location[] {
  const codes = codesOf(sources);
  return sources.flatMap(({ uri, kind, text }) =>
    mentionsIn({ kind, text }, codes)
      .filter((one) => one.id === id && where(one))
      .map(({ range }) => ({ uri, range })),
  );
}

function renameProblem(numbers: readonly string[], from: string, to: string): string | undefined {
  if (!numbers.includes(from)) return `${from} is no number of PRD.md, so it cannot be changed here.`;
  if (isCode(from) && !/^[A-Z][\w-]*\d[a-z]?(\.[\w-]*\d[a-z]?){0,3}$/.test(to))
    return `"${to}" is no code such as ${from}; give one with its letters.`;
  if (!isCode(from) && !/^\d{1,4}(\.\d{1,4}){0,5}$/.test(to)) return `"${to}" is no number of a requirement; give one such as 2.1.`;
  if (to !== from && isIn(to, from)) return `${to} lies in ${from}; give a number outside of it.`;
  const taken = numbers.find((id) => !isIn(id, from) && isIn(id, to));
  return taken === undefined ? undefined : `${taken} is there already; give a number that is free.`;
}

/** Undefined where the number may stay: it leaves out that of its section, which changes. */
function newNumber(is: Numbered | undefined, id: string, from: string, to: string): string | undefined {
  const full = renumbered(id, from, to);
  if (!is || !id.includes('.') || is.written.includes('.')) return full;
  if (id !== from) return sectionOf(id) === from || isIn(sectionOf(id), from) ? undefined : full;
  return sectionOf(to) === sectionOf(id) ? to.slice(sectionOf(to).length + 1) : full;
}

function renumbered(id: string, from: string, to: string): string {
  return isIn(id, from) ? to + id.slice(from.length) : id;
}

function isIn(id: string, section: string): boolean {
  return id === section || id.startsWith(`${section}.`);
}
