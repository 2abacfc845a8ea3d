/** The labels of a `switch`, of which compilers refuse two that are alike. */
import type { Source } from './source-tree.ts';

/** Whether another number in a label would make it one that its `switch` has already. */
export function isTakenLabel(source: Source, number: number, now: string): boolean {
  const { parent } = source.at(number);
  const label = /unary/.test(source.typeOf(parent)) ? parent : number;
  return isLabel(source, label) && labelsOf(source).has(keyOf(source, label, source.textOf(label).replace(source.textOf(number), now)));
}

/** Those of each file are gathered once. */
const known = new WeakMap<Source, ReadonlySet<string>>();

function labelsOf(source: Source): ReadonlySet<string> {
  let labels = known.get(source);
  if (!labels) {
    const all = source.nodes.flatMap((_node, index) => (isLabel(source, index) ? [keyOf(source, index, source.textOf(index))] : []));
    known.set(source, (labels = new Set(all)));
  }
  return labels;
}

function isLabel(source: Source, index: number): boolean {
  const { parent, field, named } = source.at(index);
  const type = source.typeOf(parent);
  if (!named) return false;
  if (type === 'case_statement') return field === 'value';
  if (type === 'expression_list') return source.parentOf(parent).type === 'expression_case';
  return type === 'switch_label' || type === 'constant_pattern';
}

function keyOf(source: Source, label: number, text: string): string {
  let around = source.at(label).parent;
  while (around > 0 && !/^(expression_)?switch_(statement|expression)$/.test(source.typeOf(around))) around = source.at(around).parent;
  return `${around} ${text}`;
}
