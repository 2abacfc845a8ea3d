/** By hand and in a merge too, no verification can make another one pass or fail: real git, real sandbox. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { verify } from '../../src/cli/verify.ts';
import { InputError, Interruption } from '../../src/engine/ground/errors.ts';
import type { State } from '../../src/engine/state/state.ts';
import { RunsByHand } from '../../src/extension/worker/runs-by-hand.ts';
import { finishSprint } from '../../src/host/finish-sprint.ts';
import { verifySprint, type Verified } from '../../src/host/verify-sprint.ts';
import type { VerifiedView } from '../../src/views/model/test-report.ts';
import { verifications, discovered, writeVerifications, withSessions } from '../support/greeter.ts';
import { ground, run, write, type Ground } from '../support/sprint.ts';

const also = ({ write_verification: { path, content } }: typeof verifications.name, find: string, lines: string) => ({
  write_verification: { path, content: content.replace(find, () => lines + find) },
});
const test = (ok: boolean) => `require('node:test').test('theirs', () => { if (!${ok}) throw new Error('no'); });\n`;

/** When it is green, it leaves a file and a test that fails. */
const leaves = also(
  verifications.name,
  '[ "$out"',
  `[ "$out" = "Hello, Ada!" ] && touch made.txt && echo "${test(false)}" >test/left.test.js\n`,
);
/** Green with that file; once the person adds `hard.txt`, it waits for the file and is red without it. */
const needs = also(
  verifications.world,
  '[ "$out"',
  'for i in $(seq 60); do [ -f made.txt ] && exit 0; [ -f hard.txt ] || break; sleep 0.1; done\n[ -f hard.txt ] && out=hard\n',
);

const sessions = withSessions(
  discovered({ codebase_state: 'brownfield', suites: [{ name: 'unit', command: 'node --test test', files: ['test/**'] }] }),
  writeVerifications(leaves, needs, verifications.house),
);

/** The first writes a file at once; with that file the second is green and the third red. */
const [writes, takes, trips] = (['name', 'world', 'house'] as const).map((name) => {
  const ends = { name: 'touch made.txt; exit 1', world: '[ -f made.txt ]', house: '! [ -f made.txt ]' }[name];
  const wait = name === 'name' ? '' : 'for i in $(seq 30); do [ -f made.txt ] && break; sleep 0.1; done\n';
  return also(verifications[name], 'out="$(', `${wait}${ends}; exit\n`);
});

describe('verifications of which one writes into the tree', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('run each on the tree as it is, and suites with their own tests', async () => {
    at = await ground(sessions, { 'test/ok.test.js': test(true) });
    assert.deepEqual((await run(at, sessions)).ending, { stop: 'delivered', reasons: [] });
    const { signal } = new AbortController();
    const reported: string[] = [];
    const results = await verifySprint({
      sprintDir: at.sprintDir,
      signal,
      onResult: ({ id, verdict }) => reported.push(`${id} ${verdict}`),
    });
    const all = ['cli/name', 'cli/world', 'cli/house', 'suite/unit'].map((id) => `${id} green`);
    assert.deepEqual([results.map(({ id, verdict }) => `${id} ${verdict}`).sort(), reported.sort()], [all.toSorted(), all.toSorted()]);
    await write(at.repo, { 'hard.txt': 'it is hard now\n' });
    at.git('add', 'hard.txt');
    at.git('commit', '-qm', 'Make it hard', '--', 'hard.txt');
    await assert.rejects(
      finishSprint(at.sprintDir, 'merge'),
      (error) => error instanceof InputError && /these verifications fail: cli\/world\./.test(error.message),
    );
  });

  it('are told of once, and none passes or fails by what another one wrote', async () => {
    at = await ground(sessions);
    assert.ok(writes && takes && trips);
    const stopper = new AbortController();
    const written = withSessions(writeVerifications(writes, takes, trips));
    const onEvent = (_event: unknown, { work }: State): void => void (Object.keys(work.verifications).length === 3 && stopper.abort());
    await assert.rejects(run(at, written, { signal: stopper.signal, onEvent }), Interruption);
    const views: VerifiedView[] = [];
    const explorer = new RunsByHand((message) => void (message.type === 'verified' && views.push(message.result)));
    await explorer.run({ sprintDir: at.sprintDir, only: ['cli/name', 'cli/world', 'cli/house'] });
    assert.deepEqual(views.map(({ verification, report }) => `${verification} ${report.outcome}`).sort(), [
      'cli/house passed',
      'cli/name failed',
      'cli/world failed',
    ]);
    const printed = await printedBy(at, false);
    assert.match(printed, /^red {3}cli\/world .*\n {4}test failure, exit status 1\n/m);
    assert.match(printed, /^green cli\/house /m);
    const results = JSON.parse(await printedBy(at, true)) as Verified[];
    assert.deepEqual(
      results.map((r) => [r.id, r.verdict]),
      [
        ['cli/name', 'red'],
        ['cli/world', 'red'],
        ['cli/house', 'green'],
      ],
    );
  });
});

/** The output of `loop verify`. */
async function printedBy({ sprintDir }: Ground, json: boolean): Promise<string> {
  const printed: string[] = [];
  const out = (text: string): void => void printed.push(text);
  await verify({ name: 'verify', sprintDir, only: undefined, failed: false, json }, { out, err: out }, new AbortController().signal);
  return printed.join('');
}
