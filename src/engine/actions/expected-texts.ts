/** The texts of the files that a task expects to change, so that its builder asks for none of them by a call. */
import type { Context } from '../context.ts';
import { promptText } from '../ground/prompts.ts';
import { ticksFor } from '../ground/text.ts';
import { textOf } from '../run/files.ts';
import type { Task } from '../work/task.ts';

/** Characters that they share. One that does not fit is named: half a file would be read again as a whole. */
const limit = 12_000;

/** @returns empty where none of them is there yet. */
export async function expectedTexts({ ports }: Pick<Context, 'ports'>, { filesExpected }: Task): Promise<string> {
  let left = limit;
  const parts: string[] = [];
  for (const path of filesExpected) {
    const text = await textOf(ports.tree, path);
    if (text === undefined) continue;
    const fits = text.length <= left;
    if (fits) left -= text.length;
    parts.push(fits ? `${path}:\n\n${fenced(text)}` : `${path}: ${text.length} characters, not shown here.`);
  }
  return parts.length === 0 ? '' : promptText('expected-texts', { texts: parts.join('\n\n') });
}

function fenced(text: string): string {
  const fence = ticksFor(text, 3);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}
