/** The repository's own suite as a verification: how it becomes one, what it counts for, and who takes a test out of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { characterise } from '../../src/engine/actions/characterise.ts';
import { runVerificationsAction } from '../../src/engine/actions/run-verifications.ts';
import { actions } from '../../src/engine/actions/table.ts';
import { dueOf } from '../../src/engine/core/decide.ts';
import { ending } from '../../src/engine/judge/ending.ts';
import type { Finished } from '../../src/engine/work/job.ts';
import { renderReport } from '../../src/engine/render/report.ts';
import { guardedText } from '../../src/engine/render/suite-words.ts';
import type { State } from '../../src/engine/state/state.ts';
import { toolsNamed } from '../../src/engine/tools/registry.ts';
import { ToolError } from '../../src/engine/tools/tool.ts';
import { isCheck, suiteProblem } from '../../src/engine/parse/suite-command.ts';
import { isBroken, trustOf } from '../../src/engine/judge/trust.ts';
import type { Suite } from '../../src/engine/work/verification.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import { world, type World } from '../support/fakes.ts';
import { changed, nameOf, refOf, Story } from './support/events.ts';
import * as p from './support/parts.ts';
import { play, staged } from './support/play.ts';

const suite = { name: 'unit', command: 'npm test', files: ['test/**'] };
const files = { 'total.sh': 'before', 'test/a.sh': 'test, before', 'test/b.sh': 'other test, before' };
const guarding = (without: string[] = []): Suite => p.suite({ script: refOf('suite'), files: suite.files, without });
const found = (story = p.planned()): Story =>
  story.said({ fact: 'context.discovered', context: { ...must(story.state.work.context), suites: [suite] } });
const tried = (without: string[] = [], used = true): Fact => ({
  fact: 'suite.tried',
  tried: { suite: 'unit', without, used, why: 'so it was' },
});
const guarded = (): Story => found().act('characterise', { fact: 'verification.written', verification: guarding() }, tried());
const retired = (...paths: string[]): Fact => ({
  fact: 'test.retired',
  retired: { suite: 'unit', files: paths, requirement: '1', why: 'the total has cents now' },
});

function must<T>(value: T | null | undefined): T {
  assert.ok(value);
  return value;
}

/** Runs the row on a sprint whose builder has weakened a test in the open change. */
async function run(story: Story, decide: (files: Record<string, string>, w: World) => Partial<Finished>) {
  const w = await staged(world({ files }), story.begin('characterise', 'unit', ['base/unit']));
  w.repo.files['test/a.sh'] = 'weaker';
  w.runner.decide = (at) => decide(at, w);
  const facts = await characterise.run('unit', play(w).context);
  return { w, facts, names: facts.map((f) => f.fact) };
}
const why = (facts: Fact[]): unknown => facts.flatMap((f) => (f.fact === 'suite.tried' ? [[f.tried.used, f.tried.why]] : []))[0];

describe('a suite of the repository', () => {
  it('is run twice on the base commit, and becomes a verification without a requirement', async () => {
    const { w, facts, names } = await run(found(), (at) => (at['test/a.sh'] === 'test, before' ? { duration: 40_000 } : { exit: 1 }));
    assert.deepEqual(names, ['verification.written', 'verification.ran', 'verification.ran', 'suite.tried']);
    const [written, ...ran] = facts;
    assert.ok(written?.fact === 'verification.written');
    const text = "# The repository's own suite unit, with its test files as they were before the sprint.\nnpm test\n";
    assert.deepEqual(written.verification, { ...guarding(), script: refOf(text), timeout: 120 });
    assert.equal(await w.payloads.get(refOf(text)), text);
    assert.ok(
      w.runner.jobs.every(({ colours }) => colours),
      'as on a CI system',
    );
    assert.deepEqual(
      ran.flatMap((f) => (f.fact === 'verification.ran' ? [[f.run.n, f.run.where, f.run.code]] : [])),
      [
        [1, 'revert', null],
        [2, 'revert', null],
      ],
    );
    assert.deepEqual(why(facts), [true, 'it is green on the base commit']);
  });

  it('is run once more there where the machine kept one run from a result, without another decision', async () => {
    let n = 0;
    // A run beside others and two looks alone.
    const { facts } = await run(found(), () => (n++ < 3 ? { exit: null, stopped: 'slow' } : {}));
    const verdicts = facts.flatMap((f) => (f.fact === 'verification.ran' ? [f.run.verdict] : []));
    assert.deepEqual(
      [verdicts, why(facts)],
      [
        ['none', 'green', 'green'],
        [true, 'it is green on the base commit'],
      ],
    );
    const never = await run(found(), () => ({ exit: null, stopped: 'slow' }));
    assert.deepEqual(never.names, ['verification.ran', 'verification.ran']);
  });

  it('waits for an install that fails, and the person is asked; it is tried once that can be made', async () => {
    const ended = (exit: number): Fact => ({
      fact: 'install.ran',
      installed: {
        install: { manager: 'npm', folder: '', flags: [] },
        declared: refOf('manifest'),
        exit,
        output: refOf('log'),
        excerpt: '',
        duration: 1,
        at: 0,
      },
    });
    const failing = (): Story => found().said(ended(1));
    const { facts, names } = await run(failing(), () => ({ exit: 1 }));
    assert.deepEqual(names, ['verification.ran', 'verification.ran', 'human-action.asked']);
    const story = failing().act('characterise', ...facts);
    const due = (): unknown => characterise.due(story.state).map(({ target }) => target);
    assert.deepEqual(due(), []);
    story.said(ended(0));
    assert.deepEqual(due(), ['unit']);
  });

  const unused: [string, () => (at: Record<string, string>) => Partial<Finished>, Story, RegExp][] = [
    [
      'is red there',
      () => () => ({ exit: 1, output: 'expected 1, got 2' }),
      found(),
      /^it is red on the base commit: .*\nexpected 1, got 2/,
    ],
    [
      'lacks its command',
      () => () => ({ exit: 127, output: 'sh: mypy: command not found' }),
      found(),
      /^it did not run, since a command of it is not there: .*\nsh: mypy: command not found/,
    ],
    [
      'is flaky there',
      () => {
        let n = 0;
        return () => (n++ === 0 ? {} : { exit: 1 });
      },
      found(),
      /^it is flaky on the base commit$/,
    ],
    [
      'has no file there',
      () => () => ({}),
      found().said({
        fact: 'context.discovered',
        context: { ...must(p.planned().state.work.context), suites: [{ ...suite, files: ['spec/**'] }] },
      }),
      /^the base commit has none/,
    ],
    ['has no test left', () => () => ({}), found().said(retired('test/a.sh', 'test/b.sh')), /^all of its tests are retired$/],
  ];
  for (const [what, decide, story, reason] of unused)
    it(`is noted and not used where it ${what}`, async () => {
      const { facts, names } = await run(story, decide());
      assert.ok(!names.includes('verification.written'));
      const [used, told] = why(facts) as [boolean, string];
      assert.equal(used, false);
      assert.match(told, reason);
      assert.deepEqual(characterise.due(story.end(...facts).state), [], 'once');
    });

  const jest = (file: string, named = 1): string =>
    `FAIL ${file}\n  ● adds\n\n    it is 3\n\nTest Suites: 1 failed, 1 passed, 2 total\nTests:       ${named} failed, 1 passed, 2 total\n`;

  const passed = 'PASS test/a.sh\nTest Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\n';

  it('guards without the test files that were not green there, and this is told', async () => {
    const { facts } = await run(found(), (at) =>
      at['test/b.sh'] === undefined ? { output: passed } : { exit: 1, output: jest('test/b.sh') },
    );
    const [written, ...ran] = facts;
    assert.ok(written?.fact === 'verification.written' && written.verification.kind === 'suite');
    assert.deepEqual([written.verification.without, written.verification.redAtBase], [[], ['test/b.sh']]);
    assert.deepEqual(
      ran.flatMap((f) => (f.fact === 'verification.ran' ? [[f.run.n, f.run.verdict]] : [])),
      [
        [1, 'red'],
        [2, 'green'],
        [3, 'green'],
      ],
    );
    assert.deepEqual(why(facts), [true, 'it is green on the base commit without test/b.sh']);
    const story = found().act('characterise', ...facts);
    assert.deepEqual(characterise.due(story.state), []);
    assert.match(
      renderReport(story.state),
      /: guards against regression, .*\n {2}- test\/b\.sh is left out: it was not green before the sprint\n/,
    );
    assert.match(guardedText(story.state), /\n {2}- not green before the sprint, so nothing is judged by them: test\/b\.sh$/);
  });

  it('leaves out what is flaky there, too', async () => {
    let n = 0;
    const { facts } = await run(found(), (at) =>
      at['test/b.sh'] === undefined || n++ === 0 ? { output: passed } : { exit: 1, output: jest('test/b.sh') },
    );
    assert.deepEqual(why(facts), [true, 'it is green on the base commit without test/b.sh']);
  });

  it('guards nothing where a failure is in no test file, or is not named, or nothing is left', async () => {
    for (const output of [jest('total.sh'), jest('test/b.sh', 2), `${jest('test/b.sh')}${jest('test/a.sh')}`]) {
      const { facts, w } = await run(found(), () => ({ exit: 1, output }));
      assert.deepEqual([w.runner.jobs.length, (why(facts) as [boolean])[0]], [1, false], output);
    }
  });

  it('guards nothing where no test is left without them, and tells the red of the whole', async () => {
    const { facts } = await run(found(), (at) => (at['test/b.sh'] === undefined ? {} : { exit: 1, output: jest('test/b.sh') }));
    assert.deepEqual(
      facts.map(({ fact }) => fact),
      ['verification.ran', 'verification.ran', 'verification.ran', 'suite.tried'],
    );
    assert.match((why(facts) as [boolean, string])[1], /^it is red on the base commit: /);
  });

  it('names its files from the repository’s root, also where it runs in a folder', async () => {
    const inFolder = found().said({
      fact: 'context.discovered',
      context: { ...must(p.planned().state.work.context), suites: [{ ...suite, command: 'cd test && npm test' }] },
    });
    const { facts } = await run(inFolder, (at) => (at['test/b.sh'] === undefined ? { output: passed } : { exit: 1, output: jest('b.sh') }));
    assert.deepEqual(why(facts), [true, 'it is green on the base commit without test/b.sh']);
  });

  it('loses no file that guarded where it is only declared anew', async () => {
    const declared = { suites: [{ ...suite, command: 'npm run test' }] };
    const anew = guarded().act('course-correct', { fact: 'context.amended', declared, why: 'it is called otherwise', by: 'QC' });
    const { facts } = await run(anew, (at) =>
      at['test/b.sh'] === undefined ? { output: passed } : { exit: 1, output: jest('test/b.sh') },
    );
    assert.deepEqual(
      facts.map(({ fact }) => fact),
      ['verification.ran', 'suite.tried'],
    );
    assert.match((why(facts) as [boolean, string])[1], /as it is declared now; it guards as before$/);
    const { state } = anew.act('characterise', ...facts);
    assert.match(guardedText(state), /^- suite\/unit, tests:[^\n]*$/, 'nobody is told that it guards nothing');
    assert.match(renderReport(state), /guards against regression, [^\n]*it guards as before/);
    assert.doesNotMatch(renderReport(state), /guarded nothing/);
  });

  it('is tried again without what was retired, and guards no more where that is red', async () => {
    const story = guarded().act('write-verifications', retired('test/b.sh'));
    assert.deepEqual(
      characterise.due(story.state).map((d) => [d.target, d.burns.map(nameOf)]),
      [['unit', ['base/unit']]],
    );
    const { facts, w } = await run(story, (at) => (at['test/b.sh'] === undefined ? { exit: 1 } : {}));
    assert.equal(w.runner.jobs.length, 1);
    assert.deepEqual(
      facts.map((f) => f.fact),
      ['verification.ran', 'verification.retired', 'suite.tried'],
    );
    assert.deepEqual(story.end(...facts).state.work.retired, ['suite/unit']);
  });

  it('is due until its runs on the base are used up, and not before the work is qualified', () => {
    const retire = (n: number): Fact => retired(`test/${n}.sh`);
    const story = found();
    for (const n of [1, 2, 3]) {
      assert.equal(characterise.due(story.state).length, 1);
      story.begin('characterise', 'unit', ['base/unit']).end(tried(n > 1 ? [1, 2].slice(0, n - 1).map((i) => `test/${i}.sh`) : []));
      story.act('write-verifications', retire(n));
    }
    assert.deepEqual(characterise.due(story.state), []);
    assert.deepEqual(
      dueOf(
        characterise,
        found(new Story().act('discovery', { fact: 'context.discovered', context: must(p.planned().state.work.context) })).state,
      ),
      [],
    );
  });

  it('runs on the change that is judged with its own tests, in a checkout of its own', async () => {
    const story = guarded().begin('run-verifications', '', [`run/suite/unit@0/${guarding().script.slice(0, 8)}`]);
    const w = await staged(world({ files }), story);
    await w.payloads.put('suite');
    Object.assign(w.repo.files, { 'total.sh': 'now', 'test/a.sh': 'weaker', 'test/new.sh': 'new' });
    const seen: Record<string, string>[] = [];
    w.runner.decide = (at) => (seen.push({ ...at }), {});
    const [fact] = await runVerificationsAction.run('', play(w).context);
    assert.deepEqual(seen, [{ ...files, 'total.sh': 'now' }]);
    assert.notEqual(w.runner.jobs[0]?.at, 'worktree');
    assert.ok(fact?.fact === 'verification.ran' && fact.run.verdict === 'green' && fact.run.code === 0);
  });

  it('runs again on this code once its tests changed', () => {
    const story = guarded().act('run-verifications', {
      fact: 'verification.ran',
      run: p.run({ verification: 'suite/unit', lineage: 'suite/unit', script: refOf('suite') }),
    });
    assert.deepEqual(actions['run-verifications'].due(story.state), []);
    const script = refOf('suite without b');
    const base = p.run({ verification: 'suite/unit', lineage: 'suite/unit', script, where: 'revert', code: null });
    story.act(
      'characterise',
      { fact: 'verification.written', verification: { ...guarding(['test/b.sh']), script } },
      { fact: 'verification.ran', run: base },
    );
    assert.equal(actions['run-verifications'].due(story.state).length, 1);
  });
});

describe('what a suite counts for', () => {
  const green = (state: State): State =>
    changed(state, (s) => {
      s.work.verifications['suite/unit'] = guarding();
      s.work.results['suite/unit'] = { code: s.work.tree.code, verdict: 'green', signature: '', n: 1 };
      const { id: verification, lineage, script } = guarding();
      s.ledger.runs[lineage] = [p.run({ verification, lineage, script, where: 'clean', code: s.work.tree.code })];
    });

  it('is nothing by itself: it is not trusted, and a sprint with no more than that failed', () => {
    const state = green(
      changed(p.delivered().state, (s) => {
        s.work.verifications = {};
        s.work.results = {};
      }),
    );
    assert.deepEqual(trustOf(state, guarding()), {
      trusted: false,
      why: 'it guards what was there before the sprint, and proves no requirement',
    });
    assert.equal(ending(state).stop, 'failed');
    assert.deepEqual(actions.prove.due(state), []);
    assert.deepEqual(
      actions.final.due(changed(state, (s) => void (s.ledger.assessments.cleanRuns = []))),
      [],
      'no final look at a sprint without a verification',
    );
  });

  it('is nothing that a mutant could prove', () => {
    const [offer] = toolsNamed(['offer_mutant']);
    assert.ok(offer?.kind === 'report');
    const fault = { path: 'total.sh', old_string: 'a', new_string: 'b', why: 'too much would be charged' };
    const input = { verification: 'suite/unit', ...fault };
    const on = { state: guarded().state, target: '', step: 's9', kept: '' };
    assert.throws(() => offer.handle(input, on), new ToolError('There is no verification suite/unit.'));
  });

  it('is a reason against `delivered` when it is red, and a fixer is asked', () => {
    const whole = green(p.delivered().state);
    assert.equal(ending(whole).stop, 'delivered');
    const red = changed(whole, (s) => {
      Object.assign(s.work.results['suite/unit'] ?? {}, { verdict: 'red' });
    });
    assert.deepEqual(ending(red), { stop: 'partial', reasons: ['Verification suite/unit is not green.'] });
    assert.equal(isBroken(red, guarding()), true);
    assert.deepEqual(
      actions.fix.due(red).map((d) => d.target),
      ['suite/unit'],
    );
  });
});

describe('a suite in the way of the work', () => {
  const change = p.change();
  const broke = (story: Story, task = 'T1'): Story => {
    const author = { kind: 'task' as const, task };
    story.begin('execute', task).end({ fact: 'tree.changed', change: { ...change, author } });
    return story.act('settle', {
      fact: 'tree.undone',
      change: { ...change, author },
      why: 'it broke suite/unit',
      broke: ['suite/unit'],
    });
  };
  const due = ({ state }: Story): string[] =>
    actions['write-verifications']
      .due(state)
      .filter((d) => d.target !== 'plan')
      .map((d) => d.why);

  it('is shown to QC once for each task that it took back, as often as QC may look', () => {
    const story = broke(guarded());
    assert.deepEqual(due(story), ['T1 broke suite/unit, and was taken back']);
    story.begin('write-verifications', 'suite/unit', ['rewrite/suite/unit']).end();
    assert.deepEqual(due(story), []);
    assert.deepEqual(due(broke(story)), [], 'the same task again');
    assert.equal(due(broke(story, 'T2')).length, 1);
  });

  it('is shown to QC once for fixes of a verification that turned it green and broke the suite', () => {
    const fixed = (story: Story, n: number): Story => {
      story.begin('fix', 'value/total');
      const step = story.state.open?.id ?? '';
      const fix = p.change({ n: story.state.ledger.changes + 1, author: p.byFix, step });
      const report = { ...p.byFix, signature: 'x', fixApplied: 'x', filesChanged: [], reasoning: 'x', answer: { kind: 'fixed' as const } };
      const facts: Fact[] = [
        { fact: 'fix.reported', step, report },
        { fact: 'tree.changed', change: fix },
      ];
      return story
        .end(...facts)
        .act(
          'settle',
          { fact: 'verification.ran', run: p.run({ n, code: null }) },
          { fact: 'tree.undone', change: fix, why: 'it broke suite/unit', broke: ['suite/unit'] },
        );
    };
    const written: Fact = { fact: 'verification.written', verification: p.verification() };
    const story = fixed(guarded().act('write-verifications', written), 1);
    assert.deepEqual(due(story), ['fix of value/total broke suite/unit, and was taken back']);
    story.begin('write-verifications', 'suite/unit', ['rewrite/suite/unit']).end();
    assert.deepEqual(due(fixed(story, 2)), [], 'another fix of it');
  });

  it('is none of its business where another verification broke, or a fix that did not mend its own', () => {
    const story = guarded().act('settle', { fact: 'tree.undone', change, why: 'x', broke: ['value/total'] });
    story.act('settle', { fact: 'tree.undone', change: { ...change, author: p.byFix }, why: 'x', broke: ['suite/unit'] });
    assert.deepEqual(due(story), []);
  });
});

describe('retire_test', () => {
  const [tool] = toolsNamed(['retire_test']);
  const input = { suite: 'suite/unit', files: ['test/b.sh'], requirement: '§1', why: 'the total has cents now' };
  const handle = (story: Story, over: Partial<typeof input> = {}) => {
    assert.ok(tool?.kind === 'report');
    return tool.handle(tool.input.parse({ ...input, ...over }), { state: story.state, target: '', step: 's9', kept: '' });
  };

  it('takes tests out for a requirement; report and prompts say so', () => {
    const { facts } = handle(guarded());
    assert.deepEqual(facts, [retired('test/b.sh')]);
    const { state } = guarded().act('write-verifications', ...facts);
    assert.match(
      renderReport(state),
      /- unit \(`npm test`\): guards against regression, not run since\n {2}- test\/b\.sh retired by QC, because requirement 1 contradicts it: the total has cents now\n/,
    );
    assert.equal(
      guardedText(state),
      '- suite/unit, tests: `npm test` (test/**)\n  - retired, since a requirement contradicts them: test/b.sh',
    );
    assert.equal(guardedText(found().state), 'None.');
    const red = { suite: 'unit', without: [], used: false, why: 'it is red: 2 of 5 cases failed' };
    assert.equal(
      guardedText(found().act('characterise', { fact: 'suite.tried', tried: red }).state),
      '- `npm test` (test/**) guards nothing: it is red: 2 of 5 cases failed',
    );
  });

  const refusals: [string, Story, RegExp, Partial<typeof input>?][] = [
    ['without a requirement that there is', guarded(), /there is no requirement 9/, { requirement: '9' }],
    ['of a verification that is no suite', p.awaiting(), /There is no suite value\/total/, { suite: 'value/total' }],
    ['twice', guarded().act('write-verifications', retired('test/b.sh')), /retired already/],
    [
      'when no run on the base is left to confirm the rest',
      guarded().begin('characterise', 'unit', ['base/unit', 'base/unit', 'base/unit']).end(),
      /as often as they may be/,
    ],
  ];
  for (const [what, story, message, over] of refusals)
    it(`takes none ${what}`, () => {
      assert.throws(
        () => handle(story, over),
        (error) => error instanceof ToolError && message.test(error.message),
      );
    });

  it('keeps to the suite that its session is about', () => {
    const other = { ...guarding(), id: 'suite/other', lineage: 'suite/other' };
    const story = guarded().act('characterise', { fact: 'verification.written', verification: other });
    assert.ok(tool?.kind === 'report');
    const on = { state: story.state, step: 's9', kept: '' };
    assert.throws(() => tool.handle(input, { ...on, target: 'suite/other' }), new ToolError('This session is about suite/other.'));
    assert.equal(tool.handle(input, { ...on, target: 'suite/unit' }).facts.length, 1);
  });

  it('takes none that was not there before the sprint', async () => {
    const w = await staged(world({ files }), guarded());
    w.repo.files['test/new.sh'] = 'new';
    assert.ok(tool?.kind === 'report' && tool.look);
    await tool.look(input, { state: play(w).kernel.state, ports: w.ports });
    const gone = tool.look({ ...input, files: ['test/b.sh', 'test/new.sh'] }, { state: play(w).kernel.state, ports: w.ports });
    await assert.rejects(gone, new ToolError('test/new.sh was no test file of suite/unit before the sprint.'));
  });

  it('is the only way: write_verification takes no place of a suite', () => {
    const [write] = toolsNamed(['write_verification']);
    assert.ok(write?.kind === 'report');
    const content = '# TEST: adds\n# PRD: 1\n# RED: wrong total\n';
    for (const call of [
      { path: 'suite/unit.sh', content },
      { path: 'value/sum.sh', content, replaces: 'suite/unit' },
    ])
      assert.throws(() => write.handle(call, { state: guarded().state, target: '', step: 's9', kept: refOf('kept') }), ToolError);
  });
});

describe('a suite that discovery reports', () => {
  const commands = [
    'npm test',
    'npm run test:unit',
    'pnpm test',
    'node --test',
    'node --test test/unit',
    'npx vitest run',
    'npx jest src',
    'pytest',
    'python3 -m pytest -q tests',
    'uv run pytest',
    'python -m unittest discover',
    'go test ./...',
    'cargo test',
    'bundle exec rspec',
    'pytest -x -q tests',
    'cd web && npm test',
    'mvn -B test',
    './gradlew --quiet check',
    'dotnet test --no-restore',
    'make test',
    'make lint',
    'go test -v ./...',
    'npm run lint',
    'npx --no-install tsc --noEmit -p .',
    'npx tsc -b',
    'flake8 --exclude=build --ignore=E501,F403 .',
    'python -m mypy',
    'uv run ruff check src tests',
    'go vet ./...',
    'mypy && flake8 slugify/ setup.py test.py',
    'npm run lint && npx tsc --noEmit',
    'cd web && npx eslint . --max-warnings 0',
    'npx xo',
    'npx tsd && npx ava',
    'deno fmt --check',
    'pnpm lint',
    'pnpm test:types',
    'pnpm build',
    'pnpm vitest run',
    'pnpm exec eslint .',
    'pnpm -r test',
    'pnpm --filter web lint',
    'yarn typecheck',
    'yarn workspace web test',
    'bun run lint',
    'bunx vitest run',
    'npm run lint -w web',
    'npx oxfmt --check . && npx tsgo --noEmit',
    'npx prettier --check "src/**/*.{ts,tsx}"',
    'node --test "test/**/*.test.js"',
    'node --import tsx --test test',
    'tox -e py311',
    'nox -s tests',
    'hatch run lint:style',
    'uv run --group dev mypy src',
    'uv run python -m pytest -q',
    'pytest -m "not network" -n auto',
    'python manage.py test',
    'go test -race -count=1 ./...',
    'cargo test --all-features --locked',
    'cargo clippy --all-targets -- -D warnings',
    'cargo nextest run --workspace',
    'just test',
    'rake spec',
    'composer check-style',
    'mix format --check-formatted',
    './mvnw -B -ntp verify',
    'npx turbo run lint test',
    'npx nx run-many -t test',
    'npm --prefix web test',
    'pnpm --filter @acme/build-tools test',
    'bundle exec rake',
    'bin/rails test',
    'php artisan test',
    './vendor/bin/phpunit tests',
    './gradlew :app:test --no-daemon',
    'mvn clean verify',
    'dotnet test Shop.sln',
    'npx jest --ci',
    'make test-unit',
    './gradlew build',
    'mvn -B package --file pom.xml',
    'npm test -- --watchAll=false',
    'npx vitest --run --watch=false',
  ];
  for (const command of commands) it(`may be run by ${command}`, () => assert.equal(suiteProblem({ ...suite, command }), undefined));
  const no = [
    'npm test; id',
    'npm test && id',
    'npm install',
    'node --test --import ./x.mjs',
    'pytest -p evil',
    'sh -c id',
    'go test ./... -exec x',
    'curl x',
    'npm test\nid',
    'make',
    'make install',
    'cd ../x && npm test',
    'cd /etc && npm test',
    'cd web && npm test && id',
    'cd web && cd x && id',
    'mvn test -Dexec=x',
    './gradlew run',
    'npx eslint . --fix',
    'coverage run -m pytest test.py && coverage report --fail-under=97',
    'ruff check --fix .',
    'prettier --write .',
    'shellcheck -i x; id',
    'npx tsc -w',
    'npx ava --update-snapshots',
    'npx jest --watchAll',
    'npx jest --watch=true',
    'npx tsd -u',
    'pnpm install',
    'pnpm exec rm',
    'pnpm publish',
    'yarn add jest',
    'npm lint',
    'npm exec -- curl x',
    'node --import ./x.mjs --test',
    'node -e test',
    'pytest --cov=src --cov-fail-under=90',
    'npx vitest',
    'npx prettier .',
    'npx jest $(id)',
    'npx jest "$HOME"',
    'python manage.py migrate',
    'uv run python -c test',
    'cargo fmt',
    'npm --prefix test install',
    'pnpm --filter lint exec',
    '',
  ];
  for (const command of no)
    it(`may not be run by ${JSON.stringify(command)}`, () =>
      assert.match(suiteProblem({ ...suite, command }) ?? '', /is not a plain command for tests or a check/));

  it('is a check where it looks at the text of the work or builds it, and nothing else', () => {
    const isCheckOf = (command: string): boolean => isCheck({ command });
    for (const command of [
      'pnpm lint',
      'npm run build',
      'pnpm test:types',
      'cd web && npx tsc --noEmit',
      'mypy && flake8 src',
      'mvn compile',
      'make lint types',
      './gradlew build -x test',
      'gradle build --exclude-task :api:test',
      'npx nx lint shop-e2e',
    ])
      assert.ok(isCheckOf(command), command);
    for (const command of ['pnpm test', 'npm run check', 'npm run lint && npm test', 'pnpm --filter @acme/build-tools test', 'sh lint'])
      assert.ok(!isCheckOf(command), command);
    for (const command of [
      './gradlew build',
      'mvn -B package',
      'mvn compile test',
      'gradle lint test',
      'make lint test',
      'npx turbo run lint test',
      'npx nx run-many -t lint test',
      'gradle build -x lint',
    ])
      assert.ok(!isCheckOf(command), command);
  });

  it('is a check by what the script of package.json runs, whatever its name is', () => {
    const scripts = {
      check: 'npm run check:type && npm run check:lint',
      'check:type': 'tsd && tsc -p .',
      'check:lint': 'eslint .',
      lint: 'node scripts/lint.js',
      build: 'tsc && node --test',
      round: 'npm run round',
      test: 'npm run lint && npm run own',
      own: 'cross-env CI=1 jest',
      types: 'tsc -p .',
      posttypes: 'node --test',
    };
    const isCheckWith = (command: string): boolean => isCheck({ command }, scripts);
    assert.deepEqual(['npm run check', 'cd web && pnpm check', 'yarn lint'].filter(isCheckWith), [
      'npm run check',
      'cd web && pnpm check',
      'yarn lint',
    ]);
    assert.deepEqual(
      ['npm run build', 'npm run round', 'npm run check -- x', 'npm run toString', 'npm test', 'npm run types', 'bun test'].filter(
        isCheckWith,
      ),
      [],
    );
  });

  it('names the script that runs it among its files', () => {
    assert.equal(suiteProblem({ name: 'unit', command: 'sh test/run.sh', files: ['test/run.sh', 'test/**'] }), undefined);
    assert.equal(suiteProblem({ name: 'unit', command: './check', files: ['check'] }), undefined);
    assert.match(suiteProblem({ name: 'unit', command: './vendor/bin/own', files: ['test/**'] }) ?? '', /bin\/own runs it/);
    assert.equal(suiteProblem({ name: 'unit', command: 'cd web && sh test/run.sh', files: ['web/test/run.sh'] }), undefined);
    assert.match(
      suiteProblem({ name: 'unit', command: 'sh test/run.sh', files: ['test/**'] }) ?? '',
      /: test\/run\.sh runs it and is not among its files/,
    );
  });

  for (const glob of ['**', '*', 'src/**', '/test/**', '../test/**', 'test/$(id)', '{test,{a,b}}/{c,d}{e,f}', '{test,a,b,c,d,e,f,g,h}'])
    it(`does not guard ${glob}`, () => assert.match(suiteProblem({ ...suite, files: [glob] }) ?? '', /is no glob of test files/));
  for (const glob of ['test/**', '**/*.test.{js,ts}', 'tests/test_*.py', '**/*_test.go', 'spec/**', 'test/data.json'])
    it(`guards ${glob}`, () => assert.equal(suiteProblem({ ...suite, files: [glob] }), undefined));

  it('is in the context, and left out with what is wrong', () => {
    const [tool] = toolsNamed(['report_discovery']);
    assert.ok(tool?.kind === 'report');
    const least = { deliverable_type: 'software', project_type: 'cli', codebase_state: 'brownfield', value_proofs: ['It adds'] };
    const call = (...suites: object[]) =>
      tool.handle(tool.input.parse({ ...least, suites }), { state: new Story().state, target: '', step: 's1', kept: '' });
    const [fact] = call(suite).facts;
    assert.ok(fact?.fact === 'context.discovered');
    assert.deepEqual(fact.context.suites, [suite]);
    const { text, facts } = call({ ...suite, command: 'make' });
    assert.match(renderReport(new Story().act('discovery', ...facts).state), /- Not taken\. Suite unit: "make" is not a plain command/);
    assert.match(text, /Left out\. Suite unit: "make" is not a plain command/);
    assert.equal(tool.input.safeParse({ ...least, suites: [{ ...suite, name: 'a/b' }] }).success, false);
  });
});
