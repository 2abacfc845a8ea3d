import type { Context } from '../../context.ts';
import type { ScratchSpec, WriteFiles } from '../../ports.ts';
import { isNamedTest } from '../../prove/own-tests.ts';
import { filesOf } from '../../run/files.ts';
import { silentTests } from '../../run/own-tests.ts';
import { prepared } from '../../run/prepared.ts';
import type { Place } from '../../work/job.ts';

/** A scratch checkout without the sprint's own tests: if a verification only ran those, the builder would grade itself (I8). */
export async function withoutOwnTests<T>(
  context: Context,
  spec: ScratchSpec,
  use: (at: Place, write: WriteFiles) => Promise<T>,
): Promise<T> {
  const { ports, state } = context;
  const { commits } = state.work.tree;
  const own = await silentTests(ports.syntax, await filesOf(ports.tree, commits));
  // A file whose work is taken out here must not be written back for the tests that stand in it.
  const reverted = new Set(
    commits.filter(({ commit }) => spec.revert.includes(commit)).flatMap(({ files }) => files.map(({ path }) => path)),
  );
  const written = Object.entries(own).filter(([path]) => isNamedTest(path) || !reverted.has(path));
  return prepared(context, spec, async (at, write) => {
    await write(Object.fromEntries(written));
    return use(at, async (files) => write({ ...files, ...(await silentTests(ports.syntax, files)) }));
  });
}
