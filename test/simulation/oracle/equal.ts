/** Compares two trees of values. Identical objects are not compared in depth, which saves most of the time. */

/** @returns the path to the first place where the values differ; undefined where they are equal */
export function difference(a: unknown, b: unknown): string | undefined {
  if (Object.is(a, b)) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return '.';
  if (a instanceof Map && b instanceof Map) return difference([...a], [...b]);
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const [keys, others] = [countKeys(left), countKeys(right)];
  if (keys !== others) return ` (${keys} and ${others} keys)`;
  for (const key in left) {
    const inner = left[key] === undefined ? undefined : difference(left[key], right[key]);
    if (inner !== undefined) return `.${key}${inner === '.' ? '' : inner}`;
  }
  return undefined;
}

function countKeys(object: Record<string, unknown>): number {
  let count = 0;
  for (const key in object) if (object[key] !== undefined) count += 1;
  return count;
}
