/** How Loop reads the output of `docker`. A shell script stands in for the program. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createDocker } from '../../src/host/docker.ts';

const db = { compose: 'db', file: 'compose.yaml' };

describe('docker', () => {
  let bin: string;
  const path = process.env['PATH'];
  beforeEach(async () => {
    bin = await realpath(await mkdtemp(join(tmpdir(), 'loop-docker-')));
    process.env['PATH'] = `${bin}${delimiter}${path}`;
  });
  afterEach(async () => {
    process.env['PATH'] = path;
    await rm(bin, { recursive: true });
  });

  const dockerThatRuns = async (lines: string) => {
    await writeFile(join(bin, 'docker'), `#!/bin/sh\n${lines}\n`);
    await chmod(join(bin, 'docker'), 0o755);
    return createDocker(bin, []);
  };
  const signal = new AbortController().signal;

  it('lists the services that run, and none when Docker prints an empty line', async () => {
    assert.deepEqual(await (await dockerThatRuns('printf "db\\ndisk\\n"')).running('compose.yaml'), { names: ['db', 'disk'] });
    assert.deepEqual(await (await dockerThatRuns('echo')).running('compose.yaml'), { names: [] });
  });

  it('needs Compose 2, and is quoted for any other problem', async () => {
    const without = await dockerThatRuns(`echo "docker: unknown command: docker compose" >&2; exit 1`);
    assert.deepEqual(await without.running('compose.yaml'), {
      names: [],
      problem: 'docker: unknown command: docker compose (Docker Compose 2 is needed)',
    });
    const down = await dockerThatRuns(`[ "$2" = version ] || { echo "Cannot connect to the Docker daemon." >&2; exit 1; }`);
    assert.deepEqual(await down.running('compose.yaml'), { names: [], problem: 'Cannot connect to the Docker daemon.' });
  });

  it('is quoted with its last line, not with its progress lines', async () => {
    const dead = await dockerThatRuns(
      `printf ' Container x-db-1  Started\\n Container x-db-1  Waiting\\ncontainer x-db-1 exited (3)\\n' >&2; exit 1`,
    );
    assert.equal(await dead.up(db, signal), 'container x-db-1 exited (3)');
  });

  it('may print as much as a build prints', async () => {
    const builds = await dockerThatRuns('head -c 3000000 /dev/zero | tr "\\0" "b"');
    assert.equal(await builds.up(db, signal), undefined);
  });
});
