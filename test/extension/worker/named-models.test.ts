/** The worker tests the models that a pipeline's files name before it begins, and tells them with their place. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaults } from '../../../src/engine/ground/config.ts';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { Chats } from '../../../src/extension/worker/chats.ts';
import { modelOf } from '../../../src/extension/worker/requests.ts';
import { RunningSprint, pipelineMessage } from '../../../src/extension/worker/running-sprint.ts';
import type { ModelChoice } from '../../../src/extension/protocol.ts';

const gpt = 'editor:copilot/gpt';
const config = { ...defaults, models: { reasoning: gpt, execution: gpt, triage: gpt } };
const chosen = (windows: Record<string, number>): ModelChoice => ({ kind: 'chosen', models: config.models, windows });
const noKey = () => Promise.reject(new InputError('There is no API key for Claude.', 'Run "Loop: Set API Key".'));

/** @returns what keeps the run from beginning, in words. */
async function whyNot(choice: ModelChoice, model: string): Promise<string> {
  const sprint = new RunningSprint('/repo/.loop/pipelines/a', () => undefined, pipelineMessage);
  const params = { sprintDir: '/repo/.loop/pipelines/a', model: choice, overrides: {}, baseURL: null };
  const named = [{ model, by: '/own/stage.yaml:3', mend: 'Write another model there.' }];
  try {
    const { ready } = await modelOf(params, sprint, { key: noKey, chats: new Chats(() => undefined) }, named);
    await ready?.(config);
    return '';
  } catch (error) {
    assert.ok(error instanceof InputError);
    return `${error.message} ${error.next}`;
  } finally {
    sprint.close();
  }
}

describe('a model that a stage names, in the worker', () => {
  it('is asked where the editor offers it, and told with its place where it does not', async () => {
    assert.equal(await whyNot(chosen({ [gpt]: 9000 }), gpt), '');
    assert.equal(
      await whyNot(chosen({ [gpt]: 9000 }), 'editor:copilot/gone'),
      '/own/stage.yaml:3 names the model copilot/gone of the editor, which the editor does not offer. Write another model there.',
    );
  });

  it('needs the key for Claude where it is one of its models, whatever the person chose', async () => {
    assert.equal(
      await whyNot(chosen({ [gpt]: 9000 }), 'claude-haiku-5-5'),
      '/own/stage.yaml:3 names the model claude-haiku-5-5: There is no API key for Claude. Run "Loop: Set API Key". Or: Write another model there.',
    );
  });
});
