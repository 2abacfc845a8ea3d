/** The commands that a run names at its end can be pasted into a shell, whatever its folder is called. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { farewell as farewellOfPipeline } from '../../src/cli/pipeline.ts';
import { farewell } from '../../src/cli/run.ts';
import * as p from '../engine/support/parts.ts';

const folder = "/x/my rép o's";
const stops = ['delivered', 'complete', 'partial', 'failed', 'waiting', 'out-of-budget'] as const;

describe('the next command after a sprint', () => {
  for (const stop of stops)
    it(`that is ${stop} is a line of its own, of which a shell takes the folder as one word`, () => {
      const state = { ...p.delivered().state, stopped: { stop, reasons: [] } };
      const [verb, dir] = wordsOf(nextOf(farewell(state, folder)));
      assert.deepEqual([verb === 'finish' || verb === 'run', dir], [true, folder]);
    });

  it('says in two lines how the plan is approved', () => {
    const state = { ...p.planned().state, stopped: { stop: 'waiting' as const, reasons: [] } };
    assert.doesNotMatch(nextOf(farewell(state, folder)), /,/);
  });
});

describe('the next command after a pipeline', () => {
  it('has the folder of its session as one word', () => {
    const { state: at } = p.delivered();
    const state = { ...at, opened: { ...at.opened, sprint: 'total' }, stopped: { stop: 'complete' as const, reasons: [] } };
    const [verb, dir, how, ...more] = wordsOf(nextOf(farewellOfPipeline(state, folder)));
    assert.deepEqual([verb, dir?.startsWith(`${folder}/.loop/`), how, more], ['finish', true, 'merge', []]);
  });
});

/** Without its label and `loop`. */
function nextOf(lines: readonly string[]): string {
  return /^Next: +loop (.*)$/m.exec(lines.join('\n'))?.[1] ?? '';
}

function wordsOf(command: string): string[] {
  return execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trim()
    .split('\n');
}
