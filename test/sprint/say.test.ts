/** What is said while a builder is asked, and followed by `kill -9`, is there after the resume. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, it } from 'mocha';
import type { Saying } from '../../src/engine/person/say.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { readJournal } from '../../src/host/journal.ts';
import { openPayloads } from '../../src/host/payloads.ts';
import { honest } from '../support/greeter.ts';
import { ground, type Ground } from '../support/sprint.ts';

function child(at: Ground, said?: Saying): Promise<number | string | null> {
  const args = [resolve('out/test/sprint/child.mjs'), at.sprintDir, at.repo, at.recording, '0', 'after', said ? JSON.stringify(said) : ''];
  return new Promise((done, fail) => {
    const env = { ...process.env, LOOP_STATE_HOME: `${at.folder}/state` };
    spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
      .once('error', fail)
      .once('close', (code, signal) => done(signal ?? code));
  });
}

describe('a word of the person, followed by kill -9', () => {
  it('is there after the resume, and in the next prompt', async () => {
    const at = await ground(honest);
    try {
      assert.equal(await child(at, { kind: 'tell', words: 'Keep it in one file.', about: 'task T2' }), 'SIGKILL');
      const [word] = (await readSprint(at.sprintDir))?.ledger.words ?? [];
      assert.deepEqual([word?.words, word?.readIn], ['Keep it in one file.', []]);
      assert.equal(await child(at), 0, 'the same command goes on and delivers');
      const { events } = await readJournal(`${at.sprintDir}/.loop/journal.jsonl`);
      const said = events.findIndex((event) => event.type === 'person.said' && event.facts.some(({ fact }) => fact === 'word.said'));
      const asksIn = (some: typeof events) =>
        some.flatMap((event) => (event.type === 'step.begun' && event.step.kind === 'ask' ? [event.step] : []));
      // The call that the kill broke off is made again, as it was.
      const before = asksIn(events.slice(0, said)).map(({ id }) => id);
      const asked = asksIn(events.slice(said)).filter(({ id }) => !before.includes(id));
      const [next] = asked;
      assert.deepEqual([next?.purpose, next?.words], ['execute/T2#1', ['W1']]);
      const text = await openPayloads(`${at.sprintDir}/.loop`).get(next?.request ?? '');
      assert.match(text, /About task T2:\\n\\n> Keep it in one file\./);
      const others = asked.slice(1).flatMap(({ purpose, words }) => (words ? [purpose] : []));
      assert.deepEqual(others, ['fix/cli/world#1'], 'no other session is about what T2 serves');
    } finally {
      await at.dispose();
    }
  });

  it('is there where it asks for a pause, and the resume goes on', async () => {
    const at = await ground(honest);
    try {
      assert.equal(await child(at, { kind: 'pause' }), 'SIGKILL');
      assert.equal((await readSprint(at.sprintDir))?.ledger.pauseAsked, true);
      assert.equal(await child(at), 0, 'the same command goes on and delivers');
    } finally {
      await at.dispose();
    }
  });

  it('is there where it skips a task, which is dropped, and the sprint is not delivered', async () => {
    const at = await ground(honest);
    try {
      assert.equal(await child(at, { kind: 'skip', task: 'T3' }), 'SIGKILL');
      assert.deepEqual((await readSprint(at.sprintDir))?.ledger.skipped, ['T3']);
      await child(at);
      const state = await readSprint(at.sprintDir);
      assert.deepEqual([state?.work.tasks['T3']?.status, state?.work.tasks['T3']?.dropped], ['descoped', 'the person skipped it']);
      assert.equal(state?.stopped?.stop, 'partial');
      assert.match(state?.stopped?.reasons.join(' ') ?? '', /Requirement 1\.3 .* is not proven/);
      const built = state?.ledger.decisions.filter(({ decision }) => decision.action === 'execute').map(({ decision }) => decision.target);
      assert.deepEqual(built?.includes('T3'), false);
    } finally {
      await at.dispose();
    }
  });

  it('is there where it approves the plan, and nobody asks again', async () => {
    const at = await ground(honest);
    try {
      assert.equal(await child(at, { kind: 'approve' }), 'SIGKILL');
      const before = await readSprint(at.sprintDir);
      const asked = Object.values(before?.ledger.humanActions ?? {}).find(({ kind }) => kind === 'approval');
      assert.deepEqual([asked?.status, before?.work.gates], ['fulfilled', ['inputs', 'discovery', 'plan']]);
      assert.equal(await child(at), 0, 'the same command goes on and delivers');
      const state = await readSprint(at.sprintDir);
      const rows = state?.ledger.decisions.map(({ decision }) => decision.action) ?? [];
      assert.equal(rows.filter((row) => row === 'approve-plan').length, 1);
      assert.equal(state?.ledger.humanActions[asked?.id ?? '']?.answers, 1);
    } finally {
      await at.dispose();
    }
  });

  it('is there where it changes and moves a task of the plan, which is built like that', async () => {
    const at = await ground(honest);
    try {
      const change = { description: 'Print a greeting, politely', before: 'end' };
      assert.equal(await child(at, { kind: 'change', task: 'T1', change }), 'SIGKILL');
      const tasks = (await readSprint(at.sprintDir))?.work.tasks ?? {};
      assert.deepEqual([Object.keys(tasks).at(-1), tasks['T1']?.description], ['T1', 'Print a greeting, politely']);
      assert.equal(await child(at), 0, 'the same command goes on and delivers');
      const { events } = await readJournal(`${at.sprintDir}/.loop/journal.jsonl`);
      const built = events.flatMap((event) =>
        event.type === 'step.begun' && event.step.kind === 'ask' && event.step.purpose.startsWith('execute/T1') ? [event.step.request] : [],
      );
      assert.match(await openPayloads(`${at.sprintDir}/.loop`).get(built[0] ?? ''), /Task T1: Print a greeting, politely/);
    } finally {
      await at.dispose();
    }
  });

  it('is there where it has a task tried again, and its next builder reads the hint', async () => {
    const at = await ground(honest);
    try {
      assert.equal(await child(at, { kind: 'retry', task: 'T2', hint: 'Mind the comma.' }), 'SIGKILL');
      assert.equal(await child(at), 0);
      const state = await readSprint(at.sprintDir);
      const [word] = state?.ledger.words ?? [];
      const readers = state?.ledger.decisions.filter(({ id }) => word?.readIn.includes(id)).map(({ decision }) => decision.target);
      assert.deepEqual([word?.words, readers?.[0]], ['Mind the comma.', 'T2']);
    } finally {
      await at.dispose();
    }
  });
});
