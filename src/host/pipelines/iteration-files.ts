/** For people: what each iteration decided and left, as files in the session's `.loop`. Written from the record, never read back. */
import type { Payloads } from '../../engine/ports.ts';
import type { Event } from '../../engine/state/events.ts';
import type { State } from '../../engine/state/state.ts';
import { pathsOf, verdictOn, type Iteration, type PipelineRun } from '../../engine/work/pipeline.ts';
import { runFolder } from '../../engine/work/stage.ts';
import { inOrder } from '../in-order.ts';
import type { Shelf } from '../shelf.ts';

export interface IterationFiles {
  /** Writes what an event ended, later and in order. */
  follow(event: Event, state: State): void;
  /** Writes all that the record has: a process may have ended between the record and the files. */
  catchUp(state: State): void;
  /** Waits until all is written. @throws the first failure */
  done(): Promise<void>;
}

export function followIterations(shelf: Shelf, payloads: Payloads): IterationFiles {
  const { add, done } = inOrder();
  const write = (run: PipelineRun, { iterations, verdicts }: Pick<PipelineRun, 'iterations' | 'verdicts'>, text: string): void =>
    add(async () => {
      for (const iteration of iterations) await writeOne(shelf, payloads, run, iteration);
      for (const { node, n, output } of verdicts)
        await shelf.write(onShelf(pathsOf(run.plan, node, n).verification(n)), await payloads.get(output));
      await shelf.write('state.json', text);
    });
  return {
    follow(event, state) {
      const run = state.ledger.pipeline;
      if (!('facts' in event) || !run) return;
      const ended = event.facts.flatMap((fact) => (fact.fact === 'iteration.ended' ? [{ ...fact.iteration, resumes: 0 }] : []));
      const verdicts = event.facts.flatMap((fact) => (fact.fact === 'stop.verified' ? [fact.verdict] : []));
      write(run, { iterations: ended, verdicts }, overview(run, state));
    },
    catchUp(state) {
      const run = state.ledger.pipeline;
      if (run) write(run, { iterations: [...run.iterations], verdicts: [...run.verdicts] }, overview(run, state));
    },
    done,
  };
}

function overview(run: PipelineRun, { n, opened, stopped }: State): string {
  const whole = { n, session: opened.sprint, pipeline: run.plan.name, stopped, iterations: run.iterations.map((one) => briefly(run, one)) };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

async function writeOne(
  shelf: Shelf,
  payloads: Payloads,
  { plan }: PipelineRun,
  { node, n, status, output, progress }: Iteration,
): Promise<void> {
  const paths = pathsOf(plan, node, n);
  const write = async (path: string, text: string): Promise<void> => shelf.write(onShelf(path), text);
  await write(paths.status, `${JSON.stringify(status, null, 2)}\n`);
  if (output !== null) await write(paths.snapshot(n), await payloads.get(output));
  if (progress !== null) await write(paths.progress, await payloads.get(progress));
}

function onShelf(path: string): string {
  return path.slice(runFolder.length + 1);
}

function briefly(run: PipelineRun, { node, n, status, by, duration }: Iteration): unknown {
  const verdict = verdictOn(run, { node, n });
  const verified = verdict ? { verified: { passed: verdict.passed, how: verdict.how } } : {};
  return { node, n, decision: status.decision, reason: status.reason, by, duration, ...verified };
}
