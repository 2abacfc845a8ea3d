/** The second QC writes hidden verifications, which only the engine runs. Their titles are all that builders get to know. */
import * as z from 'zod';
import { askedValues, unknownValues } from '../judge/known-values.ts';
import { hiddenTank, hiddenWork } from '../judge/hidden.ts';
import { hasBurned } from '../state/fuel.ts';
import { parseHeader, fieldsOf } from '../parse/header.ts';
import { documentTexts } from '../run/documents.ts';
import { reportTool, ToolError } from './tool.ts';
import { headerOf, scriptInput } from './write-verification.ts';

export const writeHiddenVerification = reportTool<z.infer<typeof scriptInput>>({
  name: 'write_hidden_verification',
  description:
    'Write one hidden verification: a script as QC writes them, which no builder sees. Only the sentence in TEST is told to builders when it fails.',
  input: scriptInput,
  keep: ({ content }) => content,
  async look({ path, content }, { state, ports }) {
    const parsed = parseHeader(content);
    if ('problem' in parsed) return;
    const { test, red } = parsed.header;
    const own = unknownValues(askedValues(content, red), await documentTexts(state, ports));
    const words = test.toLowerCase().split(/[^\p{L}\p{N}_.-]+/u);
    const told = own.filter((value) => words.includes(value.toLowerCase()));
    if (told.length > 0)
      throw new ToolError(
        `${path}: TEST tells ${told.join(', ')}, which the script asks for and no document has. Builders read TEST: say there what must hold, without a value of yours.`,
      );
  },
  handle({ path, content }, { state, kept }) {
    const header = headerOf({ path, content }, state);
    if (header.uses.length > 0) throw new ToolError(`${path}: helpers are QC's; a hidden verification uses none.`);
    const [name = '', ext = ''] = path.split('.');
    const id = `hidden/${name}`;
    const fields = fieldsOf(header, state.config.verificationTimeout);
    const verification = { id, lineage: id, kind: 'script' as const, by: 'qc' as const, category: 'hidden', ext, script: kept, ...fields };
    return { text: `Hidden verification ${name} written; the engine runs it.`, facts: [{ fact: 'hidden.written', verification }] };
  },
});

const report = z.strictObject({
  summary: z.string().min(1).describe('What you wrote, and of what failed: why it is right, or what you mended'),
});

export const reportHiddenComplete = reportTool<z.infer<typeof report>>({
  name: 'report_hidden_complete',
  description: 'Say that the hidden verifications are written, and that those that fail and that you did not write again are right.',
  input: report,
  handle(_report, { state }) {
    // What there is no fuel for was not asked for.
    const unwritten = hiddenWork(state).unwritten.filter((id) => state.open && hasBurned(state.open.decision, hiddenTank(id)));
    if (unwritten.length > 0) throw new ToolError(`Nothing hidden verifies ${unwritten.join(', ')}. Write one for each.`);
    return { text: 'Hidden verifications taken.', facts: [] };
  },
});
