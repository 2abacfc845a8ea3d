/** The built `loop approve` and `loop change`: the person's word about a plan, in a run that nobody attends. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { readSprint } from '../../src/host/sprint.ts';
import { honest, supplied } from '../support/greeter.ts';
import { ground, write, type Ground } from '../support/sprint.ts';
import { loop, runOf } from './loop.ts';

describe('loop run --approve-plan', () => {
  let at: Ground;

  before(async () => {
    at = await ground(honest);
    await write(at.repo, { [supplied.path]: supplied.text });
  });
  after(() => at.dispose());

  it('stops with 3 and the plan before anything is built, as often as it is run', async () => {
    for (const flags of [['--approve-plan'], []]) {
      const { code, out, err } = await loop(runOf(at, ...flags));
      assert.equal(code, 3, out + err);
      assert.match(out, /\nThe plan:\n {2}T1: .*, serves 1\.1, V1\n/);
      assert.match(out, /Approve the plan\n/);
      assert.ok(out.includes(`Next:   loop approve ${at.sprintDir}\n        then: loop run ${at.sprintDir}\n`), out);
    }
    const state = await readSprint(at.sprintDir);
    assert.deepEqual(state?.work.gates, ['inputs', 'discovery', 'plan']);
  });

  it('takes changes of the plan meanwhile, and says what does not fit', async () => {
    const change = (...more: string[]) => loop(['change', at.sprintDir, ...more]);
    assert.equal((await change('T1', '--title', 'First words', '--before', 'end')).out, 'T1 is changed.\n');
    const refused = await change('T1', '--before', 'T9');
    assert.deepEqual([refused.code, /There is no other task T9\. Name one of T2/.test(refused.err)], [4, true]);
    assert.match((await change()).err, /"loop change" needs the id of a task/);
    assert.match((await loop(['status', at.sprintDir])).out, /T3: .*\nT1: .*First words/);
  });

  it('goes on once the plan is approved, and delivers', async () => {
    const words = await loop(['answer', at.sprintDir, 'looks', 'good', '--about', 'H2']);
    assert.equal(words.code, 4);
    assert.match(words.err, /H2 asks you to approve the plan\. Skip, change or move single tasks, then approve it\./);
    const { code: taken, out: said } = await loop(['answer', at.sprintDir, 'done', '--about', 'H2']);
    assert.deepEqual([taken, said], [0, 'Taken as the answer to H2 (Approve the plan). Resume the sprint if it has stopped.\n']);
    assert.deepEqual(await loop(['approve', at.sprintDir]), { code: 0, out: 'The plan is approved.\n', err: '' });
    const { code, out, err } = await loop(runOf(at));
    assert.equal(code, 3, `a file that was there is not taken before the person was told\n${out}${err}`);
    assert.equal((await loop(runOf(at))).code, 0);
    assert.match((await loop(['approve', at.sprintDir])).err, /is over and cannot be changed any more/);
  });
});
