/** Fields that had another name in earlier versions of a YAML format. */
import { isMap, isNode, isScalar, type Document } from 'yaml';
import type { ToCurrentForm } from './checked-yaml.ts';

/** Renames a field of an earlier version. `at` is the path of the map that has it; `*` stands for every element of a list. */
export interface OldName {
  at: readonly string[];
  from: string;
  to: string;
}

/** Each has a fix of its own. */
export function renamed(olds: readonly OldName[]): ToCurrentForm {
  return (document, { place }) =>
    olds.flatMap((old) =>
      rename(document, old).map(({ path, key }) => ({
        ...place(path),
        severity: 'warning',
        what: `"${old.from}" is the old name of "${old.to}"`,
        mend: `Write "${old.to}".`,
        fix: { title: `Write "${old.to}"`, edits: [{ ...key, text: old.to }] },
      })),
    );
}

/** @returns the paths of the renamed fields, by their new names, and where the old ones stand. */
function rename(document: Document, { at, from, to }: OldName): { path: (string | number)[]; key: { from: number; to: number } }[] {
  return mapsAt(document, at).flatMap((path) => {
    const map = path.length === 0 ? document.contents : document.getIn(path, true);
    if (!isMap(map)) return [];
    const pair = map.items.find((item) => isScalar(item.key) && item.key.value === from);
    if (!pair || !isScalar(pair.key) || map.has(to)) return [];
    pair.key.value = to;
    const [start = 0, end = 0] = pair.key.range ?? [];
    return [{ path: [...path, to], key: { from: start, to: end } }];
  });
}

function mapsAt(document: Document, at: readonly string[]): (string | number)[][] {
  return at.reduce<(string | number)[][]>(
    (paths, step) =>
      paths.flatMap((path) => {
        if (step !== '*') return [[...path, step]];
        const list: unknown = document.getIn(path);
        const length = isNode(list) && 'items' in list ? (list.items as unknown[]).length : 0;
        return Array.from({ length }, (_, index) => [...path, index]);
      }),
    [[]],
  );
}
