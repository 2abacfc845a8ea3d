/** Describes which of the repository's own tests guard the sprint: for the report, and for the agents that build and verify. */
import { asCode } from '../ground/markdown.ts';
import { oneLine } from '../ground/text.ts';
import { liveVerifications } from '../state/covers.ts';
import type { State } from '../state/state.ts';
import { lostSuites, retiredTests } from '../judge/guarded-suites.ts';
import { suiteId } from '../work/suite.ts';
import type { Verification } from '../work/verification.ts';

/** For the report: each suite, whether it was used, and every test that was retired with its reason. */
export function suiteLines(state: State): string[] {
  const { suites = [], leftOut = [] } = state.work.context ?? {};
  const lost = lostSuites(state);
  const tried = suites.flatMap((suite) => {
    const last = state.ledger.suites.tried.findLast((t) => t.suite === suite.name);
    const result = state.work.results[suiteId(suite)]?.verdict ?? 'not run since';
    const isLost = lost.some(({ suite: { name } }) => name === suite.name);
    const what =
      !last || isLost
        ? `not used: ${oneLine(last?.why ?? 'it was not tried')}`
        : `guards against regression, ${result}${last.used ? '' : `; ${oneLine(last.why)}`}`;
    const retired = state.ledger.suites.retired.filter((r) => r.suite === suite.name);
    const left = last && !isLost ? redAtBase(state.work.verifications[suiteId(suite)]) : [];
    return [
      `- ${suite.name} (${asCode(suite.command)}): ${what}`,
      ...left.map((path) => `  - ${path} is left out: it was not green before the sprint`),
      ...retired.map(
        (r) => `  - ${r.files.join(', ')} retired by QC, because requirement ${r.requirement} contradicts it: ${oneLine(r.why)}`,
      ),
    ];
  });
  return [...tried, ...leftOut.map((why) => `- Not taken. ${oneLine(why)}`)];
}

/** For a prompt: the tests and checks that guard now, and tests that were retired. */
export function guardedText(state: State): string {
  const suites = liveVerifications(state.work).flatMap((v) => (v.kind === 'suite' ? [v] : []));
  const commands = new Map(state.work.context?.suites.map(({ name, command }) => [name, command]));
  const lines = suites.flatMap(({ id, suite, files, check, redAtBase: red = [] }) => {
    const gone = retiredTests(state, suite);
    return [
      `- ${id}, ${check ? 'a check' : 'tests'}: \`${commands.get(suite) ?? ''}\` (${files.join(', ')})`,
      ...(red.length > 0 ? [`  - not green before the sprint, so nothing is judged by them: ${red.join(', ')}`] : []),
      ...(gone.length > 0 ? [`  - retired, since a requirement contradicts them: ${gone.join(', ')}`] : []),
    ];
  });
  return [...lines, ...lostLines(state)].join('\n') || 'None.';
}

/** What these expect is expected still, though nothing is judged by them. */
function lostLines(state: State): string[] {
  return lostSuites(state).map(
    ({ suite: { command, files }, why }) => `- \`${command}\` (${files.join(', ')}) guards nothing: ${oneLine(why)}`,
  );
}

function redAtBase(verification: Verification | undefined): readonly string[] {
  return verification?.kind === 'suite' ? (verification.redAtBase ?? []) : [];
}
