/** `loop lint` of a folder of pipelines: twenty and more mistakes, each with its own code; what is good; and older forms. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { parse } from 'yaml';
import { pipelineFolderFindings } from '../../src/cli/lint-pipelines.ts';
import { pipelineSpec, stageSpec } from '../../src/engine/work/stage.ts';
import { preparePipeline } from '../../src/host/pipelines/prepare.ts';
import { temporaryFolder } from '../editor/temporary.ts';
import { loop } from './loop.ts';

const fixtures = resolve('test/fixtures/pipelines');
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

describe('loop lint, for pipelines', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => void (folder = await temporaryFolder('lint-pipelines')));
  after(() => folder.remove());

  const bad = readdirSync(join(fixtures, 'bad'));
  for (const name of bad)
    it(`finds ${name}, and nothing else`, async () => {
      const found = await pipelineFolderFindings(join(fixtures, 'bad', name, 'pipelines'), undefined);
      assert.deepEqual([...new Set(found.map(({ code }) => code))], [name.slice(0, 4)], JSON.stringify(found));
      for (const { message, next } of found) assert.match(`${message} | ${next}`, /^\S.+\. \| [A-Z].+\.$/s);
    });

  it('finds at least twenty kinds of mistakes', () => assert.ok(new Set(bad.map((name) => name.slice(0, 4))).size >= 20));

  it('finds nothing in good ones, which use every field that there is', async () => {
    assert.deepEqual(await pipelineFolderFindings(join(fixtures, 'good', 'pipelines'), undefined), []);
    // Only a file of the person's own folder names a model.
    const lint = ['lint', join(fixtures, 'own/loop/pipelines'), '--strict'];
    const [own, others] = await Promise.all([loop(lint, { XDG_CONFIG_HOME: join(fixtures, 'own') }), loop(lint)]);
    assert.deepEqual([own.code, own.out + own.err], [0, own.out]);
    assert.deepEqual([others.code, [...others.out.matchAll(/ (S017|P022): /g)].length], [4, 3], others.out);
    const stage = parse(read(fixtures, 'good/pipelines/stages/all/stage.yaml')) as Record<string, unknown>;
    assert.deepEqual([...Object.keys(stage), 'model'].sort(), Object.keys(stageSpec.shape).sort());
    const pipeline = parse(read(fixtures, 'good/pipelines/every-field.yaml')) as Record<string, unknown> & { nodes: object[] };
    assert.deepEqual(Object.keys(pipeline).sort(), Object.keys(pipelineSpec.shape).sort());
    const used = new Set(pipeline.nodes.flatMap((node) => Object.keys(node)));
    assert.deepEqual([...used, 'model'].sort(), Object.keys(pipelineSpec.shape.nodes.element.shape).sort());
  });

  it('finds nothing in good ones, which use every field of what stands in a field', () => {
    const stages = join(fixtures, 'good/pipelines/stages');
    type Fields = Record<string, unknown>;
    const all = readdirSync(stages).map((name) => parse(read(stages, name, 'stage.yaml')) as { termination: Fields; guardrails?: Fields });
    const { nodes } = parse(read(fixtures, 'good/pipelines/every-field.yaml')) as { nodes: { parallel?: Fields[]; inputs?: Fields }[] };
    const { termination, guardrails } = stageSpec.shape;
    const { parallel, inputs } = pipelineSpec.shape.nodes.element.shape;
    const ofType = (type: unknown, fields: object): string[] => Object.keys(fields).map((field) => `${String(type)}: ${field}`);
    const expected: [of: string, used: string[], known: string[]][] = [
      [
        'termination',
        all.flatMap((one) => ofType(one.termination['type'], one.termination)),
        termination.options.flatMap(({ shape }) => ofType(shape.type.value, shape)),
      ],
      ['guardrails', all.flatMap((one) => Object.keys(one.guardrails ?? {})), Object.keys(guardrails.unwrap().shape)],
      ['inputs', nodes.flatMap((node) => Object.keys(node.inputs ?? {})), Object.keys(inputs.unwrap().shape)],
      [
        'parallel',
        ['model', ...nodes.flatMap((node) => (node.parallel ?? []).flatMap((one) => Object.keys(one)))],
        Object.keys(parallel.unwrap().element.shape),
      ],
    ];
    for (const [of, inUse, known] of expected) assert.deepEqual([...new Set(inUse)].sort(), known.sort(), of);
  });

  it('finds a secret where nothing else is wrong, and leaves links and what is no text to their problems', async () => {
    const at = join(folder.path, 'secret', 'pipelines');
    for (const name of ['plan', 'twin', 'bytes']) mkdirSync(join(at, 'stages', name), { recursive: true });
    for (const name of ['plan', 'bytes']) writeFileSync(join(at, 'stages', name, 'stage.yaml'), 'termination: { type: fixed }\n');
    writeFileSync(join(at, 'stages/plan/prompt.md'), `Read \${CTX}.\nUse sk-ant-${'a1B2'.repeat(10)}, and write \${STATUS}.\n`);
    writeFileSync(join(at, 'stages/bytes/prompt.md'), Buffer.from([0xff, 0xfe]));
    for (const name of ['stage.yaml', 'prompt.md']) symlinkSync(`../plan/${name}`, join(at, 'stages/twin', name));
    execFileSync('git', ['init', '--quiet', dirname(at)]);
    const found = await pipelineFolderFindings(at, undefined);
    assert.deepEqual(
      found.map(({ file, code, range }) => [file, code, range.start.line]),
      [
        ['', 'P012', 0],
        ['stages/plan/prompt.md', 'secret', 1],
      ],
    );
  });

  it('runs forty good ones dry without a word', async () => {
    const at = join(folder.path, 'forty');
    cpSync(join(fixtures, 'good'), at, { recursive: true });
    for (const path of ['docs', 'src']) mkdirSync(join(at, path));
    for (const path of ['README.md', 'docs/vision.md', 'src/notes.md']) writeFileSync(join(at, path), 'A text.\n');
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-C', at, '-c', 'user.name=P', '-c', 'user.email=p@localhost', ...args]);
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message=First');
    const names = [
      ...readdirSync(join(at, 'pipelines')).flatMap((name) => (name.endsWith('.yaml') ? [name.slice(0, -'.yaml'.length)] : [])),
      ...readdirSync(join(at, 'pipelines', 'stages')).filter((name) => name !== 'all'),
    ];
    assert.ok(names.length >= 40, `${names.length}`);
    for (const name of names) {
      const { nodes, notes } = await preparePipeline(at, name, {}, 'dry');
      assert.ok(nodes.length > 0);
      assert.deepEqual(notes, [], name);
    }
  });

  it('rewrites older forms with --fix, leaves what needs a thought, and replaces no link', async () => {
    const at = join(folder.path, 'older');
    cpSync(join(fixtures, 'older'), at, { recursive: true });
    const dir = join(at, 'pipelines');
    execFileSync('git', ['init', '--quiet', at]);
    mkdirSync(join(dir, 'stages/twin'));
    for (const name of ['stage.yaml', 'prompt.md']) symlinkSync(`../plan/${name}`, join(dir, 'stages/twin', name));
    const { out, code, err } = await loop(['lint', dir, '--fix']);
    assert.equal(code, 4, out + err);
    assert.match(out, /^refine\.yaml: 6 places rewritten\.$/m);
    assert.equal(
      read(dir, 'refine.yaml'),
      'nodes:\n  - id: ideas\n    stage: ideas\n    max_iterations: 5\n  - { id: plan, stage: plan, inputs: { from: ideas, select: all } }\n',
    );
    assert.equal(
      read(dir, 'stages/plan/stage.yaml'),
      'description: Plans\ntermination: { type: judgment, min_iterations: 3 }\nguardrails:\n  max_iterations: 9\n',
    );
    assert.equal(read(dir, 'stages/ideas/stage.yaml'), 'termination: { type: fixed }\n');
    assert.match(read(dir, 'stages/plan/prompt.md'), /the notes in \$\{PROGRESS\}\. Session \$\{SESSION\}\./);
    assert.match(
      read(dir, 'stages/ideas/prompt.md'),
      /^Go on from inputs\.from_stage\.first-ideas of \$\{CTX\} and inputs\.from_stage of \$\{CTX\}\. Number your idea \$\{ITERATION\}\.$/m,
    );
    assert.ok(lstatSync(join(dir, 'stages/twin/stage.yaml')).isSymbolicLink());
    const left = (await pipelineFolderFindings(dir, undefined)).map(({ file, code: of }) => `${of} ${file}`);
    assert.deepEqual(left, ['S005 stages/items/stage.yaml', 'S004 stages/items/stage.yaml']);
    assert.equal(
      read(dir, 'stages/sync/stage.yaml'),
      'name: sync\ndescription: Keeps the README true # as peers wrote it\ntermination:\n  type: fixed\noutput: docs/readme-${SESSION}.md\nguardrails:\n  max_iterations: 3\n',
    );
    assert.equal(read(dir, 'stages/internal/stage.yaml'), 'termination: { type: fixed }\n');
    assert.match(read(dir, 'stages/work/stage.yaml'), /^termination:\n {2}type: queue\n {2}command: .*bd --no-db ready/);
  });

  it('counts a warning with --strict, and refuses --fix for a sprint', async () => {
    const warned = join(fixtures, 'bad', 'S013-no-context', 'pipelines');
    assert.equal((await loop(['lint', warned])).code, 0);
    assert.equal((await loop(['lint', warned, '--strict'])).code, 4);
    const { code, err } = await loop(['lint', folder.path, '--fix']);
    assert.deepEqual([code, /Give it a folder called pipelines\./.test(err)], [4, true], err);
  });
});
