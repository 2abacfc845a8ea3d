/** Runs between two decisions: records what the person did, and carries out what they answered. It burns no fuel. */
import type { Context } from '../context.ts';
import { takeRevision } from './amend.ts';
import { setEditsAside, takeEdits } from './edits.ts';
import { updateHumanActions } from './human-actions.ts';
import { dropSkipped } from './tasks.ts';

export async function catchUpWithPerson(context: Context): Promise<void> {
  await setEditsAside(context, true);
  await takeRevision(context);
  await dropSkipped(context);
  await updateHumanActions(context);
  await takeEdits(context);
}
