/** Puts together what a pipeline would run, with the person's files as they are now. Writes nothing. */
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { InputError } from '../../engine/ground/errors.ts';
import type { Config, Overrides } from '../../engine/ground/config.ts';
import { resolveConfig } from '../../engine/ground/resolve-config.ts';
import { pathMatcher } from '../../engine/ground/glob.ts';
import { modelWords, type NamedModel } from '../../engine/ground/model-names.ts';
import { looksSecret } from '../../engine/ground/secret-names.ts';
import { readConfigFile } from '../read-inputs.ts';
import { commandsOf, type FlatNode } from '../../engine/parse/expand.ts';
import type { Problem } from '../../engine/ground/problem.ts';
import { uncommittedWords } from '../../engine/render/words.ts';
import { modelsOf, mostIterations, type Plan, type PlanNode } from '../../engine/work/pipeline.ts';
import { openGit } from '../git/git.ts';
import { segmentsOf } from '../git/inside.ts';
import { baseOf, inspectRepository, uncommittedIn, type Repository } from '../git/inspect.ts';
import { readInputFile } from '../input-file.ts';
import { machineDefaults } from '../machine-defaults.ts';
import { knownNames, loadPipeline, shelvesOf, usualFolder, type Loaded } from './shelves.ts';

/** A plan whose texts are not stored yet. */
export interface Prepared {
  name: string;
  nodes: (Omit<PlanNode, 'prompt'> & { promptText: string })[];
  inputs: { path: string; text: string; given?: true }[];
  /** Models that its files name, each with the first place. */
  named: NamedModel[];
  config: Config;
  repository: Repository;
  /** For the person: shadowed names, warnings. */
  notes: string[];
}

const mostInputs = 200;

/**
 * @param folder anywhere in the person's checkout.
 * @param options `given`: paths, folders and globs that the run may read besides what the pipeline names; `shelf`: the name of the
 * repository's folder of pipelines; `opens`: whether a new run opens by it.
 * @throws InputError with every problem of the files.
 */
export async function preparePipeline(
  folder: string,
  name: string,
  overrides: Overrides,
  session: string,
  { given = [], shelf = usualFolder, opens = true }: { given?: readonly string[]; shelf?: string; opens?: boolean } = {},
): Promise<Prepared> {
  const repository = await inspectRepository(folder);
  if (opens) await baseOf(repository);
  const shelves = shelvesOf(repository.root, shelf);
  const { loaded, problems } = await loadPipeline(shelves, name);
  if (!loaded && problems.every(({ severity }) => severity === 'warning')) {
    const { pipelines, stages } = await knownNames(shelves);
    const names = [...new Set([...pipelines, ...stages])].sort().join(', ');
    const next = [`There are: ${names || 'none'}. Write your own in ${shelf}/.`, ...problemLines(problems)];
    throw new InputError(`There is no pipeline "${name}".`, next.join('\n'));
  }
  if (!loaded) throw new InputError(problemLines(problems).join('\n'), 'Mend that, then run the command again.');
  const file = await readConfigFile(repository.root);
  const inputs = await initialInputs(repository, loaded.inputs, given);
  const nodes = loaded.nodes.map((node) => nodeOf(loaded, node, session));
  await requireCommittable(repository, nodes);
  const named = namedIn(loaded);
  return {
    name,
    nodes,
    inputs: inputs.read,
    named: named.map(({ nodes: _nodes, ...one }) => one),
    config: resolveConfig(file, overrides, machineDefaults()),
    repository,
    notes: [
      ...loaded.shadows,
      ...named.map(namedWords),
      ...problemLines(problems),
      ...inputs.notes,
      ...(await uncommittedNotes(repository, nodes, inputs)),
    ],
  };
}

/** What a run comes to at most. No agent and no file can raise it once it has begun (I4). */
export interface PipelineBound {
  stages: number;
  iterations: number;
  usd: number;
  tokens: number;
  hours: number;
  /** Those that are asked. One without a price is bounded in tokens alone. */
  models: string[];
}

export function boundOf({ nodes, config }: Pick<Prepared, 'nodes' | 'config'>): PipelineBound {
  const { budgetUsd: usd, budgetTokens: tokens, maxHours: hours, models, maxLoopIterations } = config;
  const iterations = Math.min(mostIterations({ nodes }), maxLoopIterations);
  return { stages: nodes.length, iterations, usd, tokens, hours, models: modelsOf({ nodes }, models) };
}

/** The models that the files of a run name, for one that goes on: it keeps them, so only another run asks others. */
export function namedInPlan({ nodes }: Pick<Plan, 'nodes'>): NamedModel[] {
  const mend = 'Start another run once its file names another model.';
  return firstOfEach(nodes.flatMap(({ id, model }) => (model === undefined ? [] : [{ model, by: `Stage ${id} of this run`, mend }])));
}

function firstOfEach<T extends NamedModel>(all: readonly T[]): T[] {
  return all.filter(({ model }, index) => all.findIndex((one) => one.model === model) === index);
}

function namedIn({ nodes, stages }: Loaded): (NamedModel & { nodes: string[] })[] {
  const all = nodes.flatMap(({ id, named, stage }) => {
    const by = named ?? stages.get(stage)?.named;
    return by ? [{ ...by, id }] : [];
  });
  return firstOfEach(all).map(({ id: _id, ...one }) => ({
    ...one,
    nodes: all.flatMap(({ id, model }) => (model === one.model ? [id] : [])),
  }));
}

function namedWords({ model, by, nodes }: NamedModel & { nodes: string[] }): string {
  return `${nodes.join(', ')} ${nodes.length === 1 ? 'asks' : 'ask'} ${modelWords(model)}, which ${by} names, whatever model you choose.`;
}

/** A line for each problem; a warning that stands in many places of one file is told once. */
export function problemLines(problems: readonly Problem[]): string[] {
  const first = (one: Problem): Problem | undefined =>
    problems.find(
      ({ severity, code, file, what }) => severity === 'warning' && code === one.code && file === one.file && what === one.what,
    );
  return problems.filter((one) => (first(one) ?? one) === one).map(problemWords);
}

export function problemWords({ code, file, line, what, mend }: Problem): string {
  return `${file}:${line}: ${code}: ${what}. ${mend}`;
}

function nodeOf({ stages }: Loaded, node: FlatNode, session: string) {
  const { id, stage: name, block, most, inputs, named, ...use } = node;
  const stage = stages.get(name);
  if (!stage) throw new InputError(`There is no stage "${name}".`, 'Write it, or correct its name.');
  const { termination, guardrails, writes, output, prompt } = stage;
  const { commands } = commandsOf(node, stage);
  const { tier = stage.tier, effort = stage.effort } = use;
  const { model } = named ?? stage;
  return {
    id,
    stage: name,
    ...(block === undefined ? {} : { block }),
    termination,
    maxIterations: Math.min(most ?? guardrails.max_iterations, guardrails.max_iterations),
    maxRuntimeSeconds: guardrails.max_runtime_seconds,
    ...(inputs ? { inputs } : {}),
    writes,
    ...(output === undefined ? {} : { output: output.replaceAll('${SESSION}', session) }),
    tier,
    ...(model === undefined ? {} : { model }),
    ...(Object.keys(commands).length > 0 ? { commands } : {}),
    ...(effort ? { effort } : {}),
    promptText: prompt,
  } satisfies Prepared['nodes'][number];
}

/** What git ignores gets into no commit, so it would neither be taken back after an error nor be merged. */
async function requireCommittable({ root, gitDir }: Repository, nodes: Prepared['nodes']): Promise<void> {
  const outputs = nodes.flatMap(({ output }) => output ?? []);
  if (outputs.length === 0) return;
  const git = openGit({ folder: root, gitDir });
  const ignored = await git.list(['check-ignore', '-z', '--stdin'], { input: outputs.join('\0'), answers: [1] });
  const lost = nodes.find(({ output }) => output !== undefined && ignored.includes(output));
  if (lost)
    throw new InputError(
      `Git ignores ${lost.output}, the output of stage ${lost.id}: no commit would hold it.`,
      'Name another file in its stage.yaml, or take that one out of .gitignore.',
    );
}

/** A run begins with the last commit, and only its inputs are as the person sees them. */
async function uncommittedNotes(repository: Repository, nodes: Prepared['nodes'], { read }: Inputs): Promise<string[]> {
  const uncommitted = await uncommittedIn(repository);
  const all = uncommittedWords(uncommitted?.length, 'run');
  const outputs = nodes.flatMap(({ id, output }) =>
    output !== undefined && uncommitted?.includes(output)
      ? [`Stage ${id} does not see your changes of its output ${output}: commit it first.`]
      : [],
  );
  const inputs = read.filter(({ path }) => uncommitted?.includes(path)).map(({ path }) => path);
  const given = inputs.length > 0 ? [`Given to it as an input, with your changes, all the same: ${inputs.join(', ')}.`] : [];
  return [...(all === '' ? [] : [all]), ...outputs, ...given];
}

interface Inputs {
  read: Prepared['inputs'];
  /** What was left out, and why. */
  notes: string[];
}

/**
 * Uncommitted files count, too: the run gets them as the person sees them. What looks secret is left out, however it is named,
 * because a pipeline of the repository would give it to a model.
 * @throws InputError for a pattern that matches nothing, and for a file that is named itself and cannot be read as text.
 */
async function initialInputs({ root, gitDir }: Repository, named: readonly string[], given: readonly string[]): Promise<Inputs> {
  const patterns = [...named, ...given.map((path) => path.trim().replace(/^\.\//, ''))];
  if (patterns.length === 0) return { read: [], notes: [] };
  const files = await openGit({ folder: root, gitDir }).list(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const paths = new Set<string>();
  const ofPipeline = new Set<string>();
  for (const [index, pattern] of patterns.entries()) {
    const matches = [pathMatcher(pattern), pathMatcher(`${pattern.replace(/\/$/, '')}/**`)];
    const matched = files.filter((path) => matches.some((match) => match(path)));
    if (matched.length === 0)
      throw new InputError(`The input "${pattern}" matches no file of ${root}.`, 'Write that file, or correct the path.');
    for (const path of matched) paths.add(path);
    if (index < named.length) for (const path of matched) ofPipeline.add(path);
  }
  const real = await Promise.all([...paths].sort().map(async (path) => ({ path, leadsTo: await leadsTo(root, path) })));
  // A link could show a file that git ignores.
  const isSecret = ({ path, leadsTo: to }: (typeof real)[number]): boolean =>
    [path, to].some((name) => looksSecret(name)) || (to !== path && !files.includes(to));
  const secret = real.filter(isSecret).map(({ path }) => path);
  const open = real.filter((one) => !isSecret(one)).map(({ path }) => path);
  if (open.length > mostInputs)
    throw new InputError(`The pipeline's inputs are ${open.length} files; at most ${mostInputs} are read.`, 'Name fewer in "inputs".');
  const read = await Promise.all(open.map((path) => inputAt(root, path, patterns.includes(path))));
  const why =
    'Left out of the inputs, because the name says that it holds a key or a password, or it is a link to such or an ignored file:';
  return {
    read: read.flatMap((one) => (one && 'text' in one ? [ofPipeline.has(one.path) ? one : { ...one, given: true }] : [])),
    notes: [
      ...(secret.length > 0 ? [`${why} ${secret.join(', ')}.`] : []),
      ...read.flatMap((one) => (one && 'note' in one ? [`Left out of the inputs: ${one.note}`] : [])),
    ],
  };
}

/** Where a path leads, relative to the root; itself where it leads nowhere. */
async function leadsTo(root: string, path: string): Promise<string> {
  const real = await realpath(join(root, path)).catch(() => join(root, path));
  return relative(root, real).split(sep).join('/');
}

/** @throws InputError for a file that is named itself, where the files of an iteration cannot have it. */
async function inputAt(
  root: string,
  path: string,
  isNamed: boolean,
): Promise<{ path: string; text: string } | { note: string } | undefined> {
  try {
    segmentsOf(path);
    const text = await readInputFile(root, path);
    return text === undefined ? undefined : { path, text };
  } catch (error) {
    if (isNamed || !(error instanceof InputError)) throw error;
    return { note: error.message };
  }
}

/** @returns the plan with its texts stored. */
export async function storePlan({ name, nodes, inputs }: Prepared, put: (text: string) => Promise<string>): Promise<Plan> {
  return {
    name,
    nodes: await Promise.all(nodes.map(async ({ promptText, ...node }) => ({ ...node, prompt: await put(promptText) }))),
    inputs: await Promise.all(inputs.map(async ({ text, ...input }) => ({ ...input, ref: await put(text) }))),
  };
}
