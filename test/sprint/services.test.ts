/** Verifications that require services, in whole sprints: a dead service is one failure and one fix, and none outlives a run. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve as absolute } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import { Interruption } from '../../src/engine/ground/errors.ts';
import type { Event } from '../../src/engine/state/events.ts';
import type { State } from '../../src/engine/state/state.ts';
import { statusOf } from '../../src/engine/judge/status.ts';
import type { ServiceProbe } from '../../src/engine/work/service.ts';
import { verifySprint } from '../../src/host/verify-sprint.ts';
import { build, writeVerifications, withSessions } from '../support/greeter.ts';
import { api, behindDead, discovery, fifteen, mark, mendsService, plan, server, writes } from '../support/greeting-service.ts';
import { ground, run, type Ground } from '../support/sprint.ts';
import { launchersOf } from '../support/launchers.ts';
import { processesMarked } from '../host/sandbox/world.ts';

const three = fifteen.slice(0, 3);

const decisions = (state: State): string[] =>
  state.ledger.decisions.map(({ decision: { action, target } }) => (target ? `${action} ${target}` : action));
const probesOf = (state: State): string[] =>
  (state.ledger.probes?.['service api'] ?? []).map((p: ServiceProbe) => `${p.code}: ${p.cause ?? 'up'}`);

describe('fifteen verifications behind one dead service', () => {
  let at: Ground;
  afterEach(async () => {
    assert.deepEqual(processesMarked(mark), []);
    await at.dispose();
  });

  it('count as one failure, get one service fix without a classifier, and are delivered after it', async () => {
    const sessions = behindDead(mendsService(1, writes(server())));
    at = await ground(sessions);
    const { ending, state, events } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const order = decisions(state);
    assert.deepEqual(order.slice(order.indexOf('execute T1'), order.indexOf('prove')), [
      'execute T1',
      'settle 1',
      'service-fix api',
      'settle 2',
    ]);
    assert.deepEqual(probesOf(state), ['0: missing-module', '1: exited', '2: up']);
    assert.ok(!order.some((d) => d.startsWith('fix ')));
    assert.ok(!events.some((e) => e.type === 'step.begun' && e.step.kind === 'ask' && e.step.role === 'classifier'));
    assert.ok(secondsOf(events, 'settle 1') < 5, `it took ${secondsOf(events, 'settle 1')} s`);
    const green = Object.values(state.work.results).filter((r) => r.verdict === 'green' && r.code === 2);
    assert.equal(green.length, 15);
  });

  it('end the sprint honestly where two fixes do not bring the service up, and say what they wait for', async () => {
    const still = (why: string) => writes(server(`throw new Error('${why}');\n`));
    const sessions = [
      writeVerifications(...three),
      ...behindDead(mendsService(1, still('not yet')), mendsService(2, still('nor now'))).filter((s) => s.role !== 'qc'),
    ];
    at = await ground(sessions);
    const { ending, state } = await run(at, sessions);
    assert.equal(ending.stop, 'failed');
    assert.ok(
      ending.reasons.includes('Service api is down: it ended with exit status 1. 3 verifications could not be run.'),
      ending.reasons.join('\n'),
    );
    assert.ok(ending.reasons.some((r) => r.includes('api/ada waits for service api: it ended with exit status 1')));
    const order = decisions(state);
    assert.deepEqual(order.slice(order.indexOf('execute T1')), [
      'execute T1',
      'settle 1',
      'service-fix api',
      'settle 2',
      'service-fix api',
      'settle 3',
      'close',
    ]);
    assert.deepEqual(
      Object.values(state.work.verifications).map((v) => statusOf(state, v)),
      ['blocked', 'blocked', 'blocked'],
    );
    assert.deepEqual(state.work.results, {}, 'what could not be run has no result');
    assert.ok(!state.ledger.milestones.some((m) => m.includes('api')), 'starting the service again is no progress (I5)');
    const issues = await readFile(join(at.sprintDir, '.loop', 'ISSUES.md'), 'utf8');
    assert.match(issues, /## Service api is down[^]*api\/ada, api\/grace, api\/alan[^]*fixes tried: 2[^]*nor now/);
    assert.match(await readFile(join(at.sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8'), /### Service api is down/);
  });

  it('are judged by the service of their own tree: a task that kills it is undone, exactly', async () => {
    const dies = { ...build('T2', writes('throw new Error("not like this");\n')), purpose: 'execute/T2#1' };
    const sessions = withSessions(
      discovery(api),
      plan(['T1', ['1.1', '1.2', '1.3', 'V1']], ['T2', ['1.3']]),
      writeVerifications(...three),
      build('T1', writes(server())),
      dies,
      { ...build('T2', writes(`${server()}// and the rest\n`)), purpose: 'execute/T2#2' },
    ).filter(({ purpose }) => purpose !== 'fix/cli/world');
    at = await ground(sessions);
    const { ending, state } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const [undone] = state.ledger.undone;
    assert.deepEqual(undone?.broke, ['api/ada', 'api/grace', 'api/alan']);
    assert.equal(undone?.why, 'T2 broke api/ada, api/grace, api/alan; service api is down: it ended with exit status 1');
    assert.ok(!decisions(state).includes('service-fix api'));
    assert.match(at.git('show', `${state.opened.branch}:server.js`), /and the rest/);
  });

  it('run by hand with a service each, and leave no service when the launcher dies', async () => {
    const sessions = [writeVerifications(...three), ...behindDead().filter((s) => s.role !== 'qc'), build('T1', writes(server()))].filter(
      (s, i, all) => all.findLastIndex((o) => o.purpose === s.purpose) === i,
    );
    at = await ground(sessions);
    const { ending, state } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const { sprintDir } = at;
    const signal = new AbortController().signal;
    assert.deepEqual(
      (await verifySprint({ sprintDir, signal })).map((v) => [v.id, v.verdict, v.output]),
      [
        ['api/ada', 'green', ''],
        ['api/grace', 'green', ''],
        ['api/alan', 'green', ''],
      ],
    );
    assert.equal(state.work.tree.code, 1);
    const lost = verifySprint({ sprintDir, signal });
    lost.catch(() => undefined);
    while (processesMarked(mark).length === 0) await delay(20);
    for (const pid of launchersOf(process.pid)) process.kill(pid, 'SIGKILL');
    await assert.rejects(lost, (error) => error instanceof Interruption && error.reason === 'lost-launcher');
    while (processesMarked(mark).length > 0) await delay(20);
  });
});

describe('an engine that dies in the middle of verifications with services', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('leaves no process, and the same command goes on and delivers', async () => {
    const slow = server('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);\n');
    const sessions = [
      writeVerifications(...three),
      build('T1', writes(slow)),
      ...behindDead().filter((s) => s.role !== 'qc' && s.role !== 'builder'),
    ];
    at = await ground(sessions);
    const child = spawnSprint(at);
    const ended = new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)));
    while (processesMarked(mark).length < 2) await delay(20);
    child.kill('SIGKILL');
    assert.equal(await ended, 'SIGKILL');
    for (let waited = 0; processesMarked(mark).length > 0 && waited < 20_000; waited += 50) await delay(50);
    assert.deepEqual(processesMarked(mark), []);
    const { ending } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(processesMarked(mark), []);
  });
});

/** Runs a sprint in a process of its own. */
function spawnSprint(at: Ground) {
  const args = [absolute('out/test/sprint/child.mjs'), at.sprintDir, at.repo, at.recording, '0', 'after'];
  return spawn(process.execPath, args, { env: { ...process.env, LOOP_STATE_HOME: `${at.folder}/state` }, stdio: 'ignore' });
}

/** The duration of a decision in seconds. */
function secondsOf(events: readonly Event[], decision: string): number {
  const begun = events.find(
    (e) => e.type === 'step.begun' && e.step.kind === 'action' && `${e.step.decision.action} ${e.step.decision.target}` === decision,
  );
  const id = begun?.type === 'step.begun' ? begun.step.id : '';
  const ended = events.find((e) => e.type === 'step.ended' && e.id === id);
  return begun && ended ? (ended.at - begun.at) / 1000 : Infinity;
}
