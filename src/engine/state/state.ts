/** The state of a sprint: `work`, which an undo restores, `ledger`, which only grows, the open action, and the ending. */
import type { Decision, Ended, EventOf, Step, StepId } from './events.ts';
import type { Ledger } from './ledger.ts';
import type { Config } from '../ground/config.ts';
import type { Fact } from '../work/facts.ts';
import type { SprintContext } from '../work/discovered.ts';
import type { Descoped, Passage, Requirement } from '../work/requirement.ts';
import type { Helpers } from '../work/helper.ts';
import type { Service } from '../work/service.ts';
import type { Gate } from '../work/gate.ts';
import type { Tasks } from '../work/task.ts';
import type { Causes } from '../work/cause.ts';
import type { Verifications, Results } from '../work/verification.ts';
import type { TreeState } from '../work/tree.ts';

/** Restored together with the tree when a change is undone. Never mutated: each fact makes a new one. */
export interface Work {
  readonly requirements: readonly Requirement[];
  /** Requirements that the person took out of the sprint; they are not among `requirements` any more. */
  readonly descoped: readonly Descoped[];
  /** How the work must be built, from PRD.md. */
  readonly constraints: readonly Passage[];
  readonly context: SprintContext | null;
  /** From services.yaml; they override those of the context. */
  readonly services: readonly Service[];
  readonly gates: readonly Gate[];
  readonly tasks: Tasks;
  readonly verifications: Verifications;
  readonly retired: readonly string[];
  /** What scripts share. */
  readonly helpers: Helpers;
  /** Requirements whose verification QC writes after their tasks are settled. */
  readonly deferred: readonly string[];
  readonly results: Results;
  readonly causes: Causes | null;
  readonly tree: TreeState;
}

/** A part of the open action: a model call, a tool call, an effect. */
export interface Part {
  begun: Step | null;
  ended: Ended | null;
}

export interface OpenAction {
  id: StepId;
  decision: Decision;
  /** In order of beginning. A call that cannot act on the world only has an end. */
  parts: Map<StepId, Part>;
  /** Milliseconds that the sprint had been at work when it began. */
  ran: number;
}

/** Whether its session has begun: after a stop that one goes on. */
export function hasAsked({ parts }: OpenAction): boolean {
  return [...parts.values()].some(({ begun }) => begun?.kind === 'ask');
}

/** What it has journaled so far. */
export function factsIn(open: OpenAction | null): Fact[] {
  return [...(open?.parts.values() ?? [])].flatMap(({ ended }) => ended?.facts ?? []);
}

/** A sprint ends `delivered` only by proof; a pipeline ends `complete` when each stage ended by its own rule. */
export type Stop = 'delivered' | 'complete' | 'partial' | 'failed' | 'waiting' | 'out-of-budget';
/** How a sprint ended, and in words why it is not `delivered`. */
export interface Ending {
  stop: Stop;
  reasons: string[];
}

export type Opened = EventOf<'run.opened'>;

export interface State {
  opened: Opened;
  /** As the sprint opened with it, plus access that the person granted since. */
  config: Config;
  work: Work;
  /** The work when the tree was last clean; an undo restores it. */
  restore: Work;
  ledger: Ledger;
  open: OpenAction | null;
  stopped: Ending | null;
  /** Number of the last event. */
  n: number;
}
