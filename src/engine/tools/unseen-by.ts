/** The field of a finding that names verifications which would not see it. */
import * as z from 'zod';
import { unseenBy } from '../judge/unseen.ts';
import { liveScripts } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import type { Unseen } from '../work/assessment.ts';
import { ToolError } from './tool.ts';

export const unseenInput = z
  .array(z.string())
  .default([])
  .describe('Ids of the verifications that stay green although it is so; QC then writes one that sees it');

/** What the finding records. @throws where one of them is no script that runs. */
export function unseenOf(state: State, by: readonly string[]): { unseen?: Unseen } {
  const known = liveScripts(state.work).map(({ id }) => id);
  const unknown = by.filter((id) => !known.includes(id));
  if (unknown.length > 0)
    throw new ToolError(`unseen_by: there is no verification ${unknown.join(', ')} that runs; there are ${known.join(', ') || 'none'}.`);
  return unseenBy(state, by);
}
