/** Where ids of requirements stand: before a requirement, in prose (`§2.1`, `requirement 2.1`) and in headers (`PRD: 2.1`). */
import {
  CompletionItemKind,
  type CompletionItem,
  type Location,
  type Position,
  type Range,
  type TextEdit,
} from 'vscode-languageserver-types';
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

/** The id at a position, with its place. */
export function idAt(source: Pick<Source, 'kind' | 'text'>, { line, character }: Position): { id: string; range: Range } | undefined {
  return mentionsIn(source).find(
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
  const numbers = sources.filter(({ kind }) => kind === 'prd').flatMap(({ text }) => readPrd(text).numbered.map(({ id }) => id));
  const problem = renameProblem(numbers, from, to);
  if (problem !== undefined) return problem;
  const edits = sources.map(({ uri, kind, text }): [string, TextEdit[]] => [
    uri,
    mentionsIn({ kind, text })
      .filter(({ id }) => isIn(id, from))
      .flatMap(({ id, range, is }) => {
        const newText = newNumber(is, id, from, to);
        return newText === undefined ? [] : [{ range, newText }];
      }),
  ]);
  return Object.fromEntries(edits.filter(([, some]) => some.length > 0));
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

const inHeader = /^\W*(?:PRD|AFTER)\s*:(?:.*[,\s])?([\d.]*)$/;
const inProse = /(?:§|\brequirements? )([\d.]*)$/i;

const reference = /(?:§\s?|\b(?:requirements?|req\.) )(\d+(?:\.\d+)*)/gi;

function mentionsIn({ kind, text }: Pick<Source, 'kind' | 'text'>): Mention[] {
  if (kind === 'verification') return inFields(text);
  if (kind !== 'prd' && kind !== 'vision') return [];
  const { prose: read, numbered: all } = readPrd(text);
  const numbered = kind === 'prd' ? all.filter(({ written }) => written !== '') : [];
  const own = new Map(numbered.map((one) => [one.line, one.number.end.character]));
  const references = read.flatMap((prose, line) =>
    [...prose.matchAll(reference)].flatMap(({ 0: whole, 1: id = '', index }): Mention[] => {
      const end = index + whole.length;
      return end <= (own.get(line) ?? -1) ? [] : [{ id, range: within(line, end - id.length, end), is: undefined }];
    }),
  );
  return [...numbered.map((one) => ({ id: one.id, range: one.number, is: one })), ...references];
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
  return sources.flatMap(({ uri, kind, text }) =>
    mentionsIn({ kind, text })
      .filter((one) => one.id === id && where(one))
      .map(({ range }) => ({ uri, range })),
  );
}

function renameProblem(numbers: readonly string[], from: string, to: string): string | undefined {
  if (!numbers.includes(from)) return `${from} is no number of PRD.md, so it cannot be changed here.`;
  if (!/^\d{1,4}(\.\d{1,4}){0,5}$/.test(to)) return `"${to}" is no number of a requirement; give one such as 2.1.`;
  if (to !== from && isIn(to, from)) return `${to} lies in ${from}; give a number outside of it.`;
  const taken = numbers.find((id) => !isIn(id, from) && isIn(id, to));
  return taken === undefined ? undefined : `${taken} is there already; give a number that is free.`;
}

/** Undefined where the number may stay: it leaves out that of its section, which changes. */
function newNumber(is: Numbered | undefined, id: string, from: string, to: string): string | undefined {
  const full = to + id.slice(from.length);
  if (!is || !id.includes('.') || is.written.includes('.')) return full;
  if (id !== from) return sectionOf(id) === from || isIn(sectionOf(id), from) ? undefined : full;
  return sectionOf(to) === sectionOf(id) ? to.slice(sectionOf(to).length + 1) : full;
}

function isIn(id: string, section: string): boolean {
  return id === section || id.startsWith(`${section}.`);
}
