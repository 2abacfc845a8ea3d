/** A pipeline's run: what it runs, what its iterations decided, and what the engine took from each. */
import * as z from 'zod';
import type { Config } from '../ground/config.ts';
import { ref } from './ref.ts';
import type { OverWhat } from './spend.ts';
import { runFolder, stageSpec } from './stage.ts';

const { termination, tier, effort, writes } = stageSpec.shape;

const planNode = z.object({
  id: z.string(),
  stage: z.string(),
  /** Nodes of one block stand side by side: they take turns, and none of them sees what another one left. */
  block: z.string().optional(),
  termination,
  /** At most so many iterations, those that failed among them. */
  maxIterations: z.number(),
  maxRuntimeSeconds: z.number(),
  /** Outputs of which nodes it gets. */
  inputs: z.object({ from: z.array(z.string()), select: z.enum(['latest', 'all']) }).optional(),
  writes,
  /** Path of a file in the repository; absent where the output lies in the run folder. */
  output: z.string().optional(),
  tier,
  /** In the place of that of its tier; absent where its files name none. */
  model: z.string().optional(),
  effort,
  /** By name; absent where there are none. */
  commands: z.record(z.string(), z.string()).optional(),
  /** Text of the prompt, its variables unfilled. */
  prompt: ref,
});
export type PlanNode = z.infer<typeof planNode>;

/** What runs. Written once, when the run opens: files that change later do not change it. */
export const plan = z.object({
  name: z.string(),
  nodes: z.array(planNode).min(1),
  /** The person's files that every iteration may read, as they were. `given`: added at the start, not named by the pipeline. */
  inputs: z.array(z.object({ path: z.string(), ref, given: z.literal(true).optional() })),
});
export type Plan = z.infer<typeof plan>;

const texts = z.array(z.string().max(1000)).max(200);

/** What an iteration decides: `status.json`, or the input of `report_status`. */
export const status = z
  .object({
    decision: z.enum(['continue', 'stop', 'error']),
    reason: z.string().trim().min(1).max(2000).describe('Why, in one or two sentences'),
    summary: z.string().max(8000).default('').describe('What happened in this iteration'),
    work: z
      .object({ items_completed: texts.default([]), files_touched: texts.default([]) })
      .default({ items_completed: [], files_touched: [] }),
    errors: texts.default([]),
  })
  .refine(
    ({ decision, errors }) => decision !== 'stop' || errors.length === 0,
    'with errors the decision is `error` or `continue`, not `stop`',
  );
export type Status = z.infer<typeof status>;

const iteration = z.object({
  node: z.string(),
  /** From 1 in each node. */
  n: z.number(),
  status,
  /** Who told the decision. The engine tells only errors. */
  by: z.enum(['tool', 'file', 'engine']),
  /** What the output file held at its end; null where there was none. */
  output: ref.nullable(),
  progress: ref.nullable(),
  /** Milliseconds that it took in the process that ended it. */
  duration: z.number(),
});

const look = z.object({
  node: z.string(),
  /** Iterations of the node before it. */
  after: z.number(),
  /** Lines that are left. */
  left: z.number(),
  /** Why there is no answer; such a queue is not empty. */
  why: z.string().optional(),
});

/** What became of the command that must pass for a stop to count. */
const verdict = z.object({
  node: z.string(),
  /** The iteration that decided to stop. */
  n: z.number(),
  passed: z.boolean(),
  /** How the command ended, in words. */
  how: z.string(),
  /** An excerpt of what it printed. */
  output: ref,
});
type Verdict = z.infer<typeof verdict>;

export const pipelineFacts = [
  /** The agent's report; the iteration ends when the engine took its files. */
  z.object({ fact: z.literal('status.reported'), step: z.string(), status }),
  z.object({ fact: z.literal('iteration.ended'), iteration }),
  z.object({ fact: z.literal('queue.looked'), look }),
  z.object({ fact: z.literal('stop.verified'), verdict }),
] as const;
type PipelineFact = z.infer<(typeof pipelineFacts)[number]>;

/** `resumes`: how often the run had been resumed. What stopped it holds until the next resume. */
export type Iteration = z.infer<typeof iteration> & { resumes: number };
type Look = z.infer<typeof look> & { resumes: number };

/** The part of the ledger that a pipeline has. It only grows. */
export interface PipelineRun {
  readonly plan: Plan;
  reported: { step: string; status: Status } | null;
  iterations: Iteration[];
  looks: Look[];
  verdicts: Verdict[];
  /** The budget that kept the latest iteration from a result; null once one has ended. */
  cut: OverWhat | null;
}

export function emptyRun(of: Plan): PipelineRun {
  return { plan: of, reported: null, iterations: [], looks: [], verdicts: [], cut: null };
}

export function reducePipeline(run: PipelineRun, fact: PipelineFact, resumes: number): void {
  switch (fact.fact) {
    case 'status.reported':
      run.reported = { step: fact.step, status: fact.status };
      return;
    case 'iteration.ended':
      run.iterations.push({ ...fact.iteration, resumes });
      run.cut = null;
      return;
    case 'queue.looked':
      run.looks.push({ ...fact.look, resumes });
      return;
    case 'stop.verified':
      run.verdicts.push(fact.verdict);
  }
}

/** Iterations of one node, in order. */
export function iterationsOf({ iterations }: Pick<PipelineRun, 'iterations'>, node: string): Iteration[] {
  return iterations.filter((one) => one.node === node);
}

/** Those of one node that are no errors: only they have an output that counts, and only they meet the rule of a stage. */
export function wholeIterationsOf(run: Pick<PipelineRun, 'iterations'>, node: string): Iteration[] {
  return iterationsOf(run, node).filter(({ status: told }) => told.decision !== 'error');
}

/** Undefined where nothing had to pass, or has not run yet. */
export function verdictOn({ verdicts }: Pick<PipelineRun, 'verdicts'>, { node, n }: Pick<Iteration, 'node' | 'n'>): Verdict | undefined {
  return verdicts.find((one) => one.node === node && one.n === n);
}

/** Most iterations of a whole run. */
export function mostIterations({ nodes }: { nodes: readonly Pick<PlanNode, 'maxIterations'>[] }): number {
  return nodes.reduce((sum, { maxIterations }) => sum + maxIterations, 0);
}

/** Which model a node asks. @param models those that the person chose. */
export function modelOf({ model, tier: of }: Pick<PlanNode, 'model' | 'tier'>, models: Config['models']): string {
  return model ?? models[of];
}

/** Every model that some node asks, once. */
export function modelsOf({ nodes }: { nodes: readonly Pick<PlanNode, 'model' | 'tier'>[] }, models: Config['models']): string[] {
  return [...new Set(nodes.map((node) => modelOf(node, models)))];
}

/** Where a node's files lie in the worktree, relative to its root. They are rewritten before each iteration. */
export interface Paths {
  stageDir: string;
  context: string;
  progress: string;
  output: string;
  status: string;
  /** What the verification of an earlier stop printed. */
  verification(n: number): string;
  /** Output of an earlier iteration of the node. */
  snapshot(n: number): string;
}

export function pathsOf({ nodes }: { nodes: readonly Pick<PlanNode, 'id' | 'output'>[] }, id: string, n: number): Paths {
  const index = nodes.findIndex((node) => node.id === id);
  const stageDir = `${runFolder}/stage-${String(index).padStart(2, '0')}-${id}`;
  const at = (number: number): string => `${stageDir}/iterations/${String(number).padStart(3, '0')}`;
  return {
    stageDir,
    context: `${at(n)}/context.json`,
    progress: `${stageDir}/progress.md`,
    output: nodes[index]?.output ?? `${stageDir}/output.md`,
    status: `${at(n)}/status.json`,
    verification: (number) => `${at(number)}/verification.txt`,
    snapshot: (number) => `${at(number)}/output.md`,
  };
}
