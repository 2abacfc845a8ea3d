/**
 * Waits for the person, last of all and without burning tokens (design §5). Meanwhile the engine looks for itself and goes
 * on when anything that was asked for is there, whether they say so or not.
 */
import { fulfilled, stillMissing, untilFulfilled } from '../person/human-actions.ts';
import { firstOf } from '../person/first-of.ts';
import { canBurn } from '../state/fuel.ts';
import type { PersonAnswer } from '../ports.ts';
import { redact } from '../ground/redact.ts';
import type { Fact } from '../work/facts.ts';
import { isSeen, isUnresolved, waitingFor, type Pause } from '../work/pause.ts';
import type { Action } from './action.ts';
import { isQualified } from '../work/gate.ts';

export const wait: Action = {
  id: 'wait',
  asksModel: false,
  due(state) {
    if (!isQualified(state) || !canBurn(state.ledger, ['wait'])) return [];
    const open = Object.values(state.ledger.pauses).filter((p) => isUnresolved(p) && !p.unattended);
    return open.map((p) => ({ target: p.id, burns: [], why: `only a person can do this: ${p.action}` }));
  },
  async run(target, context) {
    const { state, ports, signal } = context;
    const pause = state.ledger.pauses[target];
    if (!pause || !isUnresolved(pause)) return [];
    // They may have done it since they were told; of what they were not told, nothing is taken (I10).
    if (pause.shown && isSeen(pause) && (await stillMissing(context, pause)) === undefined) return [fulfilled(pause)];
    if (!ports.person.available) return [{ fact: 'pause.unattended', id: pause.id }];
    const asked = { ...pause, tasks: waitingFor(pause, state.work.tasks).map((task) => task.id) };
    const answer = await firstOf<PersonAnswer | Fact[]>(signal, [
      (stop) => ports.person.waitFor(asked, stop),
      (stop) => untilFulfilled(context, stop),
    ]);
    if (Array.isArray(answer)) return answer;
    await context.append({ type: 'person.said', facts: [answered(pause, answer)] });
    if (answer === 'skip' || pause.lineages) return [];
    const missing = await stillMissing(context, pause);
    if (missing === undefined) return [fulfilled(pause)];
    ports.person.notYet(asked, missing);
    return [{ fact: 'pause.checked', id: pause.id, fulfilled: false, missing }];
  },
};

function answered({ id }: Pause, answer: PersonAnswer): Fact {
  const said = typeof answer === 'object' ? { answer: 'done' as const, said: redact(answer.said) } : { answer };
  return { fact: 'pause.answered', id, ...said };
}
