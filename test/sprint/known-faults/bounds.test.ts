/** Faults for which earlier loops were given up (spec/2, spec/5): limits that are wrong, forgotten, or kept by two at once. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { gateDue } from '../../../src/engine/actions/gate-row.ts';
import { isQualified, gates, type Gate } from '../../../src/engine/work/gate.ts';
import { isCounted } from '../../../src/engine/judge/ending.ts';
import { event as eventSchema } from '../../../src/engine/state/events.ts';
import { statusOf } from '../../../src/engine/judge/status.ts';
import { isHonestRed } from '../../../src/engine/judge/trust.ts';
import type { Verification } from '../../../src/engine/work/verification.ts';
import { verifications, writeVerifications, withSessions } from '../../support/greeter.ts';
import { bash, fixer, idle, play, type Played } from '../../support/played.ts';
import type { State } from '../../../src/engine/state/state.ts';
import { tankKinds } from '../../../src/engine/state/events.ts';

describe('known faults: time, and being stuck', () => {
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
    const found = sprint.state.work.verifications[id];
    assert.ok(found, id);
    return found;
  };

  it('spec/2 problem 6: the time limit is the verification’s own, and running out of it is a kind of its own', () => {
    assert.equal(statusOf(sprint.state, verificationOf('cli/slow')), 'passed', 'it takes twice as long as a command of an agent may');
    const runs = sprint.runs('cli/hangs');
    assert.ok(runs.length >= 4);
    for (const run of runs) {
      assert.deepEqual([run.exit, run.timedOut, run.kind, isHonestRed(run)], [null, true, 'timeout', false]);
      assert.ok(run.duration >= 1000 && run.duration < 30_000, `${run.duration} ms for a limit of 1 s`);
    }
  });

  it('spec/5 fault 3: the fixer is told that it ran out of time, what it printed until then, and what was tried', () => {
    const prompts = sprint.told('cli/hangs');
    assert.equal(prompts.length, 3);
    for (const [index, prompt] of prompts.entries()) {
      assert.ok(prompt.includes('waiting for an answer') && prompt.includes('sleep 86400'));
      assert.match(prompt, /### Attempt 1: red, timed out/);
      const earlier = [1, 2, 3].filter((n) => prompt.includes(`#### Fix: try ${n}`) && prompt.includes(`really changed: try-${n}.js`));
      assert.deepEqual(earlier, [1, 2, 3].slice(0, index));
    }
    const [wrong = ''] = sprint.told('cli/world');
    assert.match(wrong, /red, exit status 1/, 'an error is told apart');
    assert.ok(!wrong.includes('timed out'));
  });

  it('spec/5 fault 6: one place decides that something is stuck, once, and nothing else stops for it', () => {
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
  /** Green where it was built, red in every other checkout: the last sweep finds it. */
  const here = bash('cli/here', '1.1', '# RED: not here', '[ ! -d .git ] && [ -e greet.sh ] || { echo "not here"; exit 1; }');
  const sessions = [
    idle('fix/cli/here'),
    ...withSessions(writeVerifications(verifications.name, here, verifications.world, verifications.house)),
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

  it('spec/5 fault 7: a gate is passed by its own name, not by one that contains it', () => {
    const { state } = sprint;
    assert.equal(isQualified(state), true);
    for (const gate of gates)
      for (const name of [`${gate}2`, `pre${gate}`, gate.slice(1)]) {
        const passed = gates.map((g) => (g === gate ? name : g) as Gate);
        const other = { ...state, work: { ...state.work, gates: passed } };
        assert.equal(isQualified(other), false, name);
        assert.equal(gateDue(other, gate).length, 1, name);
        assert.equal(isLine(name), false, `${name} is no gate`);
        assert.equal(isLine(gate), true);
      }
  });

  it('spec/5 fault 8: a failure of the last sweep resets no counter and starts nothing anew', () => {
    const { state, events, ending } = sprint;
    const clean = state.ledger.runs['cli/here']?.filter((run) => run.where === 'clean');
    assert.deepEqual([clean?.map((run) => run.verdict), state.ledger.assessments.cleanRuns.length], [['red'], 1]);
    const order = state.ledger.decisions.map(({ decision: d }) => `${d.action} ${d.target}`.trim());
    const rest = order.slice(order.indexOf('final clean-run') + 1);
    assert.deepEqual(rest, ['fix cli/here', 'fix cli/here', 'fix cli/here', 'research cli/here', 'wait H2', 'course-correct', 'close']);
    assert.deepEqual([state.ledger.burned.lineage['cli/world'], state.ledger.burned.lineage['cli/here']], [1, 3]);
    assert.deepEqual(lost, [], 'no tank was ever fuller than before');
    assert.equal(state.ledger.burned.sprint[''], order.length, 'every decision before and after, in one account');
    assert.equal(events.filter((e) => e.type === 'run.opened').length, 1);
    assert.equal(ending.stop, 'partial');
  });
});

/** Whether a journal may hold that this gate was passed. */
function isLine(gate: string): boolean {
  const facts = [{ fact: 'gate.passed', gate }];
  return eventSchema.safeParse({ n: 9, owner: 1, at: 0, type: 'step.ended', id: 's1', outcome: 'done', facts }).success;
}
