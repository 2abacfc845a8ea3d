/** A word of a command that a person may paste into their shell; with quotes only where it needs them. */
export function shellQuoted(word: string): string {
  return /^[\p{L}\p{N}_@./:=,+-]+$/u.test(word) ? word : quoted(word);
}

/** Quotes a word for any POSIX shell. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
