/**
 * What is different between two plays of one recording, for a person: each change of a text once, however many requests send
 * that text, with where. Pure.
 */
import { changedLines } from '../engine/ground/changed-lines.ts';
import { counted } from '../engine/ground/text.ts';
import { keyOf, type Asked, type Requests } from './requests.ts';

export interface Difference {
  /** Which part of the requests: `system`, `prompt`, `result of bash`, a tool. */
  part: string;
  /** Lines of the diff; in the place of one, what else is different. */
  lines: readonly string[];
  /** The requests, in order. */
  where: readonly string[];
}

/** @returns nothing where all is as it was. */
export function differencesOf(before: Requests, now: Requests): Difference[] {
  const all = [...endings(before, now), ...changedTools(before, now), ...changedRequests(before, now), ...otherRequests(before, now)];
  return joined(all);
}

/** The same change in several places, or several recordings, is one. */
export function joined(differences: readonly Difference[]): Difference[] {
  const known = new Map<string, Difference>();
  for (const one of differences) {
    const key = [one.part, ...one.lines].join('\n');
    known.set(key, { ...one, where: [...(known.get(key)?.where ?? []), ...one.where] });
  }
  return [...known.values()];
}

export function differenceLines({ part, lines, where }: Difference): string[] {
  const [first = '', ...others] = where;
  const place = others.length === 0 ? first : `${first}, and ${counted(others.length, 'more request')}`;
  return [`${part}${place === '' ? '' : ` of ${place}`}:`, ...lines.map((line) => `  ${line}`)];
}

function endings(before: Requests, now: Requests): Difference[] {
  return before.ending === now.ending ? [] : [{ part: 'ending', lines: [`-${before.ending}`, `+${now.ending}`], where: [] }];
}

function changedTools({ tools: before }: Requests, { tools: now }: Requests): Difference[] {
  return Object.keys(now).flatMap((name) => {
    const [was, is] = [before[name], now[name]];
    return was === undefined || is === undefined || was === is ? [] : [{ part: `tool ${name}`, lines: diff(was, is), where: [] }];
  });
}

function changedRequests(before: Requests, now: Requests): Difference[] {
  const known = new Map(before.asked.map((one) => [keyOf(one), one]));
  return now.asked.flatMap((one) => {
    const was = known.get(keyOf(one));
    return was ? changedParts(was, one) : [];
  });
}

function changedParts(was: Asked, is: Asked): Difference[] {
  const names = [...new Set([...Object.keys(was.parts), ...Object.keys(is.parts)])];
  return names.flatMap((part) => {
    const [before = '', now = ''] = [was.parts[part], is.parts[part]];
    return before === now ? [] : [{ part, lines: diff(before, now), where: [keyOf(is)] }];
  });
}

/** Requests that only one of the two has. */
function otherRequests(before: Requests, now: Requests): Difference[] {
  const only = (these: Requests, those: Requests): string[] => {
    const known = new Set(those.asked.map(keyOf));
    return these.asked.map(keyOf).filter((key) => !known.has(key));
  };
  const told = (part: string, where: string[]): Difference[] => (where.length === 0 ? [] : [{ part, lines: where, where: [] }]);
  return [...told('no longer asked', only(before, now)), ...told('asked now, and not before', only(now, before))];
}

/** Lines of one diff; of a text that is another one altogether, the beginning says enough. */
const most = 40;

/** Changed lines with one line around them. */
function diff(before: string, now: string): string[] {
  const shown = shownLines(changedLines(before, now));
  return shown.length <= most ? shown : [...shown.slice(0, most), `… (${counted(shown.length - most, 'more line')})`];
}

function shownLines(lines: readonly string[]): string[] {
  const isChange = (at: number): boolean => /^[-+]/.test(lines[at] ?? '');
  const isShown = (at: number): boolean => isChange(at - 1) || isChange(at) || isChange(at + 1);
  return lines.flatMap((line, at) => {
    if (!isShown(at)) return [];
    const gap = at > 0 && !isShown(at - 1) ? ['…'] : [];
    return [...gap, isChange(at) ? aroundChange(line, partner(lines, at)) : cut(line, 0, around)];
  });
}

/** The line that a changed one replaced, or that replaced it, where as many lines were added as removed. */
function partner(lines: readonly string[], at: number): string | undefined {
  const sign = lines[at]?.[0];
  const other = sign === '-' ? '+' : '-';
  const step = sign === '-' ? 1 : -1;
  const runFrom = (start: number, of: string, by: number): number => {
    let end = start;
    while (lines[end]?.[0] === of) end += by;
    return Math.abs(end - start);
  };
  const [ahead, behind] = [runFrom(at, sign ?? '', step), runFrom(at - step, sign ?? '', -step)];
  const count = runFrom(at + ahead * step, other, step);
  return count === ahead + behind ? lines[at + count * step] : undefined;
}

/** Characters that are shown on either side of a change in a long line. */
const around = 60;

function aroundChange(line: string, other: string | undefined): string {
  if (other === undefined) return cut(line, 0, 4 * around);
  let from = 1;
  while (from < Math.min(line.length, other.length) && line[from] === other[from]) from += 1;
  let same = 0;
  while (same < Math.min(line.length, other.length) - from && line.at(-1 - same) === other.at(-1 - same)) same += 1;
  return cut(line, from - around, line.length - same + around);
}

/** The sign, and the line from one character to another. */
function cut(line: string, from: number, to: number): string {
  const [start, end] = [Math.max(1, from), Math.min(line.length, Math.max(to, 1))];
  return `${line[0] ?? ''}${start > 1 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}
