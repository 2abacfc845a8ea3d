/** Looks at what is left in a stage's queue. Whatever keeps the command from an answer is an error, never an empty queue. */
import { current } from '../../judge/pipeline.ts';
import { Interruption } from '../../ground/errors.ts';
import { excerpt, oneLine } from '../../ground/text.ts';
import type { State } from '../../state/state.ts';
import type { Finished } from '../../work/job.ts';
import { iterationsOf, type PlanNode } from '../../work/pipeline.ts';
import { grepEnd } from '../../work/queue-command.ts';
import type { Action } from '../action.ts';
import { howItEnded } from './how-it-ended.ts';

export const queue: Action = {
  id: 'queue',
  asksModel: false,
  afterQualifying: false,
  due(state) {
    const node = nodeToLookAt(state);
    return node ? [{ target: node.id, burns: [], why: 'an iteration runs only while something is left' }] : [];
  },
  async run(_target, context) {
    const { state, ports, signal } = context;
    const node = nodeToLookAt(state);
    if (node?.termination.type !== 'queue' || !state.ledger.pipeline) return [];
    const { network, allowedHosts, commandTimeout: timeout } = state.config;
    const { command } = node.termination;
    // It has no use for registries: only the person's leave for a host, or for all, opens the network to it.
    const mayAsk = network === 'all' || (network === 'registries' && allowedHosts.length > 0);
    const done = await ports.runner.run({ run: { command }, at: 'worktree', timeout, network: mayAsk, readonly: true }, signal);
    if (signal.aborted) throw new Interruption('cancelled', 'The pipeline was stopped.');
    const why = whyUnanswered(command, done);
    const left = done.output.split('\n').filter((line) => line.trim() !== '').length;
    const after = iterationsOf(state.ledger.pipeline, node.id).length;
    return [{ fact: 'queue.looked', look: { node: node.id, after, left, ...(why === undefined ? {} : { why }) } }];
  },
};

function nodeToLookAt(state: State): PlanNode | undefined {
  const next = current(state);
  return next?.standing.kind === 'look' && state.work.gates.includes('inputs') && !state.work.tree.change ? next.node : undefined;
}

function whyUnanswered(command: string, done: Finished): string | undefined {
  const { exit, timedOut, stopped, dropped, output } = done;
  if (exit === 0 && !timedOut && stopped === undefined && dropped === 0) return undefined;
  const said = oneLine(excerpt(output, 300));
  const grep = exit === 1 && said === '' ? grepEnd(command) : undefined;
  const more = grep ? `grep ends with 1 where it finds nothing. ${grep.mend}` : said;
  return `the command of its queue ${howItEnded(done)}, which says nothing about what is left: ${command}${more === '' ? '' : ` (${more})`}`;
}
