/**
 * Mends what one cause broke: a group of verifications that fail alike, led by the first. The fixer gets the scripts, the
 * evidence and the history of what was tried. Each verification of the group burns its own attempts, counted by lineage and
 * signature and never reset (I4, I9). The decision says which verifications these are.
 */
import type { Context } from '../context.ts';
import { hasAsked, type State } from '../state/state.ts';
import { oneLine } from '../ground/text.ts';
import { causesOf } from '../diagnose/causes.ts';
import { coveredTasks } from '../state/covers.ts';
import { doubtOf, ownFault } from '../diagnose/own-fault.ts';
import { restorableFix } from '../judge/restorable.ts';
import { alsoFixed, fixTanks } from '../judge/status.ts';
import type { Group } from '../diagnose/triage.ts';
import { approach } from '../render/approach.ts';
import { guidance } from '../render/guidance.ts';
import { briefText } from '../render/history.ts';
import type { Fact } from '../work/facts.ts';
import type { Verification } from '../work/verification.ts';
import { briefsFor } from '../work/research.ts';
import type { Task } from '../work/task.ts';
import type { Finding } from '../work/assessment.ts';
import { findingsBehind } from '../judge/unseen.ts';
import type { Action } from './action.ts';
import type { Due } from '../core/decide.ts';
import { captureFix, restoreChange } from './change.ts';
import { othersText } from './told/others-text.ts';
import { verificationValues } from './told/verification-values.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const fix: Action = {
  id: 'fix',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    return causesOf(state).flatMap((group) => dueFor(state, group));
  },
  async run(target, context) {
    const { state } = context;
    const verification = state.work.verifications[target];
    if (!verification) return [];
    const before = hasAsked(context.open) ? undefined : restorableFix(state, verification);
    if (before)
      return [{ fact: 'fix.reported', step: context.open.id, report: before.report }, ...(await restoreChange(context, before.change))];
    const others = alsoFixed(state, target);
    const texts = await scriptTexts(context, [verification, ...others]);
    if (ownFault(state, verification, texts.get(verification) ?? '') !== undefined) return ownFaults(context, texts);
    const end = await runSession(context, { prompt: 'fix', values: await valuesOf(context, verification, others) });
    const also = others.map((v) => v.lineage);
    const changed = await captureFix(context, { kind: 'fix', lineage: verification.lineage, verification: target, also });
    return [...changed, ...unreportedFacts(end, () => [])];
  },
};

/** What is nobody's to mend is doubted in the place of a fixer; the others of the group are due again. */
function ownFaults({ state, open }: Context, texts: ReadonlyMap<Verification, string>): Fact[] {
  return [...texts].flatMap(([one, text]): Fact[] => {
    const error = ownFault(state, one, text);
    if (error === undefined) return [];
    const signature = state.work.results[one.id]?.signature ?? '';
    return [{ fact: 'fix.reported', step: open.id, report: { ...doubtOf(one, error), signature } }];
  });
}

async function scriptTexts({ ports }: Context, verifications: readonly Verification[]): Promise<ReadonlyMap<Verification, string>> {
  const texts = verifications.map(async (one) => [one, one.kind === 'script' ? await ports.payloads.get(one.script) : ''] as const);
  return new Map(await Promise.all(texts));
}

function dueFor(state: State, { verifications, why }: Group): Due[] {
  const [lead, ...others] = verifications;
  if (!lead) return [];
  const burns = [...new Set(verifications.flatMap((v) => fixTanks(state, v)))];
  const words = others.length > 0 ? `${verifications.length} verifications are broken: ${why}` : `verification ${lead.id} is broken`;
  return [{ target: lead.id, burns, why: words }];
}

async function valuesOf(context: Context, verification: Verification, others: readonly Verification[]): Promise<Record<string, string>> {
  const tasks = [verification, ...others].flatMap((v) => coveredTasks(context.state.work, v)).map(taskText);
  return {
    ...(await verificationValues(context, verification)),
    guidance: guidance(context.state),
    approach: approach(context.state, 'fixer'),
    briefs: briefsText(context.state, [verification, ...others]),
    others: (await othersText(context, verification, others)) || 'None that the engine knows of.',
    tasks: [...new Set(tasks)].join('\n'),
    unbuilt: unbuiltText(context.state),
  };
}

/** With what its builder noted, since the obvious mend may be what they had a reason against. */
function taskText({ id, description, report }: Task): string {
  const notes = report?.notes ? [`  - Noted by its builder: ${oneLine(report.notes)}`] : [];
  return [`- ${id}: ${description}`, ...notes].join('\n');
}

/** What is red because of these is no fixer's to mend. */
function unbuiltText({ work }: State): string {
  const unbuilt = Object.values(work.tasks).filter(({ status }) => status === 'pending');
  return unbuilt.map(({ id, prdSection, description }) => `- ${id} (${prdSection.join(', ')}): ${description}`).join('\n') || 'None.';
}

/** All briefs on any of these verifications, and the findings for which they were written, each once. */
function briefsText(state: State, verifications: readonly Verification[]): string {
  const known = new Set(verifications.flatMap((v) => briefsFor(state.ledger.briefs, v.lineage)));
  const found = new Set(verifications.flatMap((v) => findingsBehind(state, v)));
  return [...[...found].map(findingText), ...[...known].map(briefText)].join('\n\n') || 'Nothing was looked up.';
}

function findingText({ description, userImpact, suggestedFix, evidence }: Finding): string {
  const lines = [userImpact && `For its user: ${userImpact}`, suggestedFix && `Proposed: ${suggestedFix}`, `Seen: ${evidence}`];
  return [`#### Found in use: ${description}`, ...lines.filter(Boolean)].join('\n\n');
}
