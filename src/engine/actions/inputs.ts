/** Reads requirements and constraints from PRD.md, and opens the worktree on the sprint's own branch (I10). */
import { parseServices, servicesFile } from '../parse/services-file.ts';
import { parseRequirements } from '../parse/requirements.ts';
import { Bug } from '../ground/errors.ts';
import type { Action } from './action.ts';
import { gateDue } from './gate-row.ts';

export const inputs: Action = {
  id: 'inputs',
  asksModel: false,
  afterQualifying: false,
  due: (state) => gateDue(state, 'inputs'),
  async run(_target, context) {
    const { state, ports } = context;
    const prd = state.opened.inputs.find((input) => input.name === 'PRD.md');
    if (!prd) throw new Bug('a sprint opens with PRD.md');
    const effect = { name: 'worktree', key: state.opened.branch, detail: `worktree on ${state.opened.branch}` };
    await context.effect(effect, { run: () => ports.repo.openWorktree().then(() => '') });
    const { requirements, constraints } = parseRequirements('PRD.md', await ports.payloads.get(prd.ref));
    const written = state.opened.inputs.find((input) => input.name === servicesFile);
    const services = written && parseServices(servicesFile, await ports.payloads.get(written.ref), state.config);
    return [
      ...(services ? [{ fact: 'services.read' as const, services }] : []),
      { fact: 'requirements.read', requirements },
      ...(constraints.length > 0 ? [{ fact: 'constraints.read' as const, constraints }] : []),
      { fact: 'gate.passed', gate: 'inputs' },
    ];
  },
};
