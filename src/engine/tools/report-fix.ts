/** What a fixer did, by its own report: kept beside what the engine saw change. */
import * as z from 'zod';
import { whyNoDeclarationDoubt } from '../diagnose/declaration.ts';
import { isPersonTold, whyNoDoubt } from '../diagnose/doubt.ts';
import { whyNoClaim } from '../diagnose/environment.ts';
import { alsoFixed } from '../judge/status.ts';
import { currentResult } from '../judge/trust.ts';
import { liveRunnable } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import type { FixReport } from '../work/fix.ts';
import { deedOf, humanActionId } from '../work/human-action.ts';
import { serviceLineage } from '../work/service.ts';
import { isPersons, requirementsOf, type Runnable, type Verification } from '../work/verification.ts';
import { reportTool, ToolError, type Reply, type Situation } from './tool.ts';

const input = z.strictObject({
  fix_applied: z.string().describe('What you changed; empty where something else is at fault'),
  files_changed: z.array(z.string()),
  reasoning: z.string().min(1).describe('Why this mends the root cause'),
  verification_wrong: z
    .strictObject({
      evidence: z
        .string()
        .min(20)
        .describe(
          'What the documents say, with the numbers of the requirements, what the script expects instead, and a command that shows it',
        ),
      also: z.array(z.string()).optional().describe('Ids of others that are red and wrong for the same reason: QC looks at them as well'),
    })
    .optional()
    .describe(
      'Only where the script contradicts the documents or errs by itself, or no work can do what is asked: nothing of your change is kept then, and QC looks at the script',
    ),
  environment_at_fault: z
    .strictObject({
      missing: z.string().min(10).describe('What is missing or wrong in the environment: one clause, for the person'),
      how_to_tell: z.string().trim().min(1).describe('A shell command that exits 0 once it is mended; it runs as a verification does'),
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
type Doubt = FixReport & { answer: { kind: 'doubt' } };

export const reportFix = reportTool<Input>({
  name: 'report_fix',
  description:
    'Report the fix that you made: what, where and why. It ends the session. In one reply with other calls a change is taken as reported only where none of them fails and each command ends with 0.',
  input,
  needsSuccess: (call) => (call.verification_wrong || call.environment_at_fault || call.declaration_wrong ? undefined : 'all'),
  handle(call, { state, target, step }) {
    const others = [call.verification_wrong, call.environment_at_fault, call.declaration_wrong].filter(Boolean).length;
    if (others > 1) throw new ToolError('Give one of verification_wrong, environment_at_fault and declaration_wrong.');
    if (others === 0 && call.fix_applied.trim() === '') throw new ToolError('Say in fix_applied what you changed.');
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
    if (isPersons(verification)) {
      const answer = { kind: 'doubt' as const, evidence: wrong.evidence, script: verification.script };
      return ofPersons(state, step, verification, { ...report, answer });
    }
    return ofDoubt(state, step, report, { ...wrong, others: othersNamed(state, target, wrong.also ?? []) });
  },
});

/** Each doubted verification has a record of its own, because QC answers for each. */
function ofDoubt(
  state: State,
  step: string,
  report: Omit<FixReport, 'answer'>,
  { evidence, others }: { evidence: string; others: readonly Runnable[] },
): Reply {
  const own = others.map(({ id, lineage }) => ({ ...report, lineage, verification: id, also: [], signature: '' }));
  const facts = [report, ...own].map((one) => {
    const verification = state.work.verifications[one.verification];
    if (!verification) throw new ToolError(`There is no verification ${one.verification}.`);
    const refusal = whyNoDoubt(state, verification);
    const next =
      one === report ? 'Mend the deliverable, and report without verification_wrong.' : 'Leave it out of verification_wrong.also.';
    if (refusal !== undefined) throw new ToolError(`${refusal} ${next}`);
    const answer = { kind: 'doubt' as const, evidence, script: verification.script };
    return { fact: 'fix.reported' as const, step, report: { ...one, answer } };
  });
  return { text: `Reported. QC looks at ${facts.map((fact) => fact.report.verification).join(', ')} now.`, facts };
}

/** @throws ToolError for one that is not red. */
function othersNamed(state: State, target: string, ids: readonly string[]): Runnable[] {
  const others = liveRunnable(state.work).filter((one) => one.id !== target && currentResult(state, one)?.verdict === 'red');
  return ids
    .filter((id) => id !== target)
    .map((id) => {
      const other = others.find((one) => one.id === id);
      if (other) return other;
      const names = others.map((one) => one.id).join(', ') || 'none';
      throw new ToolError(`verification_wrong.also: ${id} is no other verification that is red; these are: ${names}.`);
    });
}

function said({ fix_applied: fixApplied, files_changed: filesChanged, reasoning }: Input) {
  return { fixApplied: fixApplied.trim() || 'nothing', filesChanged, reasoning };
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

/** Only the person changes what they wrote. They are told once of each text; nobody mends meanwhile. */
function ofPersons(state: State, step: string, verification: Verification, report: Doubt): Reply {
  const { id, lineage, ext } = verification;
  if (isPersonTold(state, verification))
    throw new ToolError(`The person wrote ${id}, and was told of this. Mend the deliverable, and report without verification_wrong.`);
  const { text, facts } = reported('Reported. The person wrote it, so they are asked.', step, report);
  const humanAction = deedOf({
    id: humanActionId(state.ledger.humanActions),
    action: `Say whether ${id}, which you wrote, is right: it was said to be wrong about ${requirementsOf(verification).join(', ')}`,
    instructions: `${report.answer.evidence}\n\nIf so, edit .loop/verifications/${id}.${ext} and adopt it. If it is right, say that this is done: the fixers go on with it as it is.`,
    lineages: [lineage],
  });
  return { text, facts: [...facts, { fact: 'human-action.asked', humanAction }] };
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
