/** What a fixer did, in the three fields of spec/3: kept beside what the engine saw change. */
import { z } from 'zod';
import { whyNoDoubt } from '../diagnose/doubt.ts';
import { alsoFixed } from '../judge/status.ts';
import { serviceLineage } from '../work/service.ts';
import { reportTool, ToolError, type Reply } from './tool.ts';

const input = z.strictObject({
  fix_applied: z.string().min(1).describe('What you changed'),
  files_changed: z.array(z.string()),
  reasoning: z.string().min(1).describe('Why this mends the root cause'),
  verification_wrong: z
    .strictObject({
      evidence: z
        .string()
        .min(20)
        .describe('What the documents say, what the script expects instead, and a command that shows it'),
    })
    .optional()
    .describe('Only where the script contradicts the documents: nothing of your change is kept then, and QC looks at the script'),
});

export const reportFix = reportTool<z.infer<typeof input>>({
  name: 'report_fix',
  description: 'Report the fix that you made: what, where and why. It ends the session.',
  input,
  handle(call, { state, target, step }) {
    if (state.open?.decision.action === 'service-fix') return ofService(call, target, step);
    const check = state.work.checks[target];
    if (!check) throw new ToolError(`There is no verification ${target}.`);
    const signature = state.work.results[target]?.signature ?? '';
    const { fix_applied: fixApplied, files_changed: filesChanged, reasoning, verification_wrong: wrong } = call;
    const also = alsoFixed(state, target).map((c) => c.lineage);
    const named = { lineage: check.lineage, check: target, ...(also.length > 0 ? { also } : {}) };
    const report = { ...named, signature, fixApplied, filesChanged, reasoning };
    if (!wrong)
      return { text: 'Fix reported. The engine runs the verifications now.', facts: [{ fact: 'fix.reported', step, report }] };
    const no = whyNoDoubt(state, check);
    if (no !== undefined) throw new ToolError(`${no} Mend the deliverable, and report without verification_wrong.`);
    const doubting = { ...report, wrong: { ...wrong, script: check.script } };
    return { text: 'Reported. QC looks at the verification now.', facts: [{ fact: 'fix.reported', step, report: doubting }] };
  },
});

/** No verification is in question where a service is down. */
function ofService(call: z.infer<typeof input>, service: string, step: string): Reply {
  if (call.verification_wrong)
    throw new ToolError('This session is about a service; no verification was run. Report without verification_wrong.');
  const lineage = serviceLineage(service);
  const { fix_applied: fixApplied, files_changed: filesChanged, reasoning } = call;
  const report = { lineage, check: lineage, signature: '', fixApplied, filesChanged, reasoning };
  return { text: 'Fix reported. The engine starts the service now.', facts: [{ fact: 'fix.reported', step, report }] };
}
