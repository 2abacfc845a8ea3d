/** The example pipelines, from their recordings: real git and sandbox, and what each leaves for the person. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, it } from 'mocha';
import {
  pathWithStandIns,
  pipelineExamples,
  pipelineRepository,
  recordingOf,
  targetOf,
  type PipelineExample,
} from '../../scripts/pipeline-example.ts';
import { listPipelines, loadPipeline } from '../../src/host/pipelines/shelves.ts';
import { loop } from '../cli/loop.ts';

const shown: Record<PipelineExample, { path: string; text: RegExp }> = {
  pipeline: { path: 'stage-02-plan/iterations/003/output.md', text: /greet\.sh/ },
  sharpen: { path: 'stage-00-sharpen/iterations/001/output.md', text: /^# Open questions\n\nNone\./ },
  'quick-refine': { path: 'stage-01-tasks/iterations/003/output.md', text: /without `DAY` it takes the day/ },
  'full-refine': { path: 'stage-00-plan/iterations/004/output.md', text: /which is what tests use/ },
  'deep-refine': { path: 'stage-00-ideas/iterations/003/output.md', text: /^1\. End the line with a full stop/ },
  elegance: { path: 'stage-00-elegance/iterations/004/output.md', text: /^3\. `test\.sh`/m },
  'work-issues': { path: 'stage-00-work-issues/iterations/001/output.md', text: /^Issue 7/ },
  'work-beads': { path: 'stage-00-work-beads/iterations/002/output.md', text: /^greet-2/ },
  review: { path: 'stage-02-report/iterations/001/output.md', text: /^I would merge it after both findings/ },
};

describe('the example pipelines', () => {
  for (const name of pipelineExamples)
    it(`${name} ends as complete, with its output, and is asked what was recorded`, async () => {
      const target = targetOf(name);
      const folder = pipelineRepository(name);
      const state = mkdtempSync(join(tmpdir(), 'loop-state-'));
      try {
        const env = { LOOP_STATE_HOME: state, XDG_CONFIG_HOME: join(state, 'config'), PATH: pathWithStandIns() };
        const { code, out, err } = await loop(['pipeline', 'run', target, '--model', `strict:${recordingOf(name)}`, '--in', folder], env);
        assert.equal(code, 0, out + err);
        assert.match(out, /^COMPLETE$/m);
        assert.match(out, /\nAll requests are as recorded\.\n/);
        const { path, text } = shown[name];
        assert.match(readFileSync(join(folder, '.loop', 'pipelines', target, '.loop', path), 'utf8'), text);
      } finally {
        for (const one of [dirname(folder), state]) rmSync(one, { recursive: true, force: true });
      }
    });

  // A line of docs/pipelines-criteria.md.
  it('Every stage that ships ends as complete from a recording, among them stages of each type.', async () => {
    const shipped = { origin: 'shipped', folder: resolve('pipelines') } as const;
    const shelves = { folders: [{ origin: 'workspace', folder: resolve('examples/pipeline/start/pipelines') } as const, shipped] };
    const loaded = await Promise.all(pipelineExamples.map((name) => loadPipeline(shelves, targetOf(name))));
    // Each of them ends as complete, so all of its stages are played.
    const played = [...pipelineExamples.map(targetOf), ...loaded.flatMap((one) => one.loaded?.nodes.map(({ stage }) => stage) ?? [])];
    const lacking = (await listPipelines({ folders: [shipped] })).map(({ name }) => name).filter((name) => !played.includes(name));
    assert.deepEqual(lacking, []);
    const types = loaded.flatMap((one) => [...(one.loaded?.stages.values() ?? [])].map(({ termination }) => termination.type));
    assert.deepEqual([...new Set(types)].sort(), ['fixed', 'judgment', 'queue']);
  });
});
