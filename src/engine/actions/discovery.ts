/**
 * Finds out what kind of work this is, and how to tell that its value is there. The same session then judges Vision and PRD
 * (docs/decisions/0051); a sprint whose opening gave it no tank for that plans without it.
 */
import { promptSection, promptText } from '../ground/prompts.ts';
import { isJudged } from '../judge/open-points.ts';
import { scannedNames, scanLines } from '../parse/project-scan.ts';
import { namedFiles } from '../run/files.ts';
import type { Action } from './action.ts';
import { firstLook } from './told/first-look.ts';
import { gateDue } from './gate-row.ts';
import { askingAboutDocuments } from './review-documents.ts';
import { unreportedFacts, runSession } from './session-action.ts';

export const discovery: Action = {
  id: 'discovery',
  asksModel: true,
  afterQualifying: false,
  due: (state) => gateDue(state, 'discovery'),
  async run(_target, context) {
    const { state, ports } = context;
    const lines = scanLines(await namedFiles(ports.tree, scannedNames));
    const values = {
      found: lines.map((line) => `- ${line}`).join('\n') || 'Nothing of that kind.',
      look: await firstLook(context),
      browser: promptSection('browser-found', ports.browser.problem() === undefined ? 'there' : 'none'),
      review: isJudged(state) ? '' : promptText('discovery-judges', { how: promptText('judge-documents') }),
    };
    const end = await runSession(context, { prompt: 'discovery', values, goesOn: () => !isJudged(state) });
    if (!state.work.context) return unreportedFacts(end, () => []);
    return [...unreportedFacts(end, () => []), { fact: 'gate.passed', gate: 'discovery' }, ...askingAboutDocuments(state)];
  },
};
