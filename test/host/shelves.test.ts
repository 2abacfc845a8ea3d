/** Stages and pipelines in the folders of a repository and of a person. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, it } from 'mocha';
import { commandsOf } from '../../src/engine/parse/expand.ts';
import { lintFolder, listPipelines, loadPipeline, shelvesOf, type Shelves } from '../../src/host/pipelines/shelves.ts';
import { put } from './git/fixture.ts';

const prompt = '${CTX} ${STATUS}';

async function within(files: Record<string, string>, use: (shelves: Shelves, top: string) => Promise<void>): Promise<void> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'loop-shelves-')));
  try {
    mkdirSync(join(top, 'repo'));
    put(top, files);
    const { folders } = shelvesOf(join(top, 'repo'), undefined, { XDG_CONFIG_HOME: join(top, 'config') });
    await use({ folders: folders.filter(({ origin }) => origin !== 'shipped') }, top);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}
const stage = (folder: string, name: string, yaml: string): Record<string, string> => ({
  [`${folder}/stages/${name}/stage.yaml`]: yaml,
  [`${folder}/stages/${name}/prompt.md`]: prompt,
});
const [ours, theirs] = ['config/loop/pipelines', 'repo/pipelines'];

describe('a stage that runs alone', () => {
  it('keeps a description over several lines, and may be named by a number', () =>
    within(stage(theirs, '2024', 'description: >\n  Over two\n  lines: "all"\ntermination: { type: fixed }\n'), async (shelves) => {
      const { loaded, problems } = await loadPipeline(shelves, '2024');
      assert.deepEqual([problems, loaded?.description], [[], 'Over two lines: "all"']);
      assert.deepEqual(loaded?.nodes, [{ id: '2024', stage: '2024' }]);
    }));

  it('is refused by a name that no stage may have', () =>
    within(stage(theirs, 'My_Stage', 'termination: { type: fixed }\n'), async (shelves) => {
      const [listed] = await listPipelines(shelves);
      assert.deepEqual(
        listed?.problems.map(({ code }) => code),
        ['S014'],
      );
      const folder = shelves.folders[0]?.folder ?? '';
      const linted = await lintFolder(shelves, folder);
      assert.deepEqual(
        linted.map(({ code, file }) => [code, relative(folder, file)]),
        [['S014', 'stages/My_Stage/stage.yaml']],
      );
    }));
});

describe('a pipeline with nodes that are pipelines', () => {
  const fixed = stage(theirs, 'one', 'termination: { type: fixed }\n');

  it('is loaded with all that they name, the inputs of all, and what each of them hides', () =>
    within(
      {
        ...fixed,
        [`${theirs}/outer.yaml`]: 'inputs: [docs]\nnodes: [{ id: a, pipeline: inner }, { id: b, pipeline: inner }]\n',
        [`${theirs}/inner.yaml`]: 'inputs: [docs, src]\nnodes: [{ id: x, stage: one }]\n',
        [`${ours}/inner.yaml`]: 'nodes: [{ id: mine, stage: one }]\n',
      },
      async (shelves) => {
        const { loaded, problems } = await loadPipeline(shelves, 'outer');
        assert.deepEqual([problems, loaded?.nodes.map(({ id }) => id), loaded?.inputs], [[], ['a.x', 'b.x'], ['docs', 'src']]);
        assert.deepEqual(loaded?.shadows, ['inner is that of the workspace; it hides that of the own folder.']);
      },
    ));

  it('is refused with the problems of all, each at its place', () =>
    within(
      {
        ...fixed,
        [`${theirs}/outer.yaml`]: 'nodes: [{ id: a, pipeline: inner }]\n',
        [`${theirs}/inner.yaml`]: 'nodes:\n  - { id: x, stage: two }\n  - { id: y, pipeline: outer }\n',
      },
      async (shelves, top) => {
        const { loaded, problems } = await loadPipeline(shelves, 'outer');
        const places = problems.map(({ code, file, line }) => `${code} ${file.slice(top.length + 1)}:${line}`);
        assert.deepEqual(
          [loaded, places],
          [undefined, [`P008 ${theirs}/inner.yaml:2`, `P015 ${theirs}/outer.yaml:1`, `P015 ${theirs}/inner.yaml:3`]],
        );
      },
    ));
});

describe('the commands of a stage', () => {
  const needy = stage(theirs, 'one', 'termination: { type: fixed }\ncommands: { test: , lint: npx eslint . }\n');
  const outer = (commands: string): Record<string, string> => ({
    ...needy,
    [`${theirs}/outer.yaml`]: `nodes: [{ id: a, pipeline: inner }]\n${commands}`,
    [`${theirs}/inner.yaml`]: 'nodes: [{ id: x, stage: one }]\ncommands: { lint: make lint, build: make }\n',
  });

  it('are those of the outermost pipeline that names them, then its own', () =>
    within(outer('commands: { test: npm test, build: make all }\n'), async (shelves) => {
      const { loaded } = await loadPipeline(shelves, 'outer');
      const [first] = loaded?.nodes ?? [];
      const one = loaded?.stages.get('one');
      assert.ok(first && one);
      const all = { test: 'npm test', lint: 'make lint', build: 'make all' };
      assert.deepEqual(commandsOf(first, one), { commands: all, missing: [] });
    }));

  it('keep it from running where it relies on one that nobody gives, also alone', () =>
    within(outer(''), async (shelves) => {
      for (const [name, id] of [
        ['outer', 'a.x'],
        ['one', 'one'],
      ] as const) {
        const { loaded, problems } = await loadPipeline(shelves, name);
        const told = problems.map(({ code, what }) => `${code} ${what}`);
        assert.deepEqual(
          [loaded, told],
          [undefined, [`P020 stage "one" of "${id}" relies on the command "test", and nobody says what that is`]],
        );
      }
    }));
});

describe('a stage of the repository that hides one of the person', () => {
  const dear = stage(ours, 'dear', 'termination: { type: fixed }\nguardrails: { max_iterations: 3, max_runtime_seconds: 60 }\n');

  it('has at most its limits, and may have lower ones', async () => {
    for (const [guardrails, most, seconds] of [
      ['', 3, 60],
      ['guardrails: { max_iterations: 2, max_runtime_seconds: 90 }', 2, 60],
    ] as const)
      await within({ ...dear, ...stage(theirs, 'dear', `termination: { type: fixed }\n${guardrails}\n`) }, async (shelves) => {
        const { loaded } = await loadPipeline(shelves, 'dear');
        assert.deepEqual(loaded?.stages.get('dear')?.guardrails, { max_iterations: most, max_runtime_seconds: seconds });
      });
  });

  it('cannot run where the limits of that one cannot be read', () =>
    within({ ...stage(ours, 'dear', 'a: [1'), ...stage(theirs, 'dear', 'termination: { type: fixed }\n') }, async (shelves) => {
      const { loaded, problems } = await loadPipeline(shelves, 'dear');
      assert.deepEqual([loaded, problems.map(({ code }) => code)], [undefined, ['S001']]);
    }));
});

describe('a model that a file names', () => {
  const small = stage(ours, 'small', 'termination: { type: fixed }\nmodel: claude-haiku-5-5\n');
  const told = ({ problems }: Awaited<ReturnType<typeof loadPipeline>>, top: string): string[] =>
    problems.map(({ code, file, line }) => `${code} ${file.slice(top.length + 1)}:${line}`);

  it('counts in the person’s own stage, also where a pipeline of the repository runs it', () =>
    within({ ...small, [`${theirs}/outer.yaml`]: 'nodes: [{ id: a, stage: small, tier: triage }]\n' }, async (shelves, top) => {
      const { loaded, problems } = await loadPipeline(shelves, 'outer');
      const { model, by } = loaded?.stages.get('small')?.named ?? {};
      assert.deepEqual([problems, model, by], [[], 'claude-haiku-5-5', join(top, ours, 'stages/small/stage.yaml:2')]);
    }));

  it('is refused at a node of the repository, and at one of a pipeline that the person’s own contains', async () => {
    const node = 'nodes:\n  - { id: a, stage: small, model: claude-opus-5-5 }\n';
    await within(
      { ...small, [`${theirs}/inner.yaml`]: node, [`${ours}/outer.yaml`]: 'nodes: [{ id: a, pipeline: inner }]\n' },
      async (shelves, top) => {
        for (const name of ['inner', 'outer']) {
          const found = await loadPipeline(shelves, name);
          assert.deepEqual([found.loaded, told(found, top)], [undefined, [`P022 ${theirs}/inner.yaml:2`]]);
        }
      },
    );
    await within({ ...small, [`${ours}/inner.yaml`]: node }, async (shelves, top) => {
      const { loaded } = await loadPipeline(shelves, 'inner');
      const { model, by } = loaded?.nodes[0]?.named ?? {};
      assert.deepEqual([model, by], ['claude-opus-5-5', join(top, ours, 'inner.yaml:2')]);
    });
  });

  it('is refused in a stage of the repository, which without one hides the person’s, and says that its model is not asked', async () => {
    await within(
      { ...small, ...stage(theirs, 'small', 'termination: { type: fixed }\nmodel: claude-haiku-5-5\n') },
      async (shelves, top) => {
        const found = await loadPipeline(shelves, 'small');
        assert.deepEqual(
          [found.loaded, told(found, top)],
          [undefined, [`S017 ${theirs}/stages/small/stage.yaml:2`, `P008 ${theirs}/stages/small/stage.yaml:1`]],
        );
      },
    );
    await within({ ...small, ...stage(theirs, 'small', 'termination: { type: fixed }\n') }, async (shelves) => {
      const { loaded } = await loadPipeline(shelves, 'small');
      const { model, named } = loaded?.stages.get('small') ?? {};
      assert.deepEqual(
        [model, named, loaded?.shadows],
        [
          undefined,
          undefined,
          ['small is that of the workspace; it hides that of the own folder, whose model claude-haiku-5-5 is not asked.'],
        ],
      );
    });
  });
});

describe('a folder of pipelines that cannot be used', () => {
  const own = stage(ours, 'fine', 'termination: { type: fixed }\n');
  const listed = async (shelves: Shelves): Promise<string[]> =>
    (await listPipelines(shelves)).map(({ name, problems }) => [name, ...problems.map(({ code, what }) => `${code} ${what}`)].join(': '));

  it('is told where it is a file, and others are still listed', async () => {
    await within({ ...own, [theirs]: 'x' }, async (shelves) => {
      assert.deepEqual(await listed(shelves), ['fine', 'pipelines: P011 it is a file, not a folder']);
    });
    await within(
      { ...own, [`${theirs}/stages`]: 'x', [`${theirs}/a.yaml/b`]: 'x', [`${ours}/stages/odd/stage.yaml/x`]: '' },
      async (shelves) => {
        const found = await listed(shelves);
        assert.deepEqual(
          found.map((one) => one.replace(/P012 .*stage\.yaml is a folder$/, 'P012')),
          ['fine', 'odd: P012', 'pipelines/a.yaml: P011 it is a folder, not a file', 'pipelines/stages: P011 it is a file, not a folder'],
        );
      },
    );
  });

  it('is told of a pipeline whose name ends in .yml', async () => {
    await within({ ...own, [`${theirs}/a.yml`]: 'x' }, async (shelves) => {
      assert.deepEqual(await listed(shelves), ['fine', 'pipelines/a.yml: P011 its name ends in .yml, not in .yaml']);
    });
  });

  it('is not read where it is a link out of the repository', async () => {
    for (const path of ['pipelines', 'pipelines/stages'])
      await within({ ...own, ...stage('outside', 'secret', 'termination: { type: fixed }\n') }, async (shelves, top) => {
        if (path !== 'pipelines') mkdirSync(join(top, theirs));
        symlinkSync(join(top, path === 'pipelines' ? 'outside' : 'outside/stages'), join(top, 'repo', path));
        assert.deepEqual(await listed(shelves), ['fine', `${path}: P011 it is a link that leads out of the repository`]);
        assert.equal((await loadPipeline(shelves, 'secret')).loaded, undefined);
      });
  });

  it('tells of a link in it that it is not followed', () =>
    within(
      { ...own, 'elsewhere/plan.yaml': 'nodes: [{ id: a, stage: fine }]\n', [`${theirs}/b.yaml`]: 'nodes: [{ id: a, stage: fine }]\n' },
      async (shelves, top) => {
        symlinkSync(join(top, 'elsewhere/plan.yaml'), join(top, theirs, 'plan.yaml'));
        symlinkSync(join(top, 'elsewhere'), join(top, ours, 'stages/linked'));
        assert.deepEqual(await listed(shelves), [
          'b',
          'fine',
          'pipelines/plan.yaml: P011 it is a link, which is not followed',
          'pipelines/stages/linked: P011 it is a link, which is not followed',
        ]);
      },
    ));
});
