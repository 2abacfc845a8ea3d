/**
 * The files that an iteration gets. They are written from the record before each iteration, so whatever an earlier one made of
 * them counts for nothing.
 */
import type { Context } from '../../context.ts';
import {
  iterationsOf,
  pathsOf,
  verdictOn,
  wholeIterationsOf,
  type Iteration,
  type Paths,
  type PipelineRun,
  type PlanNode,
} from '../../work/pipeline.ts';
import { runFolder } from '../../work/stage.ts';

/** What an iteration is about. */
export interface At {
  run: PipelineRun;
  node: PlanNode;
  n: number;
  paths: Paths;
}

/** Characters of the progress file that the next iteration gets. */
const longestProgress = 20_000;

export async function putFiles({ ports, state }: Context, at: At): Promise<void> {
  const { run, node, paths } = at;
  // An agent may have left a link there: writing through it would change the person's files.
  await ports.tree.remove(runFolder);
  const write = async (path: string, ref: string | null): Promise<void> => {
    if (ref !== null) await ports.tree.write(path, await ports.payloads.get(ref));
  };
  const notes = lastOf(iterationsOf(run, node.id), 'progress');
  const inputs = inputsOf(at);
  await write(paths.progress, notes);
  if (notes === null) await ports.tree.write(paths.progress, '');
  if (node.output === undefined) await write(paths.output, lastOf(wholeIterationsOf(run, node.id), 'output'));
  for (const { path, ref } of [...inputs.initial, ...inputs.fromStage.flatMap((one) => one.given), ...inputs.fromIterations])
    await write(path, ref);
  const failed = failedVerification(at);
  if (failed) await write(failed.path, failed.ref);
  // Empty, because an earlier iteration may have written a decision there in advance.
  await ports.tree.write(paths.status, '');
  await ports.tree.write(paths.context, contextText(at, state.opened.sprint));
}

interface Given {
  path: string;
  ref: string;
}

function inputsOf({ run, node, n, paths }: At): { initial: Given[]; fromStage: { of: string; given: Given[] }[]; fromIterations: Given[] } {
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
function failedVerification({ run, node, paths }: At): (Given & { how: string }) | undefined {
  const last = iterationsOf(run, node.id).at(-1);
  const verdict = last && verdictOn(run, last);
  if (!verdict || verdict.passed) return undefined;
  return { path: paths.verification(last.n), ref: verdict.output, how: verdict.how };
}

function given(plan: At['run']['plan'], { node, n }: Iteration, ref: string): Given {
  return { path: pathsOf(plan, node, n).snapshot(n), ref };
}

/** `context.json`: everything that an agent may want to know, with paths relative to the worktree's root. */
function contextText(at: At, session: string): string {
  const { run, node, n, paths } = at;
  const inputs = inputsOf(at);
  const used = iterationsOf(run, node.id).reduce((sum, { duration }) => sum + duration, 0) / 1000;
  const failed = failedVerification(at);
  const text = {
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
    limits: { max_iterations: node.maxIterations, remaining_seconds: Math.max(0, Math.round(node.maxRuntimeSeconds - used)) },
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/** Of the latest iteration that left one. */
function lastOf(iterations: readonly Iteration[], what: 'output' | 'progress'): string | null {
  return iterations.findLast((one) => one[what] !== null)?.[what] ?? null;
}

/** The end of it, from a line's beginning, where it is too long. */
export function keptProgress(text: string): string {
  if (text.length <= longestProgress) return text;
  const tail = text.slice(-longestProgress);
  return `[Earlier notes were left out: at most ${longestProgress} characters are kept.]\n${tail.slice(tail.indexOf('\n') + 1)}`;
}
