/** Files that texts name, by their path or by their name alone. Pure. */

/** @returns those of `paths` that are named, in the order in which they first are. */
export function namedPaths(texts: readonly string[], paths: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.split(/[^\w./@-]+/)).map((word) => word.replace(/^\.\/|[.:]+$/g, ''));
  const first = new Map(words.map((word, index) => [word, index] as const).toReversed());
  const placeOf = (path: string): number | undefined => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return first.get(path) ?? (name.includes('.') ? first.get(name) : undefined);
  };
  const named = paths.flatMap((path) => {
    const place = placeOf(path);
    return place === undefined ? [] : [{ path, place }];
  });
  return named.toSorted((one, other) => one.place - other.place).map(({ path }) => path);
}
