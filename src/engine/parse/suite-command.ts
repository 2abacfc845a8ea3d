/** Which commands may run a suite of the repository, its tests or a check such as a linter, and which globs may match its files. */
import type { DeclaredSuite } from '../work/suite.ts';

const path = String.raw`[\w./-]+`;
const plainArguments = String.raw`( (?!-)[\w./*-]+)*`;
/** Options that change how much is printed or when it stops, never what counts as a failure. */
const quiet = String.raw`( (-[xqv]+|--tb=\w+|--no-header|--offline|--quiet|-B|--batch-mode|--no-restore|--no-build))*`;
/**
 * Options and paths of a check, as its CI has them, without those that change the files. A threshold of coverage is no check: new work comes
 * with tests of its own, which the command of today does not run.
 */
const checked = String.raw`( -{1,2}(?!fix|write|update|in-place|allow-dirty|[iuw]\b)\w[\w-]*(=[\w.,:/*-]+)?| (?!-)[\w./*,:-]+)*`;
const checks = [
  'ruff check|ruff format --check|black --check|isort --check-only|flake8|pycodestyle|pylint|mypy|pyright|basedpyright|ty check|bandit',
  'eslint|xo|standard|tsd|tsc --noEmit|vue-tsc --noEmit|prettier --check|biome (?:check|lint|ci)|oxlint|stylelint',
  'knip|publint|dprint check|deno (?:lint|check|fmt --check)|markdownlint|markdownlint-cli2|shellcheck|yamllint|codespell|typos|cspell',
  'go vet|staticcheck|golangci-lint run|cargo (?:check|clippy|fmt --check)|rubocop|phpstan analyse|phpcs',
].join('|');
const prefix = String.raw`((uv|poetry) run |python3? -m |bundle exec |npx (--no-install )?|vendor/bin/)?`;
const ofText = [
  new RegExp(`^${prefix}(${checks})${checked}$`),
  /^(npm|pnpm|yarn|bun) run [\w:.-]*(lint|types?|typecheck|format|style)\b[\w:.-]*$/,
  /^make (lint|types?|typecheck)$/,
];
const runners = [
  /^(npm|pnpm|yarn|bun) (test|run [\w:.-]+)$/,
  /^bun test$/,
  new RegExp(`^node --test${plainArguments}$`),
  new RegExp(`^npx (--no-install )?(jest|vitest run|mocha|ava|tap|playwright test)${plainArguments}$`),
  new RegExp(`^((uv|poetry) run )?(python3? -m )?pytest${quiet}${plainArguments}$`),
  new RegExp(`^((uv|poetry) run )?python3? -m unittest( discover)?${quiet}${plainArguments}$`),
  /^go test( -v)? \.\/[\w./-]*$/,
  /^cargo test( --workspace| --all-features| -q)*$/,
  new RegExp(`^(bundle exec )?(rspec|rake test)${plainArguments}$`),
  new RegExp(`^(mvn|\\./mvnw)${quiet} (test|verify)$`),
  new RegExp(`^(gradle|\\./gradlew)${quiet} (test|check)$`),
  new RegExp(`^dotnet test${quiet}$`),
  /^(composer test|vendor\/bin\/phpunit)$/,
  /^make (tests?|check)$/,
  ...ofText,
];
const script = new RegExp(`^(?:(?:ba)?sh |python3? |node |\\./)(?!-)(${path})$`);
/** A suite may lie in a folder of the repository. */
const inFolder = new RegExp(`^cd (?!-|/)(${path}) && `);

/** Whether a suite only looks at the text of the work, such as a linter. */
export function isCheck({ command }: Pick<DeclaredSuite, 'command'>): boolean {
  const [start = ''] = inFolder.exec(command) ?? [];
  return callsOf(command.slice(start.length)).every((call) => ofText.some((pattern) => pattern.test(call)));
}

function callsOf(command: string): string[] {
  return command.split(' && ');
}

/** For who may declare it once more. */
export const suiteAdvice =
  'Commands are such as npm test, cd web && npm test, node --test, pytest -x -q, go test ./..., cargo test, mvn test, dotnet test, make test, sh test/run.sh, npm run lint, npx tsc --noEmit, flake8. Files are such as test/**, **/*.test.js, tests/test_*.py, and the script that runs them: what runs the tests is guarded like them, and the work itself is not. Leave out a suite that has none of these.';

/** What is wrong with a suite that discovery reports, or undefined. Its calls are joined by `&&`. */
export function suiteProblem({ name, command, files }: DeclaredSuite): string | undefined {
  const [start = '', folder = ''] = inFolder.exec(command) ?? [];
  const calls = callsOf(command.slice(start.length));
  const scripts = calls.map((call) => script.exec(call)?.[1]?.replace(/^\.\//, ''));
  const isPlain = calls.every((call, n) => scripts[n] !== undefined || runners.some((pattern) => pattern.test(call)));
  if (folder.split('/').includes('..') || !isPlain) return `Suite ${name}: "${command}" is not a plain command for tests or a check.`;
  const paths = scripts.flatMap((one) => (one === undefined ? [] : [[folder, one].filter(Boolean).join('/')]));
  const unnamed = paths.find((one) => !files.includes(one));
  if (unnamed !== undefined) return `Suite ${name}: ${unnamed} runs it and is not among its files.`;
  const wrong = files.find((glob) => !isTestGlob(glob));
  return wrong === undefined ? undefined : `Suite ${name}: "${wrong}" is no glob of test files below the repository's root.`;
}

/** Matching files are taken from the base commit wherever the suite runs, so a glob must not match the work itself. */
function isTestGlob(glob: string): boolean {
  if (!/^[\w.*?@{},/-]+$/.test(glob) || glob.startsWith('/') || glob.split('/').includes('..')) return false;
  if (glob.split('{').length > 3 || glob.split(',').length > 8) return false;
  return !/[*?{]/.test(glob) || /test|spec|e2e/i.test(glob);
}
