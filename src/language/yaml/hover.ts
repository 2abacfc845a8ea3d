/** What the field means that the pointer is on, and what may stand there. */
import type { Hover } from 'vscode-languageserver-types';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position } from 'vscode-languageserver-types';
import { wordAt } from './cursor.ts';
import { fieldsAt, isPlain, valuesOf, type Field, type YamlKind } from './fields.ts';

export function yamlHover(kind: YamlKind, document: TextDocument, position: Position): Hover | undefined {
  const word = wordAt(document.getText(), document.offsetAt(position));
  if (!word) return undefined;
  // An element of a list means what the list means.
  const name = word.path.findLast((step) => typeof step === 'string');
  const path = word.path.slice(0, word.path.findLastIndex((step) => typeof step === 'string') + 1);
  const fields = fieldsAt(kind, path, word.given);
  const { description } = fields.find((field) => field.description !== undefined) ?? {};
  if (name === undefined || description === undefined) return undefined;
  const value = [`${name}: ${description}`, ...mayBe(fields)].join('\n');
  const range = { start: document.positionAt(word.span.from), end: document.positionAt(word.span.to) };
  return { contents: { kind: 'plaintext', value }, range };
}

function mayBe(fields: readonly Field[]): string[] {
  const values = fields.flatMap(valuesOf).map(String);
  const { maximum } = fields.find((field) => field.maximum !== undefined) ?? {};
  const { default: usual } = fields.find((field) => isPlain(field.default)) ?? {};
  return [
    ...(values.length > 1 ? [`One of: ${values.join(', ')}.`] : []),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? [`At most ${maximum}.`] : []),
    ...(isPlain(usual) ? [`Left out: ${usual}.`] : []),
  ];
}
