/**
 * The kind of a failure, from exit status and output together; the first match wins.
 */
import { withoutColours } from '../ground/text.ts';
import type { FailureKind } from '../work/verification.ts';

export interface RunFacts {
  exit: number | null;
  timedOut: boolean;
  output: string;
  /** Text of the script that ran: words that stand in it are what it expects, and no sign that something broke down. */
  script?: string;
}

const byText: [FailureKind, RegExp][] = [
  [
    'tooling_error',
    /\b(command not found|No such file or directory: '?\/(\w+\/)*s?bin\/|Cannot find module '[^./']|Cannot find package|ModuleNotFoundError|cannot load such file|no required module provides package|ClassNotFoundException|(PluginResolution|DependencyResolution)Exception|Could not resolve dependencies for project|browser: No page is open|browserType\.launch\w*: Executable doesn't exist at |Use one of:\n {2}browser )/i,
  ],
  // As dash says it, which is the `sh` of Debian, and so of npm's scripts there.
  ['tooling_error', /^\S*sh: \d+: (exec: )?\S+: not found$/m],
  ['service_down', /\b(ECONNREFUSED|connection refused|ECONNRESET|getaddrinfo ENOTFOUND|Couldn't connect to server)\b/i],
  // A script that package.json lacks, and a module by its path, are the work's, not the machine's.
  ['runtime_error', /\b(EADDRINUSE|address already in use|npm (ERR!|error) Missing script|Cannot find module '[./])/i],
  [
    'compile_error',
    /\b(SyntaxError|syntax error(?=,| at\b| near\b| before\b)|IndentationError|error TS\d+|error\[E\d+\]:|error: could not compile|error CS\d+|cannot find symbol|undefined: \w)|^\S+:\d+:\d+: (fatal )?error: |^\S+\.(pyi?|java|scala|swift):\d+: error: |^\S+\.go:\d+:\d+: |\[build failed\]$|^e: (file:\/\/)?\S+\.kts?:|^\[ERROR\] COMPILATION ERROR\b/m,
  ],
  ['lint_failure', /\b(eslint|oxlint|ruff|flake8|prettier --check|code style issues|lint (errors?|failed))\b/i],
  // What ESLint, ruff, flake8, pylint and black print does not hold their names.
  [
    'lint_failure',
    /^✖ \d+ problems? \(|^[A-Z]{1,4}\d{3,4} (\[\*\] )?\S.*\n *--> |^\S+\.pyi?:\d+:\d+: [A-Z]{1,4}\d{3,4}:? |^would reformat \S|^\d+ files? would be reformatted/m,
  ],
  [
    'test_failure',
    /\b(AssertionError|assert(ion)? failed|expected\b.{0,200}\b(got|but|received|actual)|FAILED|not ok \d+|\d+ failing|Tests run: \d+, (Failures: [1-9]|Failures: 0, Errors: [1-9]))|[✗✘✖✕]/i,
  ],
  [
    'runtime_error',
    /\b(TypeError|ReferenceError|RangeError|Traceback \(most recent call last\)|panicked at|Unhandled|Segmentation fault|Exception in thread)/,
  ],
];

const breakdowns: readonly FailureKind[] = ['tooling_error', 'service_down', 'compile_error', 'runtime_error'];

/** Whether the text shows that some program did not run to its end, whatever else it shows. */
export function isBreakdown(run: Pick<RunFacts, 'output' | 'script'>): boolean {
  return byText.some(([kind, pattern]) => breakdowns.includes(kind) && shows(run, kind, pattern));
}

export function classify(run: RunFacts): FailureKind {
  const { exit, timedOut, output, script = '' } = run;
  if (timedOut) return 'timeout';
  if (exit === 126 || exit === 127) return 'tooling_error';
  const plain = withoutColours(output);
  const [kind] = byText.find(([one, pattern]) => shows({ output: plain, script }, one, pattern)) ?? [];
  if (kind) return kind;
  return exit === null || exit > 128 ? 'runtime_error' : exit === 1 ? 'test_failure' : 'unknown';
}

function shows(run: Pick<RunFacts, 'output' | 'script'>, kind: FailureKind, pattern: RegExp): boolean {
  const { script = '' } = run;
  const output = kind === 'service_down' ? run.output.replaceAll(answer, '') : run.output;
  if (script === '' || !breakdowns.includes(kind)) return pattern.test(output);
  const expected = script.toLowerCase();
  return [...output.matchAll(new RegExp(pattern, `${pattern.flags}g`))].some(([words]) => !expected.includes(words.toLowerCase()));
}

/**
 * What a server answered, as a script quotes it that expects an error: `expected status 503, got 500 {"code":"ECONNREFUSED"`. The body, which
 * may be cut off, tells of what is down on purpose. Where another status was expected, something is down that should not be.
 */
const answer = /\b(?:expected|want(?:ed)?)\b[^\n{]{0,40}\b5\d\d\b[^\n{]{0,40}\b[45]\d\d\b[^\n{]{0,20}\{"[^\n]*/gi;

/** Whether a compiler refused the work; not what reads data or text while it runs, whose errors have the same name. */
export function isRefusedByCompiler(run: RunFacts): boolean {
  return classify(run) === 'compile_error' && !run.output.includes('SyntaxError');
}
