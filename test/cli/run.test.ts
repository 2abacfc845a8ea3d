/** Whole sprints with the built command line: the real SDK with a local Messages API, `--json`, status, verify, finish. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { defaults } from '../../src/engine/ground/config.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { createRecorded } from '../../src/models/recorded.ts';
import { fingerprint } from '../host/git/fingerprint.ts';
import { fromRecording, startMessagesServer, type Answer } from '../peers/messages-server.ts';
import { honest, prd, supplied } from '../support/greeter.ts';
import { ground, ofPerson, write, type Ground } from '../support/sprint.ts';
import { atTerminal, loop, runOf } from './loop.ts';
import { waiting } from './waiting.ts';

const limited = `${prd}\n## Constraints\n\n- No language but \`sh\`\n\n## Out of scope\n\n- Colours\n\n## Later\n`;

describe('the command line', () => {
  let at: Ground;
  beforeEach(async () => void (at = await ground(honest)));
  afterEach(() => at.dispose());
  /** From here on it is the sprint that waits for the person's file. */
  const wait = async (): Promise<void> => {
    await at.dispose();
    ({ at } = await waiting());
  };
  const supply = (): Promise<void> => write(at.repo, { [supplied.path]: supplied.text });

  it('delivers with the real SDK and a local Messages API server', async () => {
    const model = createRecorded({ name: 'recording', text: JSON.stringify({ recording: 1, sessions: honest }) });
    const server = await startMessagesServer({ answer: fromRecording(model) });
    try {
      const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
      await write(at.sprintDir, { 'PRD.md': limited });
      assert.equal((await loop(['run', at.sprintDir], env)).code, 3);
      assert.ok(server.requests.some((r) => JSON.stringify(r.body).includes('- PRD.md:11: No language but `sh`')));
      await supply();
      const recording = join(at.folder, 'played.yaml');
      const { code, out, err } = await loop(['run', at.sprintDir, '--record', recording], env);
      assert.equal(code, 0, out + err);
      assert.match(out, /\nDELIVERED\n/);
      assert.deepEqual(await playedAgain(recording), filesOf(at));
      assert.ok(server.requests.every((r) => r.headers.authorization === 'Bearer sk-test'));
    } finally {
      await server.close();
    }
  });

  it('stops with what the API says where the account is used up, and goes on with the same call once it is not', async () => {
    const played = fromRecording(createRecorded({ name: 'recording', text: JSON.stringify({ recording: 1, sessions: honest }) }));
    const why = 'You have reached your specified API usage limits.';
    const answers: Answer[] = [{ status: 400, type: 'invalid_request_error', message: why }];
    const server = await startMessagesServer({ answer: (request) => answers.shift() ?? played(request) });
    try {
      const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
      const stopped = await loop(['run', at.sprintDir], env);
      assert.equal(stopped.code, 4, stopped.out + stopped.err);
      assert.ok(stopped.err.includes(why) && stopped.err.includes('add credit'), stopped.err);
      const resumed = await loop(['run', at.sprintDir], env);
      assert.equal(resumed.code, 3, resumed.out + resumed.err);
    } finally {
      await server.close();
    }
  });

  /** Files of the sprint's branch with their hashes; the report holds times. */
  function filesOf({ git }: Ground): string[] {
    const branch = git('for-each-ref', '--format=%(refname)', 'refs/heads/loop').trim();
    return git('ls-tree', '-r', branch)
      .split('\n')
      .filter((line) => line !== '' && !line.includes('DELIVERY_REPORT.md'));
  }

  /** What a new sprint delivers by the recording alone; it is asked what was recorded, in both of its lives. */
  async function playedAgain(recording: string): Promise<string[]> {
    const other = await ground([]);
    try {
      await write(other.sprintDir, { 'PRD.md': limited });
      const play = ['run', other.sprintDir, '--model', `strict:${recording}`];
      assert.equal((await loop(play)).code, 3);
      await write(other.repo, { [supplied.path]: supplied.text });
      const { code, out, err } = await loop(play);
      assert.equal(code, 0, out + err);
      assert.match(out, /\nAll requests are as recorded\.\n/);
      return filesOf(other);
    } finally {
      await other.dispose();
    }
  }

  it('input() EOF: exits with 3 when a human action is open and no person is available, and goes on after the action', async () => {
    await write(at.sprintDir, { 'PRD.md': limited });
    const before = await fingerprint(at.repo);
    const first = await loop(runOf(at));
    assert.equal(first.code, 3, first.out + first.err);
    assert.match(first.out, /^3 requirements, 1 constraint, 1 section read as background \(Out of scope\)\. At most/m);
    assert.match(first.out, /^PRD\.md:17: the section "Later" is empty\. Write below it/m);
    assert.match(first.out, /3 files of your checkout have changes that are not committed: the sprint starts from your last commit/);
    assert.match(first.out, /needs you: Supply house\.txt/);
    assert.match(first.out, /\nWAITING:\n/);
    assert.deepEqual(ofPerson(await fingerprint(at.repo)), ofPerson(before));
    await supply();
    await write(at.sprintDir, { 'PRD.md': `${limited}\n1.1 a number that is there twice\n` });
    const second = await loop(runOf(at));
    assert.equal(second.code, 0, second.out + second.err);
    assert.match(second.out, /^3 requirements, 1 constraint\. At most/m);
    assert.doesNotMatch(second.out, /not committed/);
    const changed = second.out.split('\n').filter((line) => line.includes('was changed'));
    assert.deepEqual(
      changed.map((line) => line.trim()),
      [
        'PRD.md was changed and cannot be taken over as it is: PRD.md:19: requirement 1.1 is there already, in line 5.' +
          ` Give each requirement a number of its own. It goes on with the old text; say "loop amend ${at.sprintDir} take", or "keep", or "stop".`,
      ],
    );
  });

  it('goes on where the branch that is checked out has none of its documents', async () => {
    await wait();
    const branch = at.git('branch', '--show-current').trim();
    at.git('stash', '--quiet');
    at.git('switch', '--quiet', '--orphan', 'pages');
    await supply();
    const { code, out, err } = await loop(runOf(at));
    assert.equal(code, 0, out + err);
    assert.match(out, /^3 requirements/m);
    assert.deepEqual(
      out
        .split('\n')
        .filter((line) => line.includes('with the text that it has'))
        .map((line) => line.trim()),
      ['VISION.md', 'PRD.md'].map((name) => `${name} is not there, as on another branch; the sprint goes on with the text that it has.`),
    );
    at.git('switch', '--quiet', branch);
  });

  it('says where its work, its checklist and its status are when it is interrupted, and goes on from there', async () => {
    const { code, out } = await atTerminal(runOf(at, '--non-interactive'), 'Building', '\u0003');
    assert.equal(code, 130, out);
    const checklist = join(at.sprintDir, '.loop', 'VALUE_CHECKLIST.md');
    assert.match(await readFile(checklist, 'utf8'), /1\.1/);
    const branch = at.git('branch', '--list', 'loop/*', '--format=%(refname:short)').trim();
    for (const line of [
      `Branch:    ${branch}`,
      `Checklist: ${checklist}`,
      `Status:    loop status ${at.sprintDir}`,
      `To go on:  loop run ${at.sprintDir}\r\n`,
    ])
      assert.ok(out.includes(line), out);
    assert.match((await loop(runOf(at))).out, /Resuming on branch[^]*\nWAITING/);
  });

  it('shows a sprint that goes on with what it opened with and was raised since, and says what it does not take', async () => {
    await wait();
    const chosen = 'claude-haiku-5-5';
    const raised = await loop(runOf(at, '--budget-usd', '100', '--models', `execution=${chosen}`));
    assert.match(raised.out, /, \$100 and /);
    assert.doesNotMatch(raised.out, /not taken/);
    const kept = await loop(runOf(at, '--budget-usd', '5', '--network', 'none'));
    assert.match(kept.out, /, \$100 and /);
    assert.deepEqual(
      kept.out.split('\n').filter((line) => line.includes('not taken')),
      [
        '--budget-usd is not taken: it can only be raised, from 100.',
        '--network is not taken: a sprint keeps what it opened with, registries.',
      ],
    );
    const state = await readSprint(at.sprintDir);
    assert.deepEqual(state?.config.models, { ...defaults.models, execution: chosen });
    assert.equal(state?.config.network, 'registries');
  });

  it('prints only the journal’s lines with --json', async () => {
    await supply();
    const first = await loop(runOf(at, '--json'));
    const { code, out, err } = await loop(runOf(at, '--json'));
    assert.equal(code, 0, err);
    assert.equal(first.out + out, await readFile(join(at.sprintDir, '.loop', 'journal.jsonl'), 'utf8'));
  });

  it('shows the status of a sprint, in words and as JSON', async () => {
    const none = await loop(['status', at.sprintDir]);
    assert.equal(none.code, 4);
    assert.match(none.err, /No sprint was started in .*\. Start one with: loop run/);
    await wait();
    const words = await loop(['status', at.sprintDir]);
    assert.equal(words.code, 3);
    assert.match(words.out, /^T1: done, Greet by name/m);
    assert.match(words.out, /^T3: waits for you, /m);
    assert.match(words.out, /Needs you: Supply house\.txt/);
    const json: unknown = JSON.parse((await loop(['status', at.sprintDir, '--json'])).out);
    assert.equal((json as { stopped: { stop: string } }).stopped.stop, 'waiting');
  });

  it('runs verifications without a model: all, some, or only those that are not green', async () => {
    assert.equal((await loop(['verify', at.sprintDir])).code, 4);
    await wait();
    const all = await loop(['verify', at.sprintDir]);
    assert.equal(all.code, 1, all.err);
    assert.match(all.out, /green cli\/name .*\n/);
    assert.match(all.out, /red {3}cli\/house .*\n {4}test failure, exit status 1\n {4}wrong word: expected 'Salute, Ada!'/);
    assert.match(all.out, /\n2 green, 1 red\n$/);
    assert.equal((await loop(['verify', at.sprintDir, '--only', 'cli/name', '--only', 'cli/world'])).code, 0);
    const failed = await loop(['verify', at.sprintDir, '--failed', '--json']);
    const results = JSON.parse(failed.out) as { id: string; verdict: string; exit: number }[];
    assert.deepEqual(
      results.map(({ id, verdict, exit }) => ({ id, verdict, exit })),
      [{ id: 'cli/house', verdict: 'red', exit: 1 }],
    );
    const unknown = await loop(['verify', at.sprintDir, '--only', 'cli/none']);
    assert.equal(unknown.code, 4);
    assert.match(unknown.err, /There is no verification cli\/none\. There are: cli\/name, cli\/world, cli\/house\./);
  });

  it('finishes by merging, and changes nothing when a file of the person is in the way', async () => {
    await supply();
    assert.equal((await loop(runOf(at))).code, 3, 'an existing file is not copied before the person was told');
    assert.equal((await loop(runOf(at))).code, 0);
    await write(at.repo, { 'greet.sh': 'mine\n' });
    const before = await fingerprint(at.repo);
    const refused = await loop(['finish', at.sprintDir, 'merge']);
    assert.equal(refused.code, 3);
    assert.match(refused.err, /greet\.sh/);
    assert.deepEqual(await fingerprint(at.repo), before);
    at.git('clean', '-fq', 'greet.sh');
    const done = await loop(['finish', at.sprintDir, 'merge']);
    assert.equal(done.code, 0, done.out + done.err);
    assert.match(await readFile(join(at.repo, 'greet.sh'), 'utf8'), /house\.txt/);
    assert.ok(existsSync(join(at.sprintDir, 'DELIVERY_REPORT.md')));
    assert.ok(existsSync(join(at.sprintDir, 'verifications', 'cli', 'name.sh')));
    assert.equal(at.git('branch', '--list', 'loop/*'), '');
  });

  it('does not continue a journal that came with the repository', async () => {
    await wait();
    const elsewhere = await loop(runOf(at), { LOOP_STATE_HOME: join(at.folder, 'another-machine') });
    assert.equal(elsewhere.code, 4);
    assert.match(elsewhere.err, /was not begun on this machine/);
  });
});
