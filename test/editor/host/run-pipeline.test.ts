/** *Run Pipeline*: what the person typed is not lost where it cannot be read. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';

import { EngineFailure } from '../../../src/extension/editor/engine-client.ts';
import { runPipeline } from '../../../src/extension/editor/run-pipeline.ts';
import { useWords } from '../../../src/views/words.ts';
import { doing, escape, pick, type Deed } from './answering.ts';

const offer = { name: 'evening', description: '', origin: 'workspace', hides: [], problem: null, canRun: true };

describe('the pipelines to choose from', () => {
  it('are said to lie where they were found, in the language of the editor', async () => {
    const pipelines = [{ ...offer, hides: ['own folder', 'extension'] }];
    const request = (kind: string): Promise<unknown> =>
      Promise.resolve({ 'first-commit': { state: 'ready' }, pipelines: { root: '/w', pipelines }, programs: [] }[kind]);
    let said: string | undefined;
    const look: Deed = (shown) => {
      said = shown.items[0]?.description;
      return escape(shown);
    };
    const { restore } = doing([look]);
    useWords({ workspace: 'Arbeitsbereich', 'own folder': 'eigener Ordner', extension: 'Erweiterung' });
    try {
      await runPipeline(aroundOf(request));
    } finally {
      useWords(undefined);
      restore();
    }
    assert.equal(said, 'Arbeitsbereich, hides that of the eigener Ordner and the Erweiterung');
  });
});

describe('the inputs of a pipeline', () => {
  for (const { failure, said } of [
    {
      failure: new EngineFailure({ kind: 'input', message: 'The input "docs/nots.md" matches no file.', next: 'Name one.' }),
      said: 'The input "docs/nots.md" matches no file. Name one.',
    },
    { failure: new Error('no space'), said: 'Something in Loop failed: no space' },
  ])
    it(`stand in their box until they can be read: ${said}`, async () => {
      const inspected: string[][] = [];
      const answers: Record<string, unknown> = {
        'first-commit': { state: 'ready' },
        pipelines: { root: '/w', pipelines: [offer] },
        programs: [],
      };
      const request = (kind: string, { inputs }: { inputs: string[] }): Promise<unknown> => {
        if (kind !== 'pipeline-inspect') return Promise.resolve(answers[kind]);
        inspected.push(inputs);
        return inputs.includes('docs/nots.md') ? Promise.reject(failure) : Promise.resolve({});
      };
      const told: string[] = [];
      const typeTwice: Deed = async (shown) => {
        const box = shown as unknown as { value: string; validationMessage?: string };
        box.value = 'docs/nots.md, src/**';
        shown.handlers.get('onDidAccept')?.();
        for (let waited = 0; box.validationMessage === undefined && waited < 5_000; waited += 50)
          await new Promise((resolve) => setTimeout(resolve, 50));
        told.push(`${box.value}: ${box.validationMessage}`);
        box.value = 'docs/notes.md, src/**';
        shown.handlers.get('onDidAccept')?.();
      };
      const { asked, restore } = doing([pick('evening'), typeTwice, escape]);
      try {
        await runPipeline(aroundOf(request));
      } finally {
        restore();
      }
      assert.deepEqual(told, [`docs/nots.md, src/**: ${said}`]);
      assert.deepEqual(inspected, [
        ['docs/nots.md', 'src/**'],
        ['docs/notes.md', 'src/**'],
      ]);
      assert.equal(asked.length, 3);
    });
});

function aroundOf(request: unknown): never {
  return {
    engine: () => ({ request }),
    memento: { get: () => undefined },
    key: { read: () => Promise.resolve('k') },
    chats: { list: () => Promise.resolve([]) },
    pipelines: {},
  } as never;
}
