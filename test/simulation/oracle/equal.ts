/** Where two values differ, as a path; what is one and the same object is not looked into. */

export function difference(a: unknown, b: unknown): string | undefined {
  if (Object.is(a, b)) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return '.';
  if (a instanceof Map && b instanceof Map) return difference([...a], [...b]);
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const [keys, others] = [held(left), held(right)];
  if (keys !== others) return ` (${keys} and ${others} keys)`;
  for (const key in left) {
    const found = left[key] === undefined ? undefined : difference(left[key], right[key]);
    if (found !== undefined) return `.${key}${found === '.' ? '' : found}`;
  }
  return undefined;
}

function held(object: Record<string, unknown>): number {
  let count = 0;
  for (const key in object) if (object[key] !== undefined) count += 1;
  return count;
}
