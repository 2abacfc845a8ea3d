/** A fault in words for a person or an agent. */
import { pieceOf } from '../ground/text.ts';
import type { FaultTrial, Operator } from '../work/verification.ts';

/** `"a > b" for "a >= b" in total.sh:3`, or `"return total" that gives a higher or longer value in total.js:4`. */
export function faultWords({ path, line, operator, was, now }: Omit<FaultTrial, 'outcome'>): string {
  const [before, after] = aroundChange(was.trim(), now.trim());
  if (operator === 'part left out') return `the part that begins with "${before}" left out of ${path}:${line}`;
  const near = nearWords[operator];
  return near ? `"${before}" ${near} in ${path}:${line}` : `"${after}" for "${before}" in ${path}:${line}`;
}

/** Where the line with the fault tells a person less than what it does. */
const nearWords: Partial<Record<Operator, string>> = {
  'output extended': 'that prints something more behind it',
  'output changed': 'that prints another last character',
  'output lengthened': 'that prints the last digit of a number twice',
  'output repeated': 'that prints it twice',
  'returned value changed': 'that gives a higher or longer value',
  'returned value shortened': 'that gives a lower or shorter value',
  'argument given back': 'that gives its argument back as it is',
  'argument emptied': 'that empties its argument and gives it back',
  'letters swapped': 'with capitals and small letters swapped',
  'output cut short': 'without the last',
  'output reversed': 'with the last first',
};

/** Characters of a line that are shown, and of what stands before the change and behind it in a longer one. */
const shown = { whole: 80, around: 24, end: 60 };

/** Both lines, without what is the same in long ones: the change must be seen. */
function aroundChange(was: string, now: string): [string, string] {
  if (Math.max(was.length, now.length) <= shown.whole) return [was, now];
  const shorter = Math.min(was.length, now.length);
  let before = 0;
  while (before < shorter && was[before] === now[before]) before += 1;
  let behind = 0;
  while (behind < shorter - before && was.at(-1 - behind) === now.at(-1 - behind)) behind += 1;
  const [from, kept] = [Math.max(0, before - shown.around), Math.max(0, behind - shown.around)];
  return [cut(was, from, kept), cut(now, from, kept)];
}

function cut(text: string, from: number, behind: number): string {
  const own = pieceOf(text, from, text.length - behind);
  const middle = own.length > 2 * shown.end ? `${pieceOf(own, 0, shown.end)} … ${pieceOf(own, -shown.end)}` : own;
  return `${from > 0 ? '…' : ''}${middle}${behind > 0 ? '…' : ''}`;
}
