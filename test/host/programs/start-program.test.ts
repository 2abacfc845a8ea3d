/** What a program that asks models sees of this machine: its login, its folder and its hosts, and nothing else. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { programPort } from '../../../src/host/programs/start-program.ts';

interface Place {
  home: string;
  env: Record<string, string>;
}

/** A machine with this script as `claude`. */
async function on(script: string, files: Record<string, string>, use: (place: Place) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loop-test-'));
  const home = join(folder, 'home');
  const write = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  };
  write(join(folder, 'bin', 'claude'), `#!/bin/bash\n${script}\n`, 0o755);
  for (const [path, text] of Object.entries(files)) write(join(home, path), text);
  try {
    await use({ home, env: { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: home, ANTHROPIC_API_KEY: 'sk-person' } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function linesOf(
  { env }: Place,
  files: Record<string, { text: string } | { png: string }> = {},
  seen: (line: string) => void = () => undefined,
): Promise<string[]> {
  const port = programPort('claude-code', env);
  assert.ok(port);
  const lines: string[] = [];
  return new Promise((done, fail) => {
    const line = (text: string) => {
      lines.push(text);
      seen(text);
    };
    const listener = { line, call: () => undefined, ended: () => done(lines), failed: fail };
    port.start({ args: ['-p', "it's $HOME"], env: {}, files, input: 'the prompt\n', tools: [] }, listener);
  });
}

const mine = '{"claudeAiOauth":{"accessToken":"mine"}}';
const renewed = '{"claudeAiOauth":{"accessToken":"renewed"}}';

describe('a program that asks models', () => {
  it('has its own login, which it may renew, an empty folder with what it is given, and the prompt', async () => {
    const script = [
      'echo "login $(cat ~/.claude/.credentials.json)"',
      'ls -A ~/.claude | sed "s/^/folder /"',
      `echo '${renewed}' >~/.claude/.next && mv ~/.claude/.next ~/.claude/.credentials.json`,
      'echo "who $(cat ~/.claude.json)"',
      'echo "here $(ls -A)"',
      'echo "words $*"',
      'echo "read $(cat)"',
      'echo "key ${ANTHROPIC_API_KEY:-none}"',
    ].join('\n');
    const files = {
      '.claude/.credentials.json': mine,
      '.claude/settings.json': '{}',
      '.claude.json': '{"userID":"u1","projects":{"/secret":{}}}',
    };
    await on(script, files, async (place) => {
      assert.deepEqual(await linesOf(place, { 'system.md': { text: 'You build.' } }), [
        `login ${mine}`,
        'folder .credentials.json',
        'who {"userID":"u1"}',
        'here system.md',
        "words -p it's $HOME",
        'read the prompt',
        'key none',
      ]);
      assert.equal(readFileSync(join(place.home, '.claude', '.credentials.json'), 'utf8'), `${renewed}\n`);
    });
  });

  it('gets the key of the environment where nobody is logged in, whatever else the file of logins holds', async () => {
    for (const files of [{}, { '.claude/.credentials.json': '{"mcpOAuth":{"docs":{"accessToken":"a"}}}' }])
      await on('echo "key $ANTHROPIC_API_KEY"', files, async (place) => {
        assert.deepEqual(await linesOf(place), ['key sk-person']);
      });
  });

  it('sees neither the rest of the home nor what else listens, and leaves nothing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((ready) => server.once('listening', ready));
    const { port } = server.address() as AddressInfo;
    const script = [
      'cat "$0/../../home/.ssh/id" 2>/dev/null && echo saw a key',
      `(: >/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached a server`,
      'touch here 2>/dev/null && echo wrote',
      'echo over',
    ].join('\n');
    try {
      await on(script, { '.ssh/id': 'private' }, async (place) => {
        const [usual, own] = [process.env['TMPDIR'], join(dirname(place.home), 'tmp')];
        mkdirSync(own);
        process.env['TMPDIR'] = own;
        try {
          assert.deepEqual(await linesOf(place), ['over']);
          assert.deepEqual(
            readdirSync(own).filter((name) => !name.startsWith('loop-reports')),
            [],
            'nothing of it is left',
          );
        } finally {
          if (usual === undefined) delete process.env['TMPDIR'];
          else process.env['TMPDIR'] = usual;
        }
      });
    } finally {
      await new Promise((closed) => server.close(closed));
    }
  });

  it('has an old login as soon as the person has another one', async () => {
    await on('cat >/dev/null; echo at work; sleep 60', { '.claude/.credentials.json': mine }, async ({ home, env }) => {
      const port = programPort('claude-code', env);
      assert.ok(port);
      const seen: boolean[] = [];
      await new Promise<void>((done, failed) => {
        const line = (): void => {
          seen.push(run.hasOldLogin());
          writeFileSync(join(home, '.claude', '.credentials.json'), renewed);
          seen.push(run.hasOldLogin());
          run.end();
        };
        const listener = { line, call: () => undefined, ended: () => done(), failed: () => done() };
        const run = port.start({ args: [], env: {}, files: {}, input: '', tools: [] }, listener);
        setTimeout(() => failed(new Error('it does not begin')), 50_000).unref();
      });
      assert.deepEqual(seen, [false, true]);
    });
  });

  it('lies below the state folder with its login, where the next start removes what a killed process left', async () => {
    await on('cat >/dev/null; echo at work', { '.claude/.credentials.json': mine }, async (place) => {
      const usual = process.env['LOOP_STATE_HOME'];
      const state = (process.env['LOOP_STATE_HOME'] = join(dirname(place.home), 'state'));
      const all = join(state, 'programs');
      const lent = (name: string): string => join(all, name, 'login', '.credentials.json');
      const { pid: dead } = spawnSync('true');
      try {
        const seen: string[][] = [];
        await linesOf(place, {}, () => seen.push(readdirSync(all)));
        const [[own = ''] = []] = seen;
        assert.match(own, new RegExp(`^${process.pid}-\\d+-`));
        const [, begun] = own.split('-');
        const names = [`${dead}-${begun}-killed`, `${process.pid}-1-an-earlier-process`, `${process.pid}-${begun}-at-work`];
        for (const name of names) mkdirSync(dirname(lent(name)), { recursive: true });
        for (const name of names) writeFileSync(lent(name), mine);
        await linesOf(place);
        assert.deepEqual(readdirSync(all), names.slice(-1));
      } finally {
        if (usual === undefined) delete process.env['LOOP_STATE_HOME'];
        else process.env['LOOP_STATE_HOME'] = usual;
      }
    });
  });

  it('is none where it is not installed', () => {
    assert.equal(programPort('claude-code', { PATH: '/nowhere', HOME: '/nowhere' }), undefined);
  });
});
