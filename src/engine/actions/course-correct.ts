/**
 * Changes what the sprint works on when it leads nowhere: after decisions without a milestone (I5), when an assessment asks for
 * it, or when something is open and nothing is left to do. It splits, replaces or adds tasks, has verifications
 * written again, or asks the person. It raises no limit (I6).
 */
import type { Context } from '../context.ts';
import { canBurn, tank } from '../state/fuel.ts';
import { renderChecklist } from '../render/checklist.ts';
import { guidance } from '../render/guidance.ts';
import { renderIssues } from '../render/issues.ts';
import { renderPlan } from '../render/plan-text.ts';
import type { State } from '../state/state.ts';
import { currentResult, isBroken } from '../judge/trust.ts';
import { liveRunnable, liveVerifications } from '../state/covers.ts';
import type { Fact } from '../work/facts.ts';
import { isUnresolved } from '../work/human-action.ts';
import { isOpen } from '../work/task.ts';
import type { Action } from './action.ts';
import { dueOf, type Row } from '../core/decide.ts';
import { environment } from './environment.ts';
import { execute } from './execute.ts';
import { fix } from './fix.ts';
import { writeVerifications } from './write-verifications.ts';
import { prove } from './prove.ts';
import { research } from './research.ts';
import { runVerificationsAction } from './run-verifications.ts';
import { unreportedFacts, runSession } from './session-action.ts';

/** Decisions without a milestone after which the course is in question. */
export const stalledAfter = 12;
/** Decisions that the prompt shows. */
const shownDecisions = 20;

export const courseCorrect: Action = {
  id: 'course-correct',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    const why = isUnfinished(state) && !hasStale(state) ? whyOffCourse(state) : undefined;
    return why === undefined ? [] : [{ target: '', burns: [tank('correct')], why }];
  },
  async run(_target, context) {
    const { state } = context;
    const values = () => ({
      ...wayHere(context),
      plan: renderPlan(state),
      checklist: renderChecklist(state),
      issues: renderIssues(state) ?? 'Nothing is blocked or flaky.',
    });
    const end = await runSession(context, { prompt: 'course-correct', values });
    return unreportedFacts(end, (diagnosis): Fact[] => [
      { fact: 'course.corrected', correction: { kind: 'unreported', diagnosis, guidance: '' } },
    ]);
  },
};

/** A failure is stale, and can run again: nobody judges the course by it. */
export function hasStale(state: State): boolean {
  const { work } = state;
  const stale = liveRunnable(work).some((v) => work.results[v.id]?.code === work.tree.code && !currentResult(state, v));
  return stale && dueOf(runVerificationsAction, state).some(({ burns }) => canBurn(state.ledger, burns));
}

/** A task is open or a verification is red. */
export function isUnfinished({ work }: State): boolean {
  return Object.values(work.tasks).some(isOpen) || liveVerifications(work).some((v) => work.results[v.id]?.verdict === 'red');
}

function whyOffCourse(state: State): string | undefined {
  const { ledger } = state;
  const last = ledger.corrections.at(-1);
  const since = ledger.decisions.length - Math.max(ledger.lastMilestone, last?.decisions ?? 0, ledger.strategies.at(-1)?.decisions ?? 0);
  if (since >= stalledAfter) return `${since} decisions were made without a milestone`;
  const vrc = ledger.assessments.vrcs.slice(last?.vrcs ?? 0).at(-1);
  if (vrc && !vrc.fallback && (vrc.recommendation === 'COURSE_CORRECT' || vrc.recommendation === 'DESCOPE'))
    return `the last assessment recommends ${vrc.recommendation}: ${vrc.summary}`;
  return isAtDeadEnd(state) ? 'something is open, and nothing is left to do for it' : undefined;
}

/** Rows that may still advance an open task or a red verification. */
const workingRows: readonly Row[] = [environment, writeVerifications, runVerificationsAction, fix, research, execute, prove];

function isAtDeadEnd(state: State): boolean {
  const { work, ledger } = state;
  if (!mayCorrectAgain(state)) return false;
  if (Object.values(ledger.humanActions).some(isUnresolved)) return false;
  const isStuck = Object.values(work.tasks).some(isOpen) || liveVerifications(work).some((v) => isBroken(state, v));
  return isStuck && !hasWay(state);
}

/** One of these rows is due, and its fuel is there. */
export function hasWay(state: State): boolean {
  return workingRows.some((row) => dueOf(row, state).some(({ burns }) => canBurn(state.ledger, burns)));
}

/** A correction that led to no work is repeated only once, and only after another row was decided, such as `wait`. */
function mayCorrectAgain({ ledger }: State): boolean {
  const rows = ledger.decisions.map(({ decision }) => decision.action);
  const idle = rows.slice(rows.findLastIndex((id) => workingRows.some((row) => row.id === id)) + 1);
  return idle.at(-1) !== 'course-correct' && idle.filter((id) => id === 'course-correct').length < 2;
}

/** Values for the prompts that change the course or the strategy: why, the latest decisions and the guidance so far. */
export function wayHere({ state, open }: Context): { why: string; decisions: string; guidance: string } {
  const decisions = state.ledger.decisions
    .slice(-1 - shownDecisions, -1)
    .map(({ decision: { action, target, why } }) => `- ${[action, target].filter(Boolean).join(' ')}: ${why}`);
  return { why: open.decision.why, decisions: decisions.join('\n'), guidance: guidance(state) };
}
