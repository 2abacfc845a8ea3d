/** Where in a YAML document a position is. The document may be half written. */
import { isMap, isPair, isScalar, isSeq, parseDocument, visit, type Document, type Node, type Pair, type Scalar } from 'yaml';
import type { Position, Range } from 'vscode-languageserver-types';
import { linesOf, within } from '../lines.ts';

export interface Cursor {
  /** Of the map or list that a key or element stands in, or of the field whose value it is. */
  path: (string | number)[];
  part: 'key' | 'value';
  /** All that the document holds, as far as it can be read; without the word at the cursor. */
  given: unknown;
  /** The word that is written there. */
  range: Range;
  /** Nothing but blanks and dashes stands before it, so a key may follow. */
  beginsEntry: boolean;
}

/** What is half written needs no warnings. */
const quiet = { logLevel: 'error' } as const;

/** A word that nobody writes. */
const marker = 'loop7cursor';

/** Where something that is written now will stand; undefined in a comment and where nothing can be read. */
export function cursorAt(text: string, { line, character }: Position): Cursor | undefined {
  const lines = linesOf(text);
  const whole = lines[line] ?? '';
  const before = whole.slice(0, character);
  if (/(^|\s)#/.test(before)) return undefined;
  const from = character - (/[\w$.-]*$/.exec(before)?.[0].replace(/^-+$/, '').length ?? 0);
  const to = character + (/^[\w$.-]*/.exec(whole.slice(character))?.[0].length ?? 0);
  const start = whole.slice(0, from);
  const rest = whole.slice(to);
  const beginsEntry = /^\s*(?:- +)*$/.test(start);
  const word = beginsEntry && rest.trim() === '' ? `${marker}: ` : marker;
  const document = parseDocument([...lines.slice(0, line), start + word + rest, ...lines.slice(line + 1)].join('\n'), quiet);
  let found: Pick<Cursor, 'path' | 'part'> | undefined;
  visit(document, {
    Scalar(role, node, ancestors) {
      if (typeof node.value !== 'string' || !node.value.includes(marker)) return undefined;
      const part = role === 'key' ? 'key' : 'value';
      found = { path: pathOf(ancestors, node, part), part };
      return visit.BREAK;
    },
  });
  return found && { ...found, given: withoutMarker(plain(document)), range: within(line, from, to), beginsEntry };
}

/** The key or value that stands at a position. */
export function wordAt(
  text: string,
  offset: number,
): { path: (string | number)[]; given: unknown; span: { from: number; to: number } } | undefined {
  const document = parseDocument(text, quiet);
  let found: { node: Scalar; path: (string | number)[] } | undefined;
  visit(document, {
    Scalar(role, node, ancestors) {
      const [from = 0, to = 0] = node.range ?? [];
      if (offset < from || offset > to || from === to) return undefined;
      const above = pathOf(ancestors, node, role === 'key' ? 'key' : 'value');
      found = { node, path: role === 'key' ? [...above, String(node.value)] : above };
      return visit.BREAK;
    },
  });
  const [from = 0, to = 0] = found?.node.range ?? [];
  return found && { path: found.path, given: plain(document), span: { from, to } };
}

function pathOf(ancestors: readonly (Document | Node | Pair)[], node: Node, part: Cursor['part']): (string | number)[] {
  const nodes = [...ancestors, node];
  return nodes.flatMap((one, index): (string | number)[] => {
    const next = nodes[index + 1];
    if (isSeq(one)) return [one.items.indexOf(next)];
    if (!isPair(one) || (part === 'key' && next === node && one.key === node)) return [];
    return [isScalar(one.key) ? String(one.key.value) : ''];
  });
}

/** An alias bomb makes `toJS` throw, and so does an alias of nothing. */
function plain(document: Document): unknown {
  if (!isMap(document.contents) && !isSeq(document.contents)) return undefined;
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

function withoutMarker(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarker);
  if (typeof value === 'string') return value.includes(marker) ? null : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.includes(marker))
      .map(([key, one]) => [key, withoutMarker(one)]),
  );
}
