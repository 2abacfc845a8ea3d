/** By hand and in a merge, too, no verification does another one's work: real git, real sandbox. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { InputError } from '../../src/engine/errors.ts';
import { finishSprint } from '../../src/host/finish-sprint.ts';
import { verifySprint } from '../../src/host/verify-sprint.ts';
import { checks, discovered, generateChecks, withSessions } from '../support/greeter.ts';
import { ground, run, write, type Ground } from '../support/sprint.ts';

const also = ({ write_check: { path, content } }: typeof checks.name, find: string, lines: string) => ({
  write_check: { path, content: content.replace(find, () => lines + find) },
});
const test = (ok: boolean) => `require('node:test').test('theirs', () => { if (!${ok}) throw new Error('no'); });\n`;

/** Green, it leaves a file, and a test that fails. */
const leaves = also(
  checks.name,
  '[ "$out"',
  `[ "$out" = "Hello, Ada!" ] && touch made.txt && echo "${test(false)}" >test/left.test.js\n`,
);
/** Green where that file is there, for which it waits where the person made it hard. */
const lives = also(checks.world, '[ "$out"', 'for i in $(seq 60); do [ -f made.txt ] && exit 0; [ -f hard.txt ] || break; sleep 0.1; done\n[ -f hard.txt ] && out=hard\n'); // prettier-ignore

const sessions = withSessions(
  discovered({ codebase_state: 'brownfield', suites: [{ name: 'unit', command: 'node --test test', files: ['test/**'] }] }),
  generateChecks(leaves, lives, checks.house),
);

describe('verifications of a tree into which one of them writes', function () {
  this.timeout(120_000);
  let at: Ground;
  afterEach(() => at.dispose());

  it('are run each in a checkout of its own, suites always', async () => {
    at = await ground(sessions, { 'test/ok.test.js': test(true) });
    assert.deepEqual((await run(at, sessions)).ending, { stop: 'delivered', reasons: [] });
    const { signal } = new AbortController();
    const came: string[] = [];
    const results = await verifySprint({ sprintDir: at.sprintDir, signal, onResult: ({ id, green }) => came.push(`${id} ${green}`) }); // prettier-ignore
    const all = ['cli/name', 'cli/world', 'cli/house', 'suite/unit'].map((id) => `${id} true`);
    assert.deepEqual([results.map(({ id, green }) => `${id} ${green}`).sort(), came.sort()], [all.toSorted(), all.toSorted()]);
    await write(at.repo, { 'hard.txt': 'it is hard now\n' });
    at.git('add', 'hard.txt');
    at.git('commit', '-qm', 'Make it hard', '--', 'hard.txt');
    await assert.rejects(
      finishSprint(at.sprintDir, 'merge'),
      (error) => error instanceof InputError && /these checks fail: cli\/world\./.test(error.message),
    );
  });
});
