/**
 * Records which journals began on this machine. A repository can contain a journal with valid checksums, and with it a
 * configuration, a budget and tasks. So only a sprint that this person opened here is resumed (I6).
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../engine/ground/errors.ts';
import type { EventOf } from '../engine/state/events.ts';
import { replaceFile, unlessMissing } from './disk.ts';
import { encodeLine } from './journal-lines.ts';
import { worktreeFolder } from './state-folder.ts';

/** Must be called before the journal's first line is written, when the branch is claimed. On disk when it returns. */
export async function rememberOpening(root: string, opening: EventOf<'run.opened'>): Promise<void> {
  const folder = await worktreeFolder(root, opening.branch);
  await replaceFile(join(folder, 'opened'), Buffer.from(hash(encodeLine(opening))), { durable: true });
}

/**
 * @param firstLine of the journal, byte for byte, because another version of Loop would write it differently.
 * @throws InputError for a journal that did not begin here.
 */
export async function requireOpenedHere(root: string, { sprint, branch }: EventOf<'run.opened'>, firstLine: Buffer): Promise<void> {
  const recorded = await unlessMissing(readFile(join(await worktreeFolder(root, branch), 'opened'), 'utf8'));
  if (recorded === hash(firstLine)) return;
  throw new InputError(
    `The journal of sprint ${sprint} was not begun on this machine, so Loop does not go on with it.`,
    'If the repository was moved, move it back. Otherwise move the folder .loop out of the sprint and start anew.',
  );
}

function hash(line: Buffer): string {
  return createHash('sha256').update(line).digest('hex');
}
