/** Which commands may run a suite of the repository, and which globs may match its tests. */
import type { DeclaredSuite } from '../work/suite.ts';

const path = String.raw`[\w./-]+`;
const plainArguments = String.raw`( (?!-)[\w./*-]+)*`;
/** Options that change how much is printed or when it stops, never what counts as a failure. */
const quiet = String.raw`( (-[xqv]+|--tb=\w+|--no-header|--offline|--quiet|-B|--batch-mode|--no-restore|--no-build))*`;
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
  /^make (test|tests|check)$/,
];
const script = new RegExp(`^(?:(?:ba)?sh |python3? |node |\\./)(?!-)(${path})$`);
/** A suite may lie in a folder of the repository. */
const inFolder = new RegExp(`^cd (?!-|/)(${path}) && `);

/** What is wrong with a suite that discovery reports, or undefined. */
export function suiteProblem({ name, command, files }: DeclaredSuite): string | undefined {
  const [prefix = '', folder = ''] = inFolder.exec(command) ?? [];
  const call = command.slice(prefix.length);
  const named = script.exec(call)?.[1]?.replace(/^\.\//, '');
  const scriptPath = named === undefined ? undefined : [folder, named].filter(Boolean).join('/');
  if (folder.split('/').includes('..') || (scriptPath === undefined && !runners.some((pattern) => pattern.test(call))))
    return `Suite ${name}: "${command}" is not a plain test command (npm test, cd web && npm test, node --test, pytest -x -q, go test ./..., cargo test, mvn test, dotnet test, make test, sh test/run.sh …). Give one of these, or leave the suite out.`;
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
