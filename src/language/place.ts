/** Which documents of a sprint folder Loop knows, by their path. */

export type Kind = 'vision' | 'prd' | 'config' | 'services' | 'verification';

export interface Place {
  kind: Kind;
  /** Path or URI of the sprint's folder, without a slash at its end. */
  sprintDir: string;
}

/** @param path with slashes; of a file, or the URI of one. */
export function placeOf(path: string): Place | undefined {
  const [, inFolder, verified] = /^(.*)\/\.loop\/verifications\/([^/]+\/)?[^/]+$/.exec(path) ?? [];
  if (inFolder !== undefined) return verified === undefined ? undefined : { kind: 'verification', sprintDir: inFolder };
  const at = path.lastIndexOf('/');
  const kind = kinds.get(path.slice(at + 1));
  return kind && at >= 0 ? { kind, sprintDir: path.slice(0, at) } : undefined;
}

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['VISION.md', 'vision'],
  ['PRD.md', 'prd'],
  ['loop.config.yaml', 'config'],
  ['services.yaml', 'services'],
]);
