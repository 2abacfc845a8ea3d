/** QC's answers to a fixer who says that a declaration is wrong: it is declared anew, or it is right and why. */
import * as z from 'zod';
import { declarationDoubts } from '../diagnose/declaration.ts';
import { amendmentFact, amendmentInput } from './declaration.ts';
import { reportTool, ToolError } from './tool.ts';

const amendInput = amendmentInput.extend({
  why: z.string().min(20).describe('What was declared, what is true, and a command that shows it; the person reads it'),
});

export const amendDeclaration = reportTool<z.infer<typeof amendInput>>({
  name: 'amend_declaration',
  description:
    'Declare anew how a suite is run, how a service is started and asked, what is installed, or what is needed. It ends the session.',
  input: amendInput,
  handle({ why, ...call }, { state }) {
    return { text: 'Amended. The engine runs what depends on it anew.', facts: [amendmentFact(state, call, 'QC', why)] };
  },
});

const upholdInput = z.strictObject({ why: z.string().min(20).describe('What shows that the declarations are right; the fixer reads it') });

export const upholdDeclaration = reportTool<z.infer<typeof upholdInput>>({
  name: 'uphold_declaration',
  description: 'Answer that what is declared is right as it is. It ends the session.',
  input: upholdInput,
  handle({ why }, { state, target }) {
    const doubt = declarationDoubts(state).find(({ verification }) => verification === target);
    if (!doubt) throw new ToolError(`Nobody says that a declaration behind ${target} is wrong.`);
    return { text: 'The declarations stay as they are.', facts: [{ fact: 'declaration.upheld', lineage: doubt.lineage, why }] };
  },
});
