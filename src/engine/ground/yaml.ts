import { isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { InputError } from './errors.ts';

export interface Yaml {
  document: Document;
  /** The root node; null where the file is empty. */
  contents: Document['contents'];
  lines: LineCounter;
}

/**
 * Reads a file that a person writes.
 * @param next what they can do where it is not YAML.
 * @throws InputError with file and line.
 */
export function readYaml(name: string, text: string, next: string): Yaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw new InputError(`${name}:${error.linePos?.[0].line ?? 1}: ${error.message.split(/:?\n/)[0] ?? 'not YAML'}.`, next);
  const { contents } = document;
  return { document, contents: isScalar(contents) && contents.value === null ? null : contents, lines };
}
