/** What the machine does to a run is no verdict: it reaches no agent, burns no attempt, and takes no work back. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe } from 'mocha';
import type { Event } from '../../../src/engine/state/events.ts';
import type { State } from '../../../src/engine/state/state.ts';
import type { Run } from '../../../src/engine/work/verification.ts';
import {
  approvesPlan,
  build,
  discovered,
  planned,
  script,
  verifications,
  withSessions,
  writeVerifications,
} from '../../support/greeter.ts';
import { api, discovery, greets, plan, server as greetingServer, writes } from '../../support/greeting-service.ts';
import { sideBySide } from '../../support/side-by-side.ts';
import { ground, run } from '../../support/sprint.ts';
import { asking, assertUntouched, closed, listen, oracle } from './world.ts';

const network = { overrides: { network: 'all' as const } };

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
  turns: [
    {
      calls: [
        task('T1', ['1.1', 'V1'], []),
        task('T2', ['1.2', '1.3'], ['T1']),
        { report_plan_complete: { summary: 'Two tasks.' } },
        approvesPlan,
      ],
    },
  ],
};
const first = 'echo "Hello, $1!"\n';
const whole = 'word=Hello\n[ "$1" = --house ] && shift && word=Salute\necho "$word, ${1:-world}!"\n';
const builders = [build('T1', writes(first, 'greet.sh')), build('T2', writes(whole, 'greet.sh'))];
const house = script('cli/house', { prd: '1.3', red: 'wrong word', command: 'sh greet.sh --house Ada', expect: 'Salute, Ada!' });

describe('the machine is no verdict', () => {
  const sessionsAsking = (port: number, timeout = 2) =>
    withSessions(
      discovered(),
      twoTasks,
      writeVerifications(asking(verifications.name, port, timeout), asking(verifications.world, port, 20), asking(house, port, timeout)),
      ...builders,
    );

  sideBySide({
    'a verification that is slow only beside others': async (atEnd) => {
      const slow = 'cli/name.sh';
      const arrivals = new EventEmitter();
      // It waits for one that runs beside it, and all others for it; on a busy machine that may take a while, until it was seen once.
      let isSeen = false;
      const world = await oracle(async (name, others) => {
        const [own, awaited] = name === slow ? ['slow', 'other'] : ['other', 'slow'];
        arrivals.emit(own);
        const isMet = name === slow ? others().length > 0 : others().includes(slow);
        if (!isMet) await Promise.race([once(arrivals, awaited), delay(isSeen ? 100 : 5000)]);
        return name === slow && others().length > 0 ? 'slow' : 'fast';
      });
      atEnd(world.close);
      const sessions = sessionsAsking(world.port, 7);
      const at = await ground(sessions);
      atEnd(at.dispose);
      const isLooked = (one: Run): boolean =>
        one.lineage === 'cli/name' && one.where !== 'revert' && one.verdict === 'green' && one.looks !== undefined;
      const onEvent = (event: Event): void => {
        if (event.type === 'step.ended' && event.facts.some((f) => f.fact === 'verification.ran' && isLooked(f.run))) isSeen = true;
      };
      const { ending, state, events } = await run(at, sessions, { ...network, onEvent });
      assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
      assertUntouched(state, events);
      assert.ok(isSeen, 'it was never slow beside others');
      assert.ok(runsOf(state, 'cli/name').every((r) => !r.timedOut));
    },

    'once green, now timed out, and so it is on the commit before': async (atEnd) => {
      let slow = false;
      const world = await oracle((name) => (slow && name === 'cli/name.sh' ? 'slow' : 'fast'));
      atEnd(world.close);
      const sessions = sessionsAsking(world.port);
      const at = await ground(sessions);
      atEnd(at.dispose);
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
    },

    'a change that makes what was green hang is taken back all the same': async (atEnd) => {
      const world = await oracle(() => 'fast');
      atEnd(world.close);
      const hanging = build('T2', writes('[ "$1" = Ada ] && sleep 600\n', 'greet.sh'));
      const sessions = [hanging, ...sessionsAsking(world.port).filter(({ purpose }) => purpose !== 'execute/T2')];
      const at = await ground(sessions);
      atEnd(at.dispose);
      const { state } = await run(at, sessions, { overrides: { network: 'all', maxTaskAttempts: 1 } });
      assert.deepEqual(
        state.ledger.undone.map(({ broke }) => broke),
        [['cli/name']],
      );
      const last = runsOf(state, 'cli/name').findLast((r) => r.verdict === 'red');
      assert.deepEqual([last?.timedOut, last?.looks, last?.kind], [true, 2, 'timeout']);
    },

    'a port is taken by a stranger': async (atEnd) => {
      const stranger = createServer((socket) => socket.end());
      const port = await listen(stranger, 0);
      const service = { ...api, start: { command: `PORT=${port} exec node server.js` }, ready: { tcp: port } };
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
      const at = await ground(sessions);
      atEnd(at.dispose);
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
    },
  });
});
