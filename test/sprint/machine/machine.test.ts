/** What the machine does to a run is no verdict: it reaches no agent, burns no attempt, and takes no work back. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import type { Event } from '../../../src/engine/state/events.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import { build, discovered, planned, script, verifications, withSessions, writeVerifications } from '../../support/greeter.ts';
import { api, discovery, greets, plan, server as greetingServer, writes } from '../../support/greeting-service.ts';
import { ground, run, type Ground } from '../../support/sprint.ts';
import { asking, closed, listen, oracle, type Oracle } from './world.ts';

const network = { overrides: { network: 'all' as const } };

/** Asserts that nobody was called and nothing was taken back for what the machine did. */
function assertUntouched(state: State, events: readonly Event[]): void {
  const rows = state.ledger.decisions.map(({ decision }) => decision.action);
  for (const row of ['fix', 'service-fix', 'research', 'strategy', 'course-correct'])
    assert.ok(!rows.includes(row as never), `${row} was decided`);
  assert.deepEqual(state.ledger.undone, []);
  for (const kind of ['lineage', 'signature', 'reserve', 'service', 'research'] as const)
    assert.deepEqual(state.ledger.burned[kind], {}, kind);
  assert.ok(!events.some((e) => e.type === 'step.begun' && e.step.kind === 'ask' && e.step.role === 'fixer'));
}

const runsOf = (state: State, id: string): Run[] => (state.ledger.runs[id] ?? []).filter(({ where }) => where !== 'revert');

/** Two tasks, and a program that does what both ask for at the second. */
const task = (id: string, prd_section: string[], dependencies: string[]) => ({
  manage_task: {
    action: 'add',
    task_id: id,
    description: `Greet, ${id}`,
    value: 'a greeting',
    acceptance: 'it is printed',
    prd_section,
    dependencies,
  },
});
const twoTasks = {
  ...planned(),
  turns: [{ calls: [task('T1', ['1.1'], []), task('T2', ['1.2', '1.3'], ['T1']), { report_plan_complete: { summary: 'Two tasks.' } }] }],
};
const first = 'echo "Hello, $1!"\n';
const whole = 'word=Hello\n[ "$1" = --house ] && shift && word=Salute\necho "$word, ${1:-world}!"\n';
const builders = [build('T1', writes(first, 'greet.sh')), build('T2', writes(whole, 'greet.sh'))];
const house = script('cli/house', { prd: '1.3', red: 'wrong word', command: 'sh greet.sh --house Ada', expect: 'Salute, Ada!' });

describe('the machine is no verdict', () => {
  let at: Ground;
  let world: Oracle | undefined;
  afterEach(async () => {
    await world?.close();
    world = undefined;
    await at.dispose();
  });

  const sessionsAsking = (port: number) =>
    withSessions(
      discovered(),
      twoTasks,
      writeVerifications(asking(verifications.name, port), asking(verifications.world, port, 20), asking(house, port)),
      ...builders,
    );

  it('a verification that is slow only beside others', async () => {
    const [one, other] = ['cli/name.sh', 'cli/world.sh'];
    let arrived = (): void => undefined;
    // `other` is kept until `one` runs beside it; alone it goes on after a while.
    const beside = (): Promise<string> => Promise.race([new Promise<string>((go) => (arrived = () => go('fast'))), delay(5000, 'fast')]);
    world = await oracle((name, others) => {
      if (name === other && !others.includes(one)) return beside();
      if (name !== one) return 'fast';
      arrived();
      return others.length > 0 ? 'slow' : 'fast';
    });
    const sessions = sessionsAsking(world.port);
    at = await ground(sessions);
    const { ending, state, events } = await run(at, sessions, network);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assertUntouched(state, events);
    const looked = runsOf(state, 'cli/name').filter((r) => r.verdict === 'green' && r.looks !== undefined);
    assert.ok(looked.length > 0, 'it was never slow beside others');
    assert.ok(runsOf(state, 'cli/name').every((r) => !r.timedOut));
  });

  it('once green, now timed out, and so it is on the commit before', async () => {
    let slow = false;
    world = await oracle((name) => (slow && name === 'cli/name.sh' ? 'slow' : 'fast'));
    const sessions = sessionsAsking(world.port);
    at = await ground(sessions);
    // The machine turns bad once the first task is kept, and good again before the person resumes.
    const onEvent = (event: Event): void => {
      if (event.type === 'step.ended' && event.facts.some((f) => f.fact === 'tree.settled' && f.settled.code === 1)) slow = true;
    };
    const bad = await run(at, sessions, { ...network, onEvent });
    assert.equal(bad.ending.stop, 'waiting');
    assert.match(
      bad.ending.reasons.join('\n'),
      /Verification cli\/name is not settled: the machine\. It ran out of time, and so it did on the commit before/,
    );
    assertUntouched(bad.state, bad.events);
    assert.equal(bad.state.work.tree.code, 2);
    const last = runsOf(bad.state, 'cli/name').at(-1);
    assert.deepEqual([last?.verdict, last?.looks], ['none', 2]);
    slow = false;
    const good = await run(at, sessions, network);
    assert.deepEqual(good.ending, { stop: 'delivered', reasons: [] });
    assertUntouched(good.state, [...bad.events, ...good.events]);
  });

  it('a change that makes what was green hang is taken back all the same', async () => {
    world = await oracle(() => 'fast');
    const hanging = build('T2', writes('[ "$1" = Ada ] && sleep 600\n', 'greet.sh'));
    const sessions = [hanging, ...sessionsAsking(world.port).filter(({ purpose }) => purpose !== 'execute/T2')];
    at = await ground(sessions);
    const { state } = await run(at, sessions, { overrides: { network: 'all', maxTaskAttempts: 1 } });
    assert.deepEqual(
      state.ledger.undone.map(({ broke }) => broke),
      [['cli/name']],
    );
    const last = runsOf(state, 'cli/name').findLast((r) => r.verdict === 'red');
    assert.deepEqual([last?.timedOut, last?.looks, last?.kind], [true, 2, 'timeout']);
  });

  it('a port is taken by a stranger', async () => {
    const stranger = createServer((socket) => socket.end());
    const port = await listen(stranger, 0);
    const service = { ...api, start: { command: `PORT=${port} exec node server.js the-greeting-service` }, ready: { tcp: port } };
    const asks = (name: string, ids: string) => {
      const { write_verification } = greets(name, ids);
      return { write_verification: { ...write_verification, content: write_verification.content.replace('$PORT', String(port)) } };
    };
    const sessions = withSessions(
      discovery(service),
      plan(['T1', ['1.1', '1.2', '1.3', 'V1']]),
      writeVerifications(asks('Ada', '1.1, V1'), asks('Grace', '1.2'), asks('Alan', '1.3')),
      build('T1', writes(greetingServer())),
    );
    at = await ground(sessions);
    try {
      const bad = await run(at, sessions, network);
      assert.equal(bad.ending.stop, 'waiting');
      assert.match(
        bad.ending.reasons.join('\n'),
        new RegExp(`Service api is down: its port is taken by process ${process.pid}.*Free the port`),
      );
      assertUntouched(bad.state, bad.events);
    } finally {
      await closed(stranger);
    }
    const good = await run(at, sessions, network);
    assert.deepEqual(good.ending, { stop: 'delivered', reasons: [] });
    assertUntouched(good.state, good.events);
  });
});
