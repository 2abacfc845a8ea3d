/** Whatever stands in a field of a stage or a pipeline: what is wrong is told in plain words, with what to give. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { stringify } from 'yaml';
import type { Problem } from '../../../src/engine/ground/problem.ts';
import { readPipeline } from '../../../src/engine/parse/pipeline-file.ts';
import { readStage } from '../../../src/engine/parse/stage-file.ts';
import { pipelineSpec, stageSpec } from '../../../src/engine/work/stage.ts';

const shared = { version: 1, name: 'all', description: 'A sentence', commands: { test: 'npm test' } };
const stageWith = (termination: object): object => ({
  ...shared,
  termination,
  guardrails: { max_iterations: 4, max_runtime_seconds: 60 },
  writes: ['src/**'],
  output: 'docs/plan.md',
  tier: 'execution',
  model: 'claude-haiku-5-5',
  effort: 'high',
});
const use = { max_iterations: 3, tier: 'triage', model: 'editor:vendor/id', effort: 'low' };
const pipeline = {
  ...shared,
  inputs: ['docs'],
  nodes: [
    { id: 'a', stage: 'x', ...use },
    { id: 'b', pipeline: 'y', inputs: { from: 'a', select: 'all' } },
    {
      id: 'c',
      parallel: [
        { id: 'd', stage: 'x', ...use },
        { id: 'e', stage: 'x' },
      ],
    },
  ],
};
const many = Array.from({ length: 60 }, (_, index) => `n${index}`);
const values = [1, -1, 1.5, 1e9, 'x', '', 'X Y', '/x', 'x'.repeat(3000), true, null, [], {}, [1], [null], [[]], [{}]];
const wrong: readonly unknown[] = [...values, many, { a: 1 }, { 'A B': 'x' }, { type: 'queue' }, { type: 'vote' }, { id: 1 }];

/** Names of the schema's own language. */
const raw = /Invalid|expected|received|Too (big|small)|[Uu]nrecognized|undefined|NaN|\[object/;

const readAs = {
  stage: (text: string) => readStage({ stage: { name: 's', text }, prompt: { name: 'p', text: '${CTX} ${STATUS}' }, origin: 'user' }),
  pipeline: (text: string) => readPipeline({ name: 'p', text }),
};

function assertPlain(problems: readonly Problem[], of: string): void {
  for (const { what, mend } of problems) {
    assert.match(`${what} | ${mend}`, /^[\S][^]+ \| [A-Z][^]+\.$/, of);
    assert.doesNotMatch(`${what} ${mend}`, raw, of);
  }
}

/** A copy for each place in it and each wrong value there, and one without the field. */
function* broken(value: unknown): Generator {
  yield* wrong;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const others = Object.entries(value).filter(([one]) => one !== key);
    if (!Array.isArray(value)) yield { ...Object.fromEntries(others), [`${key}-s`]: inner };
    for (const now of broken(inner))
      yield Array.isArray(value) ? value.map((one: unknown, at) => (String(at) === key ? now : one)) : { ...value, [key]: now };
  }
}

describe('what is wrong in a stage or a pipeline', () => {
  const terminations = [
    { type: 'judgment', min_iterations: 2, consensus: 2, verify: 'npm test' },
    { type: 'queue', command: 'cat TODO' },
    { type: 'fixed' },
  ];
  const files = [
    ...terminations.map((one) => [`stage that ends by ${one.type}`, 'stage', stageWith(one)] as const),
    ['pipeline', 'pipeline', pipeline] as const,
  ];
  for (const [title, kind, whole] of files)
    it(`is told in plain words for a wrong value of every field of a ${title}`, () => {
      assert.deepEqual(readAs[kind](stringify(whole)).problems, []);
      let found = 0;
      for (const one of broken(whole)) {
        const text = stringify(one);
        const { problems } = readAs[kind](text);
        assertPlain(problems, text.slice(0, 1000));
        found += problems.length;
      }
      assert.ok(found > 300, `${found}`);
    });

  it('is tried for every field', () => {
    assert.deepEqual(Object.keys(stageWith({})).sort(), Object.keys(stageSpec.shape).sort());
    assert.deepEqual(Object.keys(pipeline).sort(), Object.keys(pipelineSpec.shape).sort());
    const node = new Set(pipeline.nodes.flatMap((one) => Object.keys(one)));
    assert.deepEqual([...node].sort(), Object.keys(pipelineSpec.shape.nodes.element.shape).sort());
  });

  it('is told in plain words for every bad fixture', () => {
    const fixtures = 'test/fixtures/pipelines';
    for (const kind of ['bad', 'older'])
      for (const path of readdirSync(join(fixtures, kind), { recursive: true, encoding: 'utf8' })) {
        if (!path.endsWith('.yaml')) continue;
        const text = readFileSync(join(fixtures, kind, path), 'utf8');
        assertPlain(readAs[path.endsWith('stage.yaml') ? 'stage' : 'pipeline'](text).problems, path);
      }
  });

  it('says of what is missing how it is written', () => {
    const mends = [readAs.stage('name: a'), readAs.pipeline('name: a')].map(({ problems }) => problems[0]?.mend);
    assert.deepEqual(mends, [
      'Give a type, as in `termination: { type: judgment }`: judgment, queue or fixed.',
      'Give a list of nodes, as in `nodes: [{ id: plan, stage: improve-plan }]`.',
    ]);
  });
});
