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
import { liveChecks } from '../state/covers.ts';
import type { Check } from '../work/check.ts';
import type { Fact } from '../work/facts.ts';
import type { Action } from './action.ts';
import type { Due } from '../core/decide.ts';
import { checkValues } from './check-values.ts';
import { isQualified } from '../work/gate.ts';
import { factsOf, runSession } from './session-action.ts';

export const research: Action = {
  id: 'research',
  asksModel: true,
  due(state) {
    return isQualified(state) ? stuck(state).flatMap((group) => dueFor(state, group)) : [];
  },
  async run(target, context) {
    const check = context.state.work.checks[target];
    if (!check) return [];
    const others = researched(context.state).filter((c) => c.id !== target).map((c) => c.id); // prettier-ignore
    const { history, ...rest } = await checkValues(context, check);
    const values = { ...rest, history: history ?? '', others: others.join(', ') || 'none', web: webWords(context) };
    const end = await runSession(context, { prompt: 'research', values, target });
    const silent = factsOf(end, (why) => [{ fact: 'research.empty', lineages: lineages(context.state), why }]);
    const over = silent.some((fact) => fact.fact === 'budget.reached');
    const asks = !over && context.ports.person.available && foundNothing(context, silent);
    return [...silent, ...(asks ? [hint(context.state, check)] : [])];
  },
};

/** What fails for one cause is looked up once. */
function stuck(state: State): Group[] {
  const failures = liveChecks(state.work)
    .filter((c) => isForResearch(state, c))
    .map((check) => ({ check, run: lastRunOf(state, check) }));
  return triage(failures);
}

function dueFor(state: State, { checks }: Group): Due[] {
  const [lead] = checks;
  const early = isEarly(state, checks) ? ', and the strategy is to look early,' : '';
  const why = `${spent(state, checks)}${early} for ${checks.map(({ id }) => id).join(', ')}`;
  return lead ? [{ target: lead.id, burns: checks.map(researchTank), why }] : [];
}

function isEarly(state: State, checks: readonly Check[]): boolean {
  return !checks.every((c) => isExhausted(state, c));
}

function spent(state: State, checks: readonly Check[]): string {
  return isEarly(state, checks) ? 'two fixes failed' : 'no fix is left';
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

function hint(state: State, check: Check): Fact {
  const checks = researched(state);
  const ids = checks.map((c) => c.id).join(', ');
  return question(state, {
    action: `Say what you know about ${ids}: ${spent(state, checks)}, and research found nothing`,
    words: `${check.title}\n\n${lastRunOf(state, check)?.summary ?? ''}\n\nA hint in your own words is enough: what it should do, what it depends on, what has changed. The fixers get it, and two more tries. Skip it if you have none.`,
    lineages: lineages(state),
  });
}
