import type { Context } from '../context.ts';
import { silencedTests } from '../prove/own-tests.ts';
import type { ScratchSpec, WriteFiles } from '../ports.ts';
import { filesOf } from '../run/files.ts';
import { prepared } from '../run/prepared.ts';
import type { Place } from '../work/job.ts';

/** A scratch checkout without the sprint's own tests: if a verification only ran those, the builder would grade itself (I8). */
export async function withoutOwnTests<T>(
  context: Context,
  spec: ScratchSpec,
  use: (at: Place, write: WriteFiles) => Promise<T>,
): Promise<T> {
  const own = silencedTests(await filesOf(context.ports.tree, context.state.work.tree.commits));
  return prepared(context, spec, async (at, write) => {
    await write(own);
    return use(at, write);
  });
}
