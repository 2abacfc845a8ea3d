/**
 * What the machine lacks is found before any builder works, and asked for once with instructions. Other work goes on, and the
 * sprint continues by itself once the need is met. Files, ports, programs and processes are real.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { fold } from '../../src/engine/core/fold.ts';
import type { Event } from '../../src/engine/state/events.ts';
import type { Person } from '../../src/engine/ports.ts';
import type { HumanAction } from '../../src/engine/work/human-action.ts';
import { handlers, type Surroundings } from '../../src/extension/worker/requests.ts';
import { Finishes } from '../../src/extension/worker/finishes.ts';
import { Wakefulness } from '../../src/extension/worker/wakefulness.ts';
import { Pipelines } from '../../src/extension/worker/pipelines.ts';
import { RunsByHand } from '../../src/extension/worker/runs-by-hand.ts';
import { readJournal } from '../../src/host/journal.ts';
import { loop } from '../cli/loop.ts';
import {
  build,
  verifications,
  discovered,
  writeVerifications,
  planned,
  script,
  supplied,
  withSessions,
  type Session,
} from '../support/greeter.ts';
import { endIdleLaunchers } from '../support/launchers.ts';
import { freePort } from '../support/port.ts';
import { absent, FakePerson, silent } from '../support/person.ts';
import { ground, helpful, run, write, type Ground } from '../support/sprint.ts';

interface Declared {
  what: Record<string, unknown>;
  why: string;
  required_by: string[];
}
const file: Declared = { what: { kind: 'file', path: supplied.path }, why: 'the word of the house', required_by: ['1.3'] };
const tool: Declared = {
  what: { kind: 'tool', name: 'house-tool', version: '2.1' },
  why: 'it checks words',
  required_by: ['1.3'],
};
const key: Declared = { what: { kind: 'variable', name: 'HOUSE_KEY' }, why: 'it opens the house', required_by: ['1.3'] };
const extra: Declared = { what: { kind: 'tool', name: 'no-such-tool-here' }, why: 'it only helps', required_by: [] };
const secret = 'k9-Zq81xTab77';

const needing = (...needs: Declared[]): Session[] => withSessions(discovered({ needs }), planned());

describe('preflight', () => {
  let at: Ground;
  const servers: Server[] = [];
  const path = process.env['PATH'];
  afterEach(async () => {
    process.env['PATH'] = path;
    delete process.env['HOUSE_KEY'];
    for (const server of servers.splice(0)) server.close();
    await at.dispose();
  });

  /** A person who acts when asked, and never answers. */
  function acting(act: (action: HumanAction) => Promise<void>): Person & { asked: string[] } {
    const asked: string[] = [];
    return {
      ...silent,
      asked,
      ask(action, tasks, signal) {
        asked.push(action.id);
        void act(action);
        return silent.ask(action, tasks, signal);
      },
    };
  }
  async function listenOn(port: number): Promise<void> {
    const server = createServer((socket) => socket.end()).listen(port, '127.0.0.1');
    servers.push(server);
    await new Promise((done, fail) => server.once('listening', done).once('error', fail));
  }

  it('asks for a file, a port and a tool before any builder works, goes on with the rest, and continues by itself once they exist', async () => {
    const port = await freePort();
    const sessions = needing(
      file,
      { what: { kind: 'port', port, state: 'listening' }, why: 'the house answers', required_by: ['1.3'] },
      tool,
      extra,
    );
    at = await ground(sessions);
    const tools = join(at.folder, 'tools', 'bin');
    await mkdir(tools, { recursive: true });
    process.env['PATH'] = `${tools}:${path}`;
    await endIdleLaunchers();
    let fulfilledAt = 0;
    const person = acting(async () => {
      await write(at.repo, { [supplied.path]: supplied.text });
      await write(tools, { 'house-tool': '#!/bin/sh\necho house-tool 2.10\n' });
      await chmod(join(tools, 'house-tool'), 0o755);
      await listenOn(port);
      fulfilledAt = Date.now();
    });
    const { ending, state, events } = await run(at, sessions, { person, overrides: { network: 'all' } });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const humanActions = Object.values(state.ledger.humanActions);
    assert.deepEqual(
      humanActions.map((p) => [p.action, p.status]),
      [
        ['Supply files: there is no house.txt', 'fulfilled'],
        [`Prepare ports: nothing listens on port ${port}`, 'fulfilled'],
        ['Install tools: commands do not find house-tool', 'fulfilled'],
      ],
    );
    assert.match(
      humanActions[2]?.instructions ?? '',
      /Install house-tool 2\.1 or later in a folder of your PATH\. It is needed for this: it checks words\./,
    );
    assert.deepEqual(
      decisions(events).filter((d) => /^(prepare|execute|wait)/.test(d)),
      ['prepare', 'execute T1', 'execute T2', 'wait H1', 'execute T3'],
    );
    assert.deepEqual(person.asked, ['H1']);
    assert.ok(events.every((e) => e.type !== 'person.said' || e.facts.every((f) => f.fact !== 'human-action.answered')));
    const noticed = events.find((e) => 'facts' in e && e.facts.some((f) => f.fact === 'human-action.verified'));
    assert.ok(noticed && noticed.at - fulfilledAt < 60_000, `it was noticed after ${(noticed?.at ?? 0) - fulfilledAt} ms`);
    const report = await readFile(join(at.sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8');
    assert.match(report, /Missing, though nothing waited for it: commands do not find no-such-tool-here\. Install no-such-tool-here/);
  });

  it('ends waiting, with the reason, after eight wrong answers that all is done, and notices by itself when it is', async () => {
    const sessions = needing(file, key);
    at = await ground(sessions);
    const overrides = { environment: ['HOUSE_KEY'] };
    const promising = helpful(at.repo);
    const { told } = promising;
    const first = await run(at, sessions, { person: promising, overrides });
    const lacks = 'HOUSE_KEY is not set.';
    assert.deepEqual(
      [first.ending.stop, told],
      ['waiting', Array.from({ length: 6 }, () => lacks)],
      'one answer was for the file, and nothing is asked after the eighth',
    );
    assert.ok(
      first.ending.reasons.some((reason) => reason.endsWith(` Still missing: ${lacks}`)),
      first.ending.reasons.join('\n'),
    );
    const second = await run(at, sessions, { person: promising, overrides });
    assert.deepEqual([second.ending.stop, told.length, decisions(second.events)], ['waiting', 6, ['close']]);
    process.env['HOUSE_KEY'] = secret;
    const third = await run(at, sessions, { person: absent, overrides });
    assert.deepEqual(third.ending, { stop: 'delivered', reasons: [] });
  });

  it('uses no file that was in the checkout before it was asked for, until the person says so (I10)', async () => {
    const sessions = needing(file);
    at = await ground(sessions);
    await write(at.repo, { [supplied.path]: supplied.text });
    const copies: number[] = [];
    const asked: number[] = [];
    const person = new FakePerson(true, async (): Promise<'done'> => {
      asked.push(inWorktree(at) ? 1 : 0);
      await new Promise((done) => setTimeout(done, 3000));
      copies.push(inWorktree(at) ? 1 : 0);
      return 'done';
    });
    assert.equal((await run(at, sessions, { person })).ending.stop, 'delivered');
    assert.deepEqual([asked, copies], [[0], [0]]);
  });

  it('drops a task whose need the person skips', async () => {
    const sessions = needing(file);
    at = await ground(sessions);
    const person = new FakePerson(true);
    const { ending, state } = await run(at, sessions, { person });
    assert.equal(ending.stop, 'partial');
    assert.deepEqual([state.work.tasks['T3']?.status, state.ledger.humanActions['H1']?.status], ['descoped', 'skipped']);
    assert.ok(!ending.reasons.some((reason) => reason.includes('without the person’s consent')));
  });

  it('prints what is missing and what to do where nobody can be asked, exits with 3, and goes on once the variable is named', async () => {
    const house = script('cli/house', {
      prd: '1.3',
      red: 'wrong word',
      command: 'test -n "$HOUSE_KEY" && sh greet.sh --house Ada',
      expect: 'Salute, Ada!',
    });
    const sessions = withSessions(
      discovered({ needs: [key, extra] }),
      planned(),
      writeVerifications(verifications.name, verifications.world, house),
    );
    at = await ground(sessions, { [supplied.path]: supplied.text });
    const command = ['run', at.sprintDir, '--model', `recorded:${at.recording}`];
    const first = await loop(command, { HOUSE_KEY: secret });
    assert.equal(first.code, 3, first.out + first.err);
    assert.match(first.out, /needs you: Set variables: HOUSE_KEY is set, but commands do not get it\n +1\. Name it .*--env HOUSE_KEY/);
    assert.match(first.out, /missing, and nothing waits for it: commands do not find no-such-tool-here/);
    assert.match(first.out, /What only you can do:\n +Set variables: HOUSE_KEY .*\n +1\. Name it for the sprint's commands/);
    const status = await loop(['status', at.sprintDir]);
    assert.match(status.out, /Needs you: Set variables: HOUSE_KEY .*\n +1\. Name it/);
    const again = await loop([...command, '--env', 'HOUSE_KEY'], { HOUSE_KEY: secret });
    assert.match(again.out, /Its commands get these variables of yours: HOUSE_KEY\./);
    assert.match(again.out, /done: what was asked of you is there/);
    assert.equal(again.code, 0, again.out + again.err);
    const verified = await loop(['verify', at.sprintDir], { HOUSE_KEY: secret });
    assert.equal(verified.code, 0, verified.out + verified.err);
    const { events } = await journalOf(at);
    const granted = events.flatMap((e) => (e.type === 'person.said' ? e.facts.filter((f) => f.fact === 'access.granted') : []));
    assert.deepEqual(
      granted,
      [{ fact: 'access.granted', environment: ['HOUSE_KEY'], docker: false }],
      'only the name is recorded, and only once',
    );
  });

  it('keeps the value of a variable inside the sandbox', async () => {
    process.env['HOUSE_KEY'] = secret;
    const shows = `[ "$HOUSE_KEY" = "k9-Zq81""xTab77" ] && echo "the key: $HOUSE_KEY"; echo "$HOUSE_KEY" > key.txt`;
    const leak = build('T1', { bash: { command: shows } }, { read_file: { path: 'key.txt' } });
    const sessions = [leak, ...needing(key).filter((s) => s.purpose !== leak.purpose)];
    at = await ground(sessions);
    const { ending, state } = await run(at, sessions, { person: absent, overrides: { environment: ['HOUSE_KEY'] } });
    assert.equal(ending.stop, 'failed');
    assert.deepEqual([state.ledger.humanActions, state.work.tasks['T1']?.status], [{}, 'pending']);
    const { stdout, status } = spawnSync('grep', ['-rlaF', '--', secret, at.folder], { encoding: 'utf8' });
    assert.deepEqual([stdout, status], ['', 1], 'nowhere on disk, neither in the worktree nor in payloads');
    const shown = spawnSync('grep', ['-rhoa', '--', 'the key: [^"\\]*', join(at.sprintDir, '.loop', 'payloads')], {
      encoding: 'utf8',
    });
    assert.match(shown.stdout, /the key: \[redacted\]/, 'the command knew the value');
  });

  it('looks again after a kill -9 while it waits, and goes on', async () => {
    const sessions = needing(file);
    at = await ground(sessions);
    const args = [resolve('out/test/sprint/child.mjs'), at.sprintDir, at.repo, at.recording, '0', 'after', 'silent'];
    const child = spawn(process.execPath, args, { env: { ...process.env, LOOP_STATE_HOME: join(at.folder, 'state') }, stdio: 'ignore' });
    const ended = new Promise((done) => child.once('exit', (_code, signal) => done(signal)));
    try {
      for (let tries = 0; !decisions((await journalOf(at)).events).includes('wait H1'); tries += 1) {
        assert.ok(tries < 600, 'it reaches the wait');
        await new Promise((done) => setTimeout(done, 100));
      }
      assert.deepEqual(await elsewhere(at), { process: child.pid }, 'the editor shows who runs it');
    } finally {
      child.kill('SIGKILL');
    }
    assert.equal(await ended, 'SIGKILL');
    assert.equal(await elsewhere(at), null);
    await write(at.repo, { [supplied.path]: supplied.text });
    const { ending, events } = await run(at, sessions, { person: silent });
    assert.equal(ending.stop, 'delivered');
    assert.deepEqual(decisions(events).slice(0, 1), ['execute T3'], 'no second wait');
  });

  it('keeps an answer that came early, also after a kill -9 right after the click', async () => {
    const sessions = needing(file);
    at = await ground(sessions);
    const args = [resolve('out/test/sprint/child.mjs'), at.sprintDir, at.repo, at.recording, '0', 'after', 'early'];
    const child = spawn(process.execPath, args, { env: { ...process.env, LOOP_STATE_HOME: join(at.folder, 'state') }, stdio: 'ignore' });
    assert.equal(await new Promise((done) => child.once('exit', (_code, signal) => done(signal))), 'SIGKILL');
    const killed = await journalOf(at);
    assert.deepEqual([killed.state?.ledger.humanActions['H1']?.status, decisions(killed.events).at(-1)], ['answered', 'prepare']);
    const { ending, state, events } = await run(at, sessions, { person: silent });
    assert.equal(ending.stop, 'partial');
    assert.deepEqual([state.work.tasks['T3']?.status, state.ledger.humanActions['H1']?.status], ['descoped', 'skipped']);
    assert.ok(!decisions(events).some((decision) => decision.startsWith('wait')), 'they are not asked again');
  });
});

function decisions(events: readonly Event[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'step.begun' || event.step.kind !== 'action') return [];
    const { action, target } = event.step.decision;
    return [target ? `${action} ${target}` : action];
  });
}

async function journalOf({ sprintDir }: Ground) {
  const { events } = await readJournal(join(sprintDir, '.loop', 'journal.jsonl')).catch(() => ({ events: [] as Event[] }));
  return { events, state: events.length > 0 ? fold(events) : undefined };
}

/** Which process runs the sprint, as the editor reads it. */
async function elsewhere({ sprintDir }: Ground): Promise<unknown> {
  const here: Surroundings = {
    runOf: () => undefined,
    run: () => Promise.reject(new Error('no')),
    runPipeline: () => Promise.reject(new Error('no')),
    pipelines: new Pipelines(() => undefined),
    byHand: new RunsByHand(() => undefined),
    finishes: new Finishes(),
    wakefulness: new Wakefulness(),
  };
  return (await handlers.read({ sprintDir }, here))?.elsewhere;
}

function inWorktree({ folder }: Ground): boolean {
  return execFileSync('find', [join(folder, 'state'), '-name', supplied.path], { encoding: 'utf8' }).trim() !== '';
}
