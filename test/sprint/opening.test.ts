/** What a sprint opens with, where the person goes on while it starts. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { InputError, Interruption } from '../../src/engine/ground/errors.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { honest } from '../support/greeter.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

describe('a sprint that starts', () => {
  let at: Ground;
  beforeEach(async () => void (at = await ground(honest)));
  afterEach(() => at.dispose());

  /** Starts it, and stops it once it is open. */
  async function open(ready: () => void): Promise<void> {
    const stop = new AbortController();
    const options = { signal: stop.signal, ready: () => Promise.resolve(ready()), onEvent: () => stop.abort() };
    await assert.rejects(run(at, honest, options), Interruption);
  }

  it('merges into the branch that it starts from, also where the person switches meanwhile', async () => {
    const feature = at.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'half done').trim();
    at.git('branch', 'feature', feature);
    await open(() => at.git('switch', '-q', 'feature'));
    assert.deepEqual((await readSprint(at.sprintDir))?.opened.base, { commit: feature, branch: 'feature' });
  });

  it('is not opened beside a branch "loop" of the person’s', async () => {
    at.git('branch', 'loop');
    await assert.rejects(run(at, honest), (error) => error instanceof InputError && /branch -m loop NEWNAME/.test(error.next));
    assert.equal(await readSprint(at.sprintDir), undefined);
  });
});
