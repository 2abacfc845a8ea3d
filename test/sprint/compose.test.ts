/**
 * Services on the person's machine, in whole sprints. No Docker engine runs here: a program called `docker` on the PATH
 * stands in for it, that really starts and stops a process.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, realpath, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { InputError } from '../../src/engine/errors.ts';
import type { HumanAction, Person } from '../../src/engine/ports.ts';
import { build, generateChecks, withSessions, type Session } from '../support/greeter.ts';
import { discovery, plan, writes } from '../support/greeting-service.ts';
import { absent, ground, run, write, type Ground } from '../support/sprint.ts';
import { processesMarked } from '../host/sandbox/world.ts';

const mark = 'the-stand-in-database';

describe('a compose service', function () {
  this.timeout(120_000);
  let at: Ground | undefined;
  let bin: string;
  let port: number;
  const path = process.env['PATH'];
  beforeEach(async () => {
    bin = await realpath(await mkdtemp(join(tmpdir(), 'loop-docker-')));
    port = await freePort();
    await standIn(bin, port);
    process.env['PATH'] = `${bin}${delimiter}${path}`;
  });
  afterEach(async () => {
    process.env['PATH'] = path;
    await at?.dispose();
    const left = processesMarked(mark);
    for (const line of left) process.kill(Number(line.trim().split(' ')[0]));
    await rm(bin, { recursive: true });
    assert.deepEqual(left, []);
  });

  const said = (): string[] => (existsSync(join(bin, 'log')) ? readFileSync(join(bin, 'log'), 'utf8').trim().split('\n') : []);

  it('is started once where the person allowed it, and stopped when the sprint is over', async () => {
    at = await ground(sessions(port), files);
    const { ending } = await run(at, sessions(port), { overrides: { network: 'all', docker: true } });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(said(), ['ps -q --status running db', 'up -d --wait db', 'stop db'].map((w) => `compose -f compose.yaml ${w}`)); // prettier-ignore
  });

  it('is asked for where it was not allowed, looked at again when they say so, and never stopped', async () => {
    at = await ground(sessions(port), files);
    const asked: HumanAction[] = [];
    const person: Person = {
      available: true,
      waitFor: async (action) => {
        asked.push(action);
        await docker(bin, 'up');
        return 'done';
      },
      notYet: () => undefined,
    };
    const { ending } = await run(at, sessions(port), { person, overrides: { network: 'all' } });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(asked.map((a) => a.action), ['Start the service db']); // prettier-ignore
    assert.match(asked[0]?.instructions ?? '', new RegExp(`nothing answers at port ${port}.*docker compose -f compose.yaml up -d --wait db$`)); // prettier-ignore
    assert.equal(processesMarked(mark).length, 1, 'it is theirs');
    await docker(bin, 'stop');
  });

  it('stops the sprint as waiting where nobody can be asked, and it goes on once the service is there', async () => {
    at = await ground(sessions(port), files);
    const overrides = { network: 'all' as const };
    const first = await run(at, sessions(port), { person: absent, overrides });
    assert.equal(first.ending.stop, 'waiting');
    await docker(bin, 'up');
    const second = await run(at, sessions(port), { person: absent, overrides });
    assert.deepEqual(second.ending, { stop: 'delivered', reasons: [] });
    await docker(bin, 'stop');
  });

  it('is refused before the start where commands could not reach it, and no file of the repository may allow it', async () => {
    const services = '- name: db\n  start: { compose: db }\n  ready: { tcp: 5432 }\n';
    at = await ground(sessions(port), { ...files, 'sprint/services.yaml': services });
    await assert.rejects(run(at, sessions(port)), (error) => error instanceof InputError && error.message.startsWith('services.yaml:1: service "db" runs in Docker')); // prettier-ignore
    await write(at.repo, { 'sprint/services.yaml': '', 'sprint/loop.config.yaml': 'docker: true\n' });
    await assert.rejects(run(at, sessions(port)), (error) => error instanceof InputError && /"docker" cannot be set by a repository file/.test(error.message)); // prettier-ignore
    assert.deepEqual(said(), []);
  });
});

const files = { 'compose.yaml': 'services: { db: { image: db } }\n' };

/** One task, one verification, which needs a database on a fixed port. */
function sessions(port: number): Session[] {
  const db = { name: 'db', start: { compose: 'db' }, ready: { tcp: port }, limit: 5 };
  const count = (prd: string, name: string) => ({
    write_check: {
      path: `db/${name}.sh`,
      content: `#!/usr/bin/env bash\n# TEST: it counts\n# PRD: ${prd}\n# RED: wrong count\n# REQUIRES: db\n[ "$(node count.js)" = "${port} 1" ] || { echo "wrong count: $(node count.js 2>&1)"; exit 1; }`,
    },
  });
  const counts = `const socket = require('node:net').connect(${port}, '127.0.0.1');\nsocket.on('connect', () => { console.log('${port}', 1); socket.end(); });\n`; // prettier-ignore
  return withSessions(
    discovery(db),
    plan(['T1', ['1.1', '1.2', '1.3', 'V1']]),
    generateChecks(count('1.1, V1', 'one'), count('1.2', 'two'), count('1.3', 'three')),
    build('T1', writes(counts, 'count.js')),
  ).filter(({ purpose }) => purpose !== 'fix/cli/world');
}

/** A `docker` that knows `compose ps`, `up` and `stop`, and writes down what it was asked. */
async function standIn(bin: string, port: number): Promise<void> {
  await mkdir(bin, { recursive: true });
  const program = `#!/bin/sh
echo "$*" >>${bin}/log
case "$*" in
  *" ps "*) if [ -s ${bin}/pid ]; then cat ${bin}/pid; fi ;;
  *" up "*|up) node -e "require('net').createServer((s) => s.resume()).listen(${port}, '127.0.0.1'); // ${mark}" >/dev/null 2>&1 &
    echo $! >${bin}/pid
    until (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null; do sleep 0.05; done ;;
  *" stop "*|stop) kill "$(cat ${bin}/pid)"; rm ${bin}/pid ;;
esac
`.replace('#!/bin/sh', '#!/usr/bin/env bash');
  await writeFile(join(bin, 'docker'), program);
  await chmod(join(bin, 'docker'), 0o755);
}

function docker(bin: string, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(join(bin, 'docker'), [word], (error) => (error ? reject(error) : resolve()));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
