/** A text that is given whole, or as changes of the one that is there: to write a long one again costs the most of all. */
import * as z from 'zod';
import { redactedMark } from '../ground/redact.ts';
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
  const count = text.split(before).length - 1;
  if (count === 0 && before.includes(redactedMark))
    throw new ToolError(`old_string is not in ${where}: its ${redactedMark} stands for a secret that you were not shown. Edit around it.`);
  if (count !== 1)
    throw new ToolError(`old_string occurs ${count} times in ${where}; it must occur exactly once. Give more of the lines around it.`);
  const from = text.indexOf(before);
  return { from, to: from + before.length, text: after };
}
