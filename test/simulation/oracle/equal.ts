/** Compares two trees of values. Identical objects are not compared in depth, which saves most of the time. */

/** @returns the path to the first place where the values differ; undefined where they are equal */
export function difference(a: unknown, b: unknown): string | undefined {
  if (Object.is(a, b)) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return '.';
  if (Array.isArray(a) && Array.isArray(b)) return differenceOfLists(a, b);
  if (a instanceof Map && b instanceof Map) return difference([...a], [...b]);
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  let keys = 0;
  for (const key in left) {
    if (left[key] === undefined) continue;
    keys += 1;
    const inner = difference(left[key], right[key]);
    if (inner !== undefined) return at(key, inner);
  }
  const others = countKeys(right);
  return keys === others ? undefined : ` (${keys} and ${others} keys)`;
}

function differenceOfLists(a: readonly unknown[], b: readonly unknown[]): string | undefined {
  if (a.length !== b.length) return ` (${a.length} and ${b.length} entries)`;
  for (let i = 0; i < a.length; i += 1) {
    const inner = difference(a[i], b[i]);
    if (inner !== undefined) return at(String(i), inner);
  }
  return undefined;
}

const at = (key: string, inner: string): string => `.${key}${inner === '.' ? '' : inner}`;

function countKeys(object: Record<string, unknown>): number {
  let count = 0;
  for (const key in object) if (object[key] !== undefined) count += 1;
  return count;
}
