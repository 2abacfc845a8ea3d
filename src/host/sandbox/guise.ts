/**
 * How a run looks to the work: the variables by which it could tell that it is judged. A run of the control has none that its script
 * does not name, and others for its folders, so work that behaves only for Loop is red there (I8).
 */
import { randomBytes } from 'node:crypto';
import type { Job } from '../../engine/work/job.ts';
import { reportsDir } from './reports.ts';

export interface Guise {
  /** What runs, with the names of the folders that this run has. */
  run: Job['run'];
  /** Paths inside the sandbox: of scratch data, and of reports. */
  data: string;
  reports: string;
  env: Record<string, string>;
  /** Variables that it does not get. */
  without: readonly string[];
}

const usual = { names: { data: 'TEST_DATA_DIR', reports: 'REPORTS_DIR' }, paths: { data: '/tmp/data', reports: reportsDir } };

/** Services name these variables, too, so what has services keeps them. */
export function guiseOf(job: Pick<Job, 'run' | 'alike' | 'services'>): Guise {
  const text = textOf(job);
  if (job.alike !== true || 'command' in job.run || job.services?.length)
    return { run: job.run, ...usual.paths, env: folderEnv(text, usual), without: [] };
  const [data, reports] = [unknownName(), unknownName()];
  const names = { data: `D_${data}`, reports: `D_${reports}` };
  const paths = { data: `/tmp/${data}`, reports: `/run/${reports}` };
  const script = text.replaceAll(usual.names.data, names.data).replaceAll(usual.names.reports, names.reports);
  const { PYTEST_ADDOPTS: options, ...env } = folderEnv(script, { names, paths });
  return {
    run: { ...job.run, script },
    ...paths,
    env: text.includes('PYTEST_ADDOPTS') && options !== undefined ? { ...env, PYTEST_ADDOPTS: options } : env,
    without: ['SEED', 'PORT'].filter((name) => !text.includes(name)),
  };
}

function unknownName(): string {
  return randomBytes(4).toString('hex');
}

export function textOf({ run }: Pick<Job, 'run'>): string {
  return 'command' in run ? run.command : run.script;
}

/**
 * The folders that a text asks for, in variables. Only a text that names one gets it. pytest accepts a report's path in a variable
 * and prints the same as without. Other frameworks would print something else, or fail where the command has the option already.
 */
function folderEnv(text: string, { names, paths }: typeof usual): Record<string, string> {
  return {
    ...(text.includes(names.data) ? { [names.data]: paths.data } : {}),
    ...(text.includes(names.reports) ? { [names.reports]: paths.reports } : {}),
    ...(runsTests.test(text) ? { PYTEST_ADDOPTS: `--junitxml=${paths.reports}/pytest.xml -o junit_family=xunit1` } : {}),
  };
}

/** pytest itself, or what may run it. */
const runsTests = /\b(pytest|tox|nox|make|npm|pnpm|yarn|poetry|uv|pipenv|hatch|rye|just|task)\b|PYTEST_ADDOPTS/;
