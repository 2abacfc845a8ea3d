/** Hidden verifications: when they are written, run, looked at and told, and for which sprints. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runHidden } from '../../src/engine/actions/run-hidden.ts';
import { tasksForHidden } from '../../src/engine/actions/gap-tasks.ts';
import { writeHidden } from '../../src/engine/actions/write-hidden.ts';
import { hiddenProblem, isUntoldRed, keptHidden } from '../../src/engine/judge/hidden.ts';
import { seedsOf } from '../../src/engine/judge/seeds.ts';
import { lookTank } from '../../src/engine/judge/unsettled.ts';
import type { State } from '../../src/engine/state/state.ts';
import { toolsNamed } from '../../src/engine/tools/registry.ts';
import type { Run } from '../../src/engine/work/verification.ts';
import { world } from '../support/fakes.ts';
import { changed, refOf, tankOf, type Loose } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const hidden = p.verification({ id: 'hidden/a/b', lineage: 'hidden/a/b', script: refOf('hidden'), title: 'sums of three are right' });

/** A sprint at `strong` whose only requirement that a script covers is proven. */
function strong(change: (s: Loose<State>) => void = () => undefined): State {
  return changed(p.proven().state, (s) => {
    s.config.evidence = 'strong';
    change(s);
  });
}
const ran = (over: Partial<Run> = {}): Loose<Run> =>
  structuredClone(p.run({ lineage: hidden.lineage, script: hidden.script, where: 'clean', code: 1, ...over }));
const withRuns =
  (...runs: Loose<Run>[]) =>
  (s: Loose<State>): void => {
    s.ledger.hidden.scripts.push(structuredClone(hidden));
    for (const run of runs) s.ledger.hidden.runs.push({ ...run, world: s.ledger.world, ...(run.verdict === 'red' ? { exit: 1 } : {}) });
  };
const red = ran({ verdict: 'red' });
const burns = (state: State): string[][] => writeHidden.due(state).map((due) => due.burns.map(({ kind, key }) => `${kind}/${key}`));

describe('hidden verifications', () => {
  it('are written for each requirement that a script proves, once no task is open', () => {
    assert.deepEqual(burns(strong()), [['hidden/1']]);
    assert.deepEqual(burns(strong((s) => void (s.work.tasks['T1']!.status = 'pending'))), []);
    assert.deepEqual(burns(strong((s) => void (s.work.results['value/total']!.verdict = 'red'))), []);
    assert.deepEqual(burns(strong((s) => void (s.ledger.burned.hidden['1'] = 2))), []);
  });

  it('are asked for neither at a lower level nor in a sprint that began before there were any', () => {
    const others = [strong((s) => void (s.config.evidence = 'fair')), strong((s) => void delete s.ledger.sizes.hidden)];
    for (const state of others) {
      assert.deepEqual([writeHidden.due(state), runHidden.due(state)], [[], []]);
      assert.equal(hiddenProblem(state, '1'), undefined);
    }
  });

  it('run once on each code, again where the machine kept one from a result, and again in another world where they were red', () => {
    const isDue = (...runs: Loose<Run>[]): boolean => runHidden.due(strong(withRuns(...runs))).length > 0;
    assert.equal(isDue(), true);
    assert.equal(isDue(ran({ verdict: 'green' })), false);
    assert.equal(isDue(red), false);
    assert.equal(isDue(ran({ verdict: 'green', code: 0 })), true);
    assert.equal(isDue(ran({ verdict: 'none' })), true);
    const later = (verdict: Run['verdict']): State =>
      strong((s) => {
        withRuns(ran({ verdict }))(s);
        s.ledger.world += 1;
      });
    assert.deepEqual([runHidden.due(later('red')).length, runHidden.due(later('green')).length], [1, 0]);
    const spent = strong((s) => {
      withRuns()(s);
      const { kind, key } = tankOf(`run/hidden/a/b@1/${hidden.script.slice(0, 8)}`);
      s.ledger.burned[kind][key] = 4;
    });
    assert.deepEqual(runHidden.due(spent), []);
  });

  it('are looked at by those who wrote them when they fail, until a builder was told', () => {
    const state = strong(withRuns(red));
    assert.deepEqual([burns(state), isUntoldRed(state, hidden)], [[['hidden/1']], true]);
    const told = strong((s) => {
      withRuns(red)(s);
      s.ledger.hidden.told.push({ lineage: hidden.lineage, script: hidden.script });
    });
    assert.deepEqual([burns(told), isUntoldRed(told, hidden)], [[], false]);
  });

  it('that failed with a seed are tried with that seed first', () => {
    const failed = ran({ verdict: 'red', seed: '424242' });
    const state = strong(withRuns(failed));
    assert.equal(seedsOf(state, { ...hidden, varies: true }, 'clean')[0], '424242');
  });

  it('that the machine kept from a result are not due again until a resume', () => {
    const kept = ran({ verdict: 'none' });
    const state = strong((s) => {
      withRuns(kept)(s);
      const { kind, key } = lookTank(s, hidden, 'clean');
      s.ledger.burned[kind][key] = s.ledger.sizes[kind] ?? 0;
    });
    assert.deepEqual(runHidden.due(state), []);
    assert.equal(keptHidden(state).length, 1);
  });

  it('keep a requirement from counting, in words without what they ask for', () => {
    const of = (change: (s: Loose<State>) => void): string | undefined => hiddenProblem(strong(change), '1');
    assert.equal(
      of(() => undefined),
      'nobody wrote a hidden verification of it',
    );
    assert.equal(of(withRuns()), 'its hidden verification has no result on the final tree');
    assert.equal(of(withRuns(red)), 'a hidden verification of it fails: sums of three are right');
    const flaky = ran({ verdict: 'flaky' });
    assert.equal(of(withRuns(flaky)), 'its hidden verification has no result on the final tree', 'a flake gets one more checkout');
    assert.equal(of(withRuns(flaky, flaky)), 'a hidden verification of it is red and green by turns: sums of three are right');
    assert.equal(of(withRuns(ran({ verdict: 'green' }))), undefined);
    const rewritten = of((s) => {
      withRuns(ran({ verdict: 'green' }))(s);
      s.ledger.hidden.scripts.push({ ...structuredClone(hidden), script: refOf('another') });
    });
    assert.equal(rewritten, 'its hidden verification has no result on the final tree');
  });

  it('become a task that names requirement and title alone, as far as tasks may be added', () => {
    const [task, told] = tasksForHidden(strong(withRuns(red)), [hidden]);
    assert.ok(task?.fact === 'task.added' && told?.fact === 'hidden.told');
    assert.equal(task.task.description, 'A hidden verification of 1 fails: sums of three are right');
    assert.ok(!JSON.stringify(task).includes('hidden/a/b'));
    const full = strong((s) => {
      withRuns(red)(s);
      s.ledger.minted = s.ledger.sizes.mint ?? 0;
    });
    assert.deepEqual(tasksForHidden(full, [hidden]), []);
  });

  it('are refused where the title tells a value that the script asks for and no document has', async () => {
    const { context } = play(await staged(world(), p.proven()));
    const [tool] = toolsNamed(['write_hidden_verification']);
    assert.ok(tool?.kind === 'report');
    const look = (title: string): Promise<void> | undefined =>
      tool.look?.(
        {
          path: 'a/b.sh',
          content: `# TEST: ${title}\n# PRD: 1\n# RED: wrong\n[ "$(sh total.sh 47 5)" = 52 ] || { echo wrong; exit 1; }\n`,
        },
        context,
      );
    await look('two amounts are added');
    await assert.rejects(
      async () => look('47 and another amount are added'),
      /TEST tells 47, which the script asks for and no document has/,
    );
  });
});
