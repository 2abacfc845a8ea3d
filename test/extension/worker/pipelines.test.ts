/** What the worker tells the editor of pipelines, in a real repository. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { defaults } from '../../../src/engine/ground/config.ts';
import { InputError } from '../../../src/engine/ground/errors.ts';
import { freeName, Pipelines, sessionAt } from '../../../src/extension/worker/pipelines.ts';
import { createStop } from '../../../src/host/stop.ts';
import { runPipeline } from '../../../src/host/pipelines/run-pipeline.ts';
import { createMock } from '../../../src/models/mock.ts';
import { nobody } from '../../../src/host/nobody.ts';
import { write } from '../../support/sprint.ts';
import { pipelineGround, three, type PipelineGround } from '../../support/pipeline.ts';

async function within(use: (at: PipelineGround, pipelines: Pipelines) => Promise<void>): Promise<void> {
  const at = await pipelineGround({
    ...three,
    'pipelines/review.yaml': 'nodes: [{ id: ideas, stage: ideas }]\n',
    'pipelines/bad.yaml': 'nodes: 3\n',
  });
  const before = Object.fromEntries(Object.keys(at.env).map((name) => [name, process.env[name]]));
  Object.assign(process.env, at.env);
  try {
    await use(at, new Pipelines(() => undefined));
  } finally {
    // Another object in its place would hide the environment from every later file of this process.
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    await at.dispose();
  }
}

const inspected = (pipelines: Pipelines, { repo }: PipelineGround, inputs: string[] = []) =>
  pipelines.inspect({ root: repo, shelf: 'pipelines', name: 'three', inputs, overrides: {} });

describe('pipelines in the worker', () => {
  it('are offered, the person’s own first, with where they lie, what they hide, and what is wrong with them', () =>
    within(async ({ repo }, pipelines) => {
      const { root, pipelines: offers } = await pipelines.offers({ folder: join(repo, 'docs'), shelf: 'pipelines' });
      assert.equal(root, repo);
      assert.deepEqual(
        offers.slice(0, 7).map(({ name }) => name),
        ['bad', 'ideas', 'plan', 'review', 'three', 'work', 'deep-refine'],
      );
      const of = (name: string) => offers.find((one) => one.name === name);
      assert.deepEqual([of('review')?.origin, of('review')?.hides, of('review')?.canRun], ['workspace', ['extension'], true]);
      assert.deepEqual([of('sharpen')?.origin, of('sharpen')?.problem], ['extension', null]);
      const { canRun, problem } = of('bad') ?? {};
      assert.deepEqual([canRun, problem?.file, problem?.line], [false, join(repo, 'pipelines', 'bad.yaml'), 1]);
    }));

  it('show the worst case and what they read and may change, and write nothing', () =>
    within(async (at, pipelines) => {
      const { session, bound, inputs, writes, sprintDir, stages } = await inspected(pipelines, at, ['TODO.md']);
      assert.deepEqual([session, stages.length, bound.iterations, bound.usd], ['three', 5, 34, 25]);
      assert.deepEqual(
        [inputs, writes],
        [
          ['TODO.md', 'docs/vision.md'],
          ['docs/plan.md', 'DONE'],
        ],
      );
      assert.equal(sprintDir, join(at.repo, '.loop', 'pipelines', 'three'));
      assert.ok(!existsSync(join(at.repo, '.loop')));
      await assert.rejects(inspected(pipelines, at, ['nowhere']), InputError);
    }));

  it('show the models that are asked, and which of them files of the own folder name', () =>
    within(async (at, pipelines) => {
      const own = '../config/loop/pipelines';
      await write(at.repo, {
        [`${own}/stages/small/stage.yaml`]: 'termination: { type: fixed }\nmodel: editor:copilot/gpt\n',
        [`${own}/stages/small/prompt.md`]: '${CTX} ${STATUS}',
        'pipelines/three.yaml': 'nodes: [{ id: a, stage: small }, { id: b, stage: small }, { id: c, stage: ideas }]\n',
      });
      const { asked, named, notes } = await inspected(pipelines, at);
      assert.deepEqual([asked, named], [['editor:copilot/gpt', defaults.models.execution], ['editor:copilot/gpt']]);
      assert.match(
        notes.join('\n'),
        /^a, b ask copilot\/gpt of the editor, which .*small\/stage\.yaml:2 names, whatever model you choose\.$/m,
      );
    }));

  it('run exactly what was shown, also where its files were changed meanwhile', () =>
    within(async (at, pipelines) => {
      const { sprintDir } = await inspected(pipelines, at);
      await write(at.repo, { 'pipelines/stages/ideas/stage.yaml': 'termination: { type: fixed }\nguardrails: { max_iterations: 9 }\n' });
      const prepared = pipelines.take(sprintDir);
      assert.deepEqual(
        prepared?.nodes.map(({ maxIterations }) => maxIterations),
        [2, 4, 25, 1, 2],
      );
      assert.equal(pipelines.take(sprintDir), undefined, 'a resume goes on as the session opened');
    }));

  it('are read as runs with their iterations, each a document', () =>
    within(async (at, pipelines) => {
      const { sprintDir } = await inspected(pipelines, at);
      const prepared = pipelines.take(sprintDir);
      assert.ok(prepared);
      const model = createMock(prepared, (path) =>
        existsSync(join(at.fixtures, path)) ? readFileSync(join(at.fixtures, path), 'utf8') : undefined,
      );
      const quiet = { person: nobody, overrides: {}, signal: createStop().signal, onEvent: () => undefined, onProgress: () => undefined };
      await runPipeline({ ...quiet, ...sessionAt(sprintDir), prepared, model });
      await write(at.repo, { '.loop/pipelines/broken/.loop/journal.jsonl': '{}\n{}\n' });
      const found = await pipelines.runs({ folder: at.repo });
      assert.equal(found?.unread.length, 1, 'a broken journal is told, and hides no other');
      assert.match(found.unread[0] ?? '', /broken/);
      assert.deepEqual(
        found.runs.map(({ dir, view }) => [dir, view.ending?.stop, view.stages.map(({ iterations }) => iterations.length)]),
        [[sprintDir, 'complete', [2, 3, 1, 1, 2]]],
      );
      const text = await pipelines.iteration({ sprintDir, node: 'plan', n: 3 });
      assert.match(text, /^# plan, iteration 3: stop\n\nthree, session three · decided by its tool · /);
      assert.match(text, /## Verification of its stop\n\nIts stop: verified\.\n\n## Output\n\nThe plan\.\n$/);
      assert.match(await pipelines.iteration({ sprintDir, node: 'plan', n: 9 }), /not in the journal/);
      assert.equal((await inspected(pipelines, at)).session, 'three-2');
      assert.equal(await pipelines.changed({ sprintDir, shelf: 'pipelines' }), null);
      await write(at.repo, { 'pipelines/stages/plan/prompt.md': 'Other. ${CTX} ${STATUS}' });
      assert.equal(await pipelines.changed({ sprintDir, shelf: 'pipelines' }), 'The files of three were changed since it began.');
      await write(at.repo, { 'pipelines/three.yaml': 'nodes: 1\n' });
      assert.match(
        (await pipelines.changed({ sprintDir, shelf: 'pipelines' })) ?? '',
        /^The files of three cannot be used any more: .*three\.yaml/,
      );
    }));

  it('are none where there is no repository', () =>
    within(async ({ folder }, pipelines) => assert.equal(await pipelines.runs({ folder }), null)));
});

describe('the name of a new session', () => {
  it('is the pipeline’s, or the first with a number that is free', () => {
    assert.equal(freeName('plan', ['other']), 'plan');
    assert.equal(freeName('plan', ['plan', 'plan-2']), 'plan-3');
    const long = 'x'.repeat(40);
    assert.equal(freeName(long, [long]), `${'x'.repeat(38)}-2`);
  });

  it('is read from its folder, and from no other', () => {
    assert.deepEqual(sessionAt('/repo/.loop/pipelines/plan'), { root: '/repo', session: 'plan' });
    for (const dir of ['/repo/sprint', '/repo/.loop/pipelines/NO', '/repo/loop/pipelines/plan'])
      assert.throws(() => sessionAt(dir), InputError);
  });
});
