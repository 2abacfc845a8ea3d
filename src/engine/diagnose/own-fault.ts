/**
 * A script that ends by an error in its own lines, before it says anything of the work. The error is one that the work cannot cause,
 * whatever it prints or writes. No fixer can mend that, so none is called: QC looks at the script at once.
 */
import { oneLine } from '../ground/text.ts';
import { lastRunOf } from '../judge/status.ts';
import type { FixReport } from '../work/fix.ts';
import { scriptName, type Verification } from '../work/verification.ts';
import type { State } from '../state/state.ts';
import { whyNoDoubt } from './doubt.ts';

/** The error of one that QC may still be asked about; undefined of any other. @param text of its script. */
export function ownFault(state: State, verification: Verification, text: string): string | undefined {
  if (verification.kind !== 'script' || whyNoDoubt(state, verification) !== undefined) return undefined;
  const last = lastRunOf(state, verification);
  if (last?.verdict !== 'red' || last.script !== verification.script || last.excerpt.includes(verification.red)) return undefined;
  const own = `/${scriptName(verification)}.${verification.ext}`;
  return errorOfPython(last.excerpt, own, text) ?? errorOfNode(last.excerpt, own, text);
}

/** The engine's doubt, in the place of a fixer's. */
export function doubtOf(verification: Verification, error: string): Omit<FixReport, 'signature'> {
  return {
    lineage: verification.lineage,
    verification: verification.id,
    also: [],
    fixApplied: 'Nothing: no fixer was called.',
    filesChanged: [],
    reasoning: 'The script ends by an error in its own lines, which no work can cause, before it says anything of the work.',
    answer: { kind: 'doubt', evidence: `Its own lines end it, without its RED text: ${error}`, script: verification.script },
  };
}

/** A name that is nowhere, and a file larger than the sandbox allows. */
const byPython = /^(?:NameError|UnboundLocalError|OSError: \[Errno 27\])/;

/** Names come from elsewhere, too: one that is nowhere may be the work's to give. */
const takesNames = {
  python: /\bimport\s*\*|\b(?:exec|globals)\s*\(/,
  node: /\bvm\b|\bglobal(?:This)?\b|\b(?:eval|Function)\s*\(|^\s*(?:(?:await\s+)?(?:import|require)\s*\(|import\s*['"])/m,
};

/** The innermost place of a traceback comes last. */
function errorOfPython(output: string, own: string, script: string): string | undefined {
  const [, file = '', line = ''] = [...output.matchAll(/File "([^"\n]+)", line (\d+)/g)].at(-1) ?? [];
  const error = output.split('\n').findLast((text) => /^\w*(?:Error|Exception)\b/.test(text)) ?? '';
  if (error.startsWith('NameError') && takesNames.python.test(script)) return undefined;
  return file.endsWith(own) && byPython.test(error) ? `${oneLine(error)} (line ${line})` : undefined;
}

/** The innermost place stands below the error. */
function errorOfNode(output: string, own: string, script: string): string | undefined {
  if (takesNames.node.test(script)) return undefined;
  const [, error = '', file = '', line = ''] = /^(ReferenceError: .+)\n\s+at .*?([^\s():]+):(\d+):\d+\)?$/m.exec(output) ?? [];
  return file.endsWith(own) ? `${oneLine(error)} (line ${line})` : undefined;
}
