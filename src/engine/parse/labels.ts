/** The numbers and codes that people give to requirements: `2.1`, `§2.1`, `FR-001`, `Requirement 3`. */
import { normalizeRequirementId } from '../work/requirement.ts';

export interface Label {
  /** A story is numbered too, but only where the document has no codes. */
  kind: 'number' | 'code' | 'story';
  id: string;
  /** How its line begins, where no mark tells that it is a number of something: `404 ` of `404 page`. */
  bare?: string;
}

interface Labelled {
  label: Label | undefined;
  words: string;
}

/** A list item with a number, or a line that begins with one that has dots. */
export function numbered(line: string): Labelled | undefined {
  const [, before = '', id = '', mark = '', words = ''] = numberedItem.exec(line) ?? [];
  return id === '' ? undefined : { label: numberLabel(before, id, mark, words), words };
}

const numberedItem = /^\s{0,6}(?:[-*+]\s+(?:\[[ xX]\]\s+)?)?((?:\*\*|__)?§?)(\d+(?:\.\d+)*)((?:[.):]|(?<=\.\d+))(?:\*\*|__)?)\s+(\S.*)$/;

function numberLabel(before: string, number: string, mark: string, words: string): Label {
  const id = normalizeRequirementId(number);
  const isMarked = mark !== '' || before.endsWith('§') || /^[-–—]\s/.test(words);
  return { kind: 'number', id, ...(isMarked ? {} : { bare: `${before}${number} ` }) };
}

/** @param where `id`: the text is a cell of a column of ids. */
export function labelled(text: string, where: 'heading' | 'item' | 'paragraph' | 'id'): Labelled {
  if (where === 'heading' || where === 'id') {
    const [, before = '', id = '', mark = '', words = ''] = numberedHeading.exec(text) ?? [];
    if (id !== '') return { label: numberLabel(before, id, mark, words), words };
  }
  const [, id = '', mark = '', words = ''] = code.exec(text) ?? [];
  if (id !== '' && isCode(id, where === 'id', mark.trim() !== '')) return { label: { kind: 'code', id }, words };
  const [, noun = '', number = '', rest = ''] = (where === 'heading' && nounAndNumber.exec(text)) || [];
  if (number === '') return { label: undefined, words: text };
  return { label: { kind: /^(?:req|anf)/i.test(noun) ? 'number' : 'story', id: number }, words: rest || text };
}

const numberedHeading = /^((?:\*\*|__)?§?)(\d+(?:\.\d+)*)([.):]?(?:\*\*|__)?)\s+(\S.*)$/;
/** `FR-001: …`, `[REQ_2] …`, `**US-3** …`. */
const code =
  /^(?:\*\*|__|\[|\()*((?:[A-Z]{1,8}[-_]){0,3}[A-Z]{0,8}\d{1,5}(?:[.-]\d{1,4}){0,3}[a-z]?)((?:\*\*|__|\]|\)|:|\.(?=\W)|\s+[-–—](?=\s))+\s*|\s+)(\S.*)$/;
const nounAndNumber = /^(requirement|req|anforderung|user story|story|use case|feature|epic)\s+(\d+(?:\.\d+)*)(?![\w.])[\s:.)–—-]*(.*)$/i;

/** Letters that people use for requirements; others need a dash and a mark behind them, as `UTF-8 is used` has none. */
const known = /^(?:N?FRS?|NFRQ?|REQ|RQ?|F|US|UC|AC|SC|BR|SR|TR|PR|SEC|PERF|UX|N?FA|ANF)[-_]?\d/;
const foreign = /^(?:UTF|SHA|MD|ISO|RFC|HTTP|TLS|CVE|AES|WCAG|IEEE|IPV)[-_]?\d|^(?:[PQHV]|MP|EC)\d/;

function isCode(id: string, isCell: boolean, isMarked: boolean): boolean {
  if (!/^[A-Z]/.test(id) || foreign.test(id)) return false;
  return known.test(id) || isCell || (isMarked && /[-_]\d/.test(id));
}
