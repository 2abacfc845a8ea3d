/**
 * Which commands may run a suite of the repository, its tests or a check such as a linter or a build, and which globs may match its
 * files. A command is plain where a reader sees at once what it runs: a known program with its usual words, a script that the project
 * names, or one of the repository that is guarded like its tests.
 */
import type { DeclaredSuite } from '../work/suite.ts';

type Kind = 'test' | 'check';

/** Programs that run tests; where words stand behind a colon, one of them has to follow somewhere. */
const tests = programsIn(`
  jest ava tap mocha jasmine uvu tape bats busted phpunit pest rspec ctest pytest unittest tox nox
  vitest: run --run
  playwright cypress: test run
  bun deno hatch go dotnet mix swift dart flutter sbt lein stack cabal rails bazel: test
  cargo: test nextest
  dune: test runtest
`);

/** They do all that stands behind them, and what packs or builds the work runs its tests first. */
const goals = programsIn(`
  mvn mvnw: test verify package
  gradle gradlew: test check build
`);

/** Interpreters of which only one use runs tests. */
const interpreters = [
  /^(node|tsx)( --import[ =]tsx| --(loader|import)[ =]ts-node\/esm| --experimental-[\w-]+| --enable-source-maps)* --test( [^-].*)?$/,
  /^(python3? manage\.py|php artisan) test( |$)/,
  /^rake$/,
];

/** Those that look at the text of the work, or only build it. */
const checks = programsIn(`
  eslint xo standard tsd oxlint stylelint knip publint attw markdownlint markdownlint-cli2 htmlhint svelte-check
  flake8 pycodestyle pylint mypy pyright basedpyright bandit vulture yamllint codespell
  tsc vue-tsc tsgo
  shellcheck typos cspell hadolint actionlint rubocop phpcs staticcheck
  prettier oxfmt dprint: --check check
  biome: check lint ci
  deno: lint check --check
  ruff: check --check --diff
  ty astro: check
  black isort: --check --diff --check-only
  phpstan: analyse analyze
  go: vet build
  golangci-lint: run
  cargo: check clippy build --check
  dotnet: build --verify-no-changes
  mix: compile credo dialyzer --check-formatted
  swift: build
  dart flutter: analyze
  gradle gradlew: lint
  mvn mvnw: compile
`);

/** Programs that run a script which the project names. */
const runners = new Set('npm pnpm yarn bun deno make just task rake composer invoke turbo nx lerna hatch'.split(' '));
/** Of Gradle. */
const withoutTests = / (-x|--exclude-task) (\S*:)?test( |$)/;
/** Those of which each name is one more script that runs; behind the first name nx takes that of a project. */
const takesMany = /^(make|just|task|rake|invoke|turbo|nx (run-many|affected))\b/;
const ofText = /lint|types?\b|type-?check|tsc\b|format|style|prettier|build|compile/i;
const ofTests = /test|spec|check|verify|unit|e2e|^ci$/i;
/** Options whose value is a folder or a package. */
const takesFolder = /^(-C|-w|-F|--(prefix|cwd|dir|filter|workspace|scope))$/;
/** What a package manager does besides. */
const ofPackages =
  /^(install|i|ci|add|remove|rm|un|uninstall|update|up|upgrade|publish|pack|link|dlx|create|init|exec|x|config|set|login)$/;

/** What stands before the program that counts. */
const wrapper =
  /^(npx( --no-install| --no| -y| --yes)?|npm exec( --)?|pnpm( exec)?|yarn( exec| run)?|bunx|bun x|(uv|poetry|pdm|rye|pipenv|hatch) run( --(group|extra|package|python) [\w.-]+| --[\w-]+(=[\w.-]+)?)*|python3? -m|bundle exec|composer exec( --)?) |^((\.\/)?(vendor\/)?bin\/|\.\/(?=(mvnw|gradlew)\b))/;

/** Words that change the files, stay open, load what is not the suite's, or fail for coverage, which new work lacks before its tests count. */
const unfit: readonly [programs: RegExp, word: RegExp][] = [
  [/./, /^--?(?!\w+=false$)(fix|write|watch|update)|^--?(in-place|allow-dirty|exec|eval|toolexec|fail-under|cov-fail-under)|^-[ui]$/],
  [/^(prettier|oxfmt|ruff|typos|dprint|jest|vitest|ava|mocha|tsc|vue-tsc|tsgo)$/, /^-w$/],
  [/^pytest$/, /^-[pco]|^--(confcutdir|rootdir|override-ini)/],
  [/^(mvnw?|gradlew?)$/, /^-[DPI]/],
];

/** A word that a shell takes as it is, quoted or not. */
const plainWord = /^(?:[\w@./*,:=+^!~[\]{}%-]+|'[^'\\$`\n]*'|"[^"\\$`\n]*")$/;
const script = /^(?:(?:ba)?sh |python3? |node |\.\/)(?!-)([\w./-]+)$/;
/** A suite may lie in a folder of the repository. */
const inFolder = /^cd (?!-|\/)([\w./-]+) && /;

type Scripts = Readonly<Record<string, string>>;

/**
 * Whether a suite only looks at the text of the work, such as a linter, or only builds it.
 * @param scripts of the package.json in its folder, by name: what a script runs tells more than its name.
 */
export function isCheck({ command }: Pick<DeclaredSuite, 'command'>, scripts: Scripts = {}): boolean {
  const calls = callsOf(command.slice(startOf(command).length));
  return calls.every((call) => (kindOfParts(scripts, call) ?? kindOf(call)) === 'check');
}

/** The folder in which a suite runs; empty for the repository's root. */
export function folderOf({ command }: Pick<DeclaredSuite, 'command'>): string {
  return inFolder.exec(command)?.[1] ?? '';
}

/** So deep scripts call scripts at most, since they may call themselves. */
const deepest = 5;

/** What a script of package.json and all that it calls are; undefined where one part is unknown, or it is no such script. */
function kindOfParts(scripts: Scripts, call: string, depth = deepest): Kind | undefined {
  const [, name = ''] = scriptCall.exec(call) ?? [];
  if (!Object.hasOwn(scripts, name) || depth === 0) return undefined;
  const texts = [`pre${name}`, name, `post${name}`].flatMap((one) => (Object.hasOwn(scripts, one) ? (scripts[one] ?? '') : []));
  const kinds = texts.flatMap(callsOf).map((one) => (scriptCall.test(one) ? kindOfParts(scripts, one, depth - 1) : kindOf(one)));
  if (kinds.includes('test')) return 'test';
  return kinds.every((kind) => kind === 'check') ? 'check' : undefined;
}

/** A script of package.json and nothing behind it; `bun test` is Bun's own. */
const scriptCall = /^(?:npm(?: run)?|pnpm(?: run)?|yarn(?: run)?|bun run) ([\w:.-]+)$/;

/** For who may declare it once more. */
export const suiteAdvice =
  'Commands are such as npm test, cd web && npm test, node --test, pytest -x -q, go test ./..., cargo test, mvn test, dotnet test, make test, sh test/run.sh, npm run lint, npx tsc --noEmit, flake8. Files are such as test/**, **/*.test.js, tests/test_*.py, and the script that runs them: what runs the tests is guarded like them, and the work itself is not. Leave out a suite that has none of these.';

/** What is wrong with a suite that discovery reports, or undefined. Its calls are joined by `&&`. */
export function suiteProblem({ name, command, files }: DeclaredSuite): string | undefined {
  const folder = folderOf({ command });
  const calls = callsOf(command.slice(startOf(command).length));
  const scripts = calls.map((call) => (kindOf(call) ? undefined : script.exec(call)?.[1]?.replace(/^\.\//, '')));
  const isPlain = calls.every((call, n) => scripts[n] !== undefined || kindOf(call) !== undefined);
  if (folder.split('/').includes('..') || !isPlain) return `Suite ${name}: "${command}" is not a plain command for tests or a check.`;
  const paths = scripts.flatMap((one) => (one === undefined ? [] : [[folder, one].filter(Boolean).join('/')]));
  const unnamed = paths.find((one) => !files.includes(one));
  if (unnamed !== undefined) return `Suite ${name}: ${unnamed} runs it and is not among its files.`;
  const wrong = files.find((glob) => !isTestGlob(glob));
  return wrong === undefined ? undefined : `Suite ${name}: "${wrong}" is no glob of test files below the repository's root.`;
}

/** What stands before its calls. */
function startOf(command: string): string {
  return inFolder.exec(command)?.[0] ?? '';
}

function callsOf(command: string): string[] {
  return command.split(' && ');
}

function kindOf(call: string): Kind | undefined {
  const words = call.match(/"[^"]*"|'[^']*'|[^ ]+/g) ?? [];
  if (words.join(' ') !== call || !words.every((word) => plainWord.test(word))) return undefined;
  return kindOfWords(words.map((word) => word.replaceAll(/^(['"])(.*)\1$/g, '$2')));
}

function kindOfWords(words: readonly string[]): Kind | undefined {
  const [program = '', ...rest] = words;
  const call = words.join(' ');
  if (unfit.some(([programs, word]) => programs.test(program) && rest.some((one) => word.test(one)))) return undefined;
  if (isNamed(goals, program, rest)) return withoutTests.test(call) ? 'check' : 'test';
  if (isNamed(checks, program, rest)) return 'check';
  if (isNamed(tests, program, rest) || interpreters.some((one) => one.test(call))) return 'test';
  const own = runners.has(program) ? kindOfScript(program, rest) : undefined;
  if (own !== undefined) return own;
  const [before] = wrapper.exec(call) ?? [];
  return before === undefined ? undefined : kindOfWords(call.slice(before.length).split(' '));
}

function isNamed(programs: ReadonlyMap<string, readonly string[]>, program: string, rest: readonly string[]): boolean {
  const needed = programs.get(program);
  return needed !== undefined && (needed.length === 0 || rest.some((word) => needed.includes(word.replace(/^.*:/, ''))));
}

/** By the name of the script; npm takes a name only behind `run`, but for `npm test`. */
function kindOfScript(program: string, rest: readonly string[]): Kind | undefined {
  const names = rest.filter((word, n) => !word.startsWith('-') && !takesFolder.test(rest[n - 1] ?? ''));
  const isRun = names[0] === 'run' && names.length > 1;
  if (names.some((word) => ofPackages.test(word))) return undefined;
  if (program === 'npm' && !isRun && names[0] !== 'test') return undefined;
  const isOfTests = (word: string): boolean => ofTests.test(word) && !ofText.test(word);
  if (takesMany.test(`${program} ${names[0]}`) && names.some(isOfTests)) return 'test';
  if (names.some((word) => ofText.test(word))) return 'check';
  return isRun || names.some((word) => ofTests.test(word)) ? 'test' : undefined;
}

/** Matching files are taken from the base commit wherever the suite runs, so a glob must not match the work itself. */
function isTestGlob(glob: string): boolean {
  if (!/^[\w.*?@{},/-]+$/.test(glob) || glob.startsWith('/') || glob.split('/').includes('..')) return false;
  if (glob.split('{').length > 3 || glob.split(',').length > 8) return false;
  return !/[*?{]/.test(glob) || /test|spec|e2e/i.test(glob);
}

function programsIn(lines: string): ReadonlyMap<string, readonly string[]> {
  const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean);
  const pairs = lines.split('\n').flatMap((line) => {
    const [programs = '', needed = ''] = line.split(':');
    return wordsOf(programs).map((program): [string, string[]] => [program, wordsOf(needed)]);
  });
  return new Map(pairs);
}
