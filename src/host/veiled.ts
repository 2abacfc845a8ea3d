/** A text whose secrets agents see as marks, and how a change of what they see reaches the text itself, with no secret lost. */
import { redactedMark } from '../engine/ground/redact.ts';
import type { TextSpan } from '../engine/ground/text.ts';
import type { Replacement } from '../engine/ports.ts';

/** Where any of these stands, in order; those that overlap are one. */
export function spansOf(text: string, values: readonly string[]): TextSpan[] {
  const all = values.flatMap((value) => occurrences(text, value)).sort((a, b) => a.from - b.from);
  const spans: TextSpan[] = [];
  for (const { from, to } of all) {
    const last = spans.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else spans.push({ from, to });
  }
  return spans;
}

/** With a mark in the place of each secret. */
export function veiled(text: string, secrets: readonly TextSpan[]): string {
  const ends = [0, ...secrets.map(({ to }) => to)];
  return ends.map((end, index) => text.slice(end, secrets[index]?.from)).join(redactedMark);
}

/**
 * The whole text after a change of what is seen of it.
 * @returns undefined where the change touches a secret: what it replaced was not seen.
 */
export function changedBeneath(text: string, secrets: readonly TextSpan[], { from, to, text: words }: Replacement): string | undefined {
  /** How much further on the same place is in the whole text. */
  let further = 0;
  for (const secret of secrets) {
    const mark = secret.from - further;
    if (to <= mark) break;
    if (from < mark + redactedMark.length) return undefined;
    further = secret.to - mark - redactedMark.length;
  }
  return text.slice(0, from + further) + words + text.slice(to + further);
}

function occurrences(text: string, value: string): TextSpan[] {
  const found: TextSpan[] = [];
  for (let from = text.indexOf(value); from >= 0; from = text.indexOf(value, from + value.length))
    found.push({ from, to: from + value.length });
  return found;
}
