/**
 * Faults that are near to right, all in one place where the work gives or prints a value: they tell how closely a verification looks.
 * Whoever sees one of them looks there. They are put around the value, so they know nothing of it before the work runs; where it is no
 * number or text, the work ends with an error, which tells nothing.
 */
import type { Language } from './language.ts';
import { Look, type Site } from './look.ts';
import { givesNothing, isForNobody, printedBy, swappedPython, swappedScript } from './outputs.ts';
import { printedByShell } from './near-shell.ts';
import type { Range, SourceTree } from './source-tree.ts';

/** A fault, and where the place begins that it belongs to. */
export interface NearSite extends Site {
  place: number;
}

/** Of JavaScript, TypeScript, Python and shell; of other languages none. `tests` are ranges that are left alone. */
export function nearSitesOf(language: Language, text: string, tree: SourceTree, tests: readonly Range[]): NearSite[] {
  const sites = sitesFor(language);
  if (!sites) return [];
  const look = new Look(language, text, tree, tests);
  return look.source.nodes.flatMap(({ from }, index) =>
    look.isPassive(index) ? [] : sites(look, index).map((site) => ({ ...site, place: from })),
  );
}

function sitesFor(language: Language): ((look: Look, index: number) => Site[]) | undefined {
  if (language === 'shell') return printedByShell;
  const values = tables[language];
  return values && ((look, index) => [...returned(look, index, values), ...printed(look, index, values), ...mapped(look, index, values)]);
}

/** Each takes the text of an expression, and gives one of which the value is wrong. */
interface Values {
  /** A number a tenth and one higher, a text with its last sign twice. */
  longer: (value: string) => string;
  /** A number a tenth and one lower, a text without its last sign. */
  shorter: (value: string) => string;
  /** A text in other letters. */
  swapped: (value: string) => string;
  /** What a loop goes over, or a function gives, without its last. */
  cut: (rows: string) => string;
  /** A list of which the last is longer, and left out where it is no number or text: an error would be seen, whoever looks there. */
  lastLonger: (rows: string) => string;
  reversed: (rows: string) => string;
}

/** What a function gives: lost, longer, shorter, in other letters; of a list the last longer or left out. */
function returned(look: Look, index: number, values: Values): Site[] {
  const value = returnedBy(look, index);
  if (value !== undefined && isList(look, value)) return ofList(look, value, values);
  const isQuiet = [isOther, isForNobody, isCallback, isOrder, isStatus, isKey].some((is) => value !== undefined && is(look, value));
  if (value === undefined || isQuiet || look.isPassive(value)) return [];
  const text = look.source.textOf(value);
  return [
    look.whole(value, 'other value returned', look.grammar.none ?? text),
    look.whole(value, 'returned value changed', values.longer(text)),
    look.whole(value, 'returned value shortened', values.shorter(text)),
    look.whole(value, 'letters swapped', values.swapped(text)),
  ];
}

function ofList(look: Look, value: number, values: Values): Site[] {
  if (look.isPassive(value) || isForNobody(look, value) || isCallback(look, value)) return [];
  const text = look.source.textOf(value);
  return [
    look.whole(value, 'returned value changed', values.lastLonger(text)),
    look.whole(value, 'returned value shortened', values.cut(text)),
  ];
}

/** Rows of which nobody knows how many: what this function filled, or made one of another. */
function isList(look: Look, value: number): boolean {
  const [type, name] = [look.source.typeOf(value), look.source.textOf(value)];
  if (type !== 'identifier') return type === 'list_comprehension';
  const made = new RegExp(String.raw`(^|[^\w.])${name}\s*(:[^=\n]+)?=\s*(\[\s*\]|list\(\))`);
  return made.test(look.source.textOf(look.ownerOf(value)));
}

function returnedBy(look: Look, index: number): number | undefined {
  const { source } = look;
  const isShort = /^(arrow_function|lambda)$/.test(source.typeOf(index));
  const value = isShort ? source.fieldOf(index, 'body') : look.is(index, 'returns') ? source.namedOf(index)[0] : undefined;
  return value === undefined || look.is(value, 'blocks') ? undefined : value;
}

/** No number or text that is worked out: a constant, an object, a truth, what a function without a value gives. */
export function isOther(look: Look, value: number): boolean {
  const { source } = look;
  const [type, text] = [source.typeOf(value), source.textOf(value)];
  const [inner] = source.namedOf(value);
  if (type === 'parenthesized_expression' && inner !== undefined) return isOther(look, inner);
  if (type === 'identifier' && isMadeOther(look, value, text)) return true;
  if (look.is(value, 'strings') || look.is(value, 'numbers') || look.is(value, 'booleans') || text.startsWith('void ')) return true;
  if (
    /^(object|array|list|tuple|expression_list|dictionary|set|new_expression|arrow_function|function_expression|lambda|class|jsx_\w+|none|null|undefined)$/.test(
      type,
    )
  )
    return true;
  return /^(comparison|not)_operator$|^unary_expression$/.test(type) || givesNothing(look, value);
}

/** A list or an object by what this function made it of. */
function isMadeOther(look: Look, value: number, name: string): boolean {
  const made = new RegExp(String.raw`(^|[^\w.])${name}\s*(:[^=\n]+)?=\s*(\[|\{|new |(dict|set|list)\()`);
  return made.test(look.source.textOf(look.ownerOf(value)));
}

/** What a function gives to the one that it was handed to, which makes something else of it. */
function isCallback({ source }: Look, value: number): boolean {
  const { parent } = source.at(value);
  if (!/^(arrow_function|lambda)$/.test(source.typeOf(parent))) return false;
  return /^(arguments|argument_list|keyword_argument)$/.test(source.parentOf(parent).type);
}

/** Tells which of two comes first: of its value only the sign counts. */
function isOrder({ source }: Look, value: number): boolean {
  const { from } = source.parentOf(value);
  return /\b(sort|sorted|toSorted|min|max)\([^()]*$/.test(source.text.slice(Math.max(0, from - 60), from));
}

/** By which things are told apart or found: whatever it looks like, as long as equal ones stay equal. */
function isKey(look: Look, value: number): boolean {
  return /\b(hex)?digest\(/i.test(look.source.textOf(value)) && !/\b(print|write|log)/.test(look.source.textOf(look.ownerOf(value)));
}

/** What `main` returns, which is looked at for being 0. */
function isStatus(look: Look, value: number): boolean {
  return /^(async |def |function )*main\b/.test(look.source.textOf(look.ownerOf(value)));
}

/** What is printed: its last character wrong, a digit too many, in other letters; of a loop that prints without the last, and the last first. */
function printed(look: Look, index: number, values: Values): Site[] {
  const print = printedBy(look, index);
  if (!print) return [];
  return [
    look.whole(index, 'output changed', print.changed),
    look.whole(index, 'output lengthened', print.lengthened),
    ...(print.swapped === undefined ? [] : [look.whole(index, 'letters swapped', print.swapped)]),
    ...ofRows(look, loopedOver(look, index), values),
  ];
}

/** Rows that are made one of another, and then printed, given or joined: without the last, and the last first. */
function mapped(look: Look, index: number, values: Values): Site[] {
  const rows = mappedOver(look, index);
  return rows !== undefined && isShown(look, index) ? ofRows(look, rows, values, look.ownerOf(index)) : [];
}

/** @param within the order counts where something is put in order there */
function ofRows(look: Look, rows: number | undefined, values: Values, within = 0): Site[] {
  if (rows === undefined) return [];
  const text = look.source.textOf(rows);
  const cut = look.whole(rows, 'output cut short', values.cut(text));
  const isSorted = /sort|order\s+by|in_?order/i.test(look.source.textOf(within));
  return isSorted ? [cut, look.whole(rows, 'output reversed', values.reversed(text))] : [cut];
}

/** What a `map` or a comprehension goes over. */
function mappedOver({ source }: Look, index: number): number | undefined {
  const type = source.typeOf(index);
  if (/^(list_comprehension|generator_expression)$/.test(type)) {
    const loop = source.childrenOf(index).find((child) => source.typeOf(child) === 'for_in_clause');
    return loop === undefined ? undefined : source.fieldOf(loop, 'right');
  }
  if (type !== 'call_expression') return undefined;
  const callee = source.fieldOf(index, 'function');
  const name = callee === undefined ? undefined : source.fieldOf(callee, 'property');
  return callee !== undefined && name !== undefined && source.textOf(name) === 'map' ? source.fieldOf(callee, 'object') : undefined;
}

/** It goes as it is, or as one of two, into a call that prints, answers or joins. */
function isShown({ source }: Look, index: number): boolean {
  let at = source.at(index).parent;
  while (choices.test(source.typeOf(at))) at = source.at(at).parent;
  const type = source.typeOf(at);
  const property = type === 'member_expression' ? source.fieldOf(at, 'property') : undefined;
  if (property !== undefined) return source.textOf(property) === 'join';
  const call = type === 'call' ? at : /^(arguments|argument_list)$/.test(type) ? source.at(at).parent : undefined;
  const callee = call === undefined ? undefined : source.fieldOf(call, 'function');
  return callee !== undefined && shows.test(source.textOf(callee));
}

const choices = /^(ternary_expression|conditional_expression|parenthesized_expression|binary_expression|boolean_operator)$/;
const shows = /(^|\.)(print\w*|log|write\w*|join|send|json|end)$/;

/** What the loop goes over of which every turn prints this. */
function loopedOver({ source }: Look, index: number): number | undefined {
  let at = source.at(index).parent;
  if (source.typeOf(at) === 'expression_statement') at = source.at(at).parent;
  if (/^(block|statement_block)$/.test(source.typeOf(at))) at = source.at(at).parent;
  // A JavaScript loop over names (`in`) has no sequence.
  const isOfNames = source.typeOf(at) === 'for_in_statement' && source.childrenOf(at).some((child) => source.typeOf(child) === 'in');
  return /^(for_statement|for_in_statement)$/.test(source.typeOf(at)) && !isOfNames ? source.fieldOf(at, 'right') : undefined;
}

/** White space at the end is left alone, since nobody sees it. A text without anything else has no neighbour. */
const near = (value: string, sign: '+' | '-', piece: string): string =>
  `((v, w = typeof v === "number" ? v ${sign} 1 ${sign} Math.trunc(Math.abs(v) / 10) : v.replace(/(\\S)(\\s*)$/, "${piece}")) => (w === v ? undefined.none : w))(${value})`;

const script: Values = {
  longer: (value) => near(value, '+', '$1$1$2'),
  shorter: (value) => near(value, '-', '$2'),
  swapped: swappedScript,
  cut: (rows) => `[...(${rows})].slice(0, -1)`,
  lastLonger: (rows) =>
    `((rows, last = rows.at(-1)) => [...rows.slice(0, -1), ...(typeof last === "number" || (typeof last === "string" && /\\S/.test(last)) ? [${near('last', '+', '$1$1$2')}] : [])])(${rows})`,
  reversed: (rows) => `[...(${rows})].reverse()`,
};

const nearPython = (value: string, sign: '+' | '-', piece: string): string =>
  `(lambda v: v ${sign} 1 ${sign} int(abs(v) / 10) if type(v) in (int, float) else (lambda w, n: w if n else None.none)(*__import__("re").subn(r"(\\S)(\\s*)\\Z", r"${piece}", v)))(${value})`;

const python: Values = {
  longer: (value) => nearPython(value, '+', String.raw`\1\1\2`),
  shorter: (value) => nearPython(value, '-', String.raw`\2`),
  swapped: swappedPython,
  cut: (rows) => `list(${rows})[:-1]`,
  lastLonger: (rows) =>
    `(lambda rows: [*rows[:-1], *(${nearPython('last', '+', String.raw`\1\1\2`)} for last in rows[-1:] if type(last) in (int, float) or isinstance(last, str) and last.strip())])(${rows})`,
  reversed: (rows) => `list(${rows})[::-1]`,
};

const tables: Partial<Record<Language, Values>> = { javascript: script, typescript: script, tsx: script, python };
