/** Makes the worktree ready to work in: dependencies as discovered (preflight, spec/1 §4.8). */
import { ToolError } from '../tools/tool.ts';
import type { Context } from '../context.ts';
import type { Action } from './action.ts';
import { gateDue } from './gate-row.ts';

const installTimeout = 600;

export const prepare: Action = {
  id: 'prepare',
  asksModel: false,
  due: (state) => gateDue(state, 'prepare'),
  async run(_target, context) {
    const command = context.state.work.context?.install ?? '';
    const effect = { name: 'install', key: command, detail: command };
    if (command !== '') await context.effect(effect, { run: () => install(context, command) });
    return [{ fact: 'gate.passed', gate: 'prepare' }];
  },
};

/** A failed install is no end: the builder sees the same failure and can mend what causes it. */
async function install({ state, ports, signal }: Context, command: string): Promise<string> {
  const network = state.config.network !== 'none';
  const done = await ports.runner.run({ run: { command }, at: 'worktree', timeout: installTimeout, network }, signal);
  if (signal.aborted) throw new ToolError('stopped');
  const output = await ports.payloads.put(done.output);
  ports.progress({ kind: 'note', text: `${command}: exit status ${done.exit ?? 'unknown'}` });
  return `exit ${done.exit ?? 'unknown'}, output ${output}`;
}
