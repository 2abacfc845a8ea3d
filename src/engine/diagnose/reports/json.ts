/** Reads parsed JSON of unknown shape; a value of the wrong type counts as absent. */
import { readJson } from '../../ground/loose.ts';

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The JSON documents in a text: all of it, or the part from the first line with `{` to the last `}`, or single lines. */
export function documentsIn(text: string): unknown[] {
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const from = text.search(/^\{/m);
  if (from === -1) return [];
  const inside = parsed(text.slice(from, text.lastIndexOf('}') + 1));
  if (inside !== undefined) return [inside];
  return text
    .split('\n')
    .filter((line) => line.length > 100 && /^\{".*\}$/.test(line))
    .slice(0, 50)
    .flatMap((line) => parsed(line) ?? []);
}

export function parsed(text: string): unknown {
  const value = readJson(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}
