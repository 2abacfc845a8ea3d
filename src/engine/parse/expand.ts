/**
 * Lays out a pipeline's nodes in a row: a node that is another pipeline becomes the nodes of that one, and a block its stages,
 * their ids behind its own. What runs is flat, so nothing that decides or folds knows of nesting.
 */
import type { PipelineSpec, StageSpec } from '../work/stage.ts';
import { namedAt, type Origin } from './stage-file.ts';
import type { NamedModel } from '../ground/model-names.ts';
import type { Problem } from '../ground/problem.ts';
import type { ReadPipeline } from './pipeline-file.ts';

/** A node that runs a stage. */
export interface FlatNode {
  /** `refine.plan` for the node `plan` of the pipeline that is node `refine`, or for the stage `plan` of the block `refine`. */
  id: string;
  stage: string;
  /** Id of the node whose stages run side by side. */
  block?: string;
  most?: number;
  tier?: StageSpec['tier'];
  /** In the place of the stage's own, and of a tier. */
  named?: NamedModel;
  effort?: StageSpec['effort'];
  /** Of the pipeline, and of those that contain it, which win. */
  commands?: Readonly<Record<string, string>>;
  /** Ids of the nodes whose outputs it gets. */
  inputs?: { from: string[]; select: 'latest' | 'all' };
}

/** A pipeline that was read, with the file that says so. */
export interface KnownPipeline {
  file: string;
  origin: Origin;
  read: ReadPipeline;
}
export type KnownPipelines = ReadonlyMap<string, KnownPipeline>;

/** Nodes that a whole run has at most. */
export const mostNodes = 40;

/** @param known this pipeline and all that it leads to. Without problems only. */
export function flatNodes(name: string, known: KnownPipelines): FlatNode[] {
  return expanded(name, known, { prefix: '', given: undefined, commands: {} }).nodes;
}

function expanded(
  name: string,
  known: KnownPipelines,
  { prefix, given, commands: outer }: { prefix: string; given: FlatNode['inputs']; commands: Readonly<Record<string, string>> },
): { nodes: FlatNode[]; last: readonly string[] } {
  const outputs = new Map<string, readonly string[]>();
  const nodes: FlatNode[] = [];
  let last: readonly string[] = [];
  const commands = { ...known.get(name)?.read.value?.commands, ...outer };
  const shared = Object.keys(commands).length > 0 ? { commands } : {};
  for (const [index, node] of nodesOf(name, known).entries()) {
    const { id: own, pipeline, parallel, inputs } = node;
    const id = `${prefix}${own}`;
    // What a pipeline is given as a node, its first node gets.
    const from = inputs ? { from: [...(outputs.get(inputs.from) ?? [])], select: inputs.select } : index === 0 ? given : undefined;
    if (pipeline !== undefined) {
      const inner = expanded(pipeline, known, { prefix: `${id}.`, given: from, commands });
      nodes.push(...inner.nodes);
      last = inner.last;
    } else {
      const used = (use: Use, path: readonly PropertyKey[]) => ({ ...useOf(use), ...namedBy(use, path, known.get(name)) });
      const flat = parallel
        ? parallel.map((member, at) => ({
            ...used(member, ['nodes', index, 'parallel', at]),
            id: `${id}.${member.id}`,
            block: id,
          }))
        : [{ ...used(node, ['nodes', index]), id }];
      nodes.push(...flat.map((one) => ({ ...one, ...(from ? { inputs: from } : {}), ...shared })));
      last = flat.map((one) => one.id);
    }
    outputs.set(own, last);
  }
  return { nodes, last };
}

type Use = Pick<PipelineSpec['nodes'][number], 'stage' | 'max_iterations' | 'tier' | 'model' | 'effort'>;

function useOf({ stage = '', max_iterations: most, tier, effort }: Use): Omit<FlatNode, 'id'> {
  return { stage, ...(most === undefined ? {} : { most }), ...(tier ? { tier } : {}), ...(effort ? { effort } : {}) };
}

function namedBy({ model }: Use, path: readonly PropertyKey[], pipeline: KnownPipeline | undefined): Pick<FlatNode, 'named'> {
  const named = pipeline && namedAt(model, pipeline.file, [...path, 'model'], pipeline.read.where);
  return named ? { named } : {};
}

function nodesOf(name: string, known: KnownPipelines): PipelineSpec['nodes'] {
  return known.get(name)?.read.value?.nodes ?? [];
}

/** The commands of a node's stage, with the pipeline's in their place. @returns the names that have none, too. */
export function commandsOf(node: FlatNode, stage: Pick<StageSpec, 'commands'>): { commands: Record<string, string>; missing: string[] } {
  const all = Object.entries({ ...stage.commands, ...node.commands });
  const commands = Object.fromEntries(all.flatMap(([name, command]) => (command === null ? [] : [[name, command]])));
  return { commands, missing: all.flatMap(([name, command]) => (command === null ? [name] : [])) };
}

/** Commands that a stage relies on, and nobody gives. @param stages all that the nodes name. */
export function commandProblems(
  nodes: readonly FlatNode[],
  stages: ReadonlyMap<string, Pick<StageSpec, 'commands'>>,
  { file, read: { where } }: KnownPipeline,
): Problem[] {
  return nodes.flatMap((node) => {
    const stage = stages.get(node.stage);
    return (stage ? commandsOf(node, stage).missing : []).map((name): Problem => {
      const what = `stage "${node.stage}" of "${node.id}" relies on the command "${name}", and nobody says what that is`;
      const mend = `Write it in the pipeline, as in \`commands: { ${name}: npm test }\`.`;
      return { code: 'P020', severity: 'error', file, ...where(['commands']), what, mend };
    });
  });
}

/** What is wrong between a pipeline and those that its nodes are. Total, also where they lead in a circle. */
export function nestingProblems(name: string, known: KnownPipelines): Problem[] {
  const found = [...known.keys()].flatMap((one) => nodeProblems(one, known));
  if (found.length > 0) return found;
  const size = sizeOf(name, known, new Map());
  const root = known.get(name);
  if (size <= mostNodes || !root) return [];
  const words = { what: `"${name}" has ${size} nodes with those of its pipelines; at most ${mostNodes} run`, mend: 'Split it.' };
  return [{ code: 'P016', severity: 'error', file: root.file, ...root.read.where(['nodes']), ...words }];
}

function nodeProblems(name: string, known: KnownPipelines): Problem[] {
  return nodesOf(name, known).flatMap(({ pipeline }, index): Problem[] => {
    const { file = '', read } = known.get(name) ?? {};
    const at = { severity: 'error', file, ...(read?.where(['nodes', index, 'pipeline']) ?? { line: 1 }) } as const;
    if (pipeline === undefined) return [];
    if (!known.has(pipeline)) {
      const mend = `Write ${pipeline}.yaml, or correct the name; a stage is named with "stage".`;
      return [{ code: 'P014', ...at, what: `there is no pipeline "${pipeline}"`, mend }];
    }
    const way = wayBack(pipeline, name, known);
    if (!way) return [];
    const what = `"${name}" contains itself: ${[name, ...way].join(' → ')}`;
    return [{ code: 'P015', ...at, what, mend: 'Take one of these nodes out.' }];
  });
}

/** From one pipeline to another by nodes that are pipelines; undefined where none leads there. */
function wayBack(from: string, to: string, known: KnownPipelines): string[] | undefined {
  const ways: string[][] = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    const at = way.at(-1) ?? from;
    if (at === to) return way;
    for (const { pipeline } of nodesOf(at, known)) {
      if (pipeline === undefined || seen.has(pipeline)) continue;
      seen.add(pipeline);
      ways.push([...way, pipeline]);
    }
  }
  return undefined;
}

/** Each pipeline is counted once, so many that nest in each other are told as fast as one. */
function sizeOf(name: string, known: KnownPipelines, sizes: Map<string, number>): number {
  const counted = sizes.get(name);
  if (counted !== undefined) return counted;
  const size = nodesOf(name, known).reduce(
    (sum, { pipeline, parallel }) => sum + (pipeline === undefined ? (parallel?.length ?? 1) : sizeOf(pipeline, known, sizes)),
    0,
  );
  sizes.set(name, size);
  return size;
}
