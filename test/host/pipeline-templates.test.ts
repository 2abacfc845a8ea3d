/** What *New Stage…* and *New Pipeline…* write: a start without a mistake, which runs as it is. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { emptyByGrep } from '../../src/engine/work/queue-command.ts';
import { usualGuardrails } from '../../src/engine/work/stage.ts';
import { lintFolder, loadPipeline, shelvesOf } from '../../src/host/pipelines/shelves.ts';

const templates = 'media/templates/pipeline';

describe('the templates of a stage and a pipeline', () => {
  it('say what the command of a queue needs that ends in grep', () => {
    assert.ok(readFileSync(join(templates, 'stage.yaml'), 'utf8').includes(emptyByGrep));
  });

  it('have no mistake, and are loaded as they are', async () => {
    const root = mkdtempSync(join(tmpdir(), 'loop-templates-'));
    try {
      const folder = join(root, 'pipelines');
      mkdirSync(join(folder, 'stages', 'mine'), { recursive: true });
      cpSync(join(templates, 'pipeline.yaml'), join(folder, 'my-pipeline.yaml'));
      for (const name of ['stage.yaml', 'prompt.md']) cpSync(join(templates, name), join(folder, 'stages', 'mine', name));
      const shelves = shelvesOf(root, undefined, { XDG_CONFIG_HOME: join(root, 'config') });
      assert.deepEqual(await lintFolder(shelves, folder), []);
      const { loaded } = await loadPipeline(shelves, 'my-pipeline');
      assert.deepEqual(
        loaded?.nodes.map(({ id, stage }) => `${id}: ${stage}`),
        ['ideas: idea-wizard', 'plan: improve-plan'],
      );
      const alone = await loadPipeline(shelves, 'mine');
      const { guardrails, writes, output } = alone.loaded?.stages.get('mine') ?? {};
      assert.ok(guardrails && guardrails.max_iterations <= usualGuardrails.max_iterations);
      assert.deepEqual([writes, output], [[], undefined], 'a new stage changes nothing');
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
