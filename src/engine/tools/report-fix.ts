/** What a fixer did, by its own report: kept beside what the engine saw change. */
import { z } from 'zod';
import { whyNoDeclarationDoubt } from '../diagnose/declaration.ts';
import { whyNoDoubt } from '../diagnose/doubt.ts';
import { whyNoClaim } from '../diagnose/environment.ts';
import { alsoFixed } from '../judge/status.ts';
import type { State } from '../state/state.ts';
import type { FixReport } from '../work/fix.ts';
import { serviceLineage } from '../work/service.ts';
import { reportTool, ToolError, type Reply, type Situation } from './tool.ts';

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
  environment_at_fault: z
    .strictObject({
      missing: z.string().min(10).describe('What is missing or wrong in the environment: one clause, for the person'),
      how_to_tell: z.string().trim().min(1).describe('A shell command that exits 0 once it is mended; it runs at the root of the worktree'),
    })
    .optional()
    .describe('Only where no change of the work can help, as with a tool that is missing. Nothing of your change is kept then'),
  declaration_wrong: z
    .strictObject({
      evidence: z.string().min(20).describe('What is declared, what is true instead, and a command that shows it'),
    })
    .optional()
    .describe('Only where the command of a suite, the start or readiness of a service, or the install is declared wrongly: QC decides'),
});
type Input = z.infer<typeof input>;

export const reportFix = reportTool<Input>({
  name: 'report_fix',
  description: 'Report the fix that you made: what, where and why. It ends the session.',
  input,
  handle(call, { state, target, step }) {
    if ([call.verification_wrong, call.environment_at_fault, call.declaration_wrong].filter(Boolean).length > 1)
      throw new ToolError('Give one of verification_wrong, environment_at_fault and declaration_wrong.');
    if (state.open?.decision.action === 'service-fix') return ofService(call, { state, target, step });
    const verification = state.work.verifications[target];
    if (!verification) throw new ToolError(`There is no verification ${target}.`);
    const signature = state.work.results[target]?.signature ?? '';
    const { verification_wrong: wrong, environment_at_fault: fault } = call;
    const also = alsoFixed(state, target).map((v) => v.lineage);
    const report = { ...said(call), lineage: verification.lineage, verification: target, also, signature };
    if (fault) return ofEnvironment(state, step, report, fault);
    if (call.declaration_wrong) return ofDeclaration(state, step, report, call.declaration_wrong.evidence);
    if (!wrong) return reported('Fix reported. The engine runs the verifications now.', step, { ...report, answer: { kind: 'fixed' } });
    const refusal = whyNoDoubt(state, verification);
    if (refusal !== undefined) throw new ToolError(`${refusal} Mend the deliverable, and report without verification_wrong.`);
    const answer = { kind: 'doubt' as const, evidence: wrong.evidence, script: verification.script };
    return reported('Reported. QC looks at the verification now.', step, { ...report, answer });
  },
});

function said({ fix_applied: fixApplied, files_changed: filesChanged, reasoning }: Input) {
  return { fixApplied, filesChanged, reasoning };
}

/** A service is down, so no verification ran and none can be wrong. */
function ofService(call: Input, { state, target, step }: Pick<Situation, 'state' | 'target' | 'step'>): Reply {
  if (call.verification_wrong)
    throw new ToolError('This session is about a service; no verification was run. Report without verification_wrong.');
  const lineage = serviceLineage(target);
  const report = { ...said(call), lineage, verification: lineage, also: [], signature: '' };
  if (call.environment_at_fault) return ofEnvironment(state, step, report, call.environment_at_fault);
  if (call.declaration_wrong) return ofDeclaration(state, step, report, call.declaration_wrong.evidence);
  return reported('Fix reported. The engine starts the service now.', step, { ...report, answer: { kind: 'fixed' } });
}

function ofEnvironment(
  state: State,
  step: string,
  report: Omit<FixReport, 'answer'>,
  { missing, how_to_tell: command }: NonNullable<Input['environment_at_fault']>,
): Reply {
  const refusal = whyNoClaim(state, [report.lineage, ...report.also]);
  if (refusal !== undefined) throw new ToolError(`${refusal} Mend the deliverable, and report without environment_at_fault.`);
  const text = 'Reported. The engine installs again, runs your command, and asks the person if that does not help.';
  return reported(text, step, { ...report, answer: { kind: 'environment', missing, command } });
}

/** QC alone changes how things are verified; the fixer never does (docs/decisions/0014). */
function ofDeclaration(state: State, step: string, report: Omit<FixReport, 'answer'>, evidence: string): Reply {
  const refusal = whyNoDeclarationDoubt(state, report.lineage);
  if (refusal !== undefined) throw new ToolError(`${refusal} Mend the deliverable, and report without declaration_wrong.`);
  const answer = { kind: 'declaration' as const, evidence, amendments: state.ledger.amendments.length };
  return reported('Reported. QC looks at the declaration now.', step, { ...report, answer });
}

function reported(text: string, step: string, report: FixReport): Reply {
  return { text, facts: [{ fact: 'fix.reported', step, report }] };
}
