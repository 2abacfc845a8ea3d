/** Test cases in a whole sprint with the real sandbox: evidence for the fixer and the history, never a verdict (I8). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { testCase } from '../../src/engine/work/case.ts';
import { openPayloads } from '../../src/host/payloads.ts';
import { verifications, writeVerifications, honest, withSessions } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

/** QC's own test with node:test. It lies in the data folder of the run, never in the tree. */
const framework = {
  write_verification: {
    path: 'cli/world.sh',
    content: `#!/usr/bin/env bash
# TEST: greets the world
# PRD: 1.2
# RED: the world is not greeted
cat >$TEST_DATA_DIR/world.test.mjs <<'END'
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
describe('greet', () => {
  it('the world', () => {
    assert.equal(spawnSync('sh', ['greet.sh'], { encoding: 'utf8' }).stdout, 'Hello, world!\\n', 'the world is not greeted');
  });
  it('somebody', { skip: true }, () => {});
});
END
node --test --test-reporter=spec $TEST_DATA_DIR/world.test.mjs
`,
  },
};

/** A verification that fails although its report says that every case passed. */
const liar = {
  write_verification: {
    path: 'cli/house.sh',
    content: `#!/usr/bin/env bash
# TEST: greets in the words of the house
# PRD: 1.3
# RED: not the words of the house
echo '<testsuite><testcase name="house"/></testsuite>' >$REPORTS_DIR/house.xml
[ "$(sh greet.sh --house Ada 2>/dev/null)" = 'Salute, Ada!' ] || { echo 'not the words of the house'; exit 1; }
`,
  },
};

describe('cases in a whole sprint', () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('are recorded with the run, shown in its history, and leave the verdict to the exit status', async () => {
    at = await ground(honest);
    const { state, ending } = await run(at, withSessions(writeVerifications(verifications.name, framework, liar)));
    assert.equal(ending.stop, 'delivered');
    const [red] = state.ledger.runs['cli/world'] ?? [];
    assert.deepEqual([red?.verdict, red?.cases?.total, red?.cases?.failed, red?.cases?.skipped], ['red', 2, 1, 1]);
    const [first] = red?.cases?.shown ?? [];
    assert.deepEqual([first?.name, first?.expected], ['greet › the world', "'Hello, world!\\n'"]);
    assert.match(red?.summary ?? '', /\n1 of 2 cases failed: greet › the world\n/);
    const liarRun = state.ledger.runs['cli/house']?.[0];
    assert.deepEqual([liarRun?.verdict, liarRun?.cases?.failed], ['red', 0]);
    assert.match(liarRun?.summary ?? '', /its report says that 1 of 1 cases passed or were skipped, and yet it failed/);
    const green = state.ledger.runs['cli/world']?.at(-1);
    assert.deepEqual([green?.verdict, green?.cases?.failed, green?.cases?.shown], ['green', 0, []]);
    const history = readFileSync(join(at.sprintDir, '.loop', 'failures', 'cli', 'world', 'history.md'), 'utf8');
    assert.match(history, /Cases: 1 of 2 failed:\n- greet › the world/);
    const all = JSON.parse(await openPayloads(join(at.sprintDir, '.loop')).get(red?.cases?.ref ?? '')) as unknown[];
    assert.deepEqual(all.map((entry) => testCase.parse(entry).verdict).sort(), ['failed', 'skipped']);
  });
});
