/** `loop pipeline` where files of the person's own folder name models: what is said before a start, and what is asked. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { defaults } from '../../src/engine/ground/config.ts';
import { parseRequests } from '../../src/models/requests.ts';
import { scripted, startMessagesServer } from '../peers/messages-server.ts';
import { pipelineGround, type PipelineGround } from '../support/pipeline.ts';
import { write } from '../support/sprint.ts';
import { loop } from './loop.ts';

const own = '../config/loop/pipelines';
const prompt = 'Read ${CTX}, write ${OUTPUT}, decide in ${STATUS}.\n';
const files: Record<string, string> = {
  'README.md': 'mine\n',
  [`${own}/stages/small/stage.yaml`]:
    'termination: { type: fixed }\nguardrails: { max_iterations: 1 }\neffort: low\ncommands: { test: npm test }\nmodel: claude-haiku-5-5\n',
  [`${own}/stages/small/prompt.md`]: prompt,
  [`${own}/by-models.yaml`]: `nodes:
  - id: readers
    parallel:
      - { id: a, stage: small }
      - { id: b, stage: small, model: claude-sonnet-4-6 }
  - { id: sum, stage: usual, inputs: { from: readers, select: all } }
`,
  [`${own}/of-editor.yaml`]: 'nodes:\n  - { id: a, stage: small, model: "editor:copilot/gpt" }\n',
  'pipelines/theirs.yaml': 'nodes: [{ id: a, stage: small, tier: triage }]\n',
  'pipelines/refused.yaml': 'nodes:\n  - { id: a, stage: small, model: claude-opus-5-5 }\n',
  'pipelines/stages/usual/stage.yaml': 'termination: { type: fixed }\nguardrails: { max_iterations: 1 }\n',
  'pipelines/stages/usual/prompt.md': prompt,
};

async function within(use: (at: PipelineGround, call: (...args: string[]) => ReturnType<typeof loop>) => Promise<void>): Promise<void> {
  const at = await pipelineGround(files, { 'default.json': '{"decision": "continue", "reason": "on it goes"}' });
  try {
    await use(at, (...args) => loop(['pipeline', ...args, '--in', at.repo], at.env));
  } finally {
    await at.dispose();
  }
}

const place = (at: PipelineGround, path: string): string => join(at.folder, 'config/loop/pipelines', path);

describe('loop pipeline, where files name models', () => {
  it('A file of your own folder may name a model, so one stage runs by two models side by side.', () =>
    within(async (at, call) => {
      const record = join(at.folder, 'recording.yaml');
      const { code, out, err } = await call('run', 'by-models', '--mock', at.fixtures, '--record', record);
      assert.equal(code, 0, out + err);
      const [small, node] = [place(at, 'stages/small/stage.yaml:5'), place(at, 'by-models.yaml:5')];
      for (const note of [`readers.a asks claude-haiku-5-5, which ${small} names`, `readers.b asks claude-sonnet-4-6, which ${node} names`])
        assert.ok(out.includes(`\n${note}, whatever model you choose.\n`) || out.startsWith(note), out);
      const requests = join(at.folder, 'recording.requests.yaml');
      const { asked } = parseRequests({ name: requests, text: readFileSync(requests, 'utf8') });
      assert.deepEqual(
        asked.map(({ purpose, parts }) => [purpose, parts['model']]),
        [
          ['iterate/readers.a#1', 'claude-haiku-5-5'],
          ['iterate/readers.b#1', 'claude-sonnet-4-6'],
          ['iterate/sum#1', defaults.models.execution],
        ],
      );
      const status = await call('status', 'by-models-mock');
      assert.match(status.out, /^ {2}readers\.b: 1 iteration; .*; asks claude-sonnet-4-6$/m);
      assert.doesNotMatch(status.out, /^ {2}sum: .*asks/m);
    }));

  it('shows them dry, with a bound in tokens for one without a price', () =>
    within(async (_at, call) => {
      const { out } = await call('dry-run', 'of-editor');
      assert.match(
        out,
        /At most 1 iteration, 20,000,000 tokens; no price of copilot\/gpt of the editor is known, so its calls count in tokens only,/,
      );
      assert.match(out, /^Limits: .*; model: editor:copilot\/gpt, which its file names$/m);
      const theirs = await call('dry-run', 'theirs');
      assert.match(theirs.out, /^Limits: .*; model: claude-haiku-5-5, which its file names$/m);
      assert.match(theirs.out, /At most 1 iteration, \$25 and 20,000,000 tokens, and /);
    }));

  it('A file of a repository that names a model is refused before anything begins.', () =>
    within(async (at, call) => {
      const { code, err } = await call('run', 'refused', '--mock', at.fixtures);
      assert.equal(code, 4);
      assert.match(err, /refused\.yaml:2: P022: a file of a repository names no model, .* Write `tier: execution` or .* your own folder/);
      assert.ok(!existsSync(join(at.repo, '.loop')));
    }));

  it('tells before a start, with the place, of one that cannot be asked here, and of one that the API does not know', () =>
    within(async (at) => {
      const server = await startMessagesServer({
        answer: scripted(),
        free: ({ body }) =>
          body['model'] === 'claude-sonnet-4-6' ? { status: 404, type: 'not_found_error', message: 'model: claude-sonnet-4-6' } : undefined,
      });
      try {
        const env = { ...at.env, ANTHROPIC_API_KEY: 'k-1', ANTHROPIC_BASE_URL: server.url };
        const call = (...args: string[]) => loop(['pipeline', ...args, '--in', at.repo], env);
        const editor = await call('run', 'of-editor');
        const words = `${place(at, 'of-editor.yaml:2')} names the model copilot/gpt of the editor, which cannot be asked here. Go on in the editor.`;
        assert.deepEqual([editor.code, editor.err.includes(words), server.requests.length], [4, true, 0], editor.err);
        const unknown = await call('run', 'by-models');
        assert.deepEqual(
          [unknown.code === 0, unknown.err.includes(`${place(at, 'by-models.yaml:5')} names the model claude-sonnet-4-6: `)],
          [false, true],
          unknown.err,
        );
        assert.match(unknown.err, /Write another model there, or take it out: then its `tier` says which one works\./);
        assert.deepEqual(
          server.requests.map(({ path, body }) => [path, body['model']]).slice(-3),
          [
            ['/v1/messages/count_tokens', 'claude-haiku-5-5'],
            ['/v1/models/claude-haiku-5-5', undefined],
            ['/v1/messages/count_tokens', 'claude-sonnet-4-6'],
          ],
          'nothing but what is free was asked',
        );
        assert.ok(!existsSync(join(at.repo, '.loop')), 'nothing began');
      } finally {
        await server.close();
      }
    }));

  it('goes on with the models that it opened with, and says where its files name others now', () =>
    within(async (at, call) => {
      await write(at.folder, { 'empty.yaml': 'recording: 1\nsessions: [{ role: stage, purpose: other, turns: [{ text: x }] }]\n' });
      const recorded = ['--model', `recorded:${join(at.folder, 'empty.yaml')}`];
      await call('run', 'of-editor', ...recorded);
      const again = await call('run', 'of-editor', ...recorded);
      assert.doesNotMatch(again.out + again.err, /were changed since it began/);
      assert.match(again.out, /At most 1 iteration, 20,000,000 tokens; no price of copilot\/gpt of the editor/);
      const env = { ...at.env, ANTHROPIC_API_KEY: 'k-1', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
      const live = await loop(['pipeline', 'resume', 'of-editor', '--in', at.repo], env);
      const words = 'Stage a of this run names the model copilot/gpt of the editor, which cannot be asked here. Go on in the editor.';
      assert.deepEqual([live.code, live.err.includes(words)], [4, true], live.err);
      await write(at.repo, { [`${own}/of-editor.yaml`]: 'nodes:\n  - { id: a, stage: small }\n' });
      const changed = await call('resume', 'of-editor', ...recorded);
      assert.match(changed.out, /^The files of of-editor were changed since it began\. It goes on as it began\./m);
    }));
});
