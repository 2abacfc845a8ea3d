/** Seeds: decimal numbers that follow from texts, so that a resume and a replay draw the same (I3). */

/** `SEED` of a run that is given none: it tells a command from a verification no more than the port does. */
export function usualSeed(text: string): string {
  return seedFrom(['usual', text]);
}

/** 1 to 2147483647, so that every language reads it as a plain integer. */
export function seedFrom(parts: readonly string[]): string {
  let value = 0x811c9dc5;
  for (const char of parts.join('\0')) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  // Without this, texts that differ only at their end give numbers that are near each other.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return String((value ^ (value >>> 16)) >>> 1 || 1);
}
