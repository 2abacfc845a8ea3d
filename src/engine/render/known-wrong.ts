/** What is known to be wrong with the result, worst first: what is missing, what was found, what nobody proved. For the report. */
import { brokenByVerifications, lostSuites } from '../judge/guarded-suites.ts';
import { finalOf, whatIsOpen } from '../judge/ending.ts';
import { asCode, inWords, literally } from '../ground/markdown.ts';
import { firstWords, oneLine } from '../ground/text.ts';
import { planWeaknesses } from './plan-review.ts';
import type { Picture } from '../picture/picture.ts';
import type { State } from '../state/state.ts';
import type { Finding } from '../work/assessment.ts';
import { authorWords } from '../work/tree.ts';

/** One line each; none where nothing is known. */
export function knownWrong({ state, requirements }: Picture): string[] {
  const unproven = requirements.filter(({ provenBy }) => !provenBy).map(({ requirement }) => requirement.id);
  const weak = requirements.filter(({ provenBy, strength }) => provenBy && strength?.level === 'weak');
  const budget = state.ledger.budgetReached;
  const missing = [
    ...(budget === null ? [] : [budget]),
    ...(unproven.length > 0 ? [`Not proven: ${unproven.join(', ')}. Why is said below each.`] : []),
    ...whatIsOpen(state),
    ...found(state, ['critical', 'blocking', 'degraded']),
  ];
  const unseen = weak.map(({ requirement: { id }, strength }) => `The proof of ${id} is weak: ${strength?.why ?? ''}.`);
  const further = [
    ...unguarded(state),
    ...planWeaknesses(state),
    ...Object.entries(state.ledger.leftOut).map(
      ([path, by]) =>
        `Left out of every commit, because its name says that it holds a key or a password: ${asCode(path)}, made by ${authorWords(by)}.`,
    ),
    ...brokenByVerifications(state).map(
      (id) =>
        `${id} is red where this sprint's \`verifications\` lie in the tree, so the branch has none of them: they are in \`.loop/verifications\`.`,
    ),
    ...found(state, ['polish']),
    ...state.ledger.notes.map((note) => `Missing, though nothing waited for it: ${note}`),
  ];
  return [...missing.map(inWords), ...unseen.map(literally), ...further.map(inWords)].map((words) => `- ${words}`);
}

/** Suites that discovery named and that guarded nothing, and what of its report could not be taken. */
function unguarded(state: State): string[] {
  const refused = (state.work.context?.leftOut ?? []).map((why) => `Not taken of what discovery found: ${why}`);
  const names = lostSuites(state).map(({ suite }) => suite.name);
  if (names.length === 0) return refused;
  return [
    `These suites of yours guarded nothing: ${names.join(', ')}. Why is said below, with the tests and checks that were there before.`,
    ...refused,
  ];
}

type Level = Finding['severity'];

/** Gaps and findings of the final tree, those of the first level first. */
function found(state: State, levels: readonly Level[]): string[] {
  const { vrc, evaluation } = finalOf(state);
  const all = [
    ...(evaluation?.findings ?? []).map((one) => ({ level: one.severity, words: findingWords(one) })),
    ...(vrc?.gaps ?? []).map((one) => ({ level: one.severity, words: one.description })),
  ];
  return levels.flatMap((wanted) => all.flatMap(({ level, words }) => (level === wanted ? `${severityWords[level]}: ${words}` : [])));
}

/** Characters of what its finder proposes. */
const longestProposal = 200;

function findingWords({ description, userImpact, suggestedFix }: Finding): string {
  const proposed = suggestedFix.trim() === '' ? '' : ` Proposed: ${firstWords(oneLine(suggestedFix), longestProposal)}`;
  return `${description} (${userImpact})${proposed}`;
}

const severityWords = { critical: 'Critical', blocking: 'Blocking', degraded: 'Degraded', polish: 'Polish' };
