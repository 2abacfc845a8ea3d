/** What the editor shows of a pipeline's run: a pure rendering of its state, as plain JSON, since the worker sends it. */
import { isResumable } from '../../engine/core/fold.ts';
import { nodeStanding, type Standing } from '../../engine/judge/pipeline.ts';
import { ruleWords, verdictWords } from '../../engine/render/pipeline-words.ts';
import type { Ref } from '../../engine/state/events.ts';
import { left, tank } from '../../engine/state/fuel.ts';
import { actionWords } from '../../engine/state/rows.ts';
import type { State, Stop } from '../../engine/state/state.ts';
import type { FinishWay } from '../../engine/work/finished.ts';
import { iterationsOf, verdictOn, type Iteration, type PipelineRun, type PlanNode, type Status } from '../../engine/work/pipeline.ts';
import { tokensOf } from '../../engine/work/spend.ts';
import { translated } from '../words.ts';

export interface PipelineView {
  session: string;
  pipeline: string;
  branch: string;
  /** Its decisions are made up: no model was asked. */
  mock: boolean;
  /** Milliseconds since the epoch. */
  openedAt: number;
  /** Set when another process holds its lock, which the state does not show; `process` is null when unknown. */
  elsewhere: { process: number | null } | null;
  ending: { stop: Stop; reasons: string[]; resumes: boolean } | null;
  /** What the person did with its branch by *Finish*. */
  finished: FinishWay | null;
  /** Iterations. */
  fuel: { left: number; size: number };
  spend: { usd: number; budgetUsd: number; tokens: number; budgetTokens: number };
  stages: StageView[];
}

export interface StageView {
  /** Of its node. */
  id: string;
  stage: string;
  /** Ids of the nodes that stand side by side with it. */
  beside: string[];
  /** The rule that ends it, in words. */
  rule: string;
  /** At most so many iterations. */
  most: number;
  /** The model that its file names; null where it asks that of its kind of work. */
  model: string | null;
  standing: 'later' | 'now' | 'ended' | 'limit' | 'error';
  /** Why it ended or stopped; empty while it is open. */
  why: string;
  iterations: IterationView[];
  /** What is being done in it; `session` is its step, where an agent works on it. */
  now: { words: string; n: number; session: string | null } | null;
}

export interface IterationView extends Pick<Status, 'decision' | 'reason' | 'summary'> {
  /** From 1 in each stage. */
  n: number;
  by: Iteration['by'];
  /** Milliseconds. */
  duration: number;
  /** What became of a stop that had to be verified; null where nothing had to pass, or has not run yet. */
  verdict: { passed: boolean; words: string } | null;
  /** What it left as its output; null where there was none. */
  output: Ref | null;
}

/** Undefined for a sprint. */
export function pipelineView(state: State): PipelineView | undefined {
  const { opened, ledger, stopped } = state;
  const { pipeline: run, budget, spend, finished, sizes } = ledger;
  if (!run) return undefined;
  return {
    session: opened.sprint,
    pipeline: run.plan.name,
    branch: opened.branch,
    mock: opened.mock === true,
    openedAt: opened.at,
    elsewhere: null,
    ending: stopped && { stop: stopped.stop, reasons: [...stopped.reasons], resumes: isResumable(stopped.stop) },
    finished: finished?.how ?? null,
    fuel: { left: left(ledger, tank('iteration')), size: sizes.iteration ?? 0 },
    spend: { usd: spend.usd, budgetUsd: budget.usd, tokens: tokensOf(spend), budgetTokens: budget.tokens },
    stages: run.plan.nodes.map((node) => stageView(state, run, node)),
  };
}

function stageView(state: State, run: PipelineRun, node: PlanNode): StageView {
  const standing = nodeStanding(run, node, state.ledger.resumes);
  const now = nowIn(state, run, node);
  const { id, stage, block, maxIterations: most, model = null } = node;
  return {
    id,
    stage,
    beside: run.plan.nodes.filter((one) => block !== undefined && one.block === block && one.id !== id).map((one) => one.id),
    rule: ruleWords(node),
    most,
    model,
    standing: now && standing.kind !== 'error' ? 'now' : standings[standing.kind],
    why: 'why' in standing ? standing.why : '',
    iterations: iterationsOf(run, id).map((one) => iterationView(run, one)),
    now,
  };
}

const standings: Record<Standing['kind'], StageView['standing']> = {
  look: 'later',
  verify: 'now',
  open: 'later',
  ended: 'ended',
  limit: 'limit',
  error: 'error',
};

function nowIn({ open }: State, run: PipelineRun, { id }: PlanNode): StageView['now'] {
  if (open?.decision.target !== id) return null;
  const isSession = [...open.parts.values()].some(({ begun }) => begun?.kind === 'ask');
  return {
    words: translated(actionWords[open.decision.action]),
    n: iterationsOf(run, id).length + (open.decision.action === 'iterate' ? 1 : 0),
    session: isSession ? open.id : null,
  };
}

function iterationView(run: PipelineRun, iteration: Iteration): IterationView {
  const { n, status, by, duration, output } = iteration;
  const { decision, reason, summary } = status;
  const verdict = verdictOn(run, iteration);
  const verified = verdict ? { passed: verdict.passed, words: verdictWords(run, iteration) } : null;
  return { n, decision, reason, summary, by, duration, verdict: verified, output };
}
