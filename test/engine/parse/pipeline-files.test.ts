import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { readPipeline, stageProblems } from '../../../src/engine/parse/pipeline-file.ts';
import { readStage, type Origin, type Stage } from '../../../src/engine/parse/stage-file.ts';
import type { Problem } from '../../../src/engine/ground/problem.ts';

const goodPrompt = 'Read ${CTX}. Improve ${OUTPUT}, note in ${PROGRESS}, decide in ${STATUS}.';
const judged = 'termination: { type: judgment }\n';

function stage(yaml: string, prompt: string | undefined = goodPrompt, origin: Origin = 'user') {
  const text = prompt === undefined ? undefined : { name: 'prompt.md', text: prompt };
  return readStage({ stage: { name: 'stage.yaml', text: yaml }, prompt: text, origin });
}

function places(problems: readonly Problem[]): string[] {
  return problems.map(({ code, severity, file, line }) => `${code} ${severity} ${file}:${line}`);
}

describe('a stage file', () => {
  it('gives the usual limits where it says none', () => {
    const { value, problems } = stage(judged);
    assert.deepEqual(problems, []);
    assert.deepEqual(value?.termination, { type: 'judgment', min_iterations: 2, consensus: 2 });
    assert.deepEqual(value.guardrails, { max_iterations: 25, max_runtime_seconds: 7200 });
    assert.deepEqual([value.writes, value.output, value.tier, value.prompt], [[], undefined, 'execution', goodPrompt]);
  });

  it('keeps every field that it gives', () => {
    const { value, problems } = stage(
      [
        'version: 1',
        'name: work',
        'description: Works',
        'termination: { type: queue, command: cat TODO }',
        'guardrails: { max_iterations: 3, max_runtime_seconds: 60 }',
        'writes: ["src/**"]',
        'output: docs/plan.md',
        'tier: triage',
        'effort: low',
      ].join('\n'),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(value?.guardrails, { max_iterations: 3, max_runtime_seconds: 60 });
    assert.deepEqual([value.writes, value.output, value.tier, value.effort], [['src/**'], 'docs/plan.md', 'triage', 'low']);
  });

  const bad: [what: string, found: ReturnType<typeof stage>, expected: string[]][] = [
    ['text that is not YAML', stage('a: [1\nb: 2'), ['S001 error stage.yaml:2']],
    ['a list in the place of fields', stage('- a'), ['S002 error stage.yaml:1']],
    ['an empty file', stage(''), ['S002 error stage.yaml:1']],
    ['a field that does not exist', stage(`${judged}colour: red`), ['S003 error stage.yaml:2']],
    ['no termination', stage('name: work'), ['S004 error stage.yaml:1']],
    ['a type that does not exist', stage('termination:\n  type: vote'), ['S004 error stage.yaml:2']],
    ['a queue without its command', stage('termination: { type: queue }'), ['S004 error stage.yaml:1']],
    ['a verification beside the rule that ends it', stage(`${judged}verify: npm test`), ['S003 error stage.yaml:2']],
    ['a verification where no stop is counted', stage('termination:\n  type: fixed\n  verify: npm test'), ['S003 error stage.yaml:3']],
    ['a limit in words', stage(`${judged}guardrails:\n  max_iterations: many`), ['S004 error stage.yaml:3']],
    ['a path that leaves the repository', stage(`${judged}writes:\n  - ../other`), ['S004 error stage.yaml:3']],
    ['a path in the journal', stage(`${judged}output: .loop/journal.jsonl`), ['S004 error stage.yaml:2']],
    ['a glob of too many patterns', stage(`${judged}writes:\n  - src/**\n  - "${'{a,b,c,d}'.repeat(4)}"`), ['S004 error stage.yaml:4']],
    ...['docs/', './', 'docs/*.md', 'docs/${ITERATION}.md', 'docs/{a,b}.md', 'secrets.json', 'a/.env', '.vscode/tasks.json'].map(
      (path): [string, ReturnType<typeof stage>, string[]] => [
        `an output that is no file to write: ${path}`,
        stage(`${judged}output: ${path}`),
        ['S004 error stage.yaml:2'],
      ],
    ),
    [
      'an end of an earlier version that there is no more',
      stage('delay: 1\ncompletion: all-items'),
      ['S005 error stage.yaml:2', 'S005 warning stage.yaml:1', 'S004 error stage.yaml:1'],
    ],
    [
      'a limit of an earlier version beside limits that are none',
      stage(`${judged}guardrails: 5\nmax_iterations: 3`),
      ['S005 error stage.yaml:3', 'S004 error stage.yaml:2'],
    ],
    [
      'a limit in words of an earlier version',
      stage(`${judged}max_iterations: many`),
      ['S005 warning stage.yaml:2', 'S004 error stage.yaml:2'],
    ],
    [
      'an agreement that cannot be reached',
      stage('termination: { type: judgment, consensus: 9 }\nguardrails: { max_iterations: 3 }'),
      ['S006 error stage.yaml:1'],
    ],
    [
      'a repository that raises a limit',
      stage(`${judged}guardrails: { max_iterations: 26 }`, goodPrompt, 'workspace'),
      ['S007 error stage.yaml:2'],
    ],
    [
      'a repository that chooses the dearest model',
      stage(`${judged}tier: reasoning`, goodPrompt, 'workspace'),
      ['S008 error stage.yaml:2'],
    ],
    [
      'no prompt',
      readStage({ stage: { name: 'stage.yaml', text: judged }, prompt: undefined, origin: 'user' }),
      ['S009 error stage.yaml:1'],
    ],
    ['an empty prompt', stage(judged, ' \n'), ['S009 error prompt.md:1']],
    ['a prompt that is too long', stage(judged, 'x'.repeat(100_001)), ['S010 error prompt.md:1']],
    ['an unknown variable', stage(judged, `${goodPrompt}\n\n\${MODEL}`), ['S011 error prompt.md:3']],
    ...['foo-bar', 'OUTPUT.x', 'INPUTSx', 'CTX:-a'].map((name): [string, ReturnType<typeof stage>, string[]] => [
      `an unknown variable with other signs in it: ${name}`,
      stage(judged, `${goodPrompt} \${${name}}`),
      ['S011 error prompt.md:1'],
    ]),
    ['a prompt that names neither context nor status', stage(judged, 'Work.'), ['S013 warning prompt.md:1', 'S012 warning prompt.md:1']],
  ];
  for (const [what, { value, problems }, expected] of bad)
    it(`tells of ${what}`, () => {
      assert.deepEqual(places(problems), expected);
      assert.equal(
        value === undefined,
        expected.some((one) => one.includes('error')),
        'only an error keeps the value back',
      );
      for (const { what: words, mend } of problems) assert.match(`${words} | ${mend}`, /^\S.+ \| [A-Z].+\.$/s);
    });

  it('reads an earlier version as what it means now, and says that it is old', () => {
    const { value, problems } = stage(
      'name: plan\ncompletion: plateau\nmin_iterations: 3\noutput_parse: "plateau:PLATEAU"\n',
      'Read ${CTX}. Session ${SESSION_NAME}, notes in ${PROGRESS_FILE}, write ${OUTPUT_PATH}, decide in ${STATUS}.',
    );
    assert.deepEqual(value?.termination, { type: 'judgment', min_iterations: 3, consensus: 2 });
    assert.equal(value.prompt, 'Read ${CTX}. Session ${SESSION}, notes in ${PROGRESS}, write ${OUTPUT}, decide in ${STATUS}.');
    assert.deepEqual(
      [...new Set(places(problems))],
      [...[2, 3, 4].map((line) => `S005 warning stage.yaml:${line}`), 'S005 warning prompt.md:1'],
    );
    assert.ok(problems.every(({ fix }) => fix));
  });

  it('tells of a name that is not that of its folder, and goes on', () => {
    const named = (folder?: string) =>
      readStage({
        stage: { name: 'stage.yaml', text: `${judged}name: other # old` },
        prompt: { name: 'prompt.md', text: goodPrompt },
        origin: 'user',
        ...(folder === undefined ? {} : { folder }),
      });
    const { value, problems } = named('plan');
    assert.ok(value);
    assert.deepEqual(places(problems), ['S016 warning stage.yaml:2']);
    assert.deepEqual(problems[0]?.fix?.edits, [{ from: judged.length + 6, to: judged.length + 11, text: 'plan' }]);
    for (const folder of ['other', 'My Stage', undefined]) assert.deepEqual(named(folder).problems, []);
    for (const folder of ['1', 'true']) assert.equal(named(folder).problems[0]?.fix?.edits[0]?.text, `"${folder}"`);
  });

  const queues: [command: string, fixed: string | undefined][] = [
    ['grep -n TODO notes.md', 'grep -n TODO notes.md || test $? -eq 1'],
    [`"grep -n 'a | b' notes.md"`, `"grep -n 'a | b' notes.md || test $? -eq 1"`],
    ["'grep -n x notes.md'", "'grep -n x notes.md || test $? -eq 1'"],
    [`grep -n "x" 'a b.md'`, `grep -n "x" 'a b.md' || test $? -eq 1`],
    ['|\n    LC_ALL=C /bin/grep x notes.md\n', '|\n    LC_ALL=C /bin/grep x notes.md || test $? -eq 1\n'],
    ['grep x notes.md 2>&1', 'grep x notes.md 2>&1 || test $? -eq 1'],
    ['test ! -e a || git grep x', 'test ! -e a || git grep x || test $? -eq 1'],
    ['test -e a && rg x', undefined],
    ['gh issue list | grep loop', undefined],
  ];
  for (const [command, fixed] of queues)
    it(`says that a queue is never empty which ends in grep: ${JSON.stringify(command)}`, () => {
      const text = (of: string): string => `termination:\n  type: queue\n  command: ${of}\nguardrails: { max_iterations: 3 }\n`;
      const { value, problems } = stage(text(command));
      assert.ok(value);
      assert.deepEqual(places(problems), ['S015 warning stage.yaml:3']);
      const { from, to, text: now } = problems[0]?.fix?.edits[0] ?? { from: 0, to: 0, text: '' };
      const mended = `${text(command).slice(0, from)}${now}${text(command).slice(to)}`;
      assert.equal(now === '' ? undefined : mended, fixed === undefined ? undefined : text(fixed));
      if (fixed !== undefined) assert.deepEqual(stage(mended).problems, []);
      assert.match(problems[0]?.mend ?? '', /\|\| test \$\? -eq 1/);
    });

  it('says nothing of queues that can be empty', () => {
    for (const command of [
      'grep x y || test $? -eq 1',
      'cat grep',
      'grep x y; true',
      `all=$(gh issue list) && { printf '%s' "$all" | grep x || test $? -eq 1; }`,
      'test -z "$(echo a | grep b)"',
      'echo $(ls | grep b)',
      'gh issue list | grep x | cat',
      'grepper --list',
    ])
      assert.deepEqual(stage(`termination: { type: queue, command: ${JSON.stringify(command)} }`).problems, [], command);
  });

  const olderStages: [older: string, now: string][] = [
    ['termination: { type: fixed, iterations: 8 }\ndelay: 3', 'termination: { type: fixed }\nguardrails: { max_iterations: 8 }'],
    [
      'termination: { type: fixed, iterations: 8 }\nguardrails: { max_iterations: 4 }\ncheck_before: true',
      'termination: { type: fixed }\nguardrails: { max_iterations: 4 }',
    ],
    [`${judged}output_path: docs/plan-\${SESSION_NAME}.md`, `${judged}output: docs/plan-\${SESSION}.md`],
    [`${judged}output: { path: docs/plan.md, mode: append }`, `${judged}output: docs/plan.md`],
    [`${judged}output: { mode: append }`, judged],
    ...['.claude', './.claude/', '{ path: .claude, mode: overwrite }'].map((path): [string, string] => [
      `${judged}output: ${path}`,
      judged,
    ]),
    [`${judged}output_path: .claude`, judged],
    ['completion: plateau\ntermination: { type: fixed }', 'termination: { type: fixed }'],
    ['completion: fixed-n\nmin_iterations: 2', 'termination: { type: fixed }'],
  ];
  for (const [older, now] of olderStages)
    it(`reads ${JSON.stringify(older)} as what it means now`, () => {
      const { value, problems } = stage(older);
      assert.deepEqual([...new Set(problems.map(({ code, severity }) => `${code} ${severity}`))], ['S005 warning']);
      assert.deepEqual(value, stage(now).value);
      const [edit] = problems[0]?.fix?.edits ?? [];
      assert.ok(edit);
      assert.deepEqual(stage(edit.text).problems, [], edit.text);
      assert.deepEqual(stage(edit.text).value, value);
    });

  it('reads the queue of an earlier version as that of the stage for beads that ships', () => {
    const { value, problems } = stage('completion: beads-empty');
    assert.deepEqual(places(problems), ['S005 warning stage.yaml:1']);
    const shipped = readFileSync('pipelines/stages/work-beads/stage.yaml', 'utf8');
    assert.deepEqual(value?.termination, stage(shipped).value?.termination);
    assert.deepEqual(stage(problems[0]?.fix?.edits[0]?.text ?? '').value, value);
  });

  it('reads what inputs and the number of an iteration were called, and says what replaces them', () => {
    const { value, problems } = stage(judged, `${goodPrompt}\nSum up \${INPUTS.first-ideas} and \${INPUTS} as no. \${INDEX}.`);
    assert.equal(
      value?.prompt,
      `${goodPrompt}\nSum up inputs.from_stage.first-ideas of \${CTX} and inputs.from_stage of \${CTX} as no. \${INDEX}.`,
    );
    assert.deepEqual(
      problems.map(({ code, severity, mend, fix }) => [code, severity, mend.slice(0, 66), fix?.edits[0]?.text]),
      [
        [
          'S005',
          'warning',
          'Tell the agent to read the files that "inputs.from_stage.first-ideas" in'.slice(0, 66),
          'inputs.from_stage.first-ideas of ${CTX}',
        ],
        [
          'S005',
          'warning',
          'Tell the agent to read the files that "inputs.from_stage" in ${CTX} '.slice(0, 66),
          'inputs.from_stage of ${CTX}',
        ],
        ['S005', 'warning', 'Write ${ITERATION}, which counts from 1 and not from 0.', '${ITERATION}'],
      ],
    );
  });

  it('takes paths without what changes nothing in them', () => {
    const { value, problems } = stage(`${judged}writes: [./docs/**, src/./, './']\noutput: ././docs//\${SESSION}/./plan.md`);
    assert.deepEqual(places(problems), ['S004 error stage.yaml:2']);
    assert.equal(value, undefined);
    const good = stage(`${judged}writes: [./docs/**, src/./]\noutput: ././docs//\${SESSION}/./plan [1].md`);
    assert.deepEqual([good.value?.writes, good.value?.output], [['docs/**', 'src/'], 'docs/${SESSION}/plan [1].md']);
  });

  it('tells every problem at once', () => {
    const { problems } = stage('colour: red\ntermination: { type: judgment, consensus: 0 }\ntier: best\n', '${X} ${Y}');
    assert.deepEqual(problems.map(({ code }) => code).sort(), ['S003', 'S004', 'S004', 'S011', 'S011', 'S012', 'S013']);
  });

  const models: [written: string, name: string | undefined][] = [
    ['claude-opus-5-5', 'claude-opus-5-5'],
    ['anthropic:claude-opus-5-5', 'claude-opus-5-5'],
    ['us.vendor.claude-v2:0', 'us.vendor.claude-v2:0'],
    ['"editor:copilot/gpt"', 'editor:copilot/gpt'],
    ['"editor:vendor/an/id"', 'editor:vendor/an/id'],
    ['editor:gpt', undefined],
    ['"editor:"', undefined],
    ['"anthropic:"', undefined],
    ['claude opus', undefined],
    ['""', undefined],
    ['[opus]', undefined],
    ['x'.repeat(201), undefined],
  ];
  for (const [written, name] of models)
    it(`takes a model by its name, as a start does: ${written.slice(0, 30)}`, () => {
      for (const origin of ['user', 'shipped'] as const) {
        const { value, problems } = stage(`${judged}model: ${written}`, goodPrompt, origin);
        assert.deepEqual(places(problems), name === undefined ? ['S004 error stage.yaml:2'] : []);
        assert.deepEqual([value?.model, value?.named?.model, value?.named?.by], [name, name, name && 'stage.yaml:2']);
      }
    });

  it('names no model in a repository, and is told where it may', () => {
    const { value, problems } = stage(`${judged}tier: triage\nmodel: claude-haiku-5-5`, goodPrompt, 'workspace');
    assert.equal(value, undefined);
    assert.deepEqual(places(problems), ['S017 error stage.yaml:3']);
    assert.match(problems[0]?.what ?? '', /^a file of a repository names no model, since /);
    assert.match(problems[0]?.mend ?? '', /^Write `tier: execution` or `tier: triage` in its place, or put .* into your own folder/);
  });

  it('has no field for the provider, which stands in the name of the model', () => {
    const { value, problems } = stage(`${judged}provider: editor`);
    assert.equal(value, undefined);
    assert.deepEqual(places(problems), ['S003 error stage.yaml:2']);
    assert.match(problems[0]?.mend ?? '', /^Write it into `model`, .*`model: editor:vendor\/id`.* write `tier: execution` or/);
  });

  it('is total', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (yaml, prompt) => void stage(yaml, prompt)));
  });

  it('is total for whatever stands in older fields, and leaves nothing to rewrite where they were rewritten', () => {
    const fields = ['completion', 'termination', 'guardrails', 'min_iterations', 'max_iterations', 'delay', 'output', 'output_path'];
    const values = ['plateau', 'beads-empty', '3', '', '[1]', '{ type: fixed, iterations: 2 }', '{ path: a.md }', '.claude', '*x', '&x 1'];
    const lines = fc.uniqueArray(fc.tuple(fc.constantFrom(...fields), fc.constantFrom(...values)), { selector: ([field]) => field });
    const fixOf = (text: string) => stage(text).problems.find(({ fix }) => fix)?.fix;
    fc.assert(
      fc.property(lines, (of) => {
        const fix = fixOf(of.map(([field, value]) => `${field}: ${value}\n`).join(''));
        assert.equal(fix && fixOf(fix.edits[0]?.text ?? ''), undefined);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a pipeline file', () => {
  const read = (text: string) => readPipeline({ name: 'pipeline.yaml', text });
  const node = (...lines: string[]): string => ['nodes:', ...lines.map((line) => `  - ${line}`)].join('\n');

  it('keeps nodes and inputs, and selects the latest output where it does not say', () => {
    const { value, problems } = read(
      `${node('{ id: a, stage: idea, max_iterations: 5 }', '{ id: b, stage: sum, inputs: { from: a } }')}\ninputs: [docs/**]`,
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(value?.inputs, ['docs/**']);
    assert.deepEqual(value.nodes[1]?.inputs, { from: 'a', select: 'latest' });
  });

  it('tells of a name that is not that of its file, and goes on', () => {
    const text = `name: other\n${node('{ id: a, stage: x }')}`;
    const { value, problems } = readPipeline({ name: 'pipeline.yaml', text }, 'plan');
    assert.ok(value);
    assert.deepEqual(places(problems), ['P021 warning pipeline.yaml:1']);
    assert.deepEqual(problems[0]?.fix?.edits, [{ from: 6, to: 11, text: 'plan' }]);
    assert.deepEqual(readPipeline({ name: 'pipeline.yaml', text }, 'other').problems, []);
  });

  it('reads the names of earlier versions, and says that they are old', () => {
    const { value, problems } = read('stages:\n  - name: a\n    loop: idea\n    runs: 5\n  - id: b\n    template: sum\n');
    assert.deepEqual(value?.nodes, [
      { id: 'a', stage: 'idea', max_iterations: 5 },
      { id: 'b', stage: 'sum' },
    ]);
    assert.deepEqual(
      places(problems).sort(),
      [1, 2, 3, 4, 6].map((line) => `P005 warning pipeline.yaml:${line}`),
    );
  });

  const bad: [what: string, text: string, expected: string[]][] = [
    ['text that is not YAML', 'nodes: {', ['P001 error pipeline.yaml:1']],
    ['a text without fields', 'hello', ['P002 error pipeline.yaml:1']],
    ['a field that does not exist', node('{ id: a, stage: x, colour: red }'), ['P003 error pipeline.yaml:2']],
    [
      'an input of too many patterns',
      `${node('{ id: a, stage: x }')}\ninputs:\n  - "${'{a,b,c,d}'.repeat(4)}"`,
      ['P004 error pipeline.yaml:4'],
    ],
    ['no nodes', 'name: empty', ['P004 error pipeline.yaml:1']],
    ['a number in words', node('{ id: a, stage: x, max_iterations: abc }'), ['P004 error pipeline.yaml:2']],
    ['two nodes with one id', node('{ id: a, stage: x }', '{ id: a, stage: x }'), ['P006 error pipeline.yaml:3']],
    ['a node that runs nothing', node('{ id: a }'), ['P013 error pipeline.yaml:2']],
    ['a node that is two things', node('{ id: a, stage: x, pipeline: y }'), ['P013 error pipeline.yaml:2']],
    ['a number of times for a pipeline', node('{ id: a, pipeline: y, max_iterations: 3 }'), ['P017 error pipeline.yaml:2']],
    ['a model for a pipeline', node('{ id: a, pipeline: y, model: claude-haiku-5-5 }'), ['P017 error pipeline.yaml:2']],
    ['a model of no form', node('{ id: a, stage: x, model: editor:gpt }'), ['P004 error pipeline.yaml:2']],
    ['a block of one', node('{ id: a, parallel: [{ id: x, stage: x }] }'), ['P004 error pipeline.yaml:2']],
    ['two of one id side by side', node('{ id: a, parallel: [{ id: x, stage: x }, { id: x, stage: y }] }'), ['P006 error pipeline.yaml:2']],
    ['an input from nowhere', node('{ id: a, stage: x, inputs: { from: z } }'), ['P007 error pipeline.yaml:2']],
    ['an input from a later node', node('{ id: a, stage: x, inputs: { from: b } }', '{ id: b, stage: x }'), ['P007 error pipeline.yaml:2']],
  ];
  for (const [what, text, expected] of bad)
    it(`tells of ${what}`, () => {
      const { value, problems } = read(text);
      assert.deepEqual(places(problems), expected);
      assert.equal(value, undefined);
    });

  const unknown: [where: string, text: string, mend: RegExp][] = [
    ['a node', node('{ id: a, stage: x, provider: codex }'), /^Write it into `model`, /],
    [
      'a stage side by side',
      node('{ id: a, parallel: [{ id: b, stage: x }, { id: c, stage: x, provider: codex }] }'),
      /^Write it into `model`, /,
    ],
    ['a pipeline', `model: opus\n${node('{ id: a, stage: x }')}`, /^Write `model` or `tier` in a stage or at a node; .*`tier: triage`\.$/],
    ['a pipeline', `defaults: { provider: codex }\n${node('{ id: a, stage: x }')}`, /^Write `model` or `tier` in a stage or at a node/],
    ['a node with its own prompt', node('{ id: a, stage: x, prompt: Work }'), /stages\/NAME\/prompt\.md/],
    ['a node with its own end', node('{ id: a, stage: x, completion: plateau }'), /`termination` in the stage\.yaml/],
    ['a field that nobody knows', node('{ id: a, stage: x, colour: red }'), /^Remove it, or correct its name\.$/],
  ];
  for (const [where, text, mend] of unknown)
    it(`says what to write in the place of a field that there is not: ${where}, ${text.split('\n').at(-1) ?? ''}`, () => {
      const { problems } = read(text);
      assert.deepEqual(
        problems.map(({ code }) => code),
        ['P003'],
      );
      assert.match(problems[0]?.mend ?? '', mend);
    });

  const spec = (max: number): string => node(`{ id: a, stage: idea, max_iterations: ${max} }`);
  const idea = (more = ''): Stage => {
    const { value } = stage(judged + more);
    assert.ok(value);
    return value;
  };
  const joined = (text: string, stages: ReadonlyMap<string, Stage>, origin: Origin = 'user'): string[] => {
    const joining = readPipeline({ name: 'pipeline.yaml', text });
    assert.ok(joining.value);
    return places(stageProblems({ file: 'pipeline.yaml', origin, read: joining }, stages));
  };

  it('finds nothing between nodes and stages that fit', () => {
    assert.deepEqual(joined(spec(3), new Map([['idea', idea()]])), []);
  });

  it('tells of a stage that is not there, of a limit that is raised, and of one that is too low', () => {
    assert.deepEqual(joined(spec(3), new Map()), ['P008 error pipeline.yaml:2']);
    assert.deepEqual(joined(spec(26), new Map([['idea', idea()]])), ['P009 error pipeline.yaml:2']);
    assert.deepEqual(joined(spec(1), new Map([['idea', idea()]])), ['P010 error pipeline.yaml:2']);
  });

  const beside = (...members: string[]): string =>
    ['nodes:', '  - id: all', '    parallel:', ...members.map((m) => `      - ${m}`)].join('\n');

  it('tells of stages side by side that write in the repository, and of a repository that chooses the dearest for a node', () => {
    const text = beside(
      '{ id: a, stage: idea }',
      '{ id: b, stage: writing }',
      '{ id: c, stage: named }',
      '{ id: d, stage: idea, tier: reasoning }',
    );
    const stages = new Map([
      ['idea', idea()],
      ['writing', idea('writes: [src/**]')],
      ['named', idea('output: a.md')],
    ]);
    assert.deepEqual(joined(text, stages), ['P019 error pipeline.yaml:5', 'P019 error pipeline.yaml:6']);
    assert.deepEqual(joined(text, stages, 'workspace').at(-1), 'P018 error pipeline.yaml:7');
    assert.deepEqual(joined(node('{ id: a, stage: idea, effort: max }'), stages, 'workspace'), ['P018 error pipeline.yaml:2']);
  });

  it('names a model at a node in the own folder and in what ships, and in no repository, whatever its stage is', () => {
    const text = `${beside('{ id: a, stage: idea, model: claude-haiku-5-5 }', '{ id: b, stage: nowhere, model: "editor:v/i" }')}
  - { id: c, stage: idea, model: claude-opus-5-5 }`;
    const stages = new Map([['idea', idea()]]);
    for (const origin of ['user', 'shipped'] as const) assert.deepEqual(joined(text, stages, origin), ['P008 error pipeline.yaml:5']);
    assert.deepEqual(
      joined(text, stages, 'workspace'),
      [4, 5, 5, 6].map((line, at) => `${at === 2 ? 'P008' : 'P022'} error pipeline.yaml:${line}`),
    );
  });

  it('tells of a tier that says nothing beside a model, where the person can mend it', () => {
    const stages = new Map([
      ['idea', idea()],
      ['named', idea('model: claude-haiku-5-5')],
    ]);
    const text = node(
      '{ id: a, stage: named, tier: triage }',
      '{ id: b, stage: named }',
      '{ id: c, stage: idea, tier: triage, model: claude-opus-5-5 }',
    );
    assert.deepEqual(joined(text, stages, 'user'), ['P023 warning pipeline.yaml:2', 'P023 warning pipeline.yaml:4']);
    assert.deepEqual(joined(node('{ id: a, stage: named, tier: triage }'), stages, 'workspace'), []);
    assert.deepEqual(joined(text, stages, 'shipped'), []);
  });

  it('is total', () => {
    fc.assert(fc.property(fc.string(), (text) => void read(text)));
  });
});
