/**
 * The repository's own suites: which may be run at all, what of them is retired, and when one stands in the way of the work
 * (design §6). Pure (I3).
 */
import type { State } from '../state.ts';
import type { Check } from '../work/check.ts';
import { suiteCategory, type Suite } from '../work/suite.ts';
import { answeredDoubts, rewriteTank } from './doubt.ts';

export function suiteId({ name }: Pick<Suite, 'name'>): string {
  return `${suiteCategory}/${name}`;
}

const path = String.raw`[\w./-]+`;
const arguments_ = String.raw`( (?!-)[\w./*-]+)*`;
const runners = [
  /^(npm|pnpm|yarn|bun) (test|run [\w:.-]+)$/,
  new RegExp(`^node --test${arguments_}$`),
  new RegExp(`^npx (--no-install )?(jest|vitest run|mocha|ava|tap|playwright test)${arguments_}$`),
  new RegExp(`^((uv|poetry) run )?(python3? -m )?pytest( -q)?${arguments_}$`),
  new RegExp(`^python3? -m unittest( discover)?${arguments_}$`),
  /^go test \.\/[\w./-]*$/,
  /^cargo test( --workspace)?$/,
  new RegExp(`^(bundle exec )?(rspec|rake test)${arguments_}$`),
];
const script = new RegExp(`^(?:(?:ba)?sh |python3? |node |\\./)(?!-)(${path})$`);

/** What is wrong with a suite that discovery reports, or undefined. */
export function suiteProblem({ name, command, files }: Suite): string | undefined {
  const own = script.exec(command)?.[1]?.replace(/^\.\//, '');
  if (own === undefined && !runners.some((pattern) => pattern.test(command)))
    return `Suite ${name}: "${command}" is not a plain test command (npm test, node --test, pytest, go test ./..., cargo test, sh test/run.sh …). Give one of these, or leave the suite out.`;
  if (own !== undefined && !files.includes(own))
    return `Suite ${name}: name ${own} among its files: what runs the tests is guarded as they are.`;
  const wrong = files.find((glob) => !isTestGlob(glob));
  return wrong === undefined
    ? undefined
    : `Suite ${name}: "${wrong}" is no glob of test files below the repository's root (test/**, **/*.test.js, tests/test_*.py …). The work itself is not guarded.`;
}

/** What it matches is the base commit's wherever the suite runs: it must not take in the work. */
function isTestGlob(glob: string): boolean {
  if (!/^[\w.*?@{},/-]+$/.test(glob) || glob.startsWith('/') || glob.split('/').includes('..')) return false;
  if (glob.split('{').length > 3 || glob.split(',').length > 8) return false;
  return !/[*?{]/.test(glob) || /test|spec|e2e/i.test(glob);
}

/** Test files of a suite that QC retired. */
export function retiredTests({ ledger }: State, name: string): string[] {
  return [...new Set((ledger.suites?.retired ?? []).filter((r) => r.suite === name).flatMap((r) => r.files))].sort();
}

/** Suites that were not tried on the base commit as they are now. */
export function untried(state: State): Suite[] {
  const isTried = ({ name }: Suite): boolean => {
    const without = retiredTests(state, name).join('\n');
    return (state.ledger.suites?.tried ?? []).some((t) => t.suite === name && t.without.join('\n') === without);
  };
  return (state.work.context?.suites ?? []).filter((suite) => !isTried(suite));
}

/** Each base run of a suite, in whatever form, burns it. */
export function baseTank(name: string): string {
  return `base/${name}`;
}

/**
 * Tasks whose work was taken back because it broke this suite. QC is asked once for each whether a requirement contradicts
 * it, as long as its looks at the lineage last.
 */
export function brokenBy({ ledger }: State, check: Check): string[] {
  if (!check.guard) return [];
  const undone = ledger.undone.filter((u) => u.broke.includes(check.id));
  return [...new Set(undone.flatMap(({ change: { author } }) => (author.kind === 'task' ? [author.task] : [])))];
}

/** Whether one of these tasks is still to be looked at: looks that answered a fixer were at none. */
export function standsInTheWay(state: State, check: Check): boolean {
  const tasks = brokenBy(state, check).length;
  return tasks > 0 && tasks + answeredDoubts(state, check) > (state.ledger.burned[rewriteTank(check)] ?? 0);
}
