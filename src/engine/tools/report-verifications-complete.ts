/** Ends the writing of verifications: every requirement has one, or QC says which wait until their surface exists, and why. */
import * as z from 'zod';
import { normalizeRequirementId } from '../work/requirement.ts';
import { liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { requirementsOf } from '../work/verification.ts';
import { isOpen } from '../work/task.ts';
import { unreadFailures } from './first-run.ts';
import { refuseUnknown } from './write-verification.ts';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  summary: z.string().min(1),
  deferred: z.array(z.string()).default([]).describe('Requirement ids whose verification needs the finished surface'),
  why_deferred: z.string().default(''),
});

export const reportVerificationsComplete = reportTool<z.infer<typeof input>>({
  name: 'report_verifications_complete',
  description: 'Say that the verifications are written. It ends the session.',
  input,
  needsSuccess: () => 'calls',
  handle({ deferred: ids, why_deferred: why }, { state }) {
    refuseUnread(state);
    const deferred = ids.map(normalizeRequirementId);
    refuseUnknown('deferred', deferred, state);
    if (deferred.length > 0 && why.length < 10) throw new ToolError('Say in why_deferred why these cannot be verified before the work.');
    const isEarly = Object.values(state.work.tasks).some(isOpen);
    if (deferred.length > 0 && !isEarly) throw new ToolError('All tasks are settled: nothing can be deferred any more.');
    const before = isEarly ? state.work.deferred : [];
    const covered = new Set([...liveVerifications(state.work).flatMap((v) => requirementsOf(v)), ...before, ...deferred]);
    const missing = state.work.requirements.filter((r) => !covered.has(r.id));
    if (missing.length > 0)
      throw new ToolError(
        `Nothing verifies ${missing.map(({ id }) => id).join(', ')}. Write a verification or a criterion, or defer them.`,
      );
    return {
      text: 'Verifications taken.',
      facts: deferred.length > 0 ? [{ fact: 'verification.deferred', requirements: deferred, why }] : [],
    };
  },
});

/** What was written in the same reply did not fail for its reason, and its writer has not read that yet. */
function refuseUnread(state: State): void {
  const unread = unreadFailures(state);
  if (unread.length > 0)
    throw new ToolError(
      `${unread.map(({ verification }) => verification).join(', ')} did not fail for the stated reason; see the answers above. Mend that, or report again.`,
    );
}
