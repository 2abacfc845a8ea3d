/** Opens the worktree on the pipeline's own branch (I10). */
import type { Action } from '../action.ts';
import { gateDue } from '../gate-row.ts';

export const open: Action = {
  id: 'inputs',
  asksModel: false,
  afterQualifying: false,
  due: (state) => gateDue(state, 'inputs'),
  async run(_target, context) {
    const { branch } = context.state.opened;
    const effect = { name: 'worktree', key: branch, detail: `worktree on ${branch}` };
    await context.effect(effect, { run: () => context.ports.repo.openWorktree().then(() => '') });
    return [{ fact: 'gate.passed', gate: 'inputs' }];
  },
};
