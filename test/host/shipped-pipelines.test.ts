import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listPipelines, loadPipeline } from '../../src/host/pipelines/shelves.ts';

describe('what Loop ships', () => {
  const shelves = { folders: [{ origin: 'shipped' as const, folder: 'pipelines' }] };

  it('has ten stages and four pipelines, in which nothing is to be said', async () => {
    const listed = await listPipelines(shelves);
    const refining = ['deep-refine', 'elegance', 'full-refine', 'idea-wizard', 'improve-plan', 'quick-refine', 'refine-tasks'];
    const names = [...refining, 'review', 'review-branch', 'review-report', 'sharpen', 'work', 'work-beads', 'work-issues'];
    assert.deepEqual(
      listed.map(({ name, problems }) => [name, problems]),
      names.map((name) => [name, []]),
    );
    for (const { name, description } of listed) assert.notEqual(description, '', name);
  });

  it('asks every stage to read its context and to decide', async () => {
    for (const { name } of await listPipelines(shelves)) {
      const { loaded } = await loadPipeline(shelves, name);
      for (const { prompt } of loaded?.stages.values() ?? []) assert.match(prompt, /\$\{CTX\}[^]*\$\{STATUS\}/, name);
    }
  });
});
