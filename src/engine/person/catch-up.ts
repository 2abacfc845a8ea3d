/** Between two decisions: what the person did is noticed, and what they said is carried out. Burns no fuel. */
import type { Context } from '../context.ts';
import { setEditsAside, takeEdits } from './edits.ts';
import { updateHumanActions } from './human-actions.ts';

export async function catchUpWithPerson(context: Context): Promise<void> {
  await setEditsAside(context, true);
  await updateHumanActions(context);
  await takeEdits(context);
}
