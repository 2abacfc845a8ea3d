/** What can be written at a place of a YAML document: fields that are not there yet, and values. */
import { CompletionItemKind, type CompletionItem, type Position, type Range } from 'vscode-languageserver-types';
import { cursorAt, type Cursor } from './cursor.ts';
import { fieldsAt, isPlain, valuesOf, type Field, type YamlKind } from './fields.ts';

/** Names that other files give. */
export interface Names {
  stages: readonly string[];
  pipelines: readonly string[];
}

export function yamlCompletions(kind: YamlKind, text: string, position: Position, names: Names): CompletionItem[] {
  const cursor = cursorAt(text, position);
  if (!cursor) return [];
  const fields = fieldsAt(kind, cursor.path, cursor.given);
  const takesKey = cursor.part === 'key' || cursor.beginsEntry;
  const takesValue = cursor.part === 'value' || fields.every(({ properties }) => !properties);
  return [
    ...(takesKey ? keyItems(fields, cursor) : []),
    ...(takesValue ? [...valueItems(fields, cursor.range), ...nameItems(kind, cursor, names)] : []),
  ];
}

/** Where a list is meant, its first field begins with a dash. */
function keyItems(fields: readonly Field[], { path, given, range }: Cursor): CompletionItem[] {
  const isList = fields.some(({ items }) => items);
  const there = new Set(Object.keys(objectAt(given, path) ?? {}));
  const all = fields
    .flatMap((field) => field.items ?? field)
    .flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).map(([name, field]) => ({ name, field, isRequired: required.includes(name) })),
    );
  const free = all.filter(({ name }, index) => !there.has(name) && all.findIndex((one) => one.name === name) === index);
  return free.map(({ name, field, isRequired }) => ({
    ...item(name, field, range, isList ? `- ${name}: ` : `${name}: `),
    kind: CompletionItemKind.Field,
    detail: isRequired ? 'required' : defaultWords(field),
    sortText: `${isRequired ? 0 : 1}${name}`,
  }));
}

function valueItems(fields: readonly Field[], range: Range): CompletionItem[] {
  return fields.flatMap((field) =>
    valuesOf(field).map((value) => ({
      ...item(String(value), field, range, String(value)),
      kind: CompletionItemKind.EnumMember,
      ...(value === field.default ? { detail: 'default', preselect: true } : {}),
    })),
  );
}

/** Stages, pipelines and nodes that run before. */
function nameItems(kind: YamlKind, { path, given, range }: Cursor, { stages, pipelines }: Names): CompletionItem[] {
  const [top, index, ...rest] = path;
  if (kind !== 'pipeline' || top !== 'nodes' || typeof index !== 'number') return [];
  const field = rest.at(-1);
  const nodes = objectAt(given, ['nodes']) as { id?: unknown }[] | undefined;
  const before = (nodes ?? []).slice(0, index).flatMap((node) => (typeof node?.id === 'string' ? node.id : []));
  const all = field === 'stage' ? stages : field === 'pipeline' ? pipelines : field === 'from' ? before : [];
  return all.map((name) => ({ ...item(name, {}, range, name), kind: CompletionItemKind.Reference }));
}

function item(label: string, { description }: Field, range: Range, newText: string): CompletionItem {
  return { label, textEdit: { range, newText }, ...(description === undefined ? {} : { documentation: description }) };
}

function defaultWords({ default: value }: Field): string {
  return isPlain(value) ? `default: ${value}` : '';
}

function objectAt(given: unknown, path: readonly (string | number)[]): object | undefined {
  const found = path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[step] : undefined),
    given,
  );
  return typeof found === 'object' && found !== null ? found : undefined;
}
