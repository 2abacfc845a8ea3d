/**
 * Looks up what the fixers do not know, once for a lineage whose fixes are used up, or earlier by strategy: what changed, who
 * had the same error, how it was mended. A brief opens two more fixes, from a tank that is sized with the rest (I4). When
 * nothing is found, the person is asked once for what they know, if anybody can be asked.
 */
import type { Context } from '../context.ts';
import { promptText } from '../ground/prompts.ts';
import { roles } from '../ground/roles.ts';
import { factsIn, type State } from '../state/state.ts';
import { isExhausted, isForResearch, lastRunOf, researched, researchTank } from '../judge/status.ts';
import { triage, type Group } from '../diagnose/triage.ts';
import { question } from '../tools/question.ts';
import { liveVerifications } from '../state/covers.ts';
import type { Verification } from '../work/verification.ts';
import type { Fact } from '../work/facts.ts';
import type { Action } from './action.ts';
import type { Due } from '../core/decide.ts';
import { verificationValues } from './told/verification-values.ts';
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
      .filter((v) => v.id !== target)
      .map((v) => v.id);
    const { history, ...rest } = await verificationValues(context, verification);
    const values = { ...rest, history: history ?? '', others: others.join(', ') || 'none', web: webWords(context) };
    const end = await runSession(context, { prompt: 'research', values });
    const unreported = unreportedFacts(end, (why) => [{ fact: 'research.empty', lineages: lineages(context.state), why }]);
    const isOverBudget = unreported.some((fact) => fact.fact === 'budget.reached');
    const asks = !isOverBudget && context.ports.person.available && foundNothing(context, unreported);
    return [...unreported, ...(asks ? [hint(context.state, verification)] : [])];
  },
};

/** Failures with one cause are looked up once. */
function stuck(state: State): Group[] {
  const failures = liveVerifications(state.work)
    .filter((v) => isForResearch(state, v))
    .map((verification) => ({ verification, run: lastRunOf(state, verification) }));
  return triage(failures);
}

function dueFor(state: State, { verifications }: Group): Due[] {
  const [lead] = verifications;
  const early = isEarly(state, verifications) ? ', and the strategy is to research early,' : '';
  const why = `${spentWords(state, verifications)}${early} for ${verifications.map(({ id }) => id).join(', ')}`;
  return lead ? [{ target: lead.id, burns: verifications.map(researchTank), why }] : [];
}

function isEarly(state: State, verifications: readonly Verification[]): boolean {
  return !verifications.every((v) => isExhausted(state, v));
}

function spentWords(state: State, verifications: readonly Verification[]): string {
  return isEarly(state, verifications) ? 'two fixes failed' : 'no fix is left';
}

function lineages(state: State): string[] {
  return researched(state).map((v) => v.lineage);
}

/** Without web tools the prompt says so, so that the model does not pretend to have looked anything up. */
function webWords({ ports, state }: Context): string {
  return promptText(ports.model.web?.(state.config.models[roles.researcher.tier]) === true ? 'web' : 'web-none');
}

function foundNothing({ open }: Context, unreported: readonly Fact[]): boolean {
  return [...factsIn(open), ...unreported].some((fact) => fact.fact === 'research.empty');
}

function hint(state: State, verification: Verification): Fact {
  const verifications = researched(state);
  const ids = verifications.map(({ id }) => id).join(', ');
  return question(state, {
    action: `Say what you know about ${ids}: ${spentWords(state, verifications)}, and research found nothing`,
    words: `${verification.title}\n\n${lastRunOf(state, verification)?.summary ?? ''}\n\nA hint in your own words is enough: what it should do, what it depends on, what has changed. The fixers get it, and two more tries. Skip it if you have none.`,
    lineages: lineages(state),
  });
}
