/** What the person is asked about their documents, in one human action. */
import { counted } from '../ground/text.ts';
import { descopesOf } from '../judge/open-points.ts';
import type { Point } from '../work/document-review.ts';
import { choiceOf, type Choice } from '../work/human-action.ts';
import { recommendedFor } from '../work/recommended.ts';
import { pointWords } from './point-words.ts';

/** @param id of the human action. */
export function choiceAbout(points: Point[], id: string): Choice {
  const ids = [...new Set(points.flatMap((one) => descopesOf(one, recommendedFor(one))))];
  const descoped = ids.length === 0 ? '' : `; what is recommended descopes ${ids.join(', ')}`;
  const action = `Decide ${counted(points.length, 'point')} that your documents leave open${descoped}`;
  return choiceOf({ id, action, instructions: [...points.map(pointWords), howToAnswer].join('\n\n') }, points);
}

const howToAnswer =
  'Answer in the editor, by `loop run` at a terminal, or by `loop answer FOLDER P1=1 P2="your words"`: by one of these, in your own words, or by leaving it out: then Loop takes what is recommended. Proposed wording comes into your documents by _Review Wording…_ or `loop amend FOLDER accept P1`.';
