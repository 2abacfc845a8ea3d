/** For people: what each iteration decided and left, as files in the session's `.loop`. Written from the record, never read back. */
import { goesOn } from '../../engine/core/fold.ts';
import type { Payloads } from '../../engine/ports.ts';
import type { Event } from '../../engine/state/events.ts';
import type { State } from '../../engine/state/state.ts';
import { pathsOf, verdictOn, type Iteration, type PipelineRun } from '../../engine/work/pipeline.ts';
import { runFolder } from '../../engine/work/stage.ts';
import { contextText, iterationAt } from '../../engine/render/iteration-context.ts';
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
  const write = (state: State, run: PipelineRun, { iterations, verdicts }: Pick<PipelineRun, 'iterations' | 'verdicts'>): void => {
    const text = overview(run, state);
    const session = state.opened.sprint;
    add(async () => {
      for (const iteration of iterations) await writeOne(shelf, payloads, { run, session, iteration });
      for (const { node, n, output } of verdicts)
        await shelf.write(onShelf(pathsOf(run.plan, node, n).verification(n)), await payloads.get(output));
      await shelf.write('state.json', text);
    });
  };
  return {
    follow(event, state) {
      const run = state.ledger.pipeline;
      if (!('facts' in event) || !run) return;
      const ended = event.facts.flatMap((fact) => (fact.fact === 'iteration.ended' ? [{ ...fact.iteration, resumes: 0 }] : []));
      const verdicts = event.facts.flatMap((fact) => (fact.fact === 'stop.verified' ? [fact.verdict] : []));
      write(state, run, { iterations: ended, verdicts });
    },
    catchUp(state) {
      const run = state.ledger.pipeline;
      if (run) write(state, run, { iterations: [...run.iterations], verdicts: [...run.verdicts] });
    },
    done,
  };
}

function overview(run: PipelineRun, state: State): string {
  const { n, opened, stopped } = state;
  const next = stopped && goesOn(state) ? { resume: `loop pipeline resume ${opened.sprint}${opened.mock ? ' --mock DIR' : ''}` } : {};
  const iterations = run.iterations.map((one) => briefly(run, one));
  const whole = { n, session: opened.sprint, pipeline: run.plan.name, stopped, ...next, iterations };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

async function writeOne(
  shelf: Shelf,
  payloads: Payloads,
  { run, session, iteration }: { run: PipelineRun; session: string; iteration: Iteration },
): Promise<void> {
  const { node: id, n, status, output, progress } = iteration;
  const node = run.plan.nodes.find((one) => one.id === id);
  const paths = pathsOf(run.plan, id, n);
  const write = async (path: string, text: string): Promise<void> => shelf.write(onShelf(path), text);
  if (node) await write(paths.context, contextText(iterationAt(run, node, n), session));
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
