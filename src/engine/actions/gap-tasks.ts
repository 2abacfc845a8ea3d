/**
 * Tasks for what a look at the deliverable found: critical and blocking gaps and findings, as many as may still be minted
 * (I4). The rest goes to the report.
 */
import { mintLeft } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { mustMend, type Evaluation, type Vrc } from '../work/assessment.ts';
import type { Fact } from '../work/facts.ts';
import type { Task } from '../work/task.ts';

/** @param looked what was just reported; undefined where nothing was. */
export function tasksFor(state: State, source: 'vrc' | 'evaluation', looked: Vrc | Evaluation | undefined): Fact[] {
  const wanted = looked ? wantedBy(looked) : [];
  const minted = wanted.slice(0, Math.max(0, mintLeft(state.ledger)));
  const ids = freeIds(state, minted.length);
  return minted.map((want, index) => ({ fact: 'task.added', task: gapTask({ id: ids[index] ?? '', source, ...want }) }));
}

interface Want {
  what: string;
  value: string;
}

function wantedBy(looked: Vrc | Evaluation): Want[] {
  return 'gaps' in looked
    ? looked.gaps.filter((g) => mustMend(g.severity)).map((g) => ({ what: g.suggestedTask || g.description, value: g.description }))
    : looked.findings.filter((f) => mustMend(f.severity)).map((f) => ({ what: f.suggestedFix || f.description, value: f.userImpact }));
}

/** The engine mints ids, and a plan may have used some of them: the first that are free. */
function freeIds({ work }: State, count: number): string[] {
  const ids: string[] = [];
  for (let n = 1; ids.length < count; n += 1) if (!Object.hasOwn(work.tasks, `G${n}`)) ids.push(`G${n}`);
  return ids;
}

/** Which requirement it belongs to nobody said: it waits for none, and its commits speak for no verification. */
function gapTask({ id, source, what, value }: Want & { id: string; source: Task['source'] }): Task {
  return {
    id,
    status: 'pending',
    source,
    description: what.slice(0, 600),
    value,
    prdSection: [],
    acceptance: 'The finding that it came from no longer holds.',
    dependencies: [],
    phase: 'gaps',
    filesExpected: [],
  };
}
