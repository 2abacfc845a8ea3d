/** Reads YAML by a schema and tells everything that is wrong, as data: code, line, what, and how to mend it. Total: it never throws. */
import { isMap, LineCounter, parseDocument, stringify, type Document } from 'yaml';
import type * as z from 'zod';
import type { Problem, SourceFile, TextFix } from '../ground/problem.ts';
import { stageNamePattern } from '../ground/stage-name.ts';
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

/** What stands there of an earlier version, and what to write now. An error keeps the value back, since only a person can say what it means now. */
export interface OldForm extends YamlPlace {
  severity: Problem['severity'];
  what: string;
  mend: string;
  fix?: TextFix;
}

/** Changes the document to the current form, and tells what was old. What it leaves keeps its place. @param at `place`: of a name. */
export type ToCurrentForm = (document: Document, at: { text: string; place: Where }) => OldForm[];

/** What a format adds to its schema. */
export interface Format {
  toCurrentForm?: ToCurrentForm;
  /** How to mend a field that there is not; undefined where it is only not known. */
  mendUnknown?: (path: readonly PropertyKey[]) => string | undefined;
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
  { toCurrentForm = () => [], mendUnknown = () => undefined }: Format = {},
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
    return { ...rest, ...place(path) };
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
  const place: Where = (path) => placeInYaml(document, lines, path);
  const olds = toCurrentForm(document, { text: file.text, place });
  const problems = olds.map((old): Problem => ({ code: codes.old, file: file.name, ...old }));
  const isUnclear = problems.some(({ severity }) => severity === 'error');
  const parsed = schema.safeParse(plain(document));
  if (parsed.success) return { value: isUnclear ? undefined : parsed.data, problems, where, problem };
  return { value: undefined, problems: [...problems, ...parsed.error.issues.flatMap((issue) => issueProblems(issue))], where, problem };

  function issueProblems(issue: z.core.$ZodIssue): Problem[] {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => {
        const words = {
          what: `there is no field "${[...issue.path, key].join('.')}"`,
          mend: mendUnknown([...issue.path, key]) ?? 'Remove it, or correct its name.',
        };
        return atName(codes.unknownField, [...issue.path, key], words);
      });
    const field = issue.path.join('.');
    const isMissing = !document.hasIn(issue.path as string[]);
    const what = isMissing ? `"${field}" is missing` : `"${field}" cannot be used`;
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

/** A `name` that says something else than the file or folder, by which alone a stage or pipeline is found. @param real undefined where nobody knows. */
export function nameProblems(code: string, said: string | undefined, real: string | undefined, problem: Tell): Problem[] {
  if (said === undefined || real === undefined || said === real || !stageNamePattern.test(real)) return [];
  const what = `"name" says ${said}, but it is found as ${real}, as its file or folder is called`;
  const found = problem(code, ['name'], { what, mend: `Write \`name: ${real}\`, or rename the file or folder.`, severity: 'warning' });
  // YAML takes `1` for a number and `true` for no text.
  const text = stringify(real).trim();
  return [found.span ? { ...found, fix: { title: `Write ${real}`, edits: [{ ...found.span, text }] } } : found];
}
