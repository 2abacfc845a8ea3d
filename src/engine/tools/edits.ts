/** A text that is given whole, or as changes of the one that is there: to write a long one again costs the most of all. */
import * as z from 'zod';
import { redactedMark } from '../ground/redact.ts';
import { excerpt, type TextSpan } from '../ground/text.ts';
import type { Replacement } from '../ports.ts';
import { ToolError } from './tool.ts';

export const edit = z.strictObject({ old_string: z.string().min(1), new_string: z.string() });
export type Edit = z.infer<typeof edit>;

/** Beside an optional `content`. */
export const edits = z
  .array(edit)
  .min(1)
  .optional()
  .describe('In place of content: changes of the text that is there, one after the other. Each old_string occurs exactly once in it');

interface Given {
  content?: string | undefined;
  edits?: readonly Edit[] | undefined;
}

/**
 * @param where what it is called in errors.
 * @param known the text that is there; undefined where there is none.
 * @throws ToolError where not exactly one of both is given, or an edit does not fit.
 */
export async function wholeText(
  { content, edits: changes }: Given,
  where: string,
  known: () => Promise<string | undefined>,
): Promise<string> {
  if ((content === undefined) === (changes === undefined)) throw new ToolError(`${where}: give either content or edits.`);
  if (content !== undefined) return content;
  const text = await known();
  if (text === undefined) throw new ToolError(`There is no ${where} yet, so it has nothing to edit: give its content.`);
  return edited(text, changes ?? [], where);
}

/** @throws ToolError where a text to be replaced does not occur exactly once. */
export function edited(text: string, changes: readonly Edit[], where: string): string {
  return changes.reduce((now, change, index) => {
    const place = changes.length > 1 ? `${where}, edit ${index + 1}` : where;
    const { from, to, text: after } = replacement(now, change, place);
    return now.slice(0, from) + after + now.slice(to);
  }, text);
}

/** Where an edit goes, and what it puts there. @throws ToolError as above. */
export function replacement(text: string, { old_string: before, new_string: after }: Edit, where: string): Replacement {
  const { first, count } = occurrences(text, before, lineEnd);
  if (!first) throw new ToolError(`old_string is not in ${where}. ${whyNot(text, before)}`);
  const times = count < mostCounted ? `${count} times` : `${count} times or more`;
  if (count > 1)
    throw new ToolError(`old_string occurs ${times} in ${where}; it must occur exactly once. Give more of the lines around it.`);
  const [end] = /\r?\n/.exec(text.slice(first.from, first.to)) ?? /\r?\n/.exec(text) ?? [];
  return { ...first, text: end === '\r\n' ? after.replaceAll(lineEnd, end) : after };
}

/** Models write `\n`, whatever a file has. */
const lineEnd = /\r?\n/g;
const blanks = /\s+/g;
const mostCounted = 100;
/** Characters of a text that is nearly the one that was given. */
const longestShown = 4000;

function whyNot(text: string, before: string): string {
  const { first: near } = occurrences(text, before.trim(), blanks);
  if (near) {
    const line = text.slice(0, near.from).split('\n').length;
    const stands = excerpt(text.slice(near.from, near.to), longestShown);
    return `It is there with other blanks, from line ${line} on. Give it as it stands:\n${stands}`;
  }
  return before.includes(redactedMark)
    ? `Where its ${redactedMark} stands for a secret that you were not shown, edit around it.`
    : 'Look at it again: it may have changed, or never held that.';
}

/**
 * Where a text occurs first in another one, and how often, with overlaps.
 * @param alike what it matches counts as the same.
 */
function occurrences(text: string, sought: string, alike: RegExp): { first?: TextSpan; count: number } {
  const all = text.replaceAll(alike, '\n');
  const one = sought.replaceAll(alike, '\n');
  const at = one === '' ? -1 : all.indexOf(one);
  if (at < 0) return { count: 0 };
  let count = 1;
  for (let next = all.indexOf(one, at + 1); next >= 0 && count < mostCounted; next = all.indexOf(one, next + 1)) count += 1;
  return { first: { from: offsetBefore(text, alike, at), to: offsetBefore(text, alike, at + one.length) }, count };
}

/** The offset in a text of one in what it is with each match replaced by one character. */
function offsetBefore(text: string, replaced: RegExp, offset: number): number {
  let at = offset;
  for (const { 0: match, index } of text.matchAll(replaced)) {
    if (index >= at) break;
    at += match.length - 1;
  }
  return at;
}
