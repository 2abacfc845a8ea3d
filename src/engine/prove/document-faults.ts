/**
 * Faults in a text that is in no language: a part of it left out, all of it twice, a number that is another one. They tell whether a
 * verification looks at what the text says; the meaning of a sentence no script can see.
 */
import type { Mutant } from './mutants.ts';

/** Parts of the text that are left out, one at a time. */
const parts = 8;
/** Most numbers that are changed. */
const numbers = 7;

export function documentFaults(path: string, text: string): Mutant[] {
  return [...withoutParts(path, text), ...otherNumbers(path, text)];
}

/** All of it twice: where a text may say so much at most, that is what tells it. */
export function repeated(path: string, text: string): Mutant {
  const [was = ''] = text.split('\n');
  return { path, line: 1, column: 0, operator: 'text repeated', was, now: was, text: `${text}\n${text}` };
}

function withoutParts(path: string, text: string): Mutant[] {
  const lines = text.split('\n');
  const size = Math.ceil(lines.length / parts);
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, part) => part * size).flatMap((from) => {
    const first = lines.slice(from, from + size).findIndex((line) => line.trim() !== '');
    if (first < 0) return [];
    const rest = lines.toSpliced(from, size).join('\n');
    return [{ path, line: from + first + 1, column: 0, operator: 'part left out', was: lines[from + first] ?? '', now: '', text: rest }];
  });
}

/** Not of an ordered list, nor a part of a name: spread over the text. */
function otherNumbers(path: string, text: string): Mutant[] {
  const all = text.split('\n').flatMap((was, index) =>
    [...was.matchAll(/(?<![\w.,])\d{1,15}(?![\w]|[.)]\s)/g)].map(({ 0: number, index: column }) => {
      const now = `${was.slice(0, column)}${Number(number) + 1}${was.slice(column + number.length)}`;
      return { line: index + 1, column, was, now };
    }),
  );
  const every = Math.max(1, all.length / numbers);
  const some = Array.from({ length: Math.min(numbers, all.length) }, (_, i) => all[Math.floor(i * every)]);
  return some.flatMap((one) => {
    if (!one) return [];
    const changed = text
      .split('\n')
      .with(one.line - 1, one.now)
      .join('\n');
    return [{ path, operator: 'number changed' as const, text: changed, ...one }];
  });
}
