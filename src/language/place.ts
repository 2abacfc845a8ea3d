/** Which documents Loop knows, by their path: those of a sprint folder, stages and pipelines. */
import type { PipelineKind } from './yaml/pipeline-findings.ts';

export type Kind = 'vision' | 'prd' | 'config' | 'services' | 'verification' | PipelineKind;

export interface Place {
  kind: Kind;
  /** Path or URI of the sprint's folder, or of the folder of pipelines, without a slash at its end. */
  sprintDir: string;
}

/** @param path with slashes; of a file, or the URI of one. @param shelf the name of folders of stages and pipelines. */
export function placeOf(path: string, shelf = 'pipelines'): Place | undefined {
  const [, inFolder, verified] = /^(.*)\/\.loop\/verifications\/([^/]+\/)?[^/]+$/.exec(path) ?? [];
  if (inFolder !== undefined) return verified === undefined ? undefined : { kind: 'verification', sprintDir: inFolder };
  const end = path.lastIndexOf(`/${shelf}/`) + shelf.length + 1;
  const [own, stage, pipeline] = /^(?:stages\/[^/]+\/(stage\.yaml|prompt\.md)|([^/]+\.yaml))$/.exec(path.slice(end + 1)) ?? [];
  const pipelines = own === undefined || end <= shelf.length ? undefined : path.slice(0, end);
  if (pipelines !== undefined && pipeline === undefined)
    return { kind: stage === 'stage.yaml' ? 'stage' : 'stage-prompt', sprintDir: pipelines };
  const at = path.lastIndexOf('/');
  const kind = kinds.get(path.slice(at + 1));
  if (kind && at >= 0) return { kind, sprintDir: path.slice(0, at) };
  return pipelines === undefined ? undefined : { kind: 'pipeline', sprintDir: pipelines };
}

/** Globs of all files that have a place. */
export const patternsOf = (shelf = 'pipelines'): string[] => [
  '**/{VISION,PRD}.md',
  '**/{loop.config,services}.yaml',
  '**/.loop/verifications/**',
  `**/${shelf}/*.yaml`,
  `**/${shelf}/stages/*/{stage.yaml,prompt.md}`,
];

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['VISION.md', 'vision'],
  ['PRD.md', 'prd'],
  ['loop.config.yaml', 'config'],
  ['services.yaml', 'services'],
]);
