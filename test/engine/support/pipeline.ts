/** Pipelines in memory: a plan, and agents that are functions of what they are asked. */
import { fold } from '../../../src/engine/core/fold.ts';
import { pipelineTable } from '../../../src/engine/actions/pipeline/table.ts';
import { defaults, type Config } from '../../../src/engine/ground/config.ts';
import type { AskReply, AskRequest } from '../../../src/engine/ground/messages.ts';
import { createKernel } from '../../../src/engine/kernel.ts';
import { loop } from '../../../src/engine/loop.ts';
import { resume } from '../../../src/engine/resume.ts';
import type { State } from '../../../src/engine/state/state.ts';
import { pipelineSizes } from '../../../src/engine/state/tanks.ts';
import { mostIterations, pathsOf, type Iteration, type Paths, type Plan, type PlanNode } from '../../../src/engine/work/pipeline.ts';
import { calls, says, world, type World } from '../../support/fakes.ts';
import { refOf } from './events.ts';

const prompt = 'Read ${CTX}. Session ${SESSION}, iteration ${ITERATION}. ${OUTPUT} ${PROGRESS} ${STATUS}';

export function node(over: Partial<PlanNode> = {}): PlanNode {
  return {
    id: 'a',
    stage: 'improve',
    termination: { type: 'judgment', min_iterations: 2, consensus: 2 },
    maxIterations: 6,
    maxRuntimeSeconds: 3600,
    writes: [],
    tier: 'execution',
    prompt: refOf(prompt),
    ...over,
  };
}

export interface Asked {
  node: string;
  /** Number of the iteration's session for this node, from 1. */
  n: number;
  /** Turn in it, from 1. */
  turn: number;
  paths: Paths;
  request: AskRequest;
}
export type Agent = (asked: Asked, w: World) => AskReply;

/** A pipeline that has begun; nothing has run yet. */
export function begun(nodes: readonly PlanNode[], agent: Agent, over: { config?: Partial<Config>; inputs?: Plan['inputs'] } = {}): World {
  const w = world({ files: { 'README.md': 'mine' } });
  const plan: Plan = { name: 'test', nodes: [...nodes], inputs: over.inputs ?? [] };
  const config = { ...defaults, ...over.config };
  w.payloads.texts.set(refOf(prompt), prompt);
  w.journal.events.push({
    n: 1,
    owner: 1,
    at: w.clock.time,
    type: 'run.opened',
    kind: 'pipeline',
    sprint: 'session',
    pipeline: plan,
    config,
    sizes: pipelineSizes(mostIterations(plan), nodes.length, config),
    inputs: [],
    base: { commit: 'base', branch: 'main' },
    branch: 'loop/session',
  });
  w.ports.model.ask = (request) => {
    w.model.asked.push(structuredClone(request));
    const [, id = '', n = '0'] = /^iterate\/(.*)#(\d+)$/.exec(request.purpose) ?? [];
    return Promise.resolve(agent({ node: id, n: Number(n), turn: request.turn, paths: pathsOf(plan, id, Number(n)), request }, w));
  };
  return w;
}

/** Runs or resumes it until it stops. */
export async function play(w: World): Promise<State> {
  const state = fold(w.journal.events);
  const kernel = createKernel({ state, ports: w.ports, signal: new AbortController().signal, owner: 1, onEvent: () => undefined });
  if (w.journal.events.length > 1) await resume(kernel);
  await loop(kernel, pipelineTable);
  return state;
}

export function status(decision: string, over: object = {}): [string, unknown] {
  return ['report_status', { decision, reason: `I say ${decision}`, ...over }];
}

/** Writes an output that names the iteration, and decides. */
export function decides(decisions: (asked: Asked) => string): Agent {
  return (asked) => calls(['write_file', { path: asked.paths.output, content: `${asked.node} ${asked.n}` }], status(decisions(asked)));
}

export const silentAgent: Agent = () => says('All good.');

export function iterations({ ledger }: State): Iteration[] {
  return ledger.pipeline?.iterations ?? [];
}

export function decisionsOf(state: State): string[] {
  return iterations(state).map(({ node: id, n, status: told }) => `${id}${n} ${told.decision}`);
}
