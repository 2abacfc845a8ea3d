/** How a user uses a deliverable: what they open, run, call or read. */
import type { SprintContext } from './discovered.ts';

/** Headings of prompts/evaluation-ways.md, by the words of a project's type. */
const ways: readonly [way: string, words: RegExp][] = [
  ['web_app', /web|site|page|frontend|spa|browser|gui|ui/],
  ['cli', /cli|command|terminal|tool|script/],
  ['api', /api|rest|graphql|rpc|service|server|backend/],
  ['library', /library|lib|package|sdk|module|plugin/],
];

/** The heading of prompts/evaluation-ways.md for such a deliverable. */
export function wayOf(context: Pick<SprintContext, 'deliverableType' | 'projectType'> | null): string {
  const { deliverableType = 'software', projectType = '' } = context ?? {};
  if (deliverableType === 'document' || deliverableType === 'data' || deliverableType === 'config') return deliverableType;
  const words = projectType.toLowerCase().split(/[^a-z]+/);
  return ways.find(([, known]) => words.some((word) => new RegExp(`^(${known.source})s?$`).test(word)))?.[0] ?? 'other';
}
