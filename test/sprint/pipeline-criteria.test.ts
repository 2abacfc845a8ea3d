/** What pipelines must do, line by line: each line of docs/pipelines-criteria.md has a test of its name here. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { readStage } from '../../src/engine/parse/stage-file.ts';
import { iterationContext } from '../../src/engine/render/iteration-context.ts';
import { status } from '../../src/engine/work/pipeline.ts';
import { pipelineSpec, stageSpec } from '../../src/engine/work/stage.ts';
import { lintFolder, listPipelines, loadPipeline } from '../../src/host/pipelines/shelves.ts';
import { loop } from '../cli/loop.ts';
import { decisions, pipelineGround, three, type PipelineGround } from '../support/pipeline.ts';
import { write } from '../support/sprint.ts';

const shipped = { folders: [{ origin: 'shipped' as const, folder: resolve('pipelines') }] };
const prompt = 'Read ${CTX}, note in ${PROGRESS}, write ${OUTPUT}, decide in ${STATUS}.\n';
const titles: string[] = [];

/** As `it`, with a title that stands in the document. */
function line(title: string, test: () => void | Promise<void>): void {
  titles.push(title);
  it(title, test);
}

/** As `line`, for the test of this title in another file, which takes longer. */
function lineOf(file: string, title: string): void {
  line(title, () => assert.ok(readFileSync(file, 'utf8').includes(`  it('${title}', `), `${file} has a test of this title`));
}

function stage(yaml: string, text = prompt) {
  return readStage({ stage: { name: 'stage.yaml', text: yaml }, prompt: { name: 'prompt.md', text }, origin: 'user' });
}

describe('pipelines, by what they must do', () => {
  let at: PipelineGround;
  const run = (...args: string[]) => loop(['pipeline', ...args, '--in', at.repo], at.env);
  const shelf = (session: string, ...path: string[]): string => join(at.repo, '.loop', 'pipelines', session, '.loop', ...path);
  const read = (session: string, ...path: string[]): string => readFileSync(shelf(session, ...path), 'utf8');
  const context = (node: string, n: number) =>
    iterationContext.parse(JSON.parse(read('three-mock', node, 'iterations', `00${n}`, 'context.json')));
  const iterations = ['00-ideas/1', '00-ideas/2', '01-plan/1', '01-plan/2', '01-plan/3', '02-work/1', '03-looks.a/1', '04-looks.b/2'].map(
    (one) => `stage-${one.replace('/', '/iterations/00')}`,
  );

  before(async () => {
    at = await pipelineGround({
      ...three,
      'pipelines/stages/fails/stage.yaml': 'termination: { type: judgment }\nguardrails: { max_iterations: 4 }\n',
      'pipelines/stages/fails/prompt.md': prompt,
      'pipelines/stages/older/stage.yaml': 'completion: fixed-n\nmax_iterations: 1\n',
      'pipelines/stages/older/prompt.md':
        'Read ${CTX}. ${SESSION_NAME} ${PROGRESS_FILE} ${OUTPUT_PATH} ${STATUS} ${INDEX} ${INPUTS.ideas} ${INPUTS.ideas}\n',
      'VISION.md': 'A vision.\n',
      'PRD.md': 'A requirement.\n',
    });
    await write(at.fixtures, {
      'fails/iteration-2.json': '{"decision": "error", "reason": "the plan contradicts itself"}',
      'ideas/iteration-2.md': 'The second idea. PLATEAU: true. I stop.\n',
    });
    const { code, out, err } = await run('run', 'three', '--mock', at.fixtures);
    assert.equal(code, 0, out + err);
  });
  after(() => at.dispose());

  line('Every stage and pipeline that ships passes the linter, warnings included.', async () => {
    assert.deepEqual(await lintFolder(shipped, resolve('pipelines')), []);
  });

  line('The linter asks for a termination block, and for a prompt that names `${CTX}` and `${STATUS}`.', () => {
    const codes = (...of: Parameters<typeof stage>) => stage(...of).problems.map(({ code }) => code);
    assert.deepEqual(codes('description: x'), ['S004']);
    assert.deepEqual(codes('termination: { type: fixed }\noutput_parse: "plateau:PLATEAU"'), ['S005']);
    assert.deepEqual(codes('termination: { type: fixed }', 'Work.'), ['S013', 'S012']);
  });

  const stages = readdirSync('pipelines/stages');
  line('Every stage that ships runs as a mock, without a fixture and without a model.', async () => {
    const own = await pipelineGround(
      { 'TODO.md': '- [ ] one\n', 'VISION.md': 'A vision.\n', 'PRD.md': 'A requirement.\n' },
      { 'README.md': 'No fixture.\n' },
    );
    try {
      for (const name of stages) {
        const call = ['pipeline', 'run', name, '--mock', own.fixtures, '--max-iterations', '2', '--in', own.repo];
        const { code, out, err } = await loop(call, own.env);
        // Without gh and bd, or without leave for them, such a queue is an error, and never empty.
        const isElsewhere = ['work-beads', 'work-issues'].includes(name);
        assert.equal(code, isElsewhere ? 3 : name === 'review-report' ? 0 : 2, `${name}: ${out}${err}`);
        assert.match(out, /\(mock: no model was asked\)/);
        const folder = join(own.repo, '.loop', 'pipelines', `${name}-mock`, '.loop', `stage-00-${name}`, 'iterations', '001');
        assert.equal(existsSync(join(folder, 'status.json')), !isElsewhere, name);
      }
    } finally {
      await own.dispose();
    }
  });

  line("A mock takes an iteration's output and decision from its own fixture, else from the default one, else it makes them up.", () => {
    assert.equal(read('three-mock', 'stage-01-plan/iterations/002/output.md'), decisions['plan/default.md']);
    assert.equal(read('three-mock', 'stage-00-ideas/iterations/001/output.md'), 'Output of ideas, iteration 1, made up.\n');
    const reasons = [1, 2].map(
      (n) => (JSON.parse(read('three-mock', `stage-01-plan/iterations/00${n}/status.json`)) as { reason: string }).reason,
    );
    assert.deepEqual(reasons, ['improved', 'nothing left to improve']);
  });

  line('Every iteration has its `context.json`, in a folder of its own.', () => {
    for (const folder of iterations) iterationContext.parse(JSON.parse(read('three-mock', folder, 'context.json')));
    assert.equal(context('stage-03-looks.a', 1).stage.id, 'looks.a');
  });

  line('A prompt names it by `${CTX}`.', async () => {
    const { out } = await run('dry-run', 'three');
    assert.match(out, /Read \.loop-run\/stage-00-ideas\/iterations\/001\/context\.json, note in/);
  });

  line('Older variables still work, and are said to be old.', async () => {
    const { out, code } = await run('run', 'older', '--mock', at.fixtures);
    assert.equal(code, 0, out);
    for (const name of ['SESSION_NAME', 'PROGRESS_FILE', 'OUTPUT_PATH'])
      assert.equal(out.split(`S005: \${${name}} is the old name of`).length, 2, `${name} is told once: ${out}`);
    for (const name of ['INDEX', 'INPUTS.ideas'])
      assert.equal(out.split(`S005: \${${name}} is a variable of an older version`).length, 2, `${name} is told once: ${out}`);
    const dry = await run('dry-run', 'older');
    assert.match(
      dry.out,
      /Read \S+context\.json\. older \S+progress\.md \S+output\.md \S+status\.json 0 inputs\.from_stage\.ideas of \S+context\.json inputs\./,
    );
  });

  line('Contexts of one stage differ in their number and in what came before.', () => {
    const all = [1, 2, 3].map((n) => context('stage-01-plan', n));
    assert.deepEqual(
      all.map((one) => [one.iteration, one.inputs.from_previous_iterations.length]),
      [
        [1, 0],
        [2, 1],
        [3, 2],
      ],
    );
  });

  const prompts = async (): Promise<[name: string, text: string][]> => {
    const listed = await listPipelines(shipped);
    const loaded = await Promise.all(listed.map(({ name }) => loadPipeline(shipped, name)));
    return loaded.flatMap((one) => [...(one.loaded?.stages ?? [])].map(([name, { prompt: text }]): [string, string] => [name, text]));
  };
  line('Every prompt that ships tells its agent to decide in `${STATUS}`.', async () => {
    for (const [name, text] of await prompts()) assert.match(text, /Decide [^.]*\$\{STATUS\}/, name);
  });

  line('Decisions end a stage, and never words in an output.', () => {
    assert.match(read('three-mock', 'stage-00-ideas/iterations/002/output.md'), /PLATEAU: true\. I stop\./);
    assert.equal(
      (JSON.parse(read('three-mock', 'stage-00-ideas/iterations/002/status.json')) as { decision: string }).decision,
      'continue',
    );
  });

  line('Every iteration has its `status.json`, with decision, reason, summary, work and errors.', () => {
    for (const folder of iterations) {
      const told = JSON.parse(read('three-mock', folder, 'status.json')) as Record<string, unknown>;
      assert.deepEqual(Object.keys(told).sort(), ['decision', 'errors', 'reason', 'summary', 'work']);
      assert.deepEqual(status.parse(told), told);
    }
  });

  line('Two stops in a row end a stage by judgment, and one does not.', async () => {
    const { out } = await run('status', 'three-mock');
    assert.match(out, /plan: 3 iterations; 2 iterations in a row decided to stop\n {4}1\. continue: .*\n {4}2\. stop: .*\n {4}3\. stop: /);
  });

  line('Every iteration that left an output has it as `output.md` in its folder.', () => {
    for (const folder of iterations) assert.ok(read('three-mock', folder, 'output.md').length > 0, folder);
  });

  line('A stage says where its output lies, and nothing about how it is kept.', () => {
    assert.equal(stage('termination: { type: fixed }\noutput: docs/plan.md').value?.output, 'docs/plan.md');
    const older = stage('termination: { type: fixed }\noutput: { path: docs/plan.md, mode: versioned }');
    assert.deepEqual([older.value?.output, older.problems.map(({ code }) => code)], ['docs/plan.md', ['S005']]);
    const internal = stage('termination: { type: fixed }\noutput: .claude # internal only');
    assert.deepEqual([internal.value?.output, internal.problems.map(({ code }) => code)], [undefined, ['S005']]);
  });

  line('A later iteration takes no earlier output away.', () => {
    assert.deepEqual(
      [1, 2].map((n) => read('three-mock', `stage-00-ideas/iterations/00${n}/output.md`).slice(0, 10)),
      ['Output of ', 'The second'],
    );
  });

  line('A node gets outputs of the node that `inputs.from` names, the latest where `inputs.select` is left out.', () => {
    const latest = { plan: ['.loop-run/stage-01-plan/iterations/003/output.md'] };
    for (const node of ['stage-02-work', 'stage-03-looks.a']) assert.deepEqual(context(node, 1).inputs.from_stage, latest);
    assert.deepEqual(context('stage-00-ideas', 1).inputs, {
      initial: ['.loop-run/inputs/docs/vision.md'],
      from_stage: {},
      from_previous_iterations: [],
    });
  });

  line('Of three stages, the second gets all outputs of the first, and the third the latest of the second.', () => {
    const all = [1, 2].map((n) => `.loop-run/stage-00-ideas/iterations/00${n}/output.md`);
    assert.deepEqual(context('stage-01-plan', 1).inputs.from_stage, { ideas: all });
    assert.equal(context('stage-02-work', 1).inputs.from_stage['plan']?.length, 1);
  });

  line('An iteration that failed is not tried again by itself.', async () => {
    const { code } = await run('run', 'fails', '--mock', at.fixtures);
    assert.equal(code, 3);
    assert.deepEqual(readdirSync(shelf('fails-mock', 'stage-00-fails', 'iterations')), ['001', '002']);
  });

  line('A failure leaves a state that names stage, iteration, cause and the command that goes on.', () => {
    const state = JSON.parse(read('fails-mock', 'state.json')) as { stopped: unknown; resume: string };
    assert.deepEqual(state.stopped, { stop: 'waiting', reasons: ['Stage fails, iteration 2: the plan contradicts itself'] });
    assert.equal(state.resume, 'loop pipeline resume fails-mock --mock DIR');
  });

  line('Resumed, a run goes on behind the failure and repeats no iteration.', async () => {
    await write(at.fixtures, { 'fails/default.json': '{"decision": "stop", "reason": "fine"}' });
    const { code, out, err } = await run('resume', 'fails-mock', '--mock', at.fixtures);
    assert.equal(code, 0, out + err);
    const state = JSON.parse(read('fails-mock', 'state.json')) as { iterations: { n: number; decision: string }[] };
    assert.deepEqual(
      state.iterations.map(({ n, decision }) => `${n} ${decision}`),
      ['1 continue', '2 error', '3 stop', '4 stop'],
    );
  });

  line('A run that is killed in the middle of an iteration goes on by the same command.', async () => {
    const ground = await pipelineGround();
    try {
      const child = (n: number): Promise<string | number | null> =>
        new Promise((done) => {
          const args = [resolve('out/test/sprint/pipeline-child.mjs'), ground.repo, ground.fixtures, String(n), 'after'];
          spawn(process.execPath, args, { env: { ...process.env, ...ground.env }, stdio: 'ignore' }).once('close', (code, signal) =>
            done(signal ?? code),
          );
        });
      // The tenth line lies between the model's reply and the end of the first iteration.
      assert.equal(await child(10), 'SIGKILL');
      assert.equal(await child(0), 0);
    } finally {
      await ground.dispose();
    }
  });

  for (const title of [
    'A file of your own folder may name a model, so one stage runs by two models side by side.',
    'A file of a repository that names a model is refused before anything begins.',
  ])
    lineOf('test/cli/pipeline-models.test.ts', title);

  line('No stage and no pipeline that ships is in an older form.', async () => {
    const found = (await lintFolder(shipped, resolve('pipelines'))).filter(({ code }) => ['S005', 'P005'].includes(code));
    assert.deepEqual(found, []);
    for (const name of stages)
      assert.match(readFileSync(join('pipelines/stages', name, 'stage.yaml'), 'utf8'), /^version: 1\n[^]*^termination:/m);
  });

  line('All prompts that ship use `${CTX}`, `${PROGRESS}`, `${OUTPUT}` and `${STATUS}`.', async () => {
    for (const [name, text] of await prompts())
      for (const variable of ['CTX', 'PROGRESS', 'OUTPUT', 'STATUS']) assert.ok(text.includes(`\${${variable}}`), `${name}: ${variable}`);
  });

  line('The documentation names every field of a stage, a pipeline and a node.', () => {
    const text = readFileSync('docs/pipelines-files.md', 'utf8');
    const shapes = [stageSpec.shape, pipelineSpec.shape, pipelineSpec.shape.nodes.element.shape];
    for (const field of new Set(shapes.flatMap((shape) => Object.keys(shape)))) assert.match(text, new RegExp(`\\b${field}\\b`), field);
  });

  lineOf(
    'test/sprint/pipeline-examples.test.ts',
    'Every stage that ships ends as complete from a recording, among them stages of each type.',
  );

  it('stand in docs/pipelines-criteria.md, line by line', () => {
    const lines = readFileSync('docs/pipelines-criteria.md', 'utf8').split('\n');
    assert.deepEqual(
      lines.flatMap((one) => (one.startsWith('- ') ? [one.slice(2)] : [])),
      titles,
    );
  });
});
