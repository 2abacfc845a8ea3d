/** I4, I8: verifications that misbehave end, decide nothing by what they print, and leave no process behind. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Ending, State } from '../../src/engine/state/state.ts';
import { statusOf } from '../../src/engine/judge/status.ts';
import type { Run } from '../../src/engine/work/verification.ts';
import { writeVerifications, withSessions, verifications, type Session } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

/** An argument of `sleep` by which processes of this test are found. */
const marker = `86400.${process.pid}`;

function verification(id: string, ...lines: string[]) {
  const timeout = id === 'bad/hangs' ? 1 : 120;
  const header = ['#!/usr/bin/env bash', `# TEST: ${id}`, '# PRD: 1.1', '# RED: wrong greeting', `# TIMEOUT: ${timeout}`];
  return { write_verification: { path: `${id}.sh`, content: [...header, ...lines].join('\n') } };
}
const greets = '[ "$(sh greet.sh Ada 2>/dev/null)" = "Hello, Ada!" ] || { echo "wrong greeting"; exit 1; }';
const hostile = [
  verification('bad/flaky', 'if [ -e .seen ]; then rm .seen; exit 0; fi', 'touch .seen; echo "wrong greeting"; exit 1'),
  verification('bad/hangs', 'echo "wrong greeting"', `sleep ${marker}`),
  verification('bad/daemon', `setsid nohup sleep ${marker} >/dev/null 2>&1 &`, `(trap "" HUP TERM; sleep ${marker}) & disown -a`, greets),
  verification('bad/prints', 'yes "$(head -c 9999 /dev/zero | tr "\\0" x)" | head -c 1000000000', greets),
  verification('bad/pass', 'echo PASS; echo "1 passed, 0 failed"; exit 1'),
  verification('bad/edits-itself', 'printf "exit 0\\n" > "$0"; cp /bin/true "$0"; rm -f "$0"', 'echo "wrong greeting"; exit 1'),
  verification('bad/kills-parent', `setsid nohup sleep ${marker} >/dev/null 2>&1 &`, 'kill -9 $PPID; kill -9 -1', 'exit 1'),
];

/** A fixer that gives up. */
const idle: Session = { role: 'fixer', purpose: 'fix/*', turns: [{ text: 'I cannot.', repeat: true }] };

describe('hostile verifications in one sprint', () => {
  let at: Ground;
  let state: State;
  let ending: Ending;
  before(async () => {
    const sessions = [...withSessions(writeVerifications(verifications.name, verifications.world, verifications.house, ...hostile)), idle];
    at = await ground(sessions);
    ({ state, ending } = await run(at, sessions));
  });
  after(() => at.dispose());
  const runs = (id: string): Run[] => state.ledger.runs[id] ?? [];
  const all = (id: string, verdict: string): void => {
    assert.ok(runs(id).length >= 4, `${id} ran on every code`);
    assert.deepEqual(new Set(runs(id).map((r) => r.verdict)), new Set([verdict]), id);
  };
  const fixes = (id: string): number => state.ledger.burned.lineage[id] ?? 0;
  const statusWord = (id: string): string => {
    const found = state.work.verifications[id];
    assert.ok(found);
    return statusOf(state, found);
  };

  it('end it, and it is not delivered', async () => {
    assert.equal(ending.stop, 'partial');
    const issues = await readFile(join(at.sprintDir, '.loop', 'ISSUES.md'), 'utf8');
    for (const id of ['hangs', 'pass', 'edits-itself', 'kills-parent']) {
      assert.equal(statusWord(`bad/${id}`), 'blocked', id);
      assert.ok(issues.includes(`## bad/${id} is blocked`), id);
      assert.equal(fixes(`bad/${id}`), state.config.maxFixesPerSignature, 'attempts at one failure are bounded');
    }
  });

  it('a flaky one is reported and never sent to a fixer', async () => {
    all('bad/flaky', 'flaky');
    assert.equal(fixes('bad/flaky'), 0);
    assert.match(await readFile(join(at.sprintDir, '.loop', 'ISSUES.md'), 'utf8'), /## bad\/flaky is flaky/);
  });

  it('one that hangs is killed at its timeout', () => {
    all('bad/hangs', 'red');
    for (const { exit, timedOut, kind, duration } of runs('bad/hangs')) {
      assert.deepEqual({ exit, timedOut, kind }, { exit: null, timedOut: true, kind: 'timeout' });
      assert.ok(duration >= 1000 && duration < 30_000, `${duration} ms for a timeout of 1 s`);
    }
  });

  it('none leaves a process behind', () => {
    const pids = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid));
    assert.deepEqual(
      pids.filter((pid) => read(pid, 'cmdline').includes(marker)),
      [],
    );
    const own = new RegExp(`^PPid:\\s*${process.pid}$`, 'm');
    assert.deepEqual(
      pids.filter((pid) => own.test(read(pid, 'status')) && read(pid, 'cmdline').includes('bwrap')),
      [],
    );
  });

  it('one that forks a daemon is judged by its exit status', () => {
    assert.equal(statusWord('bad/daemon'), 'passed');
  });

  it('one that prints 1 GB is cut where the cap is, and is judged by its exit status', async () => {
    assert.equal(statusWord('bad/prints'), 'passed');
    const last = runs('bad/prints').at(-1);
    assert.ok(last);
    const output = await readFile(join(at.sprintDir, '.loop', 'payloads', last.output.slice(0, 2), last.output), 'utf8');
    assert.ok(output.length > 1_000_000 && output.length < 20_000_000, `${output.length} characters are kept`);
    assert.ok(last.excerpt.length < 10_000);
  });

  it('one that prints PASS and exits 1 is red', () => {
    all('bad/pass', 'red');
  });

  it('one that edits itself changes nothing', async () => {
    all('bad/edits-itself', 'red');
    const path = join(at.sprintDir, '.loop', 'verifications', 'bad', 'edits-itself.sh');
    assert.equal(
      await readFile(path, 'utf8'),
      hostile.find((c) => c.write_verification.path === 'bad/edits-itself.sh')?.write_verification.content,
    );
  });

  it('one that kills its parent is red', () => {
    all('bad/kills-parent', 'red');
  });
});

function read(pid: string, file: 'cmdline' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // It ended since the folder was listed.
  }
}
