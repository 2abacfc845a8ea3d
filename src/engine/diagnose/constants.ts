/**
 * Constants of the work that look like answers: lines which the sprint added, with values that stand in its documents or in
 * verifications. Many of them belong there; those who judge the work look at each (docs/proof-told.md).
 */
import { askedValues, literalsIn, numbersIn, withoutLiterals } from '../judge/known-values.ts';
import { isLockFile } from '../judge/notable-changes.ts';
import { languageOf } from '../prove/language.ts';
import { addedLines, isAdded } from '../prove/added-lines.ts';
import { isDeclaration } from '../prove/declarations.ts';
import { isNamedTest } from '../prove/own-tests.ts';

export interface Constants {
  path: string;
  /** 1-based, first and last. */
  from: number;
  to: number;
  values: string[];
  /** `table`: several beside each other, as in a table or a chain of conditions. */
  kind: 'table' | 'condition' | 'constant';
}

export interface Known {
  documents: readonly string[];
  scripts: readonly { text: string; red: string }[];
}

/** Tables first, then conditions; in the order of the files. */
export function constantsIn(files: Readonly<Record<string, string>>, patches: readonly string[], known: Known): Constants[] {
  const isKnown = knownBy(known);
  const added = addedLines(patches);
  const found = Object.entries(files).flatMap(([path, text]) => {
    const lines = added.get(path);
    if (!lines || isNamedTest(path) || isLockFile(path) || isDeclaration(path) || !(languageOf(path, text) ?? holdsData.test(path)))
      return [];
    const isOurs = isAdded(text, lines);
    return together(hitsIn(text, (line) => isOurs(line) && !isImport(path, line), isKnown)).map((one) => ({ path, ...one }));
  });
  const rank = { table: 0, condition: 1, constant: 2 };
  return found.sort((a, b) => rank[a.kind] - rank[b.kind]);
}

const holdsData = /\.(json|ya?ml|toml|csv|tsv)$/i;

function isImport(path: string, line: string): boolean {
  return imported.test(line) || (path.endsWith('.go') && importedGo.test(line));
}

interface Hit {
  line: number;
  values: string[];
  decides: boolean;
}

const decision = /\b(if|elif|else|case|when|switch|match|elsif)\b|[=!]==?|\?.*:|^\s*[^\s()]+\)\s/;
const comment = /^\s*(\/\/|\/\*|\*([\s/]|$)|#[\s!]|--\s)/;
/** What is imported is a name. */
const imported = /^\s*(import|from|use|using|#include|(export|\}) .*from)\b|\brequire\(['"]/;
/** In Go it may stand alone in its line: each row of a table ends with a comma there. */
const importedGo = /^\s+([\w.]+ )?"[\w./-]+"$/;
/** Where a shell names a case without quotes. */
const pattern = /^\s*([^\s()"'$*]+)\)/;

function hitsIn(text: string, isOurs: (line: string) => boolean, isKnown: (value: string) => boolean): Hit[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '' || comment.test(line) || !isOurs(line)) return [];
    const named = pattern.exec(line)?.[1]?.split('|') ?? [];
    const literals = literalsIn(line).filter((literal) => isKnown(literal.text.trim()));
    const rest = withoutLiterals(line, literals);
    const values = [...new Set([...literals.map((literal) => literal.text.trim()), ...[...numbersIn(rest), ...named].filter(isKnown)])];
    return values.length === 0 ? [] : [{ line: index + 1, values, decides: decision.test(line) }];
  });
}

/** Lines between two hits of one table. */
const apart = 2;
/** So many values beside each other are a table. */
const tableSize = 3;

function together(hits: readonly Hit[]): Omit<Constants, 'path'>[] {
  const groups: Hit[][] = [];
  for (const hit of hits) {
    const last = groups.at(-1)?.at(-1);
    if (last && hit.line - last.line <= apart) groups.at(-1)?.push(hit);
    else groups.push([hit]);
  }
  return groups.flatMap((group): Omit<Constants, 'path'>[] => {
    const values = [...new Set(group.flatMap((hit) => hit.values))];
    if (values.length >= tableSize) return [{ ...placeOf(group), values, kind: 'table' }];
    return group.map((hit) => ({
      ...placeOf([hit]),
      values: hit.values,
      kind: hit.decides ? 'condition' : 'constant',
    }));
  });
}

function placeOf(group: readonly Hit[]): Pick<Constants, 'from' | 'to'> {
  return { from: group[0]?.line ?? 0, to: group.at(-1)?.line ?? 0 };
}

/** Numbers that any program has. */
const usual = new Set(['-1', '10', '100', '1000', '60', '3600', '24', '16', '255', '1024']);

/** Words of every page, which its verifications say, too: elements, their states, and events; and kinds of values. */
const usualWords = new Set(
  'button link text textbox checkbox radio list listitem heading form label input select option table row cell image dialog status alert click change input submit keydown keyup focus blur load hidden disabled checked required value number string none block object function boolean bigint symbol undefined'.split(
    ' ',
  ),
);

function knownBy({ documents, scripts }: Known): (value: string) => boolean {
  const numbers = new Set([...documents, ...scripts.map(({ text }) => text)].flatMap(numbersIn));
  const texts = new Set([
    ...documents.flatMap(examplesOf),
    ...scripts.flatMap(({ text, red }) => [
      ...askedValues(text, red),
      ...text.split('\n').flatMap((line) => literalsIn(line).map((l) => l.text)),
    ]),
  ]);
  return (value) => {
    if (/^-?\d/.test(value) && numbersIn(value).join() === value) return numbers.has(value) && !usual.has(value) && value.length > 1;
    return value.length > 2 && /\p{L}|\d/u.test(value) && texts.has(value) && !usualWords.has(value);
  };
}

/** What stands in quotes, in back-ticks, or in a block of code. */
function examplesOf(document: string): string[] {
  let inBlock = false;
  return document.split('\n').flatMap((line) => {
    if (/^\s*```/.test(line)) inBlock = !inBlock;
    const quoted = literalsIn(line).map(({ text }) => text);
    return inBlock || /^( {4}|\t)/.test(line) ? [line.trim(), ...quoted] : quoted;
  });
}
