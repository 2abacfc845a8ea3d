/**
 * Looks for what the fixers do not know, once for a lineage whose fixes are used up, or earlier by strategy (spec/1 §9): what changed, who had the
 * same error, how it was mended. A brief opens two more fixes (I4: sized with the rest). Where nothing is found, the person is
 * asked for what they know, once, if anybody can be asked.
 */
import type { Context } from '../context.ts';
import { promptText } from '../ground/prompts.ts';
import type { State } from '../state/state.ts';
import { isExhausted, isForResearch, lastRunOf, researched, researchTank } from '../judge/status.ts';
import { triage, type Group } from '../diagnose/triage.ts';
import { question } from '../tools/question.ts';
import { liveVerifications } from '../state/covers.ts';
import type { Verification } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import type { Action } from './action.ts';
import type { Due } from '../core/decide.ts';
import { verificationValues } from './verification-values.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const research: Action = {
  id: 'research',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    return stuck(state).flatMap((group) => dueFor(state, group));
  },
  async run(target, context) {
    const verification = context.state.work.verifications[target];
    if (!verification) return [];
    const others = researched(context.state)
      .filter((c) => c.id !== target)
      .map((c) => c.id);
    const { history, ...rest } = await verificationValues(context, verification);
    const values = { ...rest, history: history ?? '', others: others.join(', ') || 'none', web: webWords(context) };
    const end = await runSession(context, { prompt: 'research', values });
    const silent = unreportedFacts(end, (why) => [{ fact: 'research.empty', lineages: lineages(context.state), why }]);
    const over = silent.some((fact) => fact.fact === 'budget.reached');
    const asks = !over && context.ports.person.available && foundNothing(context, silent);
    return [...silent, ...(asks ? [hint(context.state, verification)] : [])];
  },
};

/** What fails for one cause is looked up once. */
function stuck(state: State): Group[] {
  const failures = liveVerifications(state.work)
    .filter((c) => isForResearch(state, c))
    .map((verification) => ({ verification, run: lastRunOf(state, verification) }));
  return triage(failures);
}

function dueFor(state: State, { verifications }: Group): Due[] {
  const [lead] = verifications;
  const early = isEarly(state, verifications) ? ', and the strategy is to look early,' : '';
  const why = `${spent(state, verifications)}${early} for ${verifications.map(({ id }) => id).join(', ')}`;
  return lead ? [{ target: lead.id, burns: verifications.map(researchTank), why }] : [];
}

function isEarly(state: State, verifications: readonly Verification[]): boolean {
  return !verifications.every((c) => isExhausted(state, c));
}

function spent(state: State, verifications: readonly Verification[]): string {
  return isEarly(state, verifications) ? 'two fixes failed' : 'no fix is left';
}

function lineages(state: State): string[] {
  return researched(state).map((c) => c.lineage);
}

/** "No web tools" is said, never pretended around. */
function webWords({ ports }: Context): string {
  return promptText(ports.model.web === true ? 'web' : 'web-none');
}

function foundNothing({ open }: Context, silent: readonly Fact[]): boolean {
  const said = [...open.parts.values()].flatMap((part) => part.ended?.facts ?? []);
  return [...said, ...silent].some((fact) => fact.fact === 'research.empty');
}

function hint(state: State, verification: Verification): Fact {
  const verifications = researched(state);
  const ids = verifications.map((c) => c.id).join(', ');
  return question(state, {
    action: `Say what you know about ${ids}: ${spent(state, verifications)}, and research found nothing`,
    words: `${verification.title}\n\n${lastRunOf(state, verification)?.summary ?? ''}\n\nA hint in your own words is enough: what it should do, what it depends on, what has changed. The fixers get it, and two more tries. Skip it if you have none.`,
    lineages: lineages(state),
  });
}
