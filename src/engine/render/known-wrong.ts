/** What is known to be wrong with the result, worst first: what is missing, what was found, what nobody proved. For the report. */
import { finalOf, whatIsOpen } from '../judge/ending.ts';
import { firstWords, oneLine } from '../ground/text.ts';
import { planWeaknesses } from './plan-review.ts';
import type { Picture } from '../picture/picture.ts';
import type { State } from '../state/state.ts';
import { severity, type Finding } from '../work/assessment.ts';
import { authorWords } from '../work/tree.ts';

/** One line each; none where nothing is known. */
export function knownWrong({ state, requirements }: Picture): string[] {
  const unproven = requirements.filter(({ provenBy }) => !provenBy).map(({ requirement }) => requirement.id);
  const weak = requirements.filter(({ provenBy, strength }) => provenBy && strength?.level === 'weak');
  const budget = state.ledger.budgetReached;
  return [
    ...(budget === null ? [] : [budget]),
    ...(unproven.length > 0 ? [`Not proven: ${unproven.join(', ')}. Why is said below each.`] : []),
    ...whatIsOpen(state),
    ...found(state),
    ...weak.map(({ requirement: { id }, strength }) => `The proof of ${id} is weak: ${strength?.why ?? ''}.`),
    ...planWeaknesses(state),
    ...Object.entries(state.ledger.leftOut).map(
      ([path, by]) =>
        `Left out of every commit, because its name says that it holds a key or a password: \`${path}\`, made by ${authorWords(by)}.`,
    ),
    ...redBeside(state),
    ...unguarded(state),
    ...state.ledger.notes.map((note) => `Missing, though nothing waited for it: ${note}`),
  ].map((words) => `- ${oneLine(words)}`);
}

/** Suites that Loop's own files break: no agent may change those, so the person decides. */
function redBeside({ work, ledger }: State): string[] {
  const last = ledger.assessments.cleanRuns.findLast(({ code }) => code === work.tree.code);
  return (last?.redBeside ?? []).map(
    (id) => `${id} is red once \`verifications\` of this sprint lies in the tree, as it does on the branch: let it leave that folder out.`,
  );
}

/** Suites that discovery named and that guarded nothing. */
function unguarded({ work, ledger }: State): string[] {
  const names = (work.context?.suites ?? [])
    .map(({ name }) => name)
    .filter((name) => ledger.suites.tried.findLast(({ suite }) => suite === name)?.used === false);
  return names.length === 0
    ? []
    : [`These suites of yours guarded nothing: ${names.join(', ')}. Why is said below, with the tests and checks that were there before.`];
}

/** Gaps and findings of the final tree, the gravest first. */
function found(state: State): string[] {
  const { vrc, evaluation } = finalOf(state);
  const all = [
    ...(evaluation?.findings ?? []).map((one) => ({ level: one.severity, words: findingWords(one) })),
    ...(vrc?.gaps ?? []).map((one) => ({ level: one.severity, words: one.description })),
  ];
  const rank = (level: (typeof all)[number]['level']): number => severity.options.indexOf(level);
  return all.sort((a, b) => rank(a.level) - rank(b.level)).map(({ level, words }) => `${severityWords[level]}: ${words}`);
}

/** Characters of what its finder proposes. */
const longestProposal = 200;

function findingWords({ description, userImpact, suggestedFix }: Finding): string {
  const proposed = suggestedFix.trim() === '' ? '' : ` Proposed: ${firstWords(oneLine(suggestedFix), longestProposal)}`;
  return `${description} (${userImpact})${proposed}`;
}

const severityWords = { critical: 'Critical', blocking: 'Blocking', degraded: 'Degraded', polish: 'Polish' };
