/** Valid events for storage tests: the opening of a sprint, then model calls with what they cost. */
import { defaults } from '../../src/engine/ground/config.ts';
import type { Event } from '../../src/engine/state/events.ts';

const ref = 'ab'.repeat(32);

/** Event `n` of a journal, as `owner` would write it; `padding` makes it longer. */
export function sampleEvent(n: number, owner: number, padding = ''): Event {
  const stamp = { n, owner, at: 1_700_000_000_000 + n };
  if (n === 1) {
    const inputs = [{ name: 'PRD.md', ref }];
    const base = { commit: 'c0ffee', branch: 'main' };
    const opened = { type: 'run.opened', kind: 'sprint', sprint: 'sprints/ä', sizes: { sprint: 40 }, branch: 'loop/ä' } as const;
    return { ...stamp, ...opened, config: defaults, inputs, base };
  }
  if (n % 2 === 0) {
    const step = { id: `s${n}`, kind: 'ask', request: ref, role: 'builder', purpose: 'execute', turn: n } as const;
    return { ...stamp, type: 'step.begun', step, burns: [{ kind: 'turns', key: 's1' }] };
  }
  const usage = { input: 10, output: 20, cacheRead: 3000, cacheWrite: 40 };
  const fact = { fact: 'model.spent', role: 'builder', model: 'claude-sonnet-5-5', usage, usd: 0.25 } as const;
  return {
    ...stamp,
    type: 'step.ended',
    id: `s${n - 1}`,
    outcome: 'done',
    result: ref,
    why: `“quoted” ${padding}`,
    facts: [fact],
  };
}

export function sampleEvents(count: number, owner = 1): Event[] {
  return Array.from({ length: count }, (_, i) => sampleEvent(i + 1, owner));
}
