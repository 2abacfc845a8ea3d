/** The outline of VISION.md and PRD.md, and what folds. */
import { SymbolKind, type DocumentSymbol, type FoldingRange, type Range, type WorkspaceSymbol } from 'vscode-languageserver-types';
import { headingsOf } from './headings.ts';
import { endOfLine, lineRange, linesOf } from './lines.ts';
import { lastSaid, readPrd } from './prd.ts';

/** Headings with their requirements below them. */
export function symbolsOf(text: string): DocumentSymbol[] {
  const lines = linesOf(text);
  const prd = readPrd(text);
  const headings = headingsOf(text).map(({ title, id, line, end, level }) => {
    return symbol(title, id === undefined ? SymbolKind.Namespace : SymbolKind.Property, lineRange(lines, line), { line, end, level });
  });
  const isHeading = new Set(headings.map(({ line }) => line));
  const items = prd.numbered
    .filter(({ line }) => !isHeading.has(line))
    .map((one) => symbol(`${one.id} ${one.title}`, SymbolKind.Property, one.range, { line: one.line, end: one.body.end.line, level: 7 }));
  const all = [...headings, ...items].sort((a, b) => a.line - b.line);
  const roots: DocumentSymbol[] = [];
  const open: typeof all = [];
  for (const one of all) {
    while ((open.at(-1)?.level ?? 0) >= one.level) open.pop();
    one.symbol.range = { start: { line: one.line, character: 0 }, end: endOfLine(lines, one.end) };
    (open.at(-1)?.symbol.children ?? roots).push(one.symbol);
    open.push(one);
  }
  return roots;
}

/** Sections, and requirements of several lines. */
export function foldsOf(text: string): FoldingRange[] {
  const prd = readPrd(text);
  const folds = new Map(prd.numbered.map((one) => [one.line, one.body.end.line]));
  for (const { line, end } of headingsOf(text)) folds.set(line, lastSaid(prd.lines, line, end));
  return [...folds].filter(([line, end]) => end > line).map(([startLine, endLine]) => ({ startLine, endLine }));
}

/** The requirements of a PRD whose words or number contain a query. */
export function requirementSymbols(uri: string, text: string, query: string): WorkspaceSymbol[] {
  const wanted = query.toLowerCase();
  return readPrd(text)
    .requirements.map((one) => ({ name: `${one.id} ${one.title}`, kind: SymbolKind.Property, location: { uri, range: one.range } }))
    .filter(({ name }) => name.toLowerCase().includes(wanted));
}

interface Open {
  line: number;
  end: number;
  level: number;
}

function symbol(
  name: string,
  kind: SymbolKind,
  range: Range,
  open: Open,
): Open & { symbol: DocumentSymbol & { children: DocumentSymbol[] } } {
  return { ...open, symbol: { name, kind, range, selectionRange: range, children: [] } };
}
