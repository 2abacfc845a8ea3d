/**
 * Lists and tables that are written in several lines. Python and bash tell only the first line of one, or none of its rows: they were
 * put together before it runs. Where one line is reached, all are.
 */
import type { Language } from './language.ts';
import { lineAt, lineStarts } from '../ground/line-starts.ts';
import type { SourceTree } from './source-tree.ts';

/** First and last line, 1-based, of each that holds nothing of which a part may be left out; empty where a runtime tells each place. */
export function literalLines(language: Language, text: string, { nodes }: SourceTree): [first: number, last: number][] {
  if (!isToldByLine(language)) return [];
  const mayBeLeftOut = new Set<number>();
  for (const { type, parent } of nodes) {
    if (!choices.test(type)) continue;
    for (let at = parent; at >= 0 && !mayBeLeftOut.has(at); at = nodes[at]?.parent ?? -1) mayBeLeftOut.add(at);
  }
  const starts = lineStarts(text.split('\n'));
  return nodes.flatMap(({ type, from, to, parent }, index): [number, number][] => {
    if (!literals.test(type) || mayBeLeftOut.has(index) || literals.test(nodes[parent]?.type ?? '')) return [];
    if (!text.slice(from, to).includes('\n')) return [];
    return [[lineAt(starts, from) + 1, lineAt(starts, to) + 1]];
  });
}

/** Its runtime tells lines alone. */
export function isToldByLine(language: Language): boolean {
  return language === 'python' || language === 'shell';
}

const literals = /^(list|tuple|set|dictionary|pair|array|concatenated_string)$/;
const choices = /conditional_expression|boolean_operator|comprehension|lambda|generator|command_substitution/;
