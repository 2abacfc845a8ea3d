/** What begins where in a program, for who is not shown all of it. Pure. */
import { clip } from '../ground/text.ts';
import { grammars } from './grammar.ts';
import type { Language } from './language.ts';
import { listed } from './look.ts';
import { Source, type SourceTree } from './source-tree.ts';

/** Lines of an outline. */
const most = 100;
const longestLine = 100;

/** Its classes and functions, each as the number and the text of its first line; of a long program only what is in nothing else. */
export function programOutline(language: Language, text: string, tree: SourceTree): string[] {
  const source = new Source(text, tree);
  const parts = partsOf(language, source);
  const shown = parts.length > most ? parts.filter(({ depth }) => depth === 0) : parts;
  const starts = lineStarts(text);
  const lines = shown.slice(0, most).map(({ from }) => lineAt(text, starts, from));
  return shown.length > most ? [...lines, `and ${shown.length - most} more`] : lines;
}

interface Part {
  from: number;
  /** How many classes it is in. */
  depth: number;
}

/** Without functions inside functions. */
function partsOf(language: Language, source: Source): Part[] {
  const parts: Part[] = [];
  const depths: number[] = [];
  for (const [index, { type, from, parent }] of source.nodes.entries()) {
    const around = depths[parent] ?? 0;
    const isFunction = listed(grammars[language].functions, type) && isNamed(source, index);
    const isClass = holds.test(type) && source.fieldOf(index, 'name') !== undefined;
    if ((isFunction || isClass) && Number.isFinite(around)) parts.push({ from, depth: around });
    depths.push(isFunction ? Infinity : isClass ? around + 1 : around);
  }
  return parts;
}

/** Kinds of nodes that hold functions: `class_definition`, `struct_specifier`, `impl_item` … */
const holds = /^(abstract_)?(class|struct|interface|trait|impl|module|enum|object)(_|$)/;

/** By itself, in C by its declarator, or as the value of a variable. */
function isNamed(source: Source, index: number): boolean {
  return (
    ['name', 'declarator'].some((field) => source.fieldOf(index, field) !== undefined) ||
    source.parentOf(index).type === 'variable_declarator'
  );
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function lineAt(text: string, starts: readonly number[], at: number): string {
  const line = starts.findLastIndex((start) => start <= at);
  const [from = 0, to = text.length + 1] = starts.slice(line, line + 2);
  return `${line + 1}: ${clip(text.slice(from, to - 1).trimEnd(), longestLine)}`;
}
