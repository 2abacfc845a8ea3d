/**
 * Judges Vision and PRD where discovery did not, through a closer look, or once more after the person answered in words of their own or
 * changed the documents. They are asked once, when the last look is over.
 */
import { looksAtDocuments } from '../judge/closer-looks.ts';
import { answeredInWords, isAsking, isJudged, openQuestions, rejected, unaskedPoints } from '../judge/open-points.ts';
import { promptText } from '../ground/prompts.ts';
import { choiceAbout } from '../render/choice-about.ts';
import { raisedLines } from '../render/point-words.ts';
import { reopenedWords } from '../render/revision-words.ts';
import { tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import type { Point } from '../work/document-review.ts';
import type { Fact } from '../work/facts.ts';
import { humanActionId } from '../work/human-action.ts';
import type { Action } from './action.ts';
import { closerWords } from './told/closer-look.ts';
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
    if (isAsking(state) || rejected(state)) return [];
    if (isJudged(state) && answered.length === 0)
      return looksAtDocuments(state).map(({ lenses, tank: own }) => ({
        target: lenses,
        burns: [own],
        why: `a closer look through ${lenses}`,
      }));
    const about = [idsOf(answered), changedSince(state)].filter(Boolean).join(', ');
    const why = about === '' ? 'nobody has judged Vision and PRD' : `nobody has judged the person's words about ${about}`;
    return [{ target: '', burns: [documents], why }];
  },
  async run(target, context) {
    const { state } = context;
    const questions = openQuestions(state).map((question, index) => `${index + 1}. ${question}`);
    const values = {
      how: promptText('judge-documents'),
      questions: questions.join('\n') || 'None.',
      answered: [idsOf(answeredInWords(state)), changedSince(state)].filter(Boolean).join(', ') || 'none',
    };
    const end = await runSession(context, { prompt: 'review-documents', values, ...closerWords(target, raisedLines(state)) });
    return [...unreportedFacts(end, () => []), ...askingAboutDocuments(state)];
  },
};

/** All that only the person can decide, in one human action, once no closer look is left. */
export function askingAboutDocuments(state: State): Fact[] {
  const points = rejected(state) || looksAtDocuments(state).length > 0 ? [] : unaskedPoints(state);
  return points.length === 0
    ? []
    : [{ fact: 'human-action.asked', humanAction: choiceAbout(points, humanActionId(state.ledger.humanActions)) }];
}

/** What the person changed in documents that were judged before. */
function changedSince({ ledger }: State): string {
  const taken = ledger.revisions.findLast((one) => one.taken?.whole)?.taken;
  return taken && taken.judged.reviews > 0 && taken.judged.reviews === ledger.documentReviews.length
    ? `the documents themselves (${reopenedWords(taken)})`
    : '';
}

function idsOf(points: readonly Point[]): string {
  return points.map(({ id }) => id).join(', ');
}
