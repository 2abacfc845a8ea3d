/** Makes the worktree ready to work in: dependencies as discovered (preflight, spec/1 §4.8). */
import type { Action } from './action.ts';
import { tidy } from './change.ts';
import { gateDue } from './gate-row.ts';
import { install } from './prepared.ts';

export const prepare: Action = {
  id: 'prepare',
  asksModel: false,
  due: (state) => gateDue(state, 'prepare'),
  async run(_target, context) {
    const command = context.state.work.context?.install ?? '';
    const effect = { name: 'install', key: command, detail: command };
    if (command !== '') await context.effect(effect, { run: () => install(context, 'worktree') });
    await tidy(context, null);
    return [{ fact: 'gate.passed', gate: 'prepare' }];
  },
};
