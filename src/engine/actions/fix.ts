/**
 * Mends what one cause broke: a group of checks that fail alike, led by the first (spec/1 §7.3, spec/3). The fixer gets the
 * scripts, the evidence and the history of what was tried. Each check of the group burns its own attempts, counted by
 * lineage and signature and never reset (I4, I9); which ones they are is in the decision.
 */
import type { Context } from '../context.ts';
import type { State } from '../state/state.ts';
import { excerpt } from '../ground/text.ts';
import { causesOf } from '../diagnose/causes.ts';
import { coveredTasks } from '../state/covers.ts';
import { alsoFixed, fixTanks, lastRunOf } from '../judge/status.ts';
import type { Group } from '../diagnose/triage.ts';
import { approach } from '../render/approach.ts';
import { guidance } from '../render/guidance.ts';
import { briefText } from '../render/history.ts';
import type { Check } from '../work/check.ts';
import { briefsFor } from '../work/research.ts';
import type { Action } from './action.ts';
import type { Due } from '../core/decide.ts';
import { changeOf } from './change.ts';
import { checkValues, evidenceOf, nameOf } from './check-values.ts';
import { isQualified } from '../work/gate.ts';
import { factsOf, runSession } from './session-action.ts';

export const fix: Action = {
  id: 'fix',
  asksModel: true,
  due(state) {
    if (!isQualified(state)) return [];
    return causesOf(state).flatMap((group) => dueFor(state, group));
  },
  async run(target, context) {
    const { state } = context;
    const check = state.work.checks[target];
    if (!check) return [];
    const others = alsoFixed(state, target);
    const end = await runSession(context, { prompt: 'fix', values: await valuesOf(context, check, others), target });
    const also = others.length > 0 ? { also: others.map((c) => c.lineage) } : {};
    const changed = await changeOf(context, { kind: 'fix', lineage: check.lineage, check: target, ...also });
    return [...changed, ...factsOf(end, () => [])];
  },
};

function dueFor(state: State, { checks, why }: Group): Due[] {
  const [lead, ...others] = checks;
  if (!lead) return [];
  const burns = [...new Set(checks.flatMap((c) => fixTanks(state, c)))];
  const words = others.length > 0 ? `${checks.length} verifications are broken: ${why}` : `verification ${lead.id} is broken`;
  return [{ target: lead.id, burns, why: words }];
}

async function valuesOf(context: Context, check: Check, others: readonly Check[]): Promise<Record<string, string>> {
  const tasks = [check, ...others].flatMap((c) => coveredTasks(context.state.work, c)).map((t) => `- ${t.id}: ${t.description}`);
  return {
    ...(await checkValues(context, check)),
    guidance: guidance(context.state),
    approach: approach(context.state, 'fixer'),
    briefs: briefsText(context.state, [check, ...others]),
    others: await othersText(context, others),
    tasks: [...new Set(tasks)].join('\n'),
  };
}

/** All that is known of any of them, each once. */
function briefsText({ ledger }: State, checks: readonly Check[]): string {
  const known = new Set(checks.flatMap((c) => briefsFor(ledger.briefs, c.lineage)));
  return [...known].map(briefText).join('\n\n') || 'Nothing was looked up.';
}

/** Checks of a group that are shown with script and evidence, and the characters that these share; the rest is listed. */
const shown = 20;
const othersLimit = 40_000;

async function othersText(context: Context, others: readonly Check[]): Promise<string> {
  if (others.length === 0) return 'None that the engine knows of.';
  const share = Math.floor(othersLimit / Math.min(others.length, shown) / 2);
  const whole = await Promise.all(others.slice(0, shown).map((check) => otherText(context, check, share)));
  const listed = others.slice(shown).map((check) => `- ${nameOf(check)}`);
  return [...whole, listed.join('\n')].filter(Boolean).join('\n\n');
}

async function otherText({ state, ports }: Context, check: Check, share: number): Promise<string> {
  const script = excerpt(await ports.payloads.get(check.script), share);
  const last = lastRunOf(state, check);
  const evidence = excerpt(last ? evidenceOf(last) : '', share);
  return `### ${nameOf(check)}\n\n\`\`\`\n${script}\n\`\`\`\n\n\`\`\`\n${evidence}\n\`\`\``;
}
