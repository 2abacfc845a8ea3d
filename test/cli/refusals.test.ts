/**
 * A sprint that cannot start is refused in one paragraph with the next step, before a branch or a journal exists.
 * Runs the built command line in its own process, with real files, git and a real HTTP server.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { startMessagesServer } from '../peers/messages-server.ts';
import { fingerprint } from '../host/git/fingerprint.ts';
import { loop, type Outcome } from './loop.ts';
import { honest } from '../support/greeter.ts';
import { ground, type Ground } from '../support/sprint.ts';

/** Asserts that the error is one paragraph. */
function assertRefused({ code, err }: Outcome, expected: RegExp, status = 4): void {
  assert.match(err, expected);
  assert.equal(code, status);
  assert.equal(err.trim().split('\n').length, 1, `one paragraph, not: ${err}`);
}

describe('loop run refuses', () => {
  let at: Ground;
  let print: Record<string, string>;
  let unreachable: Promise<{ outcome: Outcome; at: Ground; print: Record<string, string> }>;

  before(() => void (unreachable = runWithoutServer()));
  beforeEach(async () => {
    at = await ground(honest);
    print = await fingerprint(at.repo);
  });
  afterEach(async () => {
    assert.equal(existsSync(join(at.sprintDir, '.loop')), false, 'no journal');
    assert.equal(at.git('branch', '--list', 'loop/*'), '', 'no branch');
    await at.dispose();
  });
  after(async () => (await unreachable).at.dispose());

  const recorded = (): string[] => ['run', at.sprintDir, '--model', `recorded:${at.recording}`];
  const unchanged = async (): Promise<void> => assert.deepEqual(await fingerprint(at.repo), print);

  it('a folder that is not a sprint', async () => {
    assertRefused(
      await loop(['run', at.repo, '--model', `recorded:${at.recording}`]),
      /is not a sprint: it has no VISION\.md\. Write in it/,
    );
    await unchanged();
  });

  it('a folder that does not exist', async () => {
    assertRefused(
      await loop(['run', join(at.repo, 'nowhere'), '--model', `recorded:${at.recording}`]),
      /There is no folder .*nowhere\. Name the folder/,
    );
  });

  it('a repository with a submodule', async () => {
    at.git('update-index', '--add', '--cacheinfo', `160000,${at.git('rev-parse', 'HEAD').trim()},third`);
    at.git('commit', '-qm', 'A submodule');
    assertRefused(await loop(recorded()), /has submodules \(third\).* start the sprint in a repository without them/);
  });

  it('a sprint without a PRD', async () => {
    await rm(join(at.sprintDir, 'PRD.md'));
    assertRefused(await loop(recorded()), /it has no PRD\.md\. Write in it what must be true/);
  });

  it('an empty PRD', async () => {
    await writeFile(join(at.sprintDir, 'PRD.md'), '\n');
    assertRefused(await loop(recorded()), /PRD\.md is empty .* Write in it what must be true/);
  });

  it('a PRD that is not UTF-8', async () => {
    await writeFile(join(at.sprintDir, 'PRD.md'), Buffer.from([0xff, 0xfe, 0x31, 0x00, 0x2e, 0x00]));
    assertRefused(await loop(recorded()), /PRD\.md is not UTF-8 text\. Save it as UTF-8/);
  });

  it('a PRD without a requirement', async () => {
    await writeFile(join(at.sprintDir, 'PRD.md'), '# PRD\n\nIt is very nice indeed, for everybody, always.\n');
    assertRefused(await loop(recorded()), /PRD\.md:1: there are no requirements.* Number what must be true/);
  });

  it('a PRD with a key in it, which is not shown', async () => {
    const key = `AKIA${'Q7'.repeat(8)}`;
    await writeFile(join(at.sprintDir, 'PRD.md'), `# PRD\n\n1.1 It uploads with ${key}, and prints the address.\n`);
    const outcome = await loop(recorded());
    assertRefused(outcome, /PRD\.md:3: this line holds an AWS access key.* name a variable in its place/);
    assert.ok(!outcome.err.includes(key));
  });

  it('a configuration with an unknown field, naming the file, the line and the allowed fields', async () => {
    await writeFile(join(at.sprintDir, 'loop.config.yaml'), 'vrcInterval: 4\nmaxFixs: 3\n');
    assertRefused(await loop(recorded()), /loop\.config\.yaml:2: there is no field "maxFixs"\. Allowed are: .*maxFixAttempts/);
  });

  it('a configuration that raises a limit', async () => {
    await writeFile(join(at.sprintDir, 'loop.config.yaml'), 'maxFixAttempts: 9\n');
    assertRefused(
      await loop(recorded()),
      /loop\.config\.yaml:1: "maxFixAttempts" is 9, above 5; a repository file may only lower a limit\. Raise it/,
    );
  });

  it('unknown flags and commands', async () => {
    assertRefused(await loop([...recorded(), '--network', 'some']), /--network is "some"; it is one of none, registries, installs, all\./);
    assertRefused(await loop(['fly', at.sprintDir]), /There is no command "fly"\. See "loop help"\./);
  });

  it('to start without an API key', async () => {
    assertRefused(await loop(['run', at.sprintDir]), /There is no Anthropic API key\. Set ANTHROPIC_API_KEY/);
  });

  it('an invalid API key', async () => {
    const refusal = { status: 401, type: 'authentication_error', message: 'invalid key' };
    const server = await startMessagesServer({ answer: () => refusal, free: () => refusal });
    try {
      assertRefused(await loop(['run', at.sprintDir], { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url }), /key/i);
      await unchanged();
    } finally {
      await server.close();
    }
  });

  it('a rate limit that lasts longer than it waits, naming when to try again', async () => {
    const fault = { status: 429, type: 'rate_limit_error', headers: { 'retry-after': '90' } };
    const server = await startMessagesServer({ free: () => fault, answer: () => ({ content: [] }) });
    try {
      const outcome = await loop(['run', at.sprintDir], { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url });
      assertRefused(
        outcome,
        /rate limit is reached .* Nothing was started: the API asks to wait 90 s\. Run the same command again then\./,
        1,
      );
      assert.doesNotMatch(outcome.err, /connection/);
      await unchanged();
    } finally {
      await server.close();
    }
  });

  it('a folder outside a repository, naming the two commands that make one', async () => {
    await rm(join(at.repo, '.git'), { recursive: true });
    const outcome = await loop(recorded());
    at.git('init', '-q');
    assertRefused(outcome, /is not in a git repository.*git init && git add --all && git commit/);
  });

  it('to start with an unreachable API, after visible retries', async () => {
    const { outcome, at: elsewhere, print: untouched } = await unreachable;
    assert.equal(outcome.code, 1);
    assert.match(outcome.out, /Retry 1 in \d+ s: /);
    assert.equal(outcome.err.trim().split('\n').length, 1);
    assert.equal(existsSync(join(elsewhere.sprintDir, '.loop')), false);
    assert.deepEqual(await fingerprint(elsewhere.repo), untouched);
  });
});

/** Starts early, because the retries take a minute while the other tests run. */
async function runWithoutServer() {
  const at = await ground(honest);
  const print = await fingerprint(at.repo);
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
  return { outcome: await loop(['run', at.sprintDir], env), at, print };
}
