/** QC's answer to a fixer who calls a verification wrong: it is right, and why. The next fixer reads it. */
import * as z from 'zod';
import { doubtedTogether } from '../diagnose/doubt.ts';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  why: z.string().min(20).describe('What the documents say, and where the deliverable differs; the fixer reads it'),
  verification: z.string().optional().describe('Its id, where the session is about several'),
});

export const upholdVerification = reportTool<z.infer<typeof input>>({
  name: 'uphold_verification',
  description:
    'Answer that the verification in question is right as it is. It ends the session, once all that are in question have an answer.',
  input,
  completedBy: ['write_helper', 'write_verification', 'uphold_verification'],
  handle({ why, verification: named }, { state, target }) {
    const id = named ?? target;
    const about = doubtedTogether(state, target);
    const verification = about.find((one) => one.id === id);
    if (!verification)
      throw new ToolError(
        `There is no verification ${id}${about.length > 0 ? ` in this session; it is about ${about.map((one) => one.id).join(', ')}` : ''}.`,
      );
    const { lineage, script } = verification;
    return { text: `${verification.id} stays as it is.`, facts: [{ fact: 'verification.upheld', lineage, script, why }] };
  },
});
