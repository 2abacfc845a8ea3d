/** Which iteration of a pipeline is next, and how its run ended. Pure: the agents' decisions are counted, never believed alone. */
import { counted } from '../ground/text.ts';
import { left, tank } from '../state/fuel.ts';
import type { Ledger } from '../state/ledger.ts';
import type { Ending, State } from '../state/state.ts';
import { authorWords } from '../work/tree.ts';
import { iterationsOf, verdictOn, wholeIterationsOf, type PipelineRun, type PlanNode } from '../work/pipeline.ts';

/** How a node stands. */
export type Standing =
  /** The queue is looked at first. */
  | { kind: 'look' }
  /** The last iteration's stop is verified first. */
  | { kind: 'verify'; n: number; command: string }
  | { kind: 'open' }
  /** Ended by its own rule. */
  | { kind: 'ended'; why: string }
  /** Stopped by a limit, before its own rule was met. */
  | { kind: 'limit'; why: string }
  /** The run stops here until a person resumes it. */
  | { kind: 'error'; n: number; why: string };

export function nodeStanding(run: PipelineRun, node: PlanNode, resumes: number): Standing {
  const done = iterationsOf(run, node.id);
  const last = done.at(-1);
  const held = last?.status.decision === 'error' && last.resumes === resumes;
  if (held) return { kind: 'error', n: last.n, why: last.status.reason };
  const { termination } = node;
  if (last?.status.decision === 'stop' && termination.type === 'judgment' && termination.verify !== undefined && !verdictOn(run, last))
    return { kind: 'verify', n: last.n, command: termination.verify };
  const look = run.looks.findLast((one) => one.node === node.id && one.after === done.length);
  const isAnswered = look && (look.why === undefined || look.resumes === resumes);
  if (termination.type === 'queue' && !isAnswered) return { kind: 'look' };
  if (look?.why !== undefined) return { kind: 'error', n: done.length + 1, why: look.why };
  return endOf(node, run) ?? limitOf(node, run) ?? { kind: 'open' };
}

interface Current {
  run: PipelineRun;
  node: PlanNode;
  standing: Standing;
}

/** The first node that has not ended, with how it stands; undefined when all have. Of a block, the one whose turn it is. */
export function current({ ledger }: Pick<State, 'ledger'>): Current | undefined {
  const run = ledger.pipeline;
  const all = run?.plan.nodes.map((node) => ({ run, node, standing: nodeStanding(run, node, ledger.resumes) })) ?? [];
  const open = all.filter(({ standing }) => standing.kind !== 'ended' && standing.kind !== 'limit');
  const [first] = open;
  if (first?.node.block === undefined) return first;
  const beside = open.filter(({ node }) => node.block === first.node.block);
  return beside.find(({ standing }) => standing.kind === 'error' || standing.kind === 'verify') ?? fewestIterations(beside);
}

function fewestIterations(nodes: readonly Current[]): Current | undefined {
  return nodes.toSorted((a, b) => iterationsOf(a.run, a.node.id).length - iterationsOf(b.run, b.node.id).length)[0];
}

/** `complete` only where every node ended by its own rule. It says what the stages decided, and proves nothing. */
export function pipelineEnding(state: State): Ending {
  const { ledger, work } = state;
  const run = ledger.pipeline;
  const next = current({ ledger });
  const limits = run ? limitWords(run, ledger) : [];
  if (next?.standing.kind === 'error') {
    const { n, why } = next.standing;
    return { stop: 'waiting', reasons: [`Stage ${next.node.id}, iteration ${n}: ${why}`, ...limits] };
  }
  // What ends with its last stage is complete, whatever it cost.
  if (ledger.budgetReached && (next || work.tree.change)) return { stop: 'out-of-budget', reasons: [ledger.budgetReached, ...limits] };
  const open = next ? [`Stage ${next.node.id} did not end: ${emptyWords(state)}.`] : [];
  const undone = ledger.undone.map(({ change, why }) => `The change of ${authorWords(change.author)} was taken back: ${why}`);
  const unsettled = work.tree.change ? ['A change of the tree was not settled.'] : [];
  const reasons = [...limits, ...open, ...undone, ...unsettled];
  if (run && reasons.length === 0) return { stop: 'complete', reasons };
  return { stop: run && run.iterations.length > 0 ? 'partial' : 'failed', reasons };
}

/** What ended the run although a stage was open. */
function emptyWords({ ledger, opened }: State): string {
  const { iteration = 0, sprint = 0 } = ledger.sizes;
  if (left(ledger, tank('iteration')) <= 0) {
    const by = iteration === opened.config.maxLoopIterations ? 'by --max-iterations' : 'as its stages allow';
    return `the run has used up its ${counted(iteration, 'iteration')} (${by})`;
  }
  if (left(ledger, tank('sprint')) <= 0) return `the run has used up its ${sprint} decisions and resumes`;
  return 'no fuel was left';
}

function limitWords(run: PipelineRun, { resumes }: Ledger): string[] {
  return run.plan.nodes.flatMap((node) => {
    const standing = nodeStanding(run, node, resumes);
    return standing.kind === 'limit' ? [`Stage ${node.id} ${standing.why}.`] : [];
  });
}

function endOf(node: PlanNode, run: PipelineRun): Standing | undefined {
  const { termination, id, maxIterations } = node;
  const whole = wholeIterationsOf(run, id).length;
  if (termination.type === 'queue')
    return run.looks.findLast((one) => one.node === id)?.left === 0 ? { kind: 'ended', why: 'its queue is empty' } : undefined;
  if (termination.type === 'fixed') return whole >= maxIterations ? { kind: 'ended', why: `it ran ${counted(whole, 'time')}` } : undefined;
  const { min_iterations: least, consensus } = termination;
  const row = stopsInARow(run, id);
  return whole >= least && row >= consensus ? { kind: 'ended', why: `${counted(row, 'iteration')} in a row decided to stop` } : undefined;
}

/** Of this node only, the latest ones. An error ends the row, and so does a stop that did not pass its verification. */
function stopsInARow(run: PipelineRun, node: string): number {
  const done = iterationsOf(run, node);
  return done.length - 1 - done.findLastIndex((one) => one.status.decision !== 'stop' || verdictOn(run, one)?.passed === false);
}

function limitOf({ id, maxIterations, maxRuntimeSeconds }: PlanNode, run: PipelineRun): Standing | undefined {
  const done = iterationsOf(run, id);
  const verdict = done.map((one) => verdictOn(run, one)).findLast((one) => one !== undefined);
  const failed = verdict?.passed === false ? `; its last stop did not count, because its verification ${verdict.how}` : '';
  const seconds = done.reduce((sum, { duration }) => sum + duration, 0) / 1000;
  if (done.length >= maxIterations)
    return { kind: 'limit', why: `reached its limit of ${counted(maxIterations, 'iteration')} before it ended${failed}` };
  if (seconds >= maxRuntimeSeconds)
    return { kind: 'limit', why: `reached its limit of ${maxRuntimeSeconds} seconds before it ended${failed}` };
  return undefined;
}
