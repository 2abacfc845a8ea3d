/** What a fixer did, by its own report: kept beside what the engine saw change. */
import { z } from 'zod';
import { whyNoDoubt } from '../diagnose/doubt.ts';
import { alsoFixed } from '../judge/status.ts';
import type { FixReport } from '../work/fix.ts';
import { serviceLineage } from '../work/service.ts';
import { reportTool, ToolError, type Reply } from './tool.ts';

const input = z.strictObject({
  fix_applied: z.string().min(1).describe('What you changed'),
  files_changed: z.array(z.string()),
  reasoning: z.string().min(1).describe('Why this mends the root cause'),
  verification_wrong: z
    .strictObject({
      evidence: z.string().min(20).describe('What the documents say, what the script expects instead, and a command that shows it'),
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
    const verification = state.work.verifications[target];
    if (!verification) throw new ToolError(`There is no verification ${target}.`);
    const signature = state.work.results[target]?.signature ?? '';
    const { fix_applied: fixApplied, files_changed: filesChanged, reasoning, verification_wrong: wrong } = call;
    const also = alsoFixed(state, target).map((v) => v.lineage);
    const report = { lineage: verification.lineage, verification: target, also, signature, fixApplied, filesChanged, reasoning };
    if (!wrong) return reported('Fix reported. The engine runs the verifications now.', step, { ...report, answer: { kind: 'fixed' } });
    const refusal = whyNoDoubt(state, verification);
    if (refusal !== undefined) throw new ToolError(`${refusal} Mend the deliverable, and report without verification_wrong.`);
    const answer = { kind: 'doubt' as const, evidence: wrong.evidence, script: verification.script };
    return reported('Reported. QC looks at the verification now.', step, { ...report, answer });
  },
});

/** A service is down, so no verification ran and none can be wrong. */
function ofService(call: z.infer<typeof input>, service: string, step: string): Reply {
  if (call.verification_wrong)
    throw new ToolError('This session is about a service; no verification was run. Report without verification_wrong.');
  const lineage = serviceLineage(service);
  const { fix_applied: fixApplied, files_changed: filesChanged, reasoning } = call;
  const report = { lineage, verification: lineage, also: [], signature: '', fixApplied, filesChanged, reasoning };
  return reported('Fix reported. The engine starts the service now.', step, { ...report, answer: { kind: 'fixed' } });
}

function reported(text: string, step: string, report: FixReport): Reply {
  return { text, facts: [{ fact: 'fix.reported', step, report }] };
}
