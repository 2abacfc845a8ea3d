/** Verifications that misbehave: each ends (I4), its output decides nothing (I8), and it leaves no process. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Ending, State } from '../../src/engine/state/state.ts';
import { statusOf } from '../../src/engine/judge/status.ts';
import type { Run } from '../../src/engine/work/verification.ts';
import { writeVerifications, withSessions, verifications, type Session } from '../support/greeter.ts';
import { byTurns, type ByTurns } from '../support/by-turns.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

/** An argument of `sleep` that marks processes of this test. */
const marker = `86400.${process.pid}`;

function verification(id: string, ...lines: string[]) {
  const timeout = id === 'bad/hangs' ? 1 : 120;
  const header = ['#!/usr/bin/env bash', `# TEST: ${id}`, '# PRD: 1.1', '# RED: wrong greeting', `# TIMEOUT: ${timeout}`];
  return { write_verification: { path: `${id}.sh`, content: [...header, ...lines].join('\n') } };
}
const greets = '[ "$(sh greet.sh Ada 2>/dev/null)" = "Hello, Ada!" ] || { echo "wrong greeting"; exit 1; }';
const hostile = [
  verification('bad/hangs', 'echo "wrong greeting"', `sleep ${marker}`),
  verification('bad/daemon', `setsid nohup sleep ${marker} >/dev/null 2>&1 &`, `(trap "" HUP TERM; sleep ${marker}) & disown -a`, greets),
  verification('bad/prints', 'yes "$(head -c 9999 /dev/zero | tr "\\0" x)" | head -c 1000000000', greets),
  verification('bad/pass', 'echo PASS; echo "1 passed, 0 failed"; exit 1'),
  verification('bad/edits-itself', 'printf "exit 0\\n" > "$0"; cp /bin/true "$0"; rm -f "$0"', 'echo "wrong greeting"; exit 1'),
  verification('bad/kills-parent', `setsid nohup sleep ${marker} >/dev/null 2>&1 &`, 'kill -9 $PPID; kill -9 -1', 'exit 1'),
];

/** A fixer that gives up. */
const idle: Session = { role: 'fixer', purpose: 'fix/*', turns: [{ text: 'I cannot.', repeat: true }] };

describe('a sprint with hostile verifications', () => {
  let at: Ground;
  let state: State;
  let ending: Ending;
  let turns: ByTurns;
  before(async () => {
    turns = await byTurns();
    const bad = [verification('bad/flaky', ...turns.lines), ...hostile];
    const sessions = [...withSessions(writeVerifications(verifications.name, verifications.world, verifications.house, ...bad)), idle];
    at = await ground(sessions);
    ({ state, ending } = await run(at, sessions, { overrides: { network: 'all' } }));
  });
  after(async () => {
    turns.close();
    await at.dispose();
  });
  const runs = (id: string): Run[] => state.ledger.runs[id] ?? [];
  const assertAll = (id: string, verdict: string): void => {
    assert.ok(runs(id).length >= 4, `${id} ran on every code`);
    assert.deepEqual(new Set(runs(id).map((r) => r.verdict)), new Set([verdict]), id);
  };
  const fixes = (id: string): number => state.ledger.burned.lineage[id] ?? 0;
  const statusOfId = (id: string): string => {
    const known = state.work.verifications[id];
    assert.ok(known);
    return statusOf(state, known);
  };

  it('ends, and is not delivered', async () => {
    assert.equal(ending.stop, 'partial');
    const issues = await readFile(join(at.sprintDir, '.loop', 'ISSUES.md'), 'utf8');
    for (const id of ['hangs', 'pass', 'edits-itself', 'kills-parent']) {
      assert.equal(statusOfId(`bad/${id}`), 'blocked', id);
      assert.ok(issues.includes(`## bad/${id} is blocked`), id);
      // On a busy machine what hangs or kills may end before it prints, which is another failure.
      const failures = new Set(runs(`bad/${id}`).map(({ signature }) => signature)).size;
      const most = state.config.maxFixesPerSignature * failures;
      assert.ok(
        fixes(`bad/${id}`) >= state.config.maxFixesPerSignature && fixes(`bad/${id}`) <= most,
        `${fixes(`bad/${id}`)} fixes of ${id}`,
      );
    }
  });

  it('reports a flaky one and never sends it to a fixer', async () => {
    assertAll('bad/flaky', 'flaky');
    assert.equal(fixes('bad/flaky'), 0);
    assert.match(await readFile(join(at.sprintDir, '.loop', 'ISSUES.md'), 'utf8'), /## bad\/flaky is flaky/);
  });

  it('kills one that hangs at its timeout', () => {
    assertAll('bad/hangs', 'red');
    for (const { exit, timedOut, kind, duration } of runs('bad/hangs')) {
      assert.deepEqual({ exit, timedOut, kind }, { exit: null, timedOut: true, kind: 'timeout' });
      assert.ok(duration >= 1000 && duration < 30_000, `${duration} ms for a timeout of 1 s`);
    }
  });

  it('leaves no process', () => {
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

  it('judges one that forks a daemon by its exit status', () => {
    assert.equal(statusOfId('bad/daemon'), 'passed');
  });

  it('cuts the output of one that prints 1 GB, and judges it by its exit status', async () => {
    assert.equal(statusOfId('bad/prints'), 'passed');
    const last = runs('bad/prints').at(-1);
    assert.ok(last);
    const output = await readFile(join(at.sprintDir, '.loop', 'payloads', last.output.slice(0, 2), last.output), 'utf8');
    assert.ok(output.length > 1_000_000 && output.length < 20_000_000, `${output.length} characters are kept`);
    assert.ok(last.excerpt.length < 10_000);
  });

  it('counts one that prints PASS and exits 1 as red', () => {
    assertAll('bad/pass', 'red');
  });

  it('keeps one that edits itself unchanged', async () => {
    assertAll('bad/edits-itself', 'red');
    const path = join(at.sprintDir, '.loop', 'verifications', 'bad', 'edits-itself.sh');
    assert.equal(
      await readFile(path, 'utf8'),
      hostile.find((v) => v.write_verification.path === 'bad/edits-itself.sh')?.write_verification.content,
    );
  });

  it('counts one that kills its parent as red', () => {
    assertAll('bad/kills-parent', 'red');
  });
});

function read(pid: string, file: 'cmdline' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // It ended after the folder was listed.
  }
}
