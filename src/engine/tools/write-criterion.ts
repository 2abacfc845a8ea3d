/** A requirement that no command can verify becomes a criterion, which an evaluation judges with kept evidence. */
import * as z from 'zod';
import { normalizeRequirementId } from '../work/requirement.ts';
import { lineageOf, refuseUnknown } from './write-verification.ts';
import { reportTool, ToolError } from './tool.ts';

const input = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]*\/[a-z0-9][a-z0-9_-]*$/, '<category>/<name>, lower case'),
  prd: z.array(z.string()).min(1),
  criterion: z.string().min(20).describe('What an evaluator must see, so that two evaluators would agree'),
  why_no_command: z.string().min(10).describe('Why no command can tell'),
});

export const writeCriterion = reportTool<z.infer<typeof input>>({
  name: 'write_criterion',
  description:
    'Write a criterion for what no command can tell, or what is true before the work. Prefer an executable verification wherever one is possible.',
  input,
  keep: ({ criterion, why_no_command: why }) => `${criterion}\n\nWhy no command can tell: ${why}\n`,
  handle({ id, prd: written, criterion }, { state, kept }) {
    const prd = written.map(normalizeRequirementId);
    refuseUnknown(id, prd, state);
    if (Object.hasOwn(state.work.verifications, id) && state.work.verifications[id]?.kind !== 'criterion')
      throw new ToolError(`${id} is an executable verification; take another id.`);
    const verification = {
      id,
      lineage: lineageOf(id, undefined, state),
      kind: 'criterion' as const,
      title: criterion.split('\n')[0] ?? id,
      category: id.split('/')[0] ?? '',
      ext: 'md',
      script: kept,
      prd,
    };
    return { text: `Criterion ${id} written; the evaluator judges it.`, facts: [{ fact: 'verification.written', verification }] };
  },
});
