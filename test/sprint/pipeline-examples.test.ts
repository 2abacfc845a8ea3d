/** The example pipelines, from their recordings: real git and sandbox, and what each leaves for the person. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { pipelineExamples, pipelineRepository, recordingOf, type PipelineExample } from '../../scripts/pipeline-example.ts';
import { loop } from '../cli/loop.ts';

const shown: Record<PipelineExample, { path: string; text: RegExp }> = {
  pipeline: { path: 'stage-02-plan/iterations/003/output.md', text: /greet\.sh/ },
  sharpen: { path: 'stage-00-sharpen/iterations/001/output.md', text: /^# Open questions\n\nNone\./ },
  review: { path: 'stage-02-report/iterations/001/output.md', text: /^I would merge it after both findings/ },
};

describe('the example pipelines', () => {
  for (const [name, target] of Object.entries(pipelineExamples) as [PipelineExample, string][])
    it(`${name} ends as complete, with its output, and is asked what was recorded`, async () => {
      const folder = pipelineRepository(name);
      const state = mkdtempSync(join(tmpdir(), 'loop-state-'));
      try {
        const env = { LOOP_STATE_HOME: state, XDG_CONFIG_HOME: join(state, 'config') };
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
});
