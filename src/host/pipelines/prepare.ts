/** Puts together what a pipeline would run, with the person's files as they are now. Writes nothing. */
import { InputError } from '../../engine/ground/errors.ts';
import { resolveConfig, type Config, type Overrides } from '../../engine/ground/config.ts';
import { globMatcher } from '../../engine/ground/glob.ts';
import { readConfigFile } from '../read-inputs.ts';
import type { Problem } from '../../engine/parse/checked-yaml.ts';
import type { Plan, PlanNode } from '../../engine/work/pipeline.ts';
import { openGit } from '../git/git.ts';
import { inspectRepository, type Repository } from '../git/inspect.ts';
import { readInputFile } from '../input-file.ts';
import { machineDefaults } from '../machine-defaults.ts';
import { listPipelines, loadPipeline, shelvesOf, type Loaded } from './shelves.ts';

/** A plan whose texts are not stored yet. */
export interface Prepared {
  name: string;
  nodes: (Omit<PlanNode, 'prompt'> & { promptText: string })[];
  inputs: { path: string; text: string }[];
  config: Config;
  repository: Repository;
  /** For the person: shadowed names, warnings. */
  notes: string[];
}

const mostInputs = 200;

/** @param folder anywhere in the person's checkout. @throws InputError with every problem of the files. */
export async function preparePipeline(folder: string, name: string, overrides: Overrides, session: string): Promise<Prepared> {
  const repository = await inspectRepository(folder);
  const shelves = shelvesOf(repository.root);
  const { loaded, problems } = await loadPipeline(shelves, name);
  if (!loaded && problems.length === 0) {
    const names = (await listPipelines(shelves)).map((one) => one.name).join(', ');
    throw new InputError(`There is no pipeline "${name}".`, `There are: ${names || 'none'}. Write your own in pipelines/.`);
  }
  if (!loaded) throw new InputError(problems.map(problemWords).join('\n'), 'Mend that, then run the command again.');
  const file = await readConfigFile(repository.root);
  return {
    name,
    nodes: loaded.spec.nodes.map((node) => nodeOf(loaded, node, session)),
    inputs: await initialInputs(repository, loaded.spec.inputs),
    config: resolveConfig(file, overrides, machineDefaults()),
    repository,
    notes: [...loaded.shadows, ...problems.map(problemWords)],
  };
}

export function problemWords({ code, file, line, what, mend }: Problem): string {
  return `${file}:${line}: ${code}: ${what}. ${mend}`;
}

function nodeOf({ stages }: Loaded, { id, stage: name, max_iterations: most, inputs }: Loaded['spec']['nodes'][number], session: string) {
  const stage = stages.get(name);
  if (!stage) throw new InputError(`There is no stage "${name}".`, 'Write it, or correct its name.');
  const { termination, guardrails, writes, output, tier, effort, prompt } = stage;
  return {
    id,
    stage: name,
    termination,
    maxIterations: Math.min(most ?? guardrails.max_iterations, guardrails.max_iterations),
    maxRuntimeSeconds: guardrails.max_runtime_seconds,
    ...(inputs ? { inputs } : {}),
    writes,
    ...(output === undefined ? {} : { output: output.replaceAll('${SESSION}', session) }),
    tier,
    ...(effort ? { effort } : {}),
    promptText: prompt,
  } satisfies Prepared['nodes'][number];
}

/** Uncommitted files count, too: the run gets them as the person sees them. @throws InputError for a pattern that matches nothing. */
async function initialInputs({ root, gitDir }: Repository, patterns: readonly string[]): Promise<Prepared['inputs']> {
  if (patterns.length === 0) return [];
  const files = await openGit({ folder: root, gitDir }).list(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const paths = new Set<string>();
  for (const pattern of patterns) {
    const matches = [globMatcher(pattern), globMatcher(`${pattern.replace(/\/$/, '')}/**`)];
    const matched = files.filter((path) => matches.some((match) => match(path)));
    if (matched.length === 0)
      throw new InputError(`The pipeline's input "${pattern}" matches no file of ${root}.`, 'Write that file, or correct the path.');
    for (const path of matched) paths.add(path);
  }
  if (paths.size > mostInputs)
    throw new InputError(`The pipeline's inputs are ${paths.size} files; at most ${mostInputs} are read.`, 'Name fewer in "inputs".');
  const read = await Promise.all([...paths].sort().map(async (path) => ({ path, text: await readInputFile(root, path) })));
  return read.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
}

/** @returns the plan with its texts stored. */
export async function storePlan({ name, nodes, inputs }: Prepared, put: (text: string) => Promise<string>): Promise<Plan> {
  return {
    name,
    nodes: await Promise.all(nodes.map(async ({ promptText, ...node }) => ({ ...node, prompt: await put(promptText) }))),
    inputs: await Promise.all(inputs.map(async ({ path, text }) => ({ path, ref: await put(text) }))),
  };
}
