/**
 * Runs the command that must pass for a stop to count, on what the iteration left: the agents of a stage do not grade themselves
 * (I8). Like a sprint's verification it writes nothing that stays. Whatever keeps it from passing keeps the stop from counting.
 */
import { Interruption } from '../../ground/errors.ts';
import { excerpt } from '../../ground/text.ts';
import { current } from '../../judge/pipeline.ts';
import type { State } from '../../state/state.ts';
import type { Action } from '../action.ts';
import { howItEnded } from './how-it-ended.ts';

/** Characters of its output that the next iteration gets. */
const longestOutput = 20_000;

export const verify: Action = {
  id: 'verify',
  asksModel: false,
  afterQualifying: false,
  due(state) {
    const stop = stopToVerify(state);
    return stop ? [{ target: stop.node, burns: [], why: `a stop counts only where this passes: ${stop.command}` }] : [];
  },
  async run(_target, context) {
    const { state, ports, signal } = context;
    const stop = stopToVerify(state);
    if (!stop) return [];
    const { node, n, command } = stop;
    const { network, commandTimeout: timeout } = state.config;
    const done = await ports.runner.run({ run: { command }, at: 'worktree', timeout, network: network === 'all', view: true }, signal);
    if (signal.aborted) throw new Interruption('cancelled', 'The pipeline was stopped.');
    const how = howItEnded(done);
    const output = await ports.payloads.put(excerpt(done.output, longestOutput));
    return [{ fact: 'stop.verified', verdict: { node, n, passed: how === 'passed', how, output } }];
  },
};

function stopToVerify(state: State): { node: string; n: number; command: string } | undefined {
  const next = current(state);
  if (next?.standing.kind !== 'verify' || state.work.tree.change) return undefined;
  const { n, command } = next.standing;
  return { node: next.node.id, n, command };
}
