/**
 * Benchmark: what measuring strength costs beside the proofs, in the example sprint: runs and time for each verification. Runs are
 * the same on any machine; time is not.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleRepository } from '../../scripts/example-repository.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { runSprint } from '../../src/host/sprint.ts';
import { createModel } from '../../src/models/create.ts';
import { supplying } from '../support/person.ts';
import { bench, report } from './support/figures.ts';

const example = join('examples', 'receipts');
/** Proofs and strength together may take that many times as long as proofs alone. */
const goal = 1.5;

/** Of all steps of a row in one sprint. */
interface Spent {
  ms: number;
  runs: number;
}

bench(async () => {
  const { prove, measure, verifications } = await play();
  const of = (name: string, { ms, runs }: Spent): void => {
    report(
      { name: `${name}-a-verification`, value: ms / verifications, unit: 'ms', goal: null },
      { runs: runs / verifications, verifications },
    );
  };
  of('proof', prove);
  of('proof-with-strength', { ms: prove.ms + measure.ms, runs: prove.runs + measure.runs });
  report(
    { name: 'strength-ratio', value: (prove.ms + measure.ms) / prove.ms, unit: 'ratio', goal },
    { runs: (prove.runs + measure.runs) / prove.runs },
  );
});

async function play(): Promise<{ prove: Spent; measure: Spent; verifications: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-bench-'));
  process.env['LOOP_STATE_HOME'] = join(folder, 'state');
  const repo = join(folder, 'receipts');
  const spent = { prove: { ms: 0, runs: 0 }, measure: { ms: 0, runs: 0 } };
  let open: { spent: Spent; id: string; from: number } | undefined;
  const onEvent = (event: Event): void => {
    if (event.type === 'step.begun' && event.step.kind === 'action') {
      const { action } = event.step.decision;
      open = action === 'prove' || action === 'measure' ? { spent: spent[action], id: event.step.id, from: performance.now() } : undefined;
    }
    if (event.type !== 'step.ended' || !open || event.id !== open.id) return;
    open.spent.ms += performance.now() - open.from;
    // While measuring, a run that tells what is reached comes first, and each fault is tried once.
    if (open.spent === spent.measure)
      open.spent.runs += event.facts.filter(({ fact }) => fact === 'verification.measured' || fact === 'fault.tried').length;
    open = undefined;
  };
  try {
    exampleRepository(example, repo);
    const person = supplying(join(example, 'supplied'), repo);
    const { ending, state } = await runSprint({
      sprintDir: join(repo, 'sprint'),
      model: await createModel({ kind: 'recorded', file: join(example, 'sprint', 'recording.yaml') }),
      person,
      onOpen: (desk) => void (person.desk = desk),
      overrides: {},
      signal: new AbortController().signal,
      onEvent,
      onProgress: (item) => {
        // What is not green runs twice, to tell a flake.
        if (item.kind === 'verification' && open) open.spent.runs += item.verdict === 'green' ? 1 : 2;
      },
    });
    if (ending.stop !== 'delivered') throw new Error(`The example ended ${ending.stop}: ${ending.reasons.join(' ')}`);
    return { ...spent, verifications: new Set(state.ledger.measures.map(({ lineage }) => lineage)).size };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
