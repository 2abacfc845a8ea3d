import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { flatNodes, nestingProblems, type KnownPipeline } from '../../../src/engine/parse/expand.ts';
import { readPipeline } from '../../../src/engine/parse/pipeline-file.ts';

/** By name, each as its lines of nodes. */
function known(files: Record<string, string[]>): Map<string, KnownPipeline> {
  return new Map(
    Object.entries(files).map(([name, nodes]) => {
      const file = `${name}.yaml`;
      return [
        name,
        { file, origin: 'user', read: readPipeline({ name: file, text: ['nodes:', ...nodes.map((line) => `  - ${line}`)].join('\n') }) },
      ];
    }),
  );
}
const told = (name: string, files: Record<string, string[]>): string[] =>
  nestingProblems(name, known(files)).map(({ code, file, line, what }) => `${code} ${file}:${line} ${what}`);

describe('a node that is a pipeline', () => {
  const inner = ['{ id: plan, stage: improve, max_iterations: 3 }', '{ id: tasks, stage: refine, inputs: { from: plan, select: all } }'];

  it('becomes the nodes of that one, with its inputs for the first and the outputs of the last', () => {
    const outer = [
      '{ id: ideas, stage: wizard }',
      '{ id: refine, pipeline: inner, inputs: { from: ideas, select: all } }',
      '{ id: work, stage: work, inputs: { from: refine } }',
    ];
    assert.deepEqual(flatNodes('outer', known({ outer, inner })), [
      { id: 'ideas', stage: 'wizard' },
      { id: 'refine.plan', stage: 'improve', most: 3, inputs: { from: ['ideas'], select: 'all' } },
      { id: 'refine.tasks', stage: 'refine', inputs: { from: ['refine.plan'], select: 'all' } },
      { id: 'work', stage: 'work', inputs: { from: ['refine.tasks'], select: 'latest' } },
    ]);
    assert.deepEqual(told('outer', { outer, inner }), []);
  });

  it('may stand there twice, each time with ids of its own', () => {
    const twice = ['{ id: a, pipeline: inner }', '{ id: b, pipeline: inner }'];
    const ids = flatNodes('twice', known({ twice, inner })).map(({ id }) => id);
    assert.deepEqual(ids, ['a.plan', 'a.tasks', 'b.plan', 'b.tasks']);
  });

  it('may hold stages side by side, which all get its inputs, and whose outputs are all its own', () => {
    const readers = '{ id: readers, parallel: [{ id: x, stage: read, tier: triage }, { id: y, stage: read }], inputs: { from: ideas } }';
    const outer = [
      '{ id: ideas, stage: wizard }',
      '{ id: both, pipeline: block }',
      '{ id: sum, stage: sum, inputs: { from: both, select: all } }',
    ];
    assert.deepEqual(flatNodes('outer', known({ outer, block: ['{ id: ideas, stage: wizard }', readers] })).slice(1), [
      { id: 'both.ideas', stage: 'wizard' },
      { id: 'both.readers.x', stage: 'read', block: 'both.readers', tier: 'triage', inputs: { from: ['both.ideas'], select: 'latest' } },
      { id: 'both.readers.y', stage: 'read', block: 'both.readers', inputs: { from: ['both.ideas'], select: 'latest' } },
      { id: 'sum', stage: 'sum', inputs: { from: ['both.readers.x', 'both.readers.y'], select: 'all' } },
    ]);
  });

  const bad: [what: string, files: Record<string, string[]>, expected: string[]][] = [
    ['that is not there', { a: ['{ id: x, pipeline: b }'] }, ['P014 a.yaml:2 there is no pipeline "b"']],
    ['that is itself', { a: ['{ id: x, pipeline: a }'] }, ['P015 a.yaml:2 "a" contains itself: a → a']],
    [
      'that leads back',
      { a: ['{ id: s, stage: s }', '{ id: x, pipeline: b }'], b: ['{ id: y, pipeline: c }'], c: ['{ id: z, pipeline: b }'] },
      ['P015 b.yaml:2 "b" contains itself: b → c → b', 'P015 c.yaml:2 "c" contains itself: c → b → c'],
    ],
    [
      'of more nodes than may run',
      {
        a: Array.from({ length: 20 }, (_, i) => `{ id: n${i}, pipeline: b }`),
        b: ['{ id: x, stage: s }', '{ id: y, pipeline: c }'],
        c: inner,
      },
      ['P016 a.yaml:1 "a" has 60 nodes with those of its pipelines; at most 40 run'],
    ],
  ];
  for (const [what, files, expected] of bad) it(`is refused ${what}`, () => assert.deepEqual(told('a', files), expected));

  it('is counted without being laid out, however deep it nests', () => {
    const level = (next: string): string[] => Array.from({ length: 20 }, (_, i) => `{ id: n${i}, pipeline: ${next} }`);
    const names = Array.from({ length: 30 }, (_, i) => `p${i}`);
    const files = Object.fromEntries(names.map((name, i) => [name, i === 29 ? ['{ id: a, stage: s }'] : level(`p${i + 1}`)]));
    assert.match(told('p0', files)[0] ?? '', /^P016/);
  });
});
