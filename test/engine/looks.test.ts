/** What runs alone tell about a red that the machine may have caused. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isCalm, isRepeated, machineWords, mayBeMachine, verdictOfLooks, type Look } from '../../src/engine/judge/verdict.ts';

const green: Look = { done: { exit: 0, timedOut: false }, before: {} };
const plain: Look = { done: { exit: 1, timedOut: false }, before: {} };
const late: Look = { done: { exit: null, timedOut: true, given: 6000 }, before: { cpu: 99 } };
const lateByClock: Look = { done: { exit: null, timedOut: true }, before: { cpu: 99 } };
const lateOnDisk: Look = { ...late, before: { io: 80 } };
const starved: Look = { done: { exit: null, timedOut: false, stopped: 'slow' }, before: {} };
const taken: Look = { done: { exit: null, timedOut: false, dead: { name: 'api', how: 'taken', exit: null } }, before: {} };
const unanswered: Look = {
  done: { exit: 1, timedOut: false, traffic: { refused: [], reached: [], withheld: [], allowed: [], unreachable: ['r.org:443'] } },
  before: {},
};

describe('looks at a run alone', () => {
  const cases: { it: string; looks: Look[]; verdict: string }[] = [
    { it: 'are green where one is', looks: [late, green], verdict: 'green' },
    { it: 'are flaky where it failed by itself and was green', looks: [plain, green], verdict: 'flaky' },
    { it: 'are red where it failed by itself twice', looks: [plain, plain], verdict: 'red' },
    { it: 'are red where its own time ran out twice, however busy the CPUs are', looks: [late, late], verdict: 'red' },
    { it: 'tell nothing where the clock ran out on a busy machine', looks: [lateByClock, lateByClock], verdict: 'none' },
    { it: 'tell nothing where the disk was busy before one of them', looks: [late, lateOnDisk], verdict: 'none' },
    { it: 'tell nothing where the machine gave no time', looks: [starved, late], verdict: 'none' },
    { it: 'tell nothing where a stranger holds a port', looks: [taken, taken], verdict: 'none' },
    { it: 'are green where a host answers again', looks: [unanswered, green], verdict: 'green' },
    {
      it: 'are red where a host does not answer twice: a work may ask for what no host gives',
      looks: [unanswered, unanswered],
      verdict: 'red',
    },
    { it: 'tell nothing where there was only one', looks: [late], verdict: 'none' },
    { it: 'tell nothing where there was none', looks: [], verdict: 'none' },
  ];
  for (const { it: what, looks, verdict } of cases) it(what, () => assert.equal(verdictOfLooks(looks), verdict));
});

describe('an end that may be the machine’s', () => {
  it('is a timeout, a kill from outside, a full disk, no time given, a late service, a taken port', () => {
    for (const { done } of [late, starved, taken]) assert.ok(mayBeMachine(done) && !isRepeated(done));
    for (const stopped of ['signal', 'disk'] as const) assert.ok(mayBeMachine({ exit: null, timedOut: false, stopped }));
    assert.ok(mayBeMachine({ exit: null, timedOut: false, dead: { name: 'api', how: 'not-ready', exit: null } }));
  });

  it('is a red while a host that may be reached does not answer, also where it hung', () => {
    const { done } = unanswered;
    assert.ok(mayBeMachine(done) && !isRepeated(done));
    assert.ok(mayBeMachine({ ...done, ...late.done, hung: true }));
    assert.ok(!mayBeMachine({ ...done, exit: 0 }));
    assert.equal(machineWords(done), 'r.org:443 did not answer');
  });

  it('is no timeout of what hung: it is run once more beside the others, to tell a flake', () => {
    const hung = { ...late.done, hung: true as const };
    assert.ok(!mayBeMachine(hung) && isRepeated(hung));
  });

  it('is not what a run did by itself', () => {
    assert.ok(!mayBeMachine(plain.done) && isRepeated(plain.done));
    for (const stopped of ['flood', 'processes', 'memory', 'reports'] as const)
      assert.ok(!mayBeMachine({ exit: null, timedOut: false, stopped }));
    assert.ok(!mayBeMachine({ exit: null, timedOut: false, dead: { name: 'api', how: 'exited', exit: 1 } }));
  });
});

describe('a calm machine', () => {
  it('is one that tells nothing, or little', () => {
    assert.ok(isCalm({}) && isCalm({ cpu: 40, io: 10, memory: 0 }));
    for (const busy of [{ cpu: 80 }, { io: 60 }, { memory: 30 }]) assert.ok(!isCalm(busy));
  });
});
