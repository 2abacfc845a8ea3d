/** For people: what each iteration decided and left, as files in the session's `.loop`. Written from the record, never read back. */
import type { Payloads } from '../../engine/ports.ts';
import type { Event } from '../../engine/state/events.ts';
import type { State } from '../../engine/state/state.ts';
import { pathsOf, type Iteration, type PipelineRun } from '../../engine/work/pipeline.ts';
import { runFolder } from '../../engine/work/stage.ts';
import type { Shelf } from '../shelf.ts';

export function followIterations(shelf: Shelf, payloads: Payloads): { follow(event: Event, state: State): void; done(): Promise<void> } {
  let tail = Promise.resolve();
  return {
    follow(event, { ledger, stopped, opened, n }) {
      const run = ledger.pipeline;
      if (!('facts' in event) || !run) return;
      const ended = event.facts.flatMap((fact) => (fact.fact === 'iteration.ended' ? [{ ...fact.iteration, resumes: 0 }] : []));
      const whole = { n, session: opened.sprint, pipeline: run.plan.name, stopped, iterations: run.iterations.map(briefly) };
      const text = `${JSON.stringify(whole, null, 2)}\n`;
      tail = tail.then(async () => {
        for (const iteration of ended) await writeOne(shelf, payloads, run, iteration);
        await shelf.write('state.json', text);
      });
    },
    done: () => tail,
  };
}

async function writeOne(
  shelf: Shelf,
  payloads: Payloads,
  { plan }: PipelineRun,
  { node, n, status, output, progress }: Iteration,
): Promise<void> {
  const paths = pathsOf(plan, node, n);
  const write = async (path: string, text: string): Promise<void> => shelf.write(path.slice(runFolder.length + 1), text);
  await write(paths.status, `${JSON.stringify(status, null, 2)}\n`);
  if (output !== null) await write(paths.snapshot(n), await payloads.get(output));
  if (progress !== null) await write(paths.progress, await payloads.get(progress));
}

function briefly({ node, n, status, by, duration }: Iteration): unknown {
  return { node, n, decision: status.decision, reason: status.reason, by, duration };
}
