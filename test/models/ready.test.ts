/** Before a start every model is tested: those of the person's choice, and those that files name, which are told with their place. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { InputError, RetryableModelError, TerminalModelError } from '../../src/engine/ground/errors.ts';
import type { NamedModel } from '../../src/engine/ground/model-names.ts';
import { requireModels, toldOf, type Reach } from '../../src/models/ready.ts';
import { ScriptedModel } from '../support/fakes.ts';

const [opus, haiku, gpt] = ['claude-opus-5-5', 'claude-haiku-5-5', 'editor:copilot/gpt'];
const named = (model: string): NamedModel => ({ model, by: '/own/stage.yaml:3', mend: 'Write another model there.' });
const anthropic = new ScriptedModel([]);
const editor = new ScriptedModel([]);

/** @returns what was asked of the API, and what became of it. */
async function required(reach: Partial<Reach>, models: string[], names: string[]): Promise<{ tested: string[][]; error: unknown }> {
  const tested: string[][] = [];
  const test = async (claude: string[]): Promise<void> => {
    tested.push(claude);
    await reach.test?.(claude);
  };
  const error = await requireModels({ providers: { anthropic }, ...reach, test }, models, names.map(named)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { tested, error };
}

const words = (error: unknown): string => {
  assert.ok(error instanceof InputError || error instanceof TerminalModelError);
  return `${error.message} ${error.next}`;
};

describe('the models of a start', () => {
  it('are all tested, those of Claude by its API, and none twice', async () => {
    const reach = { providers: { anthropic, editor }, isOffered: () => true };
    assert.deepEqual(await required(reach, [opus, opus], [haiku, gpt, opus]), { tested: [[opus, opus], [haiku]], error: undefined });
    assert.deepEqual(await required({ providers: { editor } }, [gpt], [gpt]), { tested: [[]], error: undefined });
  });

  it('are told with the place that names one, where it cannot be asked here, before the API is', async () => {
    const { tested, error } = await required({}, [opus], [haiku, gpt]);
    assert.deepEqual(tested, []);
    const message = '/own/stage.yaml:3 names the model copilot/gpt of the editor, which cannot be asked here.';
    assert.equal(words(error), `${message} Go on in the editor. Or: Write another model there.`);
    const noKey = await required({ providers: { editor } }, [gpt], [haiku]);
    assert.match(words(noKey.error), /^\/own\/stage\.yaml:3 names the model claude-haiku-5-5, which cannot be asked here\. Give a key/);
    const gone = await required({ providers: { anthropic, editor }, isOffered: () => false }, [opus], [gpt]);
    assert.match(words(gone.error), /^\/own\/stage\.yaml:3 names .*, which the editor does not offer\. Write another/);
  });

  it('are told with the place that names one, where the API does not know it', async () => {
    const unknown = new TerminalModelError('The API knows no such model.', 'request', 'Choose another.');
    const test = ([first]: string[]): Promise<void> => (first === haiku ? Promise.reject(unknown) : Promise.resolve());
    const { error } = await required({ test }, [opus], [haiku]);
    assert.ok(error instanceof TerminalModelError && error.kind === 'request');
    assert.equal(
      words(error),
      '/own/stage.yaml:3 names the model claude-haiku-5-5: The API knows no such model. Write another model there.',
    );
  });

  it('keep an error that is of no model, such as of the key or the network', () => {
    const wrongKey = new TerminalModelError('The key is refused.', 'authentication', 'Give another.');
    const late = new RetryableModelError('It is overloaded.', 'overloaded');
    for (const error of [wrongKey, late]) assert.equal(toldOf(named(haiku), error), error);
    const noKey = toldOf(named(haiku), new InputError('There is no API key for Claude.', 'Run "Loop: Set API Key".'));
    assert.match(words(noKey), /^\/own\/stage\.yaml:3 names the model claude-haiku-5-5: There is no API key .* Or: Write another/);
  });
});
