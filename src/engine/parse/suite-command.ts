/** Which commands may run a suite of the repository, and which globs may name its tests. */
import type { DeclaredSuite } from '../work/suite.ts';

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
export function suiteProblem({ name, command, files }: DeclaredSuite): string | undefined {
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
