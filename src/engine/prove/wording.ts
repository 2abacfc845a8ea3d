/**
 * What the work says in words of its own, such as the reason of an error. Where no document gives these words, nobody who checks the
 * work could look for them.
 */

/** The pieces of a literal in code between what is filled in; empty where it is no wording, but a name or a value. */
export function wordingOf(literal: string, fewest = fewestWords): string[] {
  const pieces = literal
    .replace(/^\w*["'`]+|["'`]+$/g, '')
    .split(filledIn)
    .map((piece) => piece.trim())
    .filter((piece) => /\p{L}/u.test(piece));
  return pieces.join(' ').split(/\s+/).length < fewest ? [] : pieces;
}

/** @param documents texts that a builder could read. */
export function isOwnWording(pieces: readonly string[], documents: readonly string[]): boolean {
  return pieces.some((piece) => !documents.some((text) => text.includes(piece)));
}

/** One word alone is mostly a name, which others depend on. */
const fewestWords = 2;
const filledIn = /\$?\{(?:[^{}]|\{[^{}]*\})*\}|\$\w+|%[-+ #0-9.]*[a-zA-Z]|\\[nrt]/;
