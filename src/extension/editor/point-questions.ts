/** The points that a review leaves to the person, one after the other. What was chosen is kept, so who left before the end loses nothing. */
import type { Point } from '../../engine/work/document-review.ts';
import { followsWords, recommendedWords } from '../../engine/work/recommended.ts';
import { plain } from '../../views/model/display-text.ts';
import { t } from '../../views/words.ts';
import { pickOne, typeIn, type Move, type Place, type Step } from './steps.ts';

export const decideLabel = t('Decide for me');
const ownWordsLabel = t('In my own words…');

interface Given {
  /** Empty where Loop shall decide. */
  answer: string;
  isOwn: boolean;
}

/** By the id of the point. */
export type GivenAnswers = Map<string, Given>;

export class PointQuestions {
  constructor(
    private readonly points: readonly Point[],
    private readonly given: GivenAnswers,
  ) {}

  get steps(): Step[] {
    return this.points.flatMap((point) => [
      { isAsked: () => true, ask: (place: Place) => this.pick(point, place) },
      { isAsked: () => this.given.get(point.id)?.isOwn === true, ask: (place: Place) => this.write(point, place) },
    ]);
  }

  /** Without those that Loop shall decide. */
  get chosen(): Record<string, string> {
    return Object.fromEntries(this.points.map(({ id }) => [id, this.given.get(id)?.answer ?? '']).filter(([, answer]) => answer !== ''));
  }

  private async pick(point: Point, place: Place): Promise<Move> {
    const before = this.given.get(point.id);
    const options = point.options.map((option, index) => ({
      label: plain(option.answer, 100),
      description: index === point.recommended ? t('recommended') : '',
      detail: plain(followsWords(option), 300),
      given: { answer: option.answer, isOwn: false },
    }));
    const decide = {
      label: decideLabel,
      description: '',
      detail: t('Loop takes: {0}', plain(recommendedWords(point), 300)),
      given: { answer: '', isOwn: false },
    };
    const own = {
      label: ownWordsLabel,
      description: '',
      detail: point.proposed === '' ? '' : t('Proposed: {0}', plain(point.proposed, 140)),
      given: { answer: before?.isOwn === true ? before.answer : point.proposed, isOwn: true },
    };
    const items = [...options, decide, own];
    const known = items.find(({ given }) => given.isOwn === before?.isOwn && given.answer === before.answer);
    const answer = await pickOne(titled(place, point), { question: questionOf(point), items, known });
    if (typeof answer === 'string') return answer;
    this.given.set(point.id, answer.chosen.given);
    return 'next';
  }

  private async write(point: Point, place: Place): Promise<Move> {
    const answer = await typeIn(titled(place, point), {
      prompt: questionOf(point),
      placeholder: '',
      value: this.given.get(point.id)?.answer ?? '',
      check: (text) => Promise.resolve(text.trim() === '' ? t('Write your answer, or go back to the others.') : undefined),
    });
    if (typeof answer === 'string') return answer;
    this.given.set(point.id, { answer: answer.text.trim(), isOwn: true });
    return 'next';
  }
}

function titled(place: Place, { document, requirement }: Point): Place {
  return { ...place, title: t('Loop: a point of {0} {1}', document, requirement).trim() };
}

function questionOf({ quote, wrong }: Point): string {
  return plain(quote === '' ? wrong : `"${quote}": ${wrong}`, 200);
}
