/**
 * Runs each suite of the repository twice on the base commit, before anything is built. A suite that is green there becomes a
 * verification that guards against regression. One that is red or flaky there guards without the test files that failed, where these are
 * known; else it is noted and not used.
 */
import type { Context } from '../context.ts';
import { askForInstalls, installFault } from '../judge/install-fault.ts';
import type { State } from '../state/state.ts';
import { canBurn } from '../state/fuel.ts';
import { runVerifications } from '../run/batch.ts';
import { baseTank, retiredTests, untried } from '../judge/guarded-suites.ts';
import type { Run, Suite } from '../work/verification.ts';
import type { TestCase } from '../work/case.ts';
import type { Fact } from '../work/facts.ts';
import { packageScripts } from '../parse/package-scripts.ts';
import { folderOf, isCheck } from '../parse/suite-command.ts';
import { suiteId, suiteCategory, type DeclaredSuite } from '../work/suite.ts';
import type { Action } from './action.ts';

/** Seconds that a suite may take on the base commit. */
const baseTimeout = 600;
/** Later runs may take this many times as long as on the base commit, and at least `verificationTimeout`. */
const slack = 3;

export const characterise: Action = {
  id: 'characterise',
  asksModel: false,
  afterQualifying: true,
  due(state) {
    return untried(state)
      .filter((suite) => canBurn(state.ledger, [baseTank(suite.name)]) && !lacksInstall(state, suite))
      .map(({ name }) => ({ target: name, burns: [baseTank(name)], why: `whether suite ${name} is green on the base commit` }));
  },
  async run(target, context) {
    const { state } = context;
    const { work } = state;
    const suite = work.context?.suites.find(({ name }) => name === target);
    if (!suite) return [];
    const without = retiredTests(state, target);
    const known = work.verifications[suiteId(suite)];
    // Declared anew, and nothing more is retired: what guarded until now is never lost by a declaration.
    const isAnew = known?.kind === 'suite' && !work.retired.includes(known.id) && known.without.join('\n') === without.join('\n');
    const tests = await context.ports.repo.testsAtBase(suite.files);
    const notUsed = (why: string): Fact[] => [
      ...(known && !isAnew ? [{ fact: 'verification.retired' as const, id: known.id, why }] : []),
      {
        fact: 'suite.tried',
        tried: { suite: target, without, used: false, why: isAnew ? `${why}, as it is declared now; it guards as before` : why },
      },
    ];
    if (tests.every((path) => without.includes(path)))
      return notUsed(tests.length === 0 ? 'the base commit has none of its test files' : 'all of its tests are retired');
    const { verification, runs, all } = await guardAtBase(context, suite, { without, tests, known: isAnew ? known : undefined });
    const ran = all.map((run): Fact => ({ fact: 'verification.ran', run }));
    const bad = runs.at(-1)?.verdict === 'green' ? undefined : runs.at(-1);
    if (bad?.verdict === 'none' && canBurn(state.ledger, [baseTank(target)])) return [...ran, ...askForInstalls(state, runs, [])];
    if (bad) return [...ran, ...notUsed(whyBad(bad, runs))];
    const seconds = Math.ceil((slack * Math.max(...runs.map((run) => run.duration))) / 1000);
    const timeout = Math.max(state.config.verificationTimeout, Math.min(seconds, slack * baseTimeout));
    return [
      { fact: 'verification.written', verification: { ...verification, timeout } },
      ...ran,
      {
        fact: 'suite.tried',
        tried: {
          suite: target,
          without,
          used: true,
          why: `it is green on the base commit${verification.redAtBase ? ` without ${verification.redAtBase.join(', ')}` : ''}`,
        },
      },
    ];
  },
};

/** Another run tells as little until the install was made. Work goes on meanwhile: a suite runs on the base commit whenever that is. */
function lacksInstall(state: State, suite: DeclaredSuite): boolean {
  const last = state.ledger.runs[suiteId(suite)]?.at(-1);
  return installFault(state) !== undefined && last?.verdict === 'none' && last.world === state.ledger.world;
}

/** Exit status of a shell that does not find a command (POSIX, 2.8.2). */
const notFound = 127;

function whyBad({ verdict, summary, exit }: Run, runs: readonly Run[]): string {
  if (exit === notFound) return `it did not run, since a command of it is not there: ${summary}`;
  if (verdict === 'none') return `nobody could tell whether it is green on the base commit: ${summary}`;
  return runs.some((run) => run.verdict === 'green') ? 'it is flaky on the base commit' : `it is red on the base commit: ${summary}`;
}

interface Guard {
  verification: Suite;
  /** Its runs on the base commit. */
  runs: Run[];
  /** These, and those of the suite as it was tried besides. */
  all: Run[];
}

/** @param known what guards until now, and is only declared anew. */
interface Base {
  without: string[];
  tests: readonly string[];
  known: Suite | undefined;
}

/** The whole suite, or where it is red on the base commit what is left of it without the files that failed there. */
async function guardAtBase(context: Context, suite: DeclaredSuite, { without, tests, known }: Base): Promise<Guard> {
  const verification = await verificationOf(context, suite, without);
  const runs = await runTwice(context, verification);
  const whole = { verification, runs, all: runs };
  const failed = await failedFiles(context, suite, runs, tests);
  const isLost = known !== undefined && failed.some((path) => known.redAtBase?.includes(path) !== true);
  if (failed.length === 0 || isLost || tests.every((path) => [...without, ...failed].includes(path))) return whole;
  const rest = await verificationOf(context, suite, without, failed);
  const restRuns = await runTwice(context, rest, runs.length);
  const all = [...runs, ...restRuns];
  return restRuns.every(hasPassed) ? { verification: rest, runs: restRuns, all } : { ...whole, all };
}

/** Helpers of tests may be left, of which none is run. */
function hasPassed({ verdict, cases }: Run): boolean {
  return verdict !== 'green' || (cases !== undefined && cases.total > cases.failed + cases.skipped);
}

/** A suite has no header, so it covers no requirement and needs no stated reason to be red. */
async function verificationOf({ ports }: Context, suite: DeclaredSuite, without: string[], redAtBase: string[] = []): Promise<Suite> {
  const { name, command, files } = suite;
  const id = suiteId(suite);
  const manifest = await ports.repo.textAtBase(inFolderOf(suite, 'package.json'));
  const check = isCheck(suite, packageScripts(manifest));
  const text = [
    `# The repository's own suite ${name}, with its test files as they were before the sprint.`,
    ...without.map((path) => `# Without ${path}, which a requirement contradicts.`),
    ...redAtBase.map((path) => `# Without ${path}, which was not green before the sprint.`),
    ...(check ? ['# Without the documents of the sprint: a check looks at the work.'] : []),
    command,
    '',
  ].join('\n');
  return {
    id,
    lineage: id,
    kind: 'suite',
    title: `what was green before the sprint still is: ${command}`,
    category: suiteCategory,
    ext: 'sh',
    script: await ports.payloads.put(text),
    suite: name,
    files,
    without,
    ...(check ? { check } : {}),
    ...(redAtBase.length > 0 ? { redAtBase } : {}),
    timeout: baseTimeout,
  };
}

/** The test files in which a case failed; empty where one failed elsewhere, or is not named: then nobody knows what to leave out. */
async function failedFiles({ ports }: Context, suite: DeclaredSuite, runs: readonly Run[], tests: readonly string[]): Promise<string[]> {
  const last = runs.at(-1);
  if (last?.verdict !== 'red' || !last.cases) return [];
  const cases = JSON.parse(await ports.payloads.get(last.cases.ref)) as TestCase[];
  const failed = cases.filter(({ verdict }) => verdict === 'failed');
  const inSuite = (file: string): string => (tests.includes(file) ? file : inFolderOf(suite, file));
  const files = [...new Set(failed.map(({ file = '' }) => inSuite(file)))].sort();
  return failed.length >= last.cases.failed && files.every((path) => tests.includes(path)) ? files : [];
}

/** A path as it is called where the suite runs, from the repository's root. */
function inFolderOf(suite: DeclaredSuite, path: string): string {
  return [folderOf(suite), path].filter(Boolean).join('/');
}

/**
 * Runs it a second time only when the first run is green, and once more where the machine kept one from a result.
 * @param before how often it ran in this action.
 */
async function runTwice(context: Context, verification: Suite, before = 0): Promise<Run[]> {
  const runs: Run[] = [];
  const countOf = (wanted: Run['verdict']): number => runs.filter(({ verdict }) => verdict === wanted).length;
  while (countOf('green') < 2 && countOf('none') < 2 && countOf('red') + countOf('flaky') === 0) {
    const [run] = await runVerifications(context, { verifications: [verification], at: 'worktree', where: 'revert', code: null });
    if (!run) break;
    runs.push({ ...run, n: run.n + before + runs.length });
  }
  return runs;
}
