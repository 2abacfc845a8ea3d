/** The repository's own suites: their retired tests, and which suites must still run on the base commit. */
import type { Tank } from '../state/events.ts';
import { tank } from '../state/fuel.ts';
import type { State } from '../state/state.ts';
import { liveVerifications } from '../state/covers.ts';
import { suiteId, type DeclaredSuite } from '../work/suite.ts';

/** Test files of a suite that QC retired. */
export function retiredTests({ ledger }: State, name: string): string[] {
  return [...new Set(ledger.suites.retired.filter((r) => r.suite === name).flatMap((r) => r.files))].sort();
}

/** Suites, by id, that Loop's own verifications would break: no agent may change those, so the branch gets none of them. */
export function brokenByVerifications({ work, ledger }: State): readonly string[] {
  return ledger.assessments.cleanRuns.findLast(({ code }) => code === work.tree.code)?.redBeside ?? [];
}

/** Suites that have not run on the base commit without their current retired tests. */
export function untried(state: State): DeclaredSuite[] {
  const isTried = ({ name }: DeclaredSuite): boolean => {
    const without = retiredTests(state, name).join('\n');
    const { tried: all, anew } = state.ledger.suites;
    return all.slice(anew[name] ?? 0).some((t) => t.suite === name && t.without.join('\n') === without);
  };
  return (state.work.context?.suites ?? []).filter((suite) => !isTried(suite));
}

/** Suites that guard nothing, and why. One that was declared anew, and is not green so, guards as it did before. */
export function lostSuites({ work, ledger }: State): { suite: DeclaredSuite; why: string }[] {
  return (work.context?.suites ?? []).flatMap((suite) => {
    const last = ledger.suites.tried.findLast((tried) => tried.suite === suite.name);
    const guards = liveVerifications(work).some(({ id }) => id === suiteId(suite));
    return last?.used === false && !guards ? [{ suite, why: last.why }] : [];
  });
}

/** Each run of a suite on the base commit burns it. */
export function baseTank(name: string): Tank {
  return tank('base', name);
}
