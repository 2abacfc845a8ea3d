/**
 * What the person was asked about documents that they changed since. Points about changed words are judged anew; the others stay
 * asked, by the numbers that requirements have now.
 */
import { askedPoints } from '../judge/open-points.ts';
import { isAboutChanged, renumberedPoint } from '../judge/points-after.ts';
import { standsIn } from '../parse/proposals.ts';
import { choiceAbout } from '../render/choice-about.ts';
import type { State } from '../state/state.ts';
import type { Fact } from '../work/facts.ts';
import { humanActionId, isUnresolved } from '../work/human-action.ts';
import type { Reopened } from '../work/revision.ts';

/** @param texts of the documents, by name. */
export function askedAfter({ ledger }: State, change: Reopened, texts: ReadonlyMap<string, string>): Fact[] {
  const [choice] = Object.values(ledger.humanActions).filter((one) => one.kind === 'choice' && isUnresolved(one));
  if (choice?.kind !== 'choice') return [];
  const isSaid = (document: string, quote: string): boolean => quote === '' || standsIn(texts.get(document) ?? '', quote);
  const left = choice.points.filter((one) => !change.whole || (!isAboutChanged(one, change) && isSaid(one.document, one.quote)));
  const points = askedPoints(left.map((one) => renumberedPoint(one, change)));
  if (JSON.stringify(points) === JSON.stringify(choice.points)) return [];
  const gone: Fact = { fact: 'human-action.not-needed', id: choice.id, why: 'you changed the documents' };
  if (points.length === 0) return [gone];
  return [gone, { fact: 'human-action.asked', humanAction: choiceAbout(points, humanActionId(ledger.humanActions)) }];
}
