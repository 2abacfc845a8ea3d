/** How the loop works from now on: with a changed strategy, as before, or with a question to the person. It changes no limit (I6). */
import * as z from 'zod';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { strategy, strategyOf, usualStrategy, withChanges, type Strategy } from '../work/strategy.ts';
import { question } from './question.ts';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  action: z.enum(['change', 'continue', 'escalate']),
  pattern: z.string().min(20).max(500).describe('What goes wrong again and again, from the figures and the decisions'),
  rationale: z.string().min(40).max(2000).describe('Why this change answers that pattern, or why none would'),
  changes: strategy.partial().default({}).describe('change: the dimensions that change, each with its new value'),
  question: z.string().default('').describe('escalate: one question to the person'),
});
type Input = z.infer<typeof input>;

export const reportStrategy = reportTool<Input>({
  name: 'report_strategy',
  description: 'Submit how the work goes on: with a changed strategy, as it is, or with a question to the person. It ends the session.',
  input,
  handle(call, { state }) {
    return { text: 'Taken; the sprint goes on from here.', facts: effects[call.action](call, state) };
  },
});

const effects: Record<Input['action'], (call: Input, state: State) => Fact[]> = {
  change: ({ pattern, rationale, changes }, state) => {
    const known = pastStrategies(state);
    const next = withChanges(known.at(-1) ?? usualStrategy, changes);
    if (known.some((one) => isSame(one, next)))
      throw new ToolError('The work went on like that before. Change something else, or choose `continue`.');
    return [{ fact: 'strategy.changed', pattern, rationale, changes }];
  },
  continue: ({ pattern, rationale, changes }) => {
    if (Object.keys(changes).length > 0) throw new ToolError('With `continue` nothing changes; choose `change`.');
    return [{ fact: 'strategy.kept', pattern, rationale }];
  },
  escalate: ({ pattern, rationale, question: asked }, state) => {
    if (asked.trim() === '') throw new ToolError('Ask the person one question.');
    const words = `What goes wrong: ${pattern}\n\n${rationale}`;
    return [question(state, { task: '', action: asked, words }), { fact: 'strategy.kept', pattern, rationale }];
  },
};

/** Every strategy that was in force, the latest last. */
function pastStrategies({ ledger: { strategies } }: State): Strategy[] {
  return [...strategies.keys(), strategies.length].map((count) => strategyOf({ strategies: strategies.slice(0, count) }));
}

function isSame(one: Strategy, other: Strategy): boolean {
  return (Object.keys(usualStrategy) as (keyof Strategy)[]).every((key) => one[key] === other[key]);
}
