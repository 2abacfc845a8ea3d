/**
 * Critical evaluation: an Evaluator uses the deliverable as its user would, in a scratch checkout that is prepared like the
 * worktree; only its findings come back. It runs on schedule while tasks are open; the final row ends with the same evaluation.
 */
import type { Context } from '../context.ts';
import { promptSection, promptText } from '../ground/prompts.ts';
import { renderChecklist } from '../render/checklist.ts';
import { notableText } from '../render/notable-words.ts';
import { renderPlan } from '../render/plan-text.ts';
import { strengthCount } from '../render/trust-words.ts';
import { tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { browserWords } from '../tools/browser-tool.ts';
import { isOneLook } from '../judge/last-look.ts';
import { liveVerifications } from '../state/covers.ts';
import { evaluationScope, type Evaluation } from '../work/assessment.ts';
import type { Fact } from '../work/facts.ts';
import { isOpen } from '../work/task.ts';
import { wayOf } from '../work/way.ts';
import type { Action } from './action.ts';
import { installMissing } from './change.ts';
import { tasksFor } from './gap-tasks.ts';
import { earlierText } from './told/earlier-evaluation.ts';
import { leftOpen } from './told/left-open.ts';
import { textsToUse } from './told/shown-texts.ts';
import { prepared } from '../run/prepared.ts';
import { unreportedFacts, runSession } from './session-action.ts';

/** Settled tasks after which the deliverable is evaluated again. */
export const evaluateEvery = 6;

export const criticalEval: Action = {
  id: 'critical-eval',
  asksModel: true,
  afterQualifying: true,
  due(state) {
    const { work } = state;
    const settled = settledSince(state);
    // With no task open, the final evaluation comes next.
    if (settled < evaluateEvery || !Object.values(work.tasks).some(isOpen)) return [];
    return [{ target: 'work', burns: [tank('evaluation')], why: `${settled} tasks were settled since it was last used as its user would` }];
  },
  async run(target, context) {
    const { state } = context;
    const unreported = await evaluate(context, target);
    const { evaluations } = state.ledger.assessments;
    const reported = evaluations.findLast((e) => e.code === state.work.tree.code && e.scope === 'work');
    return [...unreported, ...tasksFor(state, 'evaluation', reported)];
  },
};

function settledSince({ work, ledger }: State): number {
  const last = ledger.assessments.evaluations.at(-1)?.code ?? 0;
  const tasks = work.tree.commits.flatMap(({ code, author }) => (code > last && author.kind === 'task' ? [author.task] : []));
  return new Set(tasks).size;
}

/** Also the third part of the final row, with target `evaluation`. Criteria are judged only there. */
export async function evaluate(context: Context, target: string): Promise<Fact[]> {
  const { state, ports } = context;
  await installMissing(context);
  const values = {
    scope: evaluationScope(target) === 'final' ? 'the final deliverable' : 'what is built so far; what open tasks will bring is no finding',
    earlier: await earlierText(context),
    way: promptSection('evaluation-ways', wayOf(state.work.context)),
    browser: browserWords(ports),
    plan: renderPlan(state),
    files: await textsToUse(context),
    checklist: renderChecklist(state, strengthCount),
    notable: notableText(state),
    open: await leftOpen(context),
    assessment:
      evaluationScope(target) === 'final' && isOneLook(state)
        ? `${promptText('evaluation-assesses', { recommend: promptText('recommend') })} `
        : '',
    criteria: evaluationScope(target) === 'final' ? await criteriaText(context) : 'None now; they are judged at the end.',
  };
  const end = await prepared(context, { revert: [] }, async (place) => {
    try {
      return await runSession(context, { prompt: 'evaluation', values, place });
    } finally {
      await ports.browser.close();
    }
  });
  return unreportedFacts(end, (summary) => [{ fact: 'evaluation.reported', evaluation: fallback(state, target, summary) }]);
}

async function criteriaText({ state, ports }: Context): Promise<string> {
  const criteria = liveVerifications(state.work).filter((v) => v.kind === 'criterion');
  const lines = criteria.map(async ({ id, script }) => `- ${id}: ${await ports.payloads.get(script)}`);
  return (await Promise.all(lines)).join('\n') || 'None.';
}

function fallback({ work }: State, target: string, summary: string): Evaluation {
  return { code: work.tree.code, scope: evaluationScope(target), fallback: true, findings: [], criteria: [], howToUse: [], summary };
}
