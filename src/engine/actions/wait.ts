/**
 * Waits for the person, last of all and without burning tokens (design §5). The engine looks for itself: files they were to
 * supply are copied in, and the action's own check decides whether it was done.
 */
import type { Context } from '../context.ts';
import { canBurn } from '../fuel.ts';
import type { Answer } from '../ports.ts';
import { redact } from '../tools/redact.ts';
import type { Fact } from '../work/facts.ts';
import { isUnresolved, type Pause } from '../work/pause.ts';
import type { Action } from './action.ts';
import { isQualified } from './gate-row.ts';

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
    if (pause.shown && !pause.lineages && (await look(context, pause)) === undefined) return [fulfilled(pause)];
    if (!ports.person.available) return [{ fact: 'pause.unattended', id: pause.id }];
    const answer = await ports.person.waitFor(pause, signal);
    await context.append({ type: 'person.said', facts: [answered(pause, answer)] });
    if (answer === 'skip' || pause.lineages) return [];
    const missing = await look(context, pause);
    if (missing === undefined) return [fulfilled(pause)];
    ports.person.notYet(pause, missing);
    return [{ fact: 'pause.checked', id: pause.id, fulfilled: false, missing }];
  },
};

function answered({ id }: Pause, answer: Answer): Fact {
  const said = typeof answer === 'object' ? { answer: 'done' as const, said: redact(answer.said) } : { answer };
  return { fact: 'pause.answered', id, ...said };
}

function fulfilled({ id }: Pause): Fact {
  return { fact: 'pause.checked', id, fulfilled: true, missing: '' };
}

/** What is still missing, in words for the person; undefined when it was done. */
async function look({ state, ports, signal }: Context, { paths, command }: Pause): Promise<string | undefined> {
  const absent = await ports.repo.copyInputs(paths);
  if (absent.length > 0) return `There is no ${absent.join(', ')} in your checkout yet.`;
  if (command.trim() === '') return undefined;
  const { commandTimeout: timeout, network } = state.config;
  const job = { run: { command }, at: 'worktree' as const, timeout, network: network === 'all', readonly: true };
  const done = await ports.runner.run(job, signal);
  if (done.exit === 0 && !done.timedOut) return undefined;
  const said = done.output.trim().split('\n').slice(-3).join('\n');
  const status = `its check ended with status ${done.exit ?? 'none'}`;
  return said ? `${said} (${status})` : `It is not done yet: ${status}, ${command.split('\n')[0] ?? ''}`;
}
