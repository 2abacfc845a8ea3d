/** What a pipeline takes from the person's checkout, and what it says of it, before it runs. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { defaults } from '../../src/engine/ground/config.ts';
import type { State } from '../../src/engine/state/state.ts';
import { plan } from '../../src/engine/work/pipeline.ts';
import { refOf } from '../../src/host/payloads.ts';
import { boundOf, namedInPlan, preparePipeline, storePlan, type Prepared } from '../../src/host/pipelines/prepare.ts';
import { whatChanged } from '../../src/host/pipelines/run-pipeline.ts';
import { pipelineGround, type PipelineGround } from '../support/pipeline.ts';
import { put } from './git/fixture.ts';

const stage = { 'pipelines/stages/one/stage.yaml': 'termination: { type: fixed }\n', 'pipelines/stages/one/prompt.md': '${CTX} ${STATUS}' };
const withInputs = (...inputs: string[]): Record<string, string> => ({
  ...stage,
  'pipelines/read.yaml': `inputs: ${JSON.stringify(inputs)}\nnodes: [{ id: one, stage: one }]\n`,
});

async function prepared(
  files: Record<string, string>,
  use: (at: PipelineGround) => void = () => undefined,
  given: string[] = [],
): Promise<Prepared> {
  const at = await pipelineGround(files, {});
  try {
    use(at);
    return await preparePipeline(at.repo, 'read', {}, 'session', { given });
  } finally {
    await at.dispose();
  }
}

const pathsIn = ({ inputs }: Prepared): string[] => inputs.map(({ path }) => path).sort();

describe('the inputs of a pipeline', () => {
  it('leave out what looks secret, also behind a link or named itself, and say so', async () => {
    const found = await prepared({ ...withInputs('**', '.env'), '.gitignore': 'private/\n', 'docs/a.md': 'a' }, ({ repo }) => {
      put(repo, { '.env': 'KEY=1', 'keys/id_rsa': 'x', 'private/notes.md': 'mine' });
      symlinkSync('../.env', join(repo, 'docs/b.md'));
      symlinkSync('../private/notes.md', join(repo, 'docs/c.md'));
      symlinkSync('a.md', join(repo, 'docs/d.md'));
    });
    const others = ['.gitignore', 'notes.md', 'pipelines/read.yaml', 'pipelines/stages/one/prompt.md', 'pipelines/stages/one/stage.yaml'];
    assert.deepEqual(pathsIn(found), [...others, 'docs/a.md', 'docs/d.md'].sort());
    assert.match(found.notes.join('\n'), /^Left out of the inputs, .*: \.env, docs\/b\.md, docs\/c\.md, keys\/id_rsa\.$/m);
  });

  it('leave out what is no text, too large, or out of reach where a glob or a folder matches it, and say so', async () => {
    const found = await prepared({ ...withInputs('docs', '**/*.json'), 'docs/a.md': 'a', '.vscode/b.json': '{}' }, ({ repo }) => {
      put(repo, { 'docs/b.png': Buffer.from([0x89, 0x50, 0xff]), 'docs/c.txt': 'x'.repeat(5 * 1024 * 1024) });
    });
    assert.deepEqual(pathsIn(found), ['docs/a.md']);
    for (const words of [/Left out .*b\.png is not UTF-8/, /Left out .*c\.txt is too large/, /Left out .*b\.json" is in "\.vscode"/])
      assert.match(found.notes.join('\n'), words);
  });

  it('are refused where such a file is named itself', async () => {
    const binary = ({ repo }: PipelineGround): void => put(repo, { 'docs/b.png': Buffer.from([0x89, 0x50, 0xff]) });
    await assert.rejects(prepared(withInputs('docs/**', './docs/b.png'), binary), {
      name: 'InputError',
      message: /b\.png is not UTF-8 text/,
    });
  });
});

describe('the output of a stage', () => {
  const writing = (output: string): Record<string, string> => ({
    ...withInputs(),
    'pipelines/stages/one/stage.yaml': `termination: { type: fixed }\nwrites: [${output}]\noutput: ${output}\n`,
    '.gitignore': 'build/\n',
  });

  it('is refused where git ignores it: no commit would hold it', async () => {
    await assert.rejects(prepared(writing('build/plan.md')), {
      name: 'InputError',
      message: 'Git ignores build/plan.md, the output of stage one: no commit would hold it.',
    });
    assert.equal((await prepared(writing('docs/plan.md'))).nodes[0]?.output, 'docs/plan.md');
  });
});

describe('the files of a run that goes on', () => {
  it('are as they were, in whatever order another version of Loop wrote their fields', async () => {
    const at = await pipelineGround(
      { ...withInputs(), 'pipelines/stages/one/stage.yaml': 'termination: { type: fixed }\neffort: high\ncommands: { test: make }\n' },
      {},
    );
    try {
      const now = await storePlan(await preparePipeline(at.repo, 'read', {}, 'session'), (text) => Promise.resolve(refOf(text)));
      const parsed = plan.parse(now);
      assert.notEqual(JSON.stringify(parsed), JSON.stringify(now));
      const state = { opened: { pipeline: parsed, sprint: 'session' } } as State;
      assert.equal(await whatChanged(at.repo, state, 'pipelines'), undefined);
      put(at.repo, { 'pipelines/stages/one/prompt.md': 'Other. ${CTX} ${STATUS}' });
      assert.match((await whatChanged(at.repo, state, 'pipelines')) ?? '', /^The files of read were changed/);
    } finally {
      await at.dispose();
    }
  });
});

describe('an older variable in a prompt', () => {
  it('is told once for each file, though it stands there three times', async () => {
    const prompt = 'Read ${CTX}, decide in ${STATUS}. ${INPUTS.a} ${INPUTS.a} ${INPUTS.a} ${INPUTS.b} ${INDEX} ${INDEX}';
    const { notes, nodes } = await prepared({
      ...stage,
      'pipelines/stages/one/prompt.md': prompt,
      'pipelines/stages/two/stage.yaml': 'termination: { type: fixed }\n',
      'pipelines/stages/two/prompt.md': prompt,
      'pipelines/read.yaml': 'nodes: [{ id: one, stage: one }, { id: two, stage: two }]\n',
    });
    const told = notes.flatMap((note) => /stages\/(\w+)\/prompt\.md:1: S005: (\S+) /.exec(note)?.slice(1).join(' ') ?? []);
    assert.deepEqual(
      told,
      ['one', 'two'].flatMap((name) => ['INPUTS.a', 'INPUTS.b', 'INDEX'].map((old) => `${name} \${${old}}`)),
    );
    assert.match(nodes[0]?.promptText ?? '', /inputs\.from_stage\.a of \$\{CTX\}/);
  });
});

describe('what the person gives a run to read', () => {
  it('is read besides the inputs of the pipeline, and marked as given', async () => {
    const files = { ...withInputs('docs'), 'docs/a.md': 'a', 'more/b.md': 'b', 'more/c.md': 'c' };
    const { inputs } = await prepared(files, undefined, ['./more/b.md', 'docs/**']);
    assert.deepEqual(inputs, [
      { path: 'docs/a.md', text: 'a' },
      { path: 'more/b.md', text: 'b', given: true },
    ]);
  });

  it('must be there', async () => {
    await assert.rejects(prepared(withInputs(), undefined, ['nothing/*.md']), { message: /"nothing\/\*\.md" matches no file/ });
  });
});

describe('a model that files of the own folder name', () => {
  // By the environment the pipelines of the person are those beside the repository.
  const inOwn = async (files: Record<string, string>): Promise<Prepared & { folder: string }> => {
    const before = process.env['XDG_CONFIG_HOME'];
    let folder = '';
    try {
      const found = await prepared({ ...files, 'docs/a.md': 'a' }, (at) => {
        folder = at.folder;
        process.env['XDG_CONFIG_HOME'] = at.env['XDG_CONFIG_HOME'];
      });
      return { ...found, folder };
    } finally {
      if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
      else process.env['XDG_CONFIG_HOME'] = before;
    }
  };
  const own = '../config/loop/pipelines';
  const small = {
    [`${own}/stages/small/stage.yaml`]: 'termination: { type: fixed }\nmodel: claude-haiku-5-5\ntier: triage\n',
    [`${own}/stages/small/prompt.md`]: '${CTX} ${STATUS}',
  };
  const readers = (more: string): string =>
    `nodes:\n  - id: readers\n    parallel:\n      - { id: a, stage: small }\n      - { id: b, stage: small${more} }\n  - { id: sum, stage: one }\n`;

  it('is in the plan, in the worst case, and said with the place that names it', async () => {
    const { nodes, named, notes, folder, ...rest } = await inOwn({
      ...stage,
      ...small,
      [`${own}/read.yaml`]: readers(', model: "editor:vendor/id"'),
    });
    const at = join(folder, 'config/loop/pipelines');
    assert.deepEqual(
      nodes.map(({ id, model }) => [id, model]),
      [
        ['readers.a', 'claude-haiku-5-5'],
        ['readers.b', 'editor:vendor/id'],
        ['sum', undefined],
      ],
    );
    assert.deepEqual(
      named.map(({ model, by }) => `${model} ${by}`),
      [`claude-haiku-5-5 ${at}/stages/small/stage.yaml:2`, `editor:vendor/id ${at}/read.yaml:5`],
    );
    assert.deepEqual(notes.slice(0, 2), [
      `readers.a asks claude-haiku-5-5, which ${at}/stages/small/stage.yaml:2 names, whatever model you choose.`,
      `readers.b asks vendor/id of the editor, which ${at}/read.yaml:5 names, whatever model you choose.`,
    ]);
    assert.deepEqual(boundOf({ nodes, ...rest }).models, ['claude-haiku-5-5', 'editor:vendor/id', defaults.models.execution]);
    assert.deepEqual(
      namedInPlan({ nodes: nodes.map((node) => ({ ...node, prompt: '' })) }).map(({ model, by }) => `${model} ${by}`),
      ['claude-haiku-5-5 Stage readers.a of this run', 'editor:vendor/id Stage readers.b of this run'],
    );
  });

  it('counts whatever tier a node of the repository says', async () => {
    const { nodes, notes } = await inOwn({ ...stage, ...small, 'pipelines/read.yaml': readers(', tier: triage') });
    assert.deepEqual(
      nodes.map(({ model }) => model),
      ['claude-haiku-5-5', 'claude-haiku-5-5', undefined],
    );
    assert.match(notes.join('\n'), /^readers\.a, readers\.b ask claude-haiku-5-5, which /);
  });
});

describe('uncommitted files', () => {
  it('are named before a pipeline runs without them, above all outputs and inputs', async () => {
    const files = {
      ...withInputs('docs'),
      'docs/plan.md': 'old',
      'docs/b.md': 'b',
      'pipelines/stages/one/stage.yaml': 'termination: { type: fixed }\noutput: docs/plan.md\n',
    };
    const { notes, inputs } = await prepared(files, ({ repo }) => put(repo, { 'docs/plan.md': 'mine' }));
    assert.deepEqual(notes, [
      '2 files of your checkout have changes that are not committed: the run starts from your last commit, without them.',
      'Stage one does not see your changes of its output docs/plan.md: commit it first.',
      'Given to it as an input, with your changes, all the same: docs/plan.md.',
    ]);
    assert.equal(inputs.find(({ path }) => path === 'docs/plan.md')?.text, 'mine');
    const clean = await prepared(withInputs(), ({ git }) => void git('checkout', '-q', '.'));
    assert.deepEqual(clean.notes, []);
  });
});
