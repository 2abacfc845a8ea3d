/** Between two decisions: what the person did is noticed, and what they said is carried out. Burns no fuel. */
import type { Context } from '../context.ts';
import { noticeEdits, takeEdits } from './edits.ts';
import { lookAtHumanActions } from './human-actions.ts';

export async function catchUpWithPerson(context: Context): Promise<void> {
  await noticeEdits(context, true);
  await lookAtHumanActions(context);
  await takeEdits(context);
}
