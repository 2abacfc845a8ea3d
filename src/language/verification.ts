/** The files of verifications: what is wrong in a header, and what can be written there. */
import { CompletionItemKind, type CompletionItem, type Position } from 'vscode-languageserver-types';
import { fieldsIn, headerFields, parseHeader } from '../engine/parse/header.ts';
import { serviceNames } from '../engine/parse/services-file.ts';
import { requiresProblem } from '../engine/parse/requires.ts';
import { normalizeRequirementId } from '../engine/work/requirement.ts';
import { tierNames } from '../engine/work/tier.ts';
import type { Problem } from '../engine/ground/problem.ts';
import type { DocumentsView } from '../views/model/documents-view.ts';
import type { Finding } from './finding.ts';
import { lineRange, linesOf, within } from './lines.ts';
import { readPrd } from './prd.ts';

/** What is known around a document; undefined where nothing tells. */
export interface Around {
  /** Ids of the requirements. */
  ids: readonly string[] | undefined;
  /** Names of the services. */
  services: readonly string[] | undefined;
  /** What is wrong in a stage or a pipeline together with others of its folder. */
  problems: readonly Problem[];
}

export const nothingKnown: Around = { ids: undefined, services: undefined, problems: [] };

/** @param prd text of PRD.md. @param services text of services.yaml. @param view how the sprint stands. */
export function aroundOf({
  prd,
  services,
  view,
}: {
  prd: string | undefined;
  services: string | undefined;
  view: DocumentsView | undefined;
}): Around {
  const ids = [...(prd === undefined ? [] : readPrd(prd).requirements), ...(view?.requirements ?? [])].map(({ id }) => id);
  const names = view?.services ?? (services === undefined ? undefined : serviceNames(services));
  return { ids: ids.length > 0 ? ids : undefined, services: names, problems: [] };
}

export function verificationFindings(text: string, { ids, services }: Pick<Around, 'ids' | 'services'>): Finding[] {
  const lines = linesOf(text);
  const parsed = parseHeader(lines.join('\n'));
  const fields = fieldsIn(lines.join('\n'));
  const place = (field: string) => {
    const found = fields.find((one) => one.field === field);
    return found ? within(found.line - 1, found.at, found.at + found.value.length) : lineRange(lines, 0);
  };
  if ('problem' in parsed)
    return [
      finding(
        'header',
        'error',
        lineRange(lines, parsed.line - 1),
        `${capital(parsed.problem)}.`,
        'Begin with comment lines TEST:, PRD: and RED:.',
      ),
    ];
  const { prd, after, requires, red } = parsed.header;
  const unknown = [...prd, ...after].filter((id) => ids && !ids.includes(id) && !(isValueProof(id) && !ids.some(isValueProof)));
  const service =
    services &&
    requiresProblem(
      requires,
      services.map((name) => ({ name })),
    );
  return [
    ...unknown.map((id) =>
      finding(
        'unknown-requirement',
        'error',
        placeOfId(fields, id) ?? place('PRD'),
        `PRD.md has no requirement ${id}.`,
        'Give the number of one that is there.',
      ),
    ),
    ...(service === undefined
      ? []
      : [finding('unknown-service', 'error', place('REQUIRES'), `${service}.`, 'Or declare it in services.yaml.')]),
    ...(isPrinted(red, lines, fields)
      ? []
      : [
          finding(
            'red-never-printed',
            'warning',
            place('RED'),
            'No line of the script prints this text.',
            'Print it when the requirement does not hold: without it, the failure proves nothing.',
          ),
        ]),
  ];
}

/** Fields at the begin of a comment, tiers and services behind theirs. Ids come from `ids.ts`. */
export function headerCompletions(text: string, { line, character }: Position, services: readonly string[]): CompletionItem[] {
  const before = (linesOf(text)[line] ?? '').slice(0, character);
  const given = fieldsIn(linesOf(text).join('\n')).map(({ field }) => field as string);
  if (/^\s*(?:#|\/\/|--|;|\*|\/\*)\s*[A-Z]*$/.test(before))
    return Object.entries(headerFields)
      .filter(([name]) => !given.includes(name))
      .map(([name, detail]) => ({ label: name, insertText: `${name}: `, detail, kind: CompletionItemKind.Keyword }));
  const values = /^\W*TIER\s*:\s*\w*$/.test(before) ? tierNames : /^\W*REQUIRES\s*:(?:.*[,\s])?[\w-]*$/.test(before) ? services : [];
  return values.map((label) => ({ label, kind: CompletionItemKind.Value }));
}

function finding(code: string, severity: Finding['severity'], range: Finding['range'], message: string, next: string): Finding {
  return { code, severity, range, message, next, fixes: [] };
}

function placeOfId(fields: ReturnType<typeof fieldsIn>, id: string): Finding['range'] | undefined {
  return fields
    .filter(({ field }) => field === 'PRD' || field === 'AFTER')
    .flatMap(({ value, line, at }) =>
      [...value.matchAll(/[^\s,]+/g)]
        .filter(({ 0: word }) => normalizeRequirementId(word) === id)
        .map(({ 0: word, index }) => within(line - 1, at + index, at + index + word.length)),
    )[0];
}

/** A script may put the text together, so it only counts as missing where one of its words is nowhere below the header. */
function isPrinted(red: string, lines: readonly string[], fields: ReturnType<typeof fieldsIn>): boolean {
  const header = new Set(fields.map(({ line }) => line - 1));
  const body = lines.filter((_, index) => !header.has(index)).join('\n');
  return body.includes(red) || [...red.matchAll(/\p{L}{3,}/gu)].every(([word]) => body.includes(word));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Discovery names them; no requirement of PRD.md has such a number. */
function isValueProof(id: string): boolean {
  return /^V\d/.test(id);
}
