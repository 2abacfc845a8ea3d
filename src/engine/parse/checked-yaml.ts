/** Reads YAML by a schema and tells everything that is wrong, as data: code, line, what, and how to mend it. Total: it never throws. */
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import type * as z from 'zod';
import type { Problem, SourceFile } from '../ground/problem.ts';
import { placeInYaml, placeOfError, type YamlPlace } from '../ground/yaml-place.ts';

/** A value that can be used, or undefined; and every problem that was found. */
export interface Checked<T> {
  value: T | undefined;
  problems: Problem[];
}

/** Codes of what a schema finds. */
export interface SchemaCodes {
  notYaml: string;
  notFields: string;
  unknownField: string;
  unusable: string;
  old: string;
}

/** Renames a field of an earlier version. `at` is the path of the map that has it; `*` stands for every element of a list. */
export interface OldName {
  at: readonly string[];
  from: string;
  to: string;
}

export interface CheckedYaml<T> extends Checked<T> {
  where: Where;
  problem: Tell;
}

/** The place of the value at a path, or of the deepest part of it that exists. */
export type Where = (path: readonly PropertyKey[]) => YamlPlace;

/** Makes a problem at the value of a path. */
export type Tell = (code: string, path: readonly PropertyKey[], words: Words) => Problem;
type Words = Pick<Problem, 'what' | 'mend'> & Partial<Pick<Problem, 'severity'>>;

export function checkYaml<S extends z.ZodType>(
  file: SourceFile,
  schema: S,
  codes: SchemaCodes,
  olds: readonly OldName[] = [],
): CheckedYaml<z.infer<S>> {
  const lines = new LineCounter();
  const document = parseDocument(file.text, { lineCounter: lines, uniqueKeys: true, logLevel: 'error' });
  const where: Where = (path) => placeInYaml(document, lines, path, 'value');
  const problem: Tell = (code, path, { what, mend, severity = 'error' }) => ({
    code,
    severity,
    file: file.name,
    ...where(path),
    what,
    mend,
  });
  const atName: Tell = (code, path, words) => {
    const { span: _span, ...rest } = problem(code, path, words);
    return { ...rest, ...placeInYaml(document, lines, path) };
  };
  const broken = document.errors.map((error): Problem => ({
    code: codes.notYaml,
    severity: 'error',
    file: file.name,
    ...placeOfError(error, file.text),
    what: `this is not YAML: ${error.message.split(/:?\n/)[0] ?? ''}`,
    mend: 'Correct the YAML there.',
  }));
  if (broken.length > 0) return { value: undefined, problems: broken, where, problem };
  if (!isMap(document.contents)) {
    const words = { what: 'the file has no fields', mend: 'Write one `field: value` a line.' };
    return { value: undefined, problems: [problem(codes.notFields, [], words)], where, problem };
  }
  const renamed = olds.flatMap((old) => rename(document, old).map((one) => ({ old, ...one })));
  const problems = renamed.map(({ old: { from, to }, path, key }): Problem => {
    const words = { what: `"${from}" is the old name of "${to}"`, mend: `Write "${to}".`, severity: 'warning' } as const;
    return { ...atName(codes.old, path, words), fix: { title: `Write "${to}"`, edits: [{ ...key, text: to }] } };
  });
  const parsed = schema.safeParse(plain(document));
  if (parsed.success) return { value: parsed.data, problems, where, problem };
  return { value: undefined, problems: [...problems, ...parsed.error.issues.flatMap((issue) => issueProblems(issue))], where, problem };

  function issueProblems(issue: z.core.$ZodIssue): Problem[] {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => {
        const words = { what: `there is no field "${[...issue.path, key].join('.')}"`, mend: 'Remove it, or correct its name.' };
        return atName(codes.unknownField, [...issue.path, key], words);
      });
    const place = issue.path.join('.');
    const isMissing = !document.hasIn(issue.path as string[]);
    const what = isMissing ? `"${place}" is missing` : `"${place}" cannot be used`;
    return [problem(codes.unusable, issue.path, { what, mend: `${issue.message.charAt(0).toUpperCase()}${issue.message.slice(1)}.` })];
  }
}

/** An alias bomb makes `toJS` throw. */
function plain(document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    return null;
  }
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
