/** What a fixer did, in the three fields of spec/3: kept beside what the engine saw change. */
import { z } from 'zod';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  fix_applied: z.string().min(1).describe('What you changed'),
  files_changed: z.array(z.string()),
  reasoning: z.string().min(1).describe('Why this mends the root cause'),
});

export const reportFix = reportTool<z.infer<typeof input>>({
  name: 'report_fix',
  description: 'Report the fix that you made: what, where and why. It ends the session.',
  input,
  handle(call, { state, target, step }) {
    const check = state.work.checks[target];
    if (!check) throw new ToolError(`There is no verification ${target}.`);
    const signature = state.work.results[target]?.signature ?? '';
    const { fix_applied: fixApplied, files_changed: filesChanged, reasoning } = call;
    const report = { lineage: check.lineage, check: target, signature, fixApplied, filesChanged, reasoning };
    return { text: 'Fix reported. The engine runs the verifications now.', facts: [{ fact: 'fix.reported', step, report }] };
  },
});
