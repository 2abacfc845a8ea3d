/** Judges Vision and PRD before anything is planned. A sprint whose opening gave it no tank plans without it. */
import { isJudged, openQuestions } from '../judge/open-points.ts';
import { tank } from '../state/fuel.ts';
import type { Action } from './action.ts';
import { unreportedFacts, runSession } from './session-action.ts';

const documents = tank('documents');

export const reviewDocuments: Action = {
  id: 'review-documents',
  asksModel: true,
  afterQualifying: false,
  due(state) {
    const { gates, tree } = state.work;
    if (!gates.includes('discovery') || gates.includes('plan') || tree.change) return [];
    if (isJudged(state)) return [];
    return [{ target: '', burns: [documents], why: 'nobody has judged Vision and PRD' }];
  },
  async run(_target, context) {
    const questions = openQuestions(context.state).map((question, index) => `${index + 1}. ${question}`);
    const values = { questions: questions.join('\n') || 'None.' };
    const end = await runSession(context, { prompt: 'review-documents', values });
    return unreportedFacts(end, () => []);
  },
};
