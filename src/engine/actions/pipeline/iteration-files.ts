/**
 * The files that an iteration gets. They are written from the record before each iteration, so whatever an earlier one made of
 * them counts for nothing.
 */
import type { Context } from '../../context.ts';
import { pieceOf } from '../../ground/text.ts';
import { contextText, failedVerification, inputsOf, type At, type Given } from '../../render/iteration-context.ts';
import { iterationsOf, wholeIterationsOf, type Iteration } from '../../work/pipeline.ts';
import { runFolder } from '../../work/stage.ts';

/** Characters of the progress file that the next iteration gets. */
const longestProgress = 20_000;

/** The whole run folder is replaced: an agent may have left a link there, and anything else in it counts for nothing. */
export async function putFiles({ ports, state }: Context, at: At): Promise<void> {
  const { run, node, paths } = at;
  const kept = (path: string, ref: string | null): Given[] => (ref === null ? [] : [{ path, ref }]);
  const notes = lastOf(iterationsOf(run, node.id), 'progress');
  const inputs = inputsOf(at);
  const failed = failedVerification(at);
  const given = [
    ...kept(paths.progress, notes),
    ...(node.output === undefined ? kept(paths.output, lastOf(wholeIterationsOf(run, node.id), 'output')) : []),
    ...inputs.initial,
    ...inputs.fromStage.flatMap((one) => one.given),
    ...inputs.fromIterations,
    ...(failed ? [failed] : []),
  ];
  const texts = await Promise.all(given.map(async ({ path, ref }) => [path, await ports.payloads.get(ref)] as const));
  const files = {
    [paths.progress]: '',
    [paths.status]: '',
    [paths.context]: contextText(at, state.opened.sprint),
    ...Object.fromEntries(texts),
  };
  const inFolder = Object.entries(files).map(([path, text]) => [path.slice(runFolder.length + 1), text]);
  await ports.tree.replace(runFolder, Object.fromEntries(inFolder));
}

/** Of the latest iteration that left one. */
function lastOf(iterations: readonly Iteration[], what: 'output' | 'progress'): string | null {
  return iterations.findLast((one) => one[what] !== null)?.[what] ?? null;
}

/** The end of it, from a line's beginning, where it is too long. */
export function keptProgress(text: string): string {
  if (text.length <= longestProgress) return text;
  const tail = pieceOf(text, -longestProgress);
  return `[Earlier notes were left out: at most ${longestProgress} characters are kept.]\n${tail.slice(tail.indexOf('\n') + 1)}`;
}
