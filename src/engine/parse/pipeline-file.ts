/** Reads `pipeline.yaml`, and joins it with the stages that it names to what will run. */
import type { Problem, SourceFile } from '../ground/problem.ts';
import { pipelineSpec, type PipelineSpec } from '../work/stage.ts';
import { checkYaml, nameProblems, type Checked, type Tell, type Where } from './checked-yaml.ts';
import { mendOfPipeline } from './foreign-fields.ts';
import { renamed } from './older-names.ts';
import { noModelHere, type Origin, type Stage } from './stage-file.ts';

const codes = { notYaml: 'P001', notFields: 'P002', unknownField: 'P003', unusable: 'P004', old: 'P005' };

/** Names in the format's earlier versions. */
const toCurrentForm = renamed([
  { at: [], from: 'stages', to: 'nodes' },
  { at: ['nodes', '*'], from: 'name', to: 'id' },
  { at: ['nodes', '*'], from: 'template', to: 'stage' },
  { at: ['nodes', '*'], from: 'loop', to: 'stage' },
  { at: ['nodes', '*'], from: 'runs', to: 'max_iterations' },
]);

export interface ReadPipeline extends Checked<PipelineSpec> {
  where: Where;
}

/** Total. What only the stages can show is told by `stageProblems`. @param name of its file. Left out: nobody knows. */
export function readPipeline(file: SourceFile, name?: string): ReadPipeline {
  const { value, problems, problem, where } = checkYaml(file, pipelineSpec, codes, { toCurrentForm, mendUnknown: mendOfPipeline });
  const found = value ? nodeProblems(value, problem) : [];
  const named = nameProblems('P021', value?.name, name, problem);
  return { value: found.length === 0 ? value : undefined, problems: [...problems, ...named, ...found], where };
}

function nodeProblems({ nodes }: PipelineSpec, problem: Tell): Problem[] {
  return nodes.flatMap((node, index) => {
    const { id, inputs } = node;
    const before = nodes.slice(0, index).map((one) => one.id);
    const found = shapeProblems(node, index, problem);
    if (before.includes(id))
      found.push(
        problem('P006', ['nodes', index, 'id'], { what: `there are two nodes "${id}"`, mend: 'Give each node an id of its own.' }),
      );
    if (inputs && !before.includes(inputs.from)) {
      const what = nodes.some((one) => one.id === inputs.from)
        ? `"${inputs.from}" does not run before "${id}"`
        : `there is no node "${inputs.from}"`;
      const mend = before.length > 0 ? `Name one that runs before: ${before.join(', ')}.` : 'Leave out "inputs": no node runs before.';
      found.push(problem('P007', ['nodes', index, 'inputs', 'from'], { what, mend }));
    }
    return found;
  });
}

/** What a node is, and what only a node with a stage may say. */
function shapeProblems(node: PipelineSpec['nodes'][number], index: number, problem: Tell): Problem[] {
  const { id, parallel = [] } = node;
  const kinds = (['stage', 'pipeline', 'parallel'] as const).filter((kind) => node[kind] !== undefined);
  const twice = parallel.findIndex((member, at) => parallel.findIndex((other) => other.id === member.id) < at);
  const found: Problem[] = [];
  if (kinds.length !== 1) {
    const what = `"${id}" has ${kinds.length === 0 ? 'nothing to run' : `${kinds.join(' and ')}, where one is meant`}`;
    const mend = 'Write one of `stage: NAME`, `pipeline: NAME` and `parallel: [{ id: …, stage: … }, …]`.';
    found.push(problem('P013', ['nodes', index, kinds.at(-1) ?? 'id'], { what, mend }));
  }
  if (node.stage === undefined)
    for (const field of ['max_iterations', 'tier', 'model', 'effort'] as const)
      if (node[field] !== undefined)
        found.push(
          problem('P017', ['nodes', index, field], {
            what: `"${field}" is said of a stage, and "${id}" has none of its own`,
            mend: node.parallel ? 'Write it at the stages in "parallel".' : 'Remove it: the nodes of that pipeline say it.',
          }),
        );
  if (twice >= 0)
    found.push(
      problem('P006', ['nodes', index, 'parallel', twice, 'id'], {
        what: `there are two stages "${parallel[twice]?.id ?? ''}" side by side`,
        mend: 'Give each an id of its own.',
      }),
    );
  return found;
}

/** A place where a stage is named. */
type Use = { id: string; stage: string; path: readonly PropertyKey[]; isBeside: boolean } & Pick<
  PipelineSpec['nodes'][number],
  'max_iterations' | 'tier' | 'model' | 'effort'
>;

/** Every stage that a pipeline names itself. */
export function usesOf(pipeline: PipelineSpec | undefined): Use[] {
  return (pipeline?.nodes ?? []).flatMap((node, index): Use[] => {
    const path = ['nodes', index];
    if (node.parallel) return node.parallel.map((member, at) => ({ ...member, path: [...path, 'parallel', at], isBeside: true }));
    return node.stage === undefined ? [] : [{ ...node, stage: node.stage, path, isBeside: false }];
  });
}

/** What is wrong between a pipeline and its stages. @param stages those that were found and can be used, by name. */
export function stageProblems(
  { file, origin, read: { value, where } }: { file: string; origin: Origin; read: ReadPipeline },
  stages: ReadonlyMap<string, Stage>,
): Problem[] {
  return usesOf(value).flatMap((use): Problem[] => {
    const at: At = (field, code, words) => ({
      code,
      severity: 'error',
      file,
      ...where([...use.path, field]),
      ...words,
    });
    const stage = stages.get(use.stage);
    // Also where the stage is not there: what a repository may not say does not depend on it.
    const named = use.model !== undefined && origin === 'workspace' ? [at('model', 'P022', noModelHere)] : [];
    if (stage) return [...named, ...useProblems(use, stage, origin, at)];
    const mend = `Write stages/${use.stage}/stage.yaml and prompt.md, or name a stage that \`loop pipeline list\` shows.`;
    return [...named, at('stage', 'P008', { what: `there is no usable stage "${use.stage}"`, mend })];
  });
}

/** Makes a problem at a field of one place where a stage is named. */
type At = (field: string, code: string, words: Pick<Problem, 'what' | 'mend'> & Partial<Pick<Problem, 'severity'>>) => Problem;

function useProblems(
  { id, stage: name, max_iterations: most, tier, model: own, effort, isBeside }: Use,
  { guardrails: { max_iterations: limit }, termination, writes, output, model: usual }: Stage,
  origin: Origin,
  at: At,
): Problem[] {
  const found: Problem[] = [];
  const needed = termination.type === 'judgment' ? Math.max(termination.min_iterations, termination.consensus) : 1;
  if (most !== undefined && most > limit) {
    const what = `"max_iterations" is ${most}, but stage "${name}" allows ${limit}; a pipeline may lower it, never raise it`;
    found.push(at('max_iterations', 'P009', { what, mend: `Give at most ${limit}.` }));
  } else if (most !== undefined && most < needed) {
    const what = `"${id}" may run ${most} times, but its stage needs ${needed} to end by agreement`;
    found.push(at('max_iterations', 'P010', { what, mend: `Give at least ${needed}.` }));
  }
  if (origin === 'workspace' && (tier === 'reasoning' || effort === 'max')) {
    const what = 'a file of a repository cannot choose the dearest model or effort';
    found.push(
      at(tier === 'reasoning' ? 'tier' : 'effort', 'P018', { what, mend: 'Copy the pipeline to your own folder, and choose there.' }),
    );
  }
  // Elsewhere the model of a stage that the person put there is what they want.
  const model = own ?? usual;
  if (origin === 'user' && tier !== undefined && model !== undefined) {
    const what = `"tier" says nothing here: ${own === undefined ? `stage "${name}"` : `"${id}"`} names the model ${model}`;
    found.push(at('tier', 'P023', { what, mend: 'Take "tier" out, or write `model` in its place.', severity: 'warning' }));
  }
  if (isBeside && (writes.length > 0 || output !== undefined)) {
    const what = `stage "${name}" writes in the repository, and what runs beside "${id}" would see it`;
    found.push(at('stage', 'P019', { what, mend: 'Run it as a node of its own, or name a stage without "writes" and "output".' }));
  }
  return found;
}
