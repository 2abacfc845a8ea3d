/**
 * Waits for the person, when nothing else is due and without burning tokens. Meanwhile the engine looks by itself, and goes on
 * when anything that was asked for is there, whether the person says so or not. An answer is in the journal already; it is
 * carried out after this action.
 */
import { heeded } from '../judge/heeded.ts';
import { fulfilled, isAnswered, stillMissing, untilChanged } from '../person/human-actions.ts';
import { firstOf } from '../first-of.ts';
import { canBurn, tank } from '../state/fuel.ts';
import type { Fact } from '../work/facts.ts';
import { isObservable, droppedBy } from '../work/human-action.ts';
import type { Action } from './action.ts';

export const wait: Action = {
  id: 'wait',
  asksModel: false,
  afterQualifying: false,
  due(state) {
    if (!canBurn(state.ledger, [tank('wait')])) return [];
    const open = heeded(state).filter((one) => !one.unattended);
    return open.map(({ id, action }) => ({ target: id, burns: [], why: `only a person can do this: ${action}` }));
  },
  async run(target, context) {
    const { state, ports, signal } = context;
    const asked = state.ledger.humanActions[target];
    if (asked?.status !== 'open') return [];
    // They may have done it since it was shown to them. Before it is shown, nothing is taken from their checkout (I10).
    if (asked.shown && isObservable(asked) && (await stillMissing(context, asked)) === undefined) return [fulfilled(asked)];
    if (isAnswered(state)) return [];
    if (!ports.person.available) return [{ fact: 'human-action.unattended', id: asked.id }];
    const tasks = droppedBy(asked, state.work.tasks).map((task) => task.id);
    return firstOf<Fact[]>(signal, [
      (stop) => ports.person.ask(asked, tasks, stop).then(() => []),
      (stop) => untilChanged(context, asked.id, stop),
    ]);
  },
};
