/** Finds out what kind of work this is, and how to tell that its value is there. */
import { promptSection } from '../ground/prompts.ts';
import { scannedNames, scanLines } from '../parse/project-scan.ts';
import { namedFiles } from '../run/files.ts';
import type { Action } from './action.ts';
import { gateDue } from './gate-row.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const discovery: Action = {
  id: 'discovery',
  asksModel: true,
  afterQualifying: false,
  due: (state) => gateDue(state, 'discovery'),
  async run(_target, context) {
    const lines = scanLines(await namedFiles(context.ports.tree, scannedNames));
    const found = lines.map((line) => `- ${line}`).join('\n') || 'Nothing of that kind.';
    const browser = promptSection('browser-found', context.ports.browser.problem() === undefined ? 'there' : 'none');
    const end = await runSession(context, { prompt: 'discovery', values: { found, browser } });
    return end.end === 'reported' ? [{ fact: 'gate.passed', gate: 'discovery' }] : unreportedFacts(end, () => []);
  },
};
