/** The repository's own suite guards a sprint in existing code, with real git and the real sandbox. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { State } from '../../src/engine/state/state.ts';
import { trustOf } from '../../src/engine/judge/trust.ts';
import { finishSprint } from '../../src/host/finish-sprint.ts';
import { verifySprint } from '../../src/host/verify-sprint.ts';
import { approvesDocuments, build, honest, type Session, withSessions } from '../support/greeter.ts';
import { ground, run, write, type Ground } from '../support/sprint.ts';
import { requirementsOf } from '../../src/engine/work/verification.ts';

const shoutTest = `const { test } = require('node:test');
const assert = require('node:assert');
test('shouts', () => assert.equal(require('../shout.js').shout('hey'), 'HEY!'));
`;
const emptyTest = `const { test } = require('node:test');
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
test('says what it was given', () => assert.equal(String(execFileSync('sh', ['greet.sh'])), 'Hi, !\\n'));
`;
const files = {
  'package.json': '{ "name": "greeter", "scripts": { "test": "node --test" } }\n',
  'greet.sh': 'name="$1"\necho "Hi, $name!"\n',
  'shout.js': "exports.shout = (word) => word.toUpperCase() + '!';\n",
  'test/shout.test.js': shoutTest,
};

const brownfield = (suite: { command: string; files?: string[] }, ...sessions: Session[]): Session[] => {
  const discovery = honest.find((s) => s.purpose === 'discovery/');
  const report = {
    deliverable_type: 'software',
    project_type: 'cli',
    codebase_state: 'brownfield',
    value_proofs: ['a person is greeted by their name'],
  };
  assert.ok(discovery);
  return withSessions(
    ...sessions,
    {
      ...discovery,
      turns: [
        { calls: [{ report_discovery: { ...report, suites: [{ name: 'unit', files: ['test/**'], ...suite }] } }, approvesDocuments()] },
      ],
    },
    build('T1', { edit_file: { path: 'greet.sh', old_string: 'Hi', new_string: 'Hello' } }),
    build('T2', works),
  );
};
const works = { edit_file: { path: 'greet.sh', old_string: '$1', new_string: '${1:-world}' } };
const breaks = { write_file: { path: 'shout.js', content: "exports.shout = (word) => word + '!';\n" } };
const first = (...calls: Record<string, unknown>[]): Session => ({ ...build('T2', ...calls), purpose: 'execute/T2#1' });
const review = (call: Record<string, unknown>): Session => ({
  role: 'qc',
  purpose: 'write-verifications/suite/unit',
  turns: [{ calls: [call], repeat: true }],
});
const upheld = review({ uphold_verification: { why: 'nothing in the PRD asks that a shout is no shout any more' } });

const report = ({ sprintDir }: Ground): Promise<string> => readFile(join(sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8');
const decisions = ({ ledger }: State): string[] => ledger.decisions.map(({ decision: d }) => `${d.action} ${d.target}`.trim());
const undone = ({ ledger }: State) => ledger.undone.map(({ broke, change }) => [broke, change.files.map((f) => f.path)]);

describe("the repository's own suite in whole sprints", () => {
  let at: Ground;
  afterEach(() => at.dispose());

  it('is green before the sprint, guards it, and proves nothing', async () => {
    const sessions = brownfield({ command: 'node --test' });
    at = await ground(honest, files);
    const { state, ending } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const suite = state.work.verifications['suite/unit'];
    assert.ok(suite?.kind === 'suite');
    assert.equal(trustOf(state, suite).trusted, false);
    assert.deepEqual([requirementsOf(suite), state.work.results['suite/unit']?.verdict], [[], 'green']);
    assert.deepEqual(state.ledger.undone, []);
    const places = state.ledger.runs['suite/unit']?.map((r) => `${r.where} ${r.code ?? '-'}`);
    assert.deepEqual(places, ['revert -', 'revert -', 'tree 0', 'tree 1', 'tree 2', 'tree 3', 'clean 3']);
    assert.match(
      await report(at),
      /## Tests and checks that were there before\n\n- unit \(`node --test`\): guards against regression, green\n/,
    );
  });

  it('runs with the tests of the target branch of a merge, which may have changed', async () => {
    const sessions = brownfield({ command: 'node --test' });
    at = await ground(honest, files);
    await run(at, sessions);
    const theirs = { 'shout.js': files['shout.js'].replace('!', '?'), 'test/shout.test.js': shoutTest.replace('!', '?') };
    await write(at.repo, theirs);
    at.git('commit', '-qm', 'We ask now', '--', ...Object.keys(theirs));
    await finishSprint(at.sprintDir, 'merge');
    assert.equal(at.git('show', 'main:shout.js'), theirs['shout.js']);
    assert.match(at.git('show', 'main:greet.sh'), /Hello/);
  });

  const disguises: { what: string; command: string; call: Record<string, unknown>; changed: string[] }[] = [
    {
      what: 'weakens the test file',
      command: 'node --test',
      call: { write_file: { path: 'test/shout.test.js', content: '' } },
      changed: ['shout.js', 'test/shout.test.js'],
    },
    {
      what: 'moves the test file',
      command: 'node --test',
      call: { bash: { command: 'mv test other' } },
      changed: ['other/shout.test.js', 'shout.js', 'test/shout.test.js'],
    },
    {
      what: 'replaces the test script',
      command: 'npm test',
      call: { write_file: { path: 'package.json', content: '{ "scripts": { "test": "exit 0" } }' } },
      changed: ['package.json', 'shout.js'],
    },
  ];
  for (const { what, command, call, changed } of disguises)
    it(`undoes a change that breaks it and ${what}`, async () => {
      const sessions = brownfield({ command }, first(breaks, call), upheld);
      at = await ground(honest, files);
      const { state, ending } = await run(at, sessions);
      assert.deepEqual(undone(state), [[['suite/unit'], changed]]);
      assert.deepEqual(ending, { stop: 'delivered', reasons: [] }, 'the second attempt leaves the tests alone');
      const order = decisions(state);
      const settled = order.indexOf('settle 2');
      assert.deepEqual(order.slice(settled + 1, settled + 3), ['write-verifications suite/unit', 'execute T2'], 'QC is asked once');
      assert.equal(at.git('show', `${state.opened.branch}:shout.js`), files['shout.js']);
    });

  it('loses a test only where QC retires it and names the requirement, which the report says', async () => {
    const why = 'the PRD asks for the word Hello, the test expects Hi';
    const retire = { retire_test: { suite: 'suite/unit', files: ['test/empty.test.js'], requirement: '1.1', why } };
    const sessions = brownfield({ command: 'node --test' }, review(retire));
    at = await ground(honest, { ...files, 'test/empty.test.js': emptyTest });
    const { state, ending } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(undone(state), [[['suite/unit'], ['greet.sh']]]);
    const order = decisions(state);
    const asked = order.indexOf('write-verifications suite/unit');
    assert.deepEqual(order.slice(asked, asked + 4), [
      'write-verifications suite/unit',
      'characterise unit',
      'run-verifications',
      'execute T1',
    ]);
    const suite = state.work.verifications['suite/unit'];
    assert.deepEqual(suite?.kind === 'suite' && suite.without, ['test/empty.test.js']);
    const line = `  - test/empty.test.js retired by QC, because requirement 1.1 contradicts it: ${why}\n`;
    assert.ok((await report(at)).includes(line));
    const { signal } = new AbortController();
    const [alone] = await verifySprint({ sprintDir: at.sprintDir, only: ['suite/unit'], signal });
    assert.ok(alone?.verdict === 'green', 'a run by hand leaves out the retired test too');
  });

  it('that is a check is mended where work breaks it, and no work is taken back for it', async () => {
    const lint = { 'package.json': '{ "name": "greeter", "scripts": { "lint": "! grep TODO greet.sh" } }\n', 'lint.md': 'No TODO.\n' };
    const todo = { edit_file: { path: 'greet.sh', old_string: 'name="$1"', new_string: '# TODO\nname="$1"' } };
    const done = { edit_file: { path: 'greet.sh', old_string: '# TODO\n', new_string: '' } };
    const told = { fix_applied: 'took the note out', files_changed: ['greet.sh'], reasoning: 'the project wants none' };
    const mender: Session = { role: 'fixer', purpose: 'fix/suite/unit', turns: [{ calls: [done, { report_fix: told }], repeat: true }] };
    const hello = { edit_file: { path: 'greet.sh', old_string: 'Hi', new_string: 'Hello' } };
    const sessions = brownfield(
      { command: 'npm run lint', files: ['lint.md'] },
      { ...build('T1', todo, hello), purpose: 'execute/T1#1' },
      mender,
    );
    at = await ground(honest, { ...files, ...lint });
    const { state, ending } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(undone(state), []);
    const order = decisions(state);
    assert.ok(order.includes('fix suite/unit') && !order.includes('write-verifications suite/unit'), order.join(', '));
    assert.doesNotMatch(at.git('show', `${state.opened.branch}:greet.sh`), /TODO/);
  });

  it('is a check of the work, not of how the documents of the sprint are laid out', async () => {
    const lint = "! grep -rIl '^# ' --include='*.md' . && grep -qP '^\\t' package.json";
    const script = { 'package.json': `${JSON.stringify({ name: 'greeter', scripts: { lint } }, null, '\t')}\n`, 'lint.cfg': '' };
    const sessions = brownfield({ command: 'npm run lint', files: ['lint.cfg'] });
    at = await ground(honest, { ...files, ...script });
    const { state, ending } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.equal(state.work.results['suite/unit']?.verdict, 'green', state.ledger.suites.tried[0]?.why);
  });

  it('keeps the sprint’s own verifications off the branch where they would break it, and the person is told', async () => {
    const lint = '! grep -rl "RED:" --include="*.sh" sprint greet.sh\n';
    const sessions = brownfield({ command: 'sh test/lint', files: ['test/lint'] });
    at = await ground(honest, { ...files, 'test/lint': lint });
    const { state, ending } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.equal(state.work.results['suite/unit']?.verdict, 'green');
    const told = await report(at);
    assert.match(told, /- suite\/unit is red where this sprint's `verifications` lie in the tree, so the branch has none of them/);
    assert.doesNotMatch(told, /\]\(verifications\//, 'a link to what is not there');
    const paths = at.git('ls-tree', '-r', '--name-only', state.opened.branch).split('\n');
    assert.ok(paths.includes('sprint/DELIVERY_REPORT.md') && !paths.some((path) => path.includes('verifications/')), paths.join());
  });

  it('is reported and not used where it is red before the sprint', async () => {
    const sessions = brownfield({ command: 'sh test/run.sh', files: ['test/run.sh'] });
    at = await ground(honest, { ...files, 'test/run.sh': 'echo "shouts: expected HEY!, got hey"\nexit 1\n' });
    const { state, ending } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.equal(state.work.verifications['suite/unit'], undefined);
    assert.match(await report(at), /Known to be wrong:\*\* These suites of yours guarded nothing: unit\. Why is said below/);
    assert.match(await report(at), /- unit \(`sh test\/run\.sh`\): not used: it is red on the base commit: .*\n?.*expected HEY!/);
  });

  it('is named on the first page where its command could not be taken', async () => {
    at = await ground(honest, files);
    const { ending } = await run(at, brownfield({ command: 'make' }));
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const page = (await report(at)).split('\n## ')[0] ?? '';
    assert.match(page, /Known to be wrong:\*\* Not taken of what discovery found: Suite unit: "make" is not a plain/);
  });
});
