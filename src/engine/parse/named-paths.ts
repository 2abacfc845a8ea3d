/** Files that texts name, by their path or by their name alone. Pure. */

/**
 * @returns those of `paths` that are named, in the order in which they first are. A name that several files have names none of them;
 *   `README` alone is the one at the top.
 */
export function namedPaths(texts: readonly string[], paths: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.split(/[^\w./@-]+/)).map((word) => word.replace(/^\.\/|[.:]+$/g, ''));
  const first = new Map(words.map((word, index) => [word, index] as const).toReversed());
  const count = new Map<string, number>();
  for (const path of paths) count.set(nameOf(path), (count.get(nameOf(path)) ?? 0) + 1);
  const placeOf = (path: string): number | undefined => {
    const name = nameOf(path);
    const byName = name.includes('.') && count.get(name) === 1 ? first.get(name) : undefined;
    return first.get(path) ?? byName ?? (/^README\.\w+$/i.test(path) ? first.get('README') : undefined);
  };
  const named = paths.flatMap((path) => {
    const place = placeOf(path);
    return place === undefined ? [] : [{ path, place }];
  });
  return named.toSorted((one, other) => one.place - other.place).map(({ path }) => path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
