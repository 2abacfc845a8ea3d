/** Reads `pipeline.yaml`, and joins it with the stages that it names to what will run. */
import { pipelineSpec, type PipelineSpec } from '../work/stage.ts';
import { checkYaml, type Checked, type OldName, type Problem, type SourceFile, type Tell } from './checked-yaml.ts';
import type { Stage } from './stage-file.ts';

const codes = { notYaml: 'P001', notFields: 'P002', unknownField: 'P003', unusable: 'P004', old: 'P005' };

/** Names in the format's earlier versions. */
const olds: OldName[] = [
  { at: [], from: 'stages', to: 'nodes' },
  { at: ['nodes', '*'], from: 'name', to: 'id' },
  { at: ['nodes', '*'], from: 'template', to: 'stage' },
  { at: ['nodes', '*'], from: 'loop', to: 'stage' },
  { at: ['nodes', '*'], from: 'runs', to: 'max_iterations' },
];

export interface ReadPipeline extends Checked<PipelineSpec> {
  /** Line of the deepest part of a path that exists. */
  lineOf: (path: readonly PropertyKey[]) => number;
}

/** Total. What only the stages can show is told by `stageProblems`. */
export function readPipeline(file: SourceFile): ReadPipeline {
  const { value, problems, problem, lineOf } = checkYaml(file, pipelineSpec, codes, olds);
  const found = value ? nodeProblems(value, problem) : [];
  return { value: found.length === 0 ? value : undefined, problems: [...problems, ...found], lineOf };
}

function nodeProblems({ nodes }: PipelineSpec, problem: Tell): Problem[] {
  return nodes.flatMap(({ id, stage, pipeline, max_iterations: most, inputs }, index) => {
    const before = nodes.slice(0, index).map((node) => node.id);
    const found: Problem[] = [];
    if ((stage === undefined) === (pipeline === undefined)) {
      const what = `"${id}" names ${stage === undefined ? 'neither a stage nor a pipeline' : 'both a stage and a pipeline'}`;
      found.push(problem('P013', ['nodes', index, 'pipeline'], { what, mend: 'Write `stage: NAME`, or `pipeline: NAME`.' }));
    }
    if (pipeline !== undefined && most !== undefined)
      found.push(
        problem('P013', ['nodes', index, 'max_iterations'], {
          what: `"${id}" is a pipeline, whose own nodes say how often they run`,
          mend: 'Remove "max_iterations" here.',
        }),
      );
    if (before.includes(id))
      found.push(
        problem('P006', ['nodes', index, 'id'], { what: `there are two nodes "${id}"`, mend: 'Give each node an id of its own.' }),
      );
    if (inputs && !before.includes(inputs.from)) {
      const what = nodes.some((node) => node.id === inputs.from)
        ? `"${inputs.from}" does not run before "${id}"`
        : `there is no node "${inputs.from}"`;
      const mend = before.length > 0 ? `Name one that runs before: ${before.join(', ')}.` : 'Leave out "inputs": no node runs before.';
      found.push(problem('P007', ['nodes', index, 'inputs', 'from'], { what, mend }));
    }
    return found;
  });
}

/** What is wrong between a pipeline and its stages. @param stages those that were found and can be used, by name. */
export function stageProblems(file: string, { value, lineOf }: ReadPipeline, stages: ReadonlyMap<string, Stage>): Problem[] {
  const nodes = value?.nodes ?? [];
  return nodes.flatMap(({ id, stage: name, max_iterations: most }, index): Problem[] => {
    if (name === undefined) return [];
    const at = (field: string, code: string, words: Pick<Problem, 'what' | 'mend'>): Problem => ({
      code,
      severity: 'error',
      file,
      line: lineOf(['nodes', index, field]),
      ...words,
    });
    const stage = stages.get(name);
    if (!stage) {
      const mend = `Write stages/${name}/stage.yaml and prompt.md, or name a stage that \`loop pipeline list\` shows.`;
      return [at('stage', 'P008', { what: `there is no usable stage "${name}"`, mend })];
    }
    const limit = stage.guardrails.max_iterations;
    if (most !== undefined && most > limit) {
      const what = `"max_iterations" is ${most}, but stage "${name}" allows ${limit}; a pipeline may lower it, never raise it`;
      return [at('max_iterations', 'P009', { what, mend: `Give at most ${limit}.` })];
    }
    const { termination } = stage;
    const needed = termination.type === 'judgment' ? Math.max(termination.min_iterations, termination.consensus) : 1;
    if (most !== undefined && most < needed) {
      const what = `"${id}" may run ${most} times, but its stage needs ${needed} to end by agreement`;
      return [at('max_iterations', 'P010', { what, mend: `Give at least ${needed}.` })];
    }
    return [];
  });
}
