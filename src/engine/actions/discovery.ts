/** Finds out what kind of work this is, and how to tell that its value is there. */
import type { Action } from './action.ts';
import { gateDue } from './gate-row.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const discovery: Action = {
  id: 'discovery',
  asksModel: true,
  afterQualifying: false,
  due: (state) => gateDue(state, 'discovery'),
  async run(_target, context) {
    const end = await runSession(context, { prompt: 'discovery', values: {} });
    return end.end === 'reported' ? [{ fact: 'gate.passed', gate: 'discovery' }] : unreportedFacts(end, () => []);
  },
};
