/** Which commands may run a suite of the repository, and which globs may match its tests. */
import type { DeclaredSuite } from '../work/suite.ts';

const path = String.raw`[\w./-]+`;
const plainArguments = String.raw`( (?!-)[\w./*-]+)*`;
const runners = [
  /^(npm|pnpm|yarn|bun) (test|run [\w:.-]+)$/,
  new RegExp(`^node --test${plainArguments}$`),
  new RegExp(`^npx (--no-install )?(jest|vitest run|mocha|ava|tap|playwright test)${plainArguments}$`),
  new RegExp(`^((uv|poetry) run )?(python3? -m )?pytest( -q)?${plainArguments}$`),
  new RegExp(`^python3? -m unittest( discover)?${plainArguments}$`),
  /^go test \.\/[\w./-]*$/,
  /^cargo test( --workspace)?$/,
  new RegExp(`^(bundle exec )?(rspec|rake test)${plainArguments}$`),
];
const script = new RegExp(`^(?:(?:ba)?sh |python3? |node |\\./)(?!-)(${path})$`);

/** What is wrong with a suite that discovery reports, or undefined. */
export function suiteProblem({ name, command, files }: DeclaredSuite): string | undefined {
  const scriptPath = script.exec(command)?.[1]?.replace(/^\.\//, '');
  if (scriptPath === undefined && !runners.some((pattern) => pattern.test(command)))
    return `Suite ${name}: "${command}" is not a plain test command (npm test, node --test, pytest, go test ./..., cargo test, sh test/run.sh …). Give one of these, or leave the suite out.`;
  if (scriptPath !== undefined && !files.includes(scriptPath))
    return `Suite ${name}: name ${scriptPath} among its files: what runs the tests is guarded like them.`;
  const wrong = files.find((glob) => !isTestGlob(glob));
  return wrong === undefined
    ? undefined
    : `Suite ${name}: "${wrong}" is no glob of test files below the repository's root (test/**, **/*.test.js, tests/test_*.py …). The work itself is not guarded.`;
}

/** Matching files are taken from the base commit wherever the suite runs, so a glob must not match the work itself. */
function isTestGlob(glob: string): boolean {
  if (!/^[\w.*?@{},/-]+$/.test(glob) || glob.startsWith('/') || glob.split('/').includes('..')) return false;
  if (glob.split('{').length > 3 || glob.split(',').length > 8) return false;
  return !/[*?{]/.test(glob) || /test|spec|e2e/i.test(glob);
}
