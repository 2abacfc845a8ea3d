/** QC's answer to a fixer who calls a verification wrong: it is right, and why. The next fixer reads it. */
import * as z from 'zod';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  why: z.string().min(20).describe('What the documents say, and where the deliverable differs; the fixer reads it'),
});

export const upholdVerification = reportTool<z.infer<typeof input>>({
  name: 'uphold_verification',
  description: 'Answer that the verification in question is right as it is. It ends the session.',
  input,
  handle({ why }, { state, target }) {
    const verification = state.work.verifications[target];
    if (!verification) throw new ToolError(`There is no verification ${target}.`);
    const { lineage, script } = verification;
    return { text: `${verification.id} stays as it is.`, facts: [{ fact: 'verification.upheld', lineage, script, why }] };
  },
});
