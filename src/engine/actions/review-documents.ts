/**
 * Judges Vision and PRD before anything is planned. What the person then
 * says in words of their own is judged once more. A sprint whose opening gave it no tank plans without it.
 */
import { answeredInWords, isAsking, isJudged, openQuestions, rejected } from '../judge/open-points.ts';
import { tank } from '../state/fuel.ts';
import type { Point } from '../work/document-review.ts';
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
    const answered = answeredInWords(state);
    if ((isJudged(state) && answered.length === 0) || isAsking(state) || rejected(state)) return [];
    const why = answered.length > 0 ? `nobody has judged the person's words about ${idsOf(answered)}` : 'nobody has judged Vision and PRD';
    return [{ target: '', burns: [documents], why }];
  },
  async run(_target, context) {
    const { state } = context;
    const questions = openQuestions(state).map((question, index) => `${index + 1}. ${question}`);
    const values = { questions: questions.join('\n') || 'None.', answered: idsOf(answeredInWords(state)) || 'none' };
    const end = await runSession(context, { prompt: 'review-documents', values });
    return unreportedFacts(end, () => []);
  },
};

function idsOf(points: readonly Point[]): string {
  return points.map(({ id }) => id).join(', ');
}
