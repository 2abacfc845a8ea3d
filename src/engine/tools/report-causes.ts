/** A classifier's answer: which failures have one cause. It only joins groups that the engine has made. */
import * as z from 'zod';
import { machineCauses } from '../diagnose/causes.ts';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  causes: z
    .array(
      z.strictObject({
        cause: z.string().min(10).max(300).describe('The root cause, in one sentence'),
        verifications: z.array(z.string()).min(2).describe('Ids of the verifications that fail for it'),
      }),
    )
    .describe('Only causes that two or more share; empty where each fails for a reason of its own'),
});

export const reportCauses = reportTool<z.infer<typeof input>>({
  name: 'report_causes',
  description: 'Submit which failures share a root cause. It ends the session.',
  input,
  handle({ causes }, { state }) {
    const known = machineCauses(state).flatMap((group) => group.verifications.map(({ id }) => id));
    const named = causes.flatMap((cause) => cause.verifications);
    const unknown = named.filter((id) => !known.includes(id));
    if (unknown.length > 0) throw new ToolError(`${unknown.join(', ')} is not among what fails. There are: ${known.join(', ')}.`);
    const twice = named.filter((id, index) => named.indexOf(id) !== index);
    if (twice.length > 0) throw new ToolError(`${twice.join(', ')} is named twice; give each verification one cause at most.`);
    const groups = causes.map(({ cause, verifications }) => ({ cause: cause.replaceAll(/\s+/g, ' '), verifications }));
    return { text: 'Taken.', facts: [{ fact: 'causes.judged', code: state.work.tree.code, groups }] };
  },
});
