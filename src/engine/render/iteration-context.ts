/** What an iteration gets: which files, and `context.json`, which says all that an agent may want to know. Pure. */
import * as z from 'zod';
import {
  iterationsOf,
  pathsOf,
  verdictOn,
  wholeIterationsOf,
  type Iteration,
  type Paths,
  type PipelineRun,
  type PlanNode,
} from '../work/pipeline.ts';
import { runFolder } from '../work/stage.ts';

/** An iteration, and the record as it was when it began. */
export interface At {
  run: PipelineRun;
  node: PlanNode;
  n: number;
  paths: Paths;
}

/** The n-th iteration of a node, by what was known before it. */
export function iterationAt(run: PipelineRun, node: PlanNode, n: number): At {
  const before = run.iterations.filter((one) => one.node !== node.id || one.n < n);
  return { run: { ...run, iterations: before }, node, n, paths: pathsOf(run.plan, node.id, n) };
}

const inTree = z.string();

/** `context.json`. Paths are relative to the root of the worktree. */
export const iterationContext = z.strictObject({
  version: z.literal(1),
  session: z.string(),
  pipeline: z.string(),
  stage: z.strictObject({ id: z.string(), index: z.int().min(0), template: z.string() }),
  iteration: z.int().min(1),
  paths: z.strictObject({ session_dir: inTree, stage_dir: inTree, progress: inTree, output: inTree, status: inTree }),
  inputs: z.strictObject({
    initial: z.array(inTree),
    from_stage: z.record(z.string(), z.array(inTree)),
    from_previous_iterations: z.array(inTree),
  }),
  commands: z.record(z.string(), z.string()),
  /** Where the stop before did not pass its verification. */
  failed_verification: z.strictObject({ output: inTree, how: z.string() }).optional(),
  limits: z.strictObject({ max_iterations: z.int().min(1), remaining_seconds: z.int().min(0) }),
});

export interface Given {
  path: string;
  ref: string;
}

export function inputsOf({ run, node, n, paths }: At): {
  initial: Given[];
  fromStage: { of: string; given: Given[] }[];
  fromIterations: Given[];
} {
  const outputs = (of: string): Given[] =>
    wholeIterationsOf(run, of).flatMap((one) => (one.output === null ? [] : [given(run.plan, one, one.output)]));
  const { from = [], select } = node.inputs ?? {};
  return {
    initial: run.plan.inputs.map(({ path, ref }) => ({ path: `${runFolder}/inputs/${path}`, ref })),
    fromStage: from.map((of) => ({ of, given: select === 'all' ? outputs(of) : outputs(of).slice(-1) })),
    fromIterations: outputs(node.id).filter(({ path }) => path !== paths.snapshot(n)),
  };
}

/** That of the last iteration, where its stop did not count. */
export function failedVerification({ run, node, paths }: At): (Given & { how: string }) | undefined {
  const last = iterationsOf(run, node.id).at(-1);
  const verdict = last && verdictOn(run, last);
  if (!verdict || verdict.passed) return undefined;
  return { path: paths.verification(last.n), ref: verdict.output, how: verdict.how };
}

function given(plan: At['run']['plan'], { node, n }: Iteration, ref: string): Given {
  return { path: pathsOf(plan, node, n).snapshot(n), ref };
}

/** Of the stage's limit. */
export function secondsLeft({ run, node }: At): number {
  const used = iterationsOf(run, node.id).reduce((sum, { duration }) => sum + duration, 0) / 1000;
  return Math.max(0, Math.round(node.maxRuntimeSeconds - used));
}

/** The text of `context.json`. */
export function contextText(at: At, session: string): string {
  const { run, node, n, paths } = at;
  const inputs = inputsOf(at);
  const failed = failedVerification(at);
  const context: z.infer<typeof iterationContext> = {
    version: 1,
    session,
    pipeline: run.plan.name,
    stage: { id: node.id, index: run.plan.nodes.indexOf(node), template: node.stage },
    iteration: n,
    paths: {
      session_dir: runFolder,
      stage_dir: paths.stageDir,
      progress: paths.progress,
      output: paths.output,
      status: paths.status,
    },
    inputs: {
      initial: inputs.initial.map(({ path }) => path),
      from_stage: Object.fromEntries(inputs.fromStage.map((one) => [one.of, one.given.map(({ path }) => path)])),
      from_previous_iterations: inputs.fromIterations.map(({ path }) => path),
    },
    commands: node.commands ?? {},
    ...(failed ? { failed_verification: { output: failed.path, how: failed.how } } : {}),
    limits: { max_iterations: node.maxIterations, remaining_seconds: secondsLeft(at) },
  };
  return `${JSON.stringify(iterationContext.parse(context), null, 2)}\n`;
}
