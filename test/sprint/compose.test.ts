/**
 * Compose services in whole sprints. No Docker engine runs here: a fake `docker` on the PATH really starts and stops
 * processes, and behaves as Docker Compose 2.26 with Docker 26.1 did when it was tried out.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, realpath, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { InputError, Interruption } from '../../src/engine/ground/errors.ts';
import type { HumanAction } from '../../src/engine/work/human-action.ts';
import { finishSprint } from '../../src/host/finish-sprint.ts';
import { build, writeVerifications, withSessions, type Session } from '../support/greeter.ts';
import { discovery, plan, writes } from '../support/greeting-service.ts';
import { freePort } from '../support/port.ts';
import { absent, FakePerson } from '../support/person.ts';
import { ground, run, write, type Ground } from '../support/sprint.ts';
import { processesMarked } from '../host/sandbox/world.ts';

const mark = 'the-stand-in-database';

describe('a compose service', () => {
  let at: Ground | undefined;
  let bin: string;
  let port: number;
  const path = process.env['PATH'];
  beforeEach(async () => {
    bin = await realpath(await mkdtemp(join(tmpdir(), 'loop-docker-')));
    port = await freePort();
    await writeFakeDocker(bin, port);
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

  const dockerCalls = (): string[] => (existsSync(join(bin, 'log')) ? readFileSync(join(bin, 'log'), 'utf8').trim().split('\n') : []);

  it('is started once where the person allowed it, and stopped when the sprint is over', async () => {
    at = await ground(sessions(port), files);
    const { ending } = await run(at, sessions(port), { overrides: { network: 'all', docker: true } });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const list = 'ps --services --status running --status restarting';
    assert.deepEqual(
      dockerCalls(),
      [list, 'up -d --wait db', list, 'stop db disk'].map((args) => `compose -f compose.yaml ${args}`),
    );
  });

  it('leaves services alone that ran before it', async () => {
    at = await ground(sessions(port), files);
    await docker(bin, 'disk');
    const { ending } = await run(at, sessions(port), { overrides: { network: 'all', docker: true } });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.equal(dockerCalls().at(-1), 'compose -f compose.yaml stop db');
    assert.equal(processesMarked(mark).length, 1, 'it is the person’s');
    await docker(bin, 'stop');
  });

  it('is stopped at once when the sprint is stopped while the service starts, and started by the next run', async () => {
    at = await ground(sessions(port), files);
    const overrides = { network: 'all' as const, docker: true };
    await writeFile(join(bin, 'hangs'), '');
    const stop = new AbortController();
    const first = run(at, sessions(port), { overrides, signal: stop.signal });
    while (!existsSync(join(bin, 'db'))) await delay(20);
    stop.abort();
    await assert.rejects(first, Interruption);
    assert.deepEqual(processesMarked(mark), []);
    await rm(join(bin, 'hangs'));
    assert.deepEqual((await run(at, sessions(port), { overrides })).ending, { stop: 'delivered', reasons: [] });
    assert.equal(dockerCalls().at(-1), 'compose -f compose.yaml stop db disk');
  });

  it('is not left half started where it does not come up, and the person reads what Docker said', async () => {
    at = await ground(sessions(port), files);
    await writeFile(join(bin, 'ill'), '');
    const asked: HumanAction[] = [];
    const person = new FakePerson(true, (action) => (asked.push(action), 'skip'));
    const { ending } = await run(at, sessions(port), { person, overrides: { network: 'all', docker: true } });
    assert.equal(ending.stop, 'failed');
    assert.deepEqual(
      asked.map((a) => a.action),
      ['Start the service db'],
    );
    assert.match(asked[0]?.instructions ?? '', /nothing answers at .* Docker: container repo-db-1 is unhealthy\. In your checkout: /);
    assert.deepEqual(processesMarked(mark), []);
  });

  it('is stopped when the sprint is finished before it is over', async () => {
    at = await ground(sessions(port), files);
    const { ending } = await run(at, sessions(port), { overrides: { network: 'all', docker: true, budgetTokens: 70_000 } });
    assert.equal(ending.stop, 'out-of-budget');
    assert.equal(processesMarked(mark).length, 2, 'the sprint may go on');
    const { summary } = await finishSprint(at.sprintDir, 'keep');
    assert.match(summary, /its worktree is gone\.$/);
    assert.equal(dockerCalls().at(-1), 'compose -f compose.yaml stop db disk');
  });

  it('is asked for where it was not allowed, probed again when the person says so, and never stopped', async () => {
    at = await ground(sessions(port), files);
    const asked: HumanAction[] = [];
    const person = new FakePerson(true, async (action): Promise<'done'> => {
      asked.push(action);
      await docker(bin, 'up');
      return 'done';
    });
    const { ending } = await run(at, sessions(port), { person, overrides: { network: 'all' } });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(
      asked.map((a) => a.action),
      ['Start the service db'],
    );
    assert.match(
      asked[0]?.instructions ?? '',
      new RegExp(`nothing answers at port ${port}.*docker compose -f compose.yaml up -d --wait db$`),
    );
    assert.equal(processesMarked(mark).length, 2, 'they are the person’s');
    await docker(bin, 'stop');
  });

  it('makes the sprint wait where nobody can be asked, until the service is up', async () => {
    at = await ground(sessions(port), files);
    const overrides = { network: 'all' as const };
    const first = await run(at, sessions(port), { person: absent, overrides });
    assert.equal(first.ending.stop, 'waiting');
    await docker(bin, 'up');
    const second = await run(at, sessions(port), { person: absent, overrides });
    assert.deepEqual(second.ending, { stop: 'delivered', reasons: [] });
    await docker(bin, 'stop');
  });

  it('is started when the person allows it on resuming the sprint, and stopped when the sprint is over', async () => {
    at = await ground(sessions(port), files);
    const first = await run(at, sessions(port), { person: absent, overrides: { network: 'all' } });
    assert.equal(first.ending.stop, 'waiting');
    const second = await run(at, sessions(port), { person: absent, overrides: { docker: true } });
    assert.deepEqual(second.ending, { stop: 'delivered', reasons: [] });
    const commands = dockerCalls().map((call) => call.split(' ')[3]);
    assert.deepEqual(
      commands.filter((command) => command !== 'ps'),
      ['up', 'stop'],
    );
  });

  it('is refused before the start where commands could not reach it, and cannot be allowed by a file of the repository', async () => {
    const services = '- name: db\n  start: { compose: db }\n  ready: { tcp: 5432 }\n';
    at = await ground(sessions(port), { ...files, 'sprint/services.yaml': services });
    await assert.rejects(
      run(at, sessions(port)),
      (error) => error instanceof InputError && error.message.startsWith('services.yaml:1: service "db" runs in Docker'),
    );
    await write(at.repo, { 'sprint/services.yaml': '', 'sprint/loop.config.yaml': 'docker: true\n' });
    await assert.rejects(
      run(at, sessions(port)),
      (error) => error instanceof InputError && /"docker" cannot be set by a repository file/.test(error.message),
    );
    assert.deepEqual(dockerCalls(), []);
  });
});

const files = { 'compose.yaml': 'services: { db: { image: db } }\n' };

/** One task, and verifications that need a database on a fixed port. */
function sessions(port: number): Session[] {
  const db = { name: 'db', start: { compose: 'db' }, ready: { tcp: port }, limit: 5 };
  const count = (prd: string, name: string) => ({
    write_verification: {
      path: `db/${name}.sh`,
      content: `#!/usr/bin/env bash\n# TEST: it counts\n# PRD: ${prd}\n# RED: wrong count\n# REQUIRES: db\nout="$(bash count.sh 2>&1)"\n[ "$out" = "${port} 1" ] || { echo "wrong count: $out"; exit 1; }`,
    },
  });
  const counts = `exec 3<>/dev/tcp/127.0.0.1/${port}\nprintf 1 >&3\nread -r -n 1 said <&3\necho "${port} $said"\n`;
  return withSessions(
    discovery(db),
    plan(['T1', ['1.1', '1.2', '1.3', 'V1']]),
    writeVerifications(count('1.1, V1', 'one'), count('1.2', 'two'), count('1.3', 'three')),
    build('T1', writes(counts, 'count.sh')),
  ).filter(({ purpose }) => purpose !== 'fix/cli/world');
}

/**
 * Writes a fake `docker` that knows `compose ps`, `up` and `stop`, and logs its arguments. `db` depends on `disk`. As with
 * Docker's own forwarder, its port accepts connections before anything listens behind it, and hangs up; `up` waits for the
 * process only, since there is no health check. With a file `ill`, `up` fails and leaves the service running; with `hangs`, it
 * hangs. `up` without `compose` is what the person runs; it waits until the service answers.
 */
async function writeFakeDocker(bin: string, port: number): Promise<void> {
  await mkdir(bin, { recursive: true });
  const program = `#!/usr/bin/env bash
cd ${bin}
echo "$*" >>log
begin() { [ -e "$1" ] || { node -e "$2 // ${mark}" >/dev/null 2>&1 & echo $! >"$1.new"; mv "$1.new" "$1"; }; }
# Docker ends when what it stops has ended.
end() { kill "$1"; while grep -qs '^State:.[^Z]' /proc/"$1"/status; do sleep 0.02; done; }
disk() { begin disk "setInterval(() => 0, 1000);"; }
case "$*" in
  *" ps "*) for name in db disk; do [ ! -e $name ] || echo $name; done ;;
  disk) disk ;;
  *" up "*|up)
    disk
    begin db "const from = Date.now() + 1500; require('net').createServer((s) => (Date.now() < from ? s.destroy() : s.pipe(s))).listen(${port}, '127.0.0.1');"
    until (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null; do sleep 0.05; done
    if [ -e hangs ]; then exec sleep 30; fi
    if [ $# = 1 ]; then sleep 1.5; fi
    printf ' Container repo-db-1  Started\n Container repo-db-1  Waiting\n' >&2
    if [ -e ill ]; then echo 'container repo-db-1 is unhealthy' >&2; exit 1; fi ;;
  *" stop "*|stop)
    for name in db disk; do
      case "$* " in "stop "|*" $name "*) [ ! -e $name ] || { end "$(cat $name)"; rm $name; } ;; esac
    done ;;
esac
`;
  await writeFile(join(bin, 'docker'), program);
  await chmod(join(bin, 'docker'), 0o755);
}

function docker(bin: string, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(join(bin, 'docker'), [command], (error) => (error ? reject(error) : resolve()));
  });
}
