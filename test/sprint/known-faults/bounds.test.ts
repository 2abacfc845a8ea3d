/** Faults of an earlier system that must not come back: limits that are wrong, forgotten or kept in two places. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { gateDue } from '../../../src/engine/actions/gate-row.ts';
import { isQualified, gates, type Gate } from '../../../src/engine/work/gate.ts';
import { isCounted } from '../../../src/engine/judge/ending.ts';
import { event as eventSchema } from '../../../src/engine/state/events.ts';
import { statusOf } from '../../../src/engine/judge/status.ts';
import { isHonestRed } from '../../../src/engine/judge/trust.ts';
import type { Verification } from '../../../src/engine/work/verification.ts';
import { build, verifications, writeVerifications, withSessions } from '../../support/greeter.ts';
import { bash, fixer, idle, play, type Played } from '../../support/played.ts';
import type { State } from '../../../src/engine/state/state.ts';
import { tankKinds } from '../../../src/engine/state/tanks.ts';

describe('known faults: time limits and stuck verifications', () => {
  const hangs = bash('cli/hangs', '1.1', '# RED: wrong greeting', '# TIMEOUT: 1', 'echo "waiting for an answer"; sleep 86400');
  const greets = '[ "$(sh greet.sh Ada)" = "Hello, Ada!" ] || { echo "wrong greeting"; exit 1; }';
  const slow = bash('cli/slow', '1.1', '# RED: wrong greeting', '# TIMEOUT: 60', `sleep 2; ${greets}`);
  const tries = [1, 2, 3, 4, 5].map((n) =>
    fixer(`fix/cli/hangs#${n}`, `try ${n}`, { write_file: { path: `try-${n}.js`, content: `exports.n = ${n};\n` } }),
  );
  const written = writeVerifications(verifications.name, hangs, slow, verifications.world, verifications.house);
  const sessions = [...tries, ...withSessions(written), idle('fix/*')];
  let sprint: Played;
  let open = 0;
  let most = 0;
  before(async () => {
    const ids = new Set<string>();
    sprint = await play(sessions, {
      overrides: { commandTimeout: 1 },
      onEvent(event) {
        if (event.type === 'step.begun' && event.step.kind === 'action') ids.add(event.step.id);
        if (event.type === 'step.ended') ids.delete(event.id);
        open = ids.size;
        most = Math.max(most, open);
      },
    });
  });
  after(() => sprint.at.dispose());
  const verificationOf = (id: string): Verification => {
    const verification = sprint.state.work.verifications[id];
    assert.ok(verification, id);
    return verification;
  };

  it('a verification has its own time limit, and a timeout is a failure kind of its own', () => {
    assert.equal(statusOf(sprint.state, verificationOf('cli/slow')), 'passed', 'it may take longer than a command of an agent');
    const runs = sprint.runs('cli/hangs');
    assert.ok(runs.length >= 4);
    for (const run of runs) {
      assert.deepEqual([run.exit, run.timedOut, run.kind, isHonestRed(run)], [null, true, 'timeout', false]);
      assert.ok(run.duration >= 1000 && run.duration < 30_000, `${run.duration} ms for a limit of 1 s`);
    }
  });

  it('the fixer knows of a timeout, of the output until then, and of earlier fixes', () => {
    const prompts = sprint.told('cli/hangs');
    assert.equal(prompts.length, 3);
    for (const [index, prompt] of prompts.entries()) {
      assert.ok(prompt.includes('waiting for an answer') && prompt.includes('sleep 86400'));
      assert.match(prompt, index === 0 ? /timed out[^]*Nothing was tried yet/ : /### Attempt 1: red, timed out/);
      const earlier = [1, 2, 3].filter((n) => prompt.includes(`#### Fix: try ${n}`) && prompt.includes(`really changed: try-${n}.js`));
      assert.deepEqual(earlier, [1, 2, 3].slice(0, index));
    }
    const [ofFailure = ''] = sprint.told('cli/world');
    assert.match(ofFailure, /test failure, exit status 1/, 'a failure is no timeout');
    assert.ok(!ofFailure.includes('timed out'));
  });

  it('one place decides once that a verification is stuck, and nothing else stops for it', () => {
    assert.deepEqual([open, most], [0, 1], 'one action at a time');
    const { state, ending } = sprint;
    const fixes = sprint.decisions('fix').filter((d) => d.target === 'cli/hangs');
    assert.equal(fixes.length, state.config.maxFixesPerSignature);
    for (const { burns } of fixes)
      assert.deepEqual(
        burns.map(({ kind }) => kind),
        ['sprint', 'lineage', 'signature'],
      );
    assert.equal(statusOf(state, verificationOf('cli/hangs')), 'blocked');
    for (const id of ['cli/name', 'cli/slow', 'cli/world', 'cli/house']) assert.ok(isCounted(state, verificationOf(id)), id);
    assert.equal(ending.stop, 'partial');
  });
});

describe('known faults: state', () => {
  /** Green in the worktree, red in every other checkout, which lacks an ignored file, so that only the clean run finds the failure. */
  const here = bash('cli/here', '1.1', '# RED: not here', '[ -e greet.cache ] && [ -e greet.sh ] || { echo "not here"; exit 1; }');
  const caches = build(
    'T1',
    { write_file: { path: 'greet.sh', content: 'name="$1"\necho "Hello, $name!"\n' } },
    { bash: { command: "echo '*.cache' >.gitignore; echo kept >greet.cache" } },
  );
  const sessions = [
    idle('fix/cli/here'),
    ...withSessions(caches, writeVerifications(verifications.name, here, verifications.world, verifications.house)),
  ];
  let last: State['ledger']['burned'] | undefined;
  const lost: string[] = [];
  let sprint: Played;
  before(async () => {
    sprint = await play(sessions, {
      onEvent(_event, { ledger }) {
        for (const kind of tankKinds)
          for (const [key, units] of Object.entries(last?.[kind] ?? {}))
            if ((ledger.burned[kind][key] ?? 0) < units) lost.push(`${kind} ${key}`);
        last = structuredClone(ledger.burned);
      },
    });
  });
  after(() => sprint.at.dispose());

  it('a gate is passed by its own name, not by a name that contains it', () => {
    const { state } = sprint;
    assert.equal(isQualified(state), true);
    for (const gate of gates)
      for (const name of [`${gate}2`, `pre${gate}`, gate.slice(1)]) {
        const passed = gates.map((g) => (g === gate ? name : g) as Gate);
        const other = { ...state, work: { ...state.work, gates: passed } };
        assert.equal(isQualified(other), false, name);
        assert.equal(gateDue(other, gate).length, 1, name);
        assert.equal(isRecordable(name), false, `${name} is no gate`);
        assert.equal(isRecordable(gate), true);
      }
  });

  it('a failure in the clean run resets no counter and restarts nothing', () => {
    const { state, events, ending } = sprint;
    const clean = state.ledger.runs['cli/here']?.filter((run) => run.where === 'clean');
    assert.deepEqual([clean?.map((run) => run.verdict), state.ledger.assessments.cleanRuns.length], [['red'], 1]);
    const order = state.ledger.decisions.map(({ decision: d }) => `${d.action} ${d.target}`.trim());
    const rest = order.slice(order.indexOf('final clean-run') + 1);
    assert.deepEqual(rest, ['fix cli/here', 'fix cli/here', 'fix cli/here', 'research cli/here', 'wait H2', 'course-correct', 'close']);
    assert.deepEqual([state.ledger.burned.lineage['cli/world'], state.ledger.burned.lineage['cli/here']], [1, 3]);
    assert.deepEqual(lost, [], 'no tank was refilled');
    assert.equal(state.ledger.burned.sprint[''], order.length, 'one tank counts the decisions before and after');
    assert.equal(events.filter((e) => e.type === 'run.opened').length, 1);
    assert.equal(ending.stop, 'partial');
  });
});

/** Whether a journal may record that this gate was passed. */
function isRecordable(gate: string): boolean {
  const facts = [{ fact: 'gate.passed', gate }];
  return eventSchema.safeParse({ n: 9, owner: 1, at: 0, type: 'step.ended', id: 's1', outcome: 'done', facts }).success;
}
