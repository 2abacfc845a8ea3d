/** Gathers what proofs left open, for the prompts of those who judge the work. */
import type { Context } from '../../context.ts';
import { constantsIn } from '../../diagnose/constants.ts';
import { leftOpenText } from '../../render/left-open.ts';
import { documentTexts } from '../../run/documents.ts';
import { filesOf } from '../../run/files.ts';
import { liveScripts } from '../../state/covers.ts';

export async function leftOpen({ state, ports }: Pick<Context, 'state' | 'ports'>): Promise<string> {
  const { commits } = state.work.tree;
  const [patches, files, documents, scripts] = await Promise.all([
    Promise.all(commits.map(({ patch }) => ports.payloads.get(patch))),
    filesOf(ports.tree, commits),
    documentTexts(state, ports),
    Promise.all(liveScripts(state.work).map(async ({ script, red }) => ({ text: await ports.payloads.get(script), red }))),
  ]);
  return leftOpenText(state, constantsIn(files, patches, { documents, scripts }));
}
