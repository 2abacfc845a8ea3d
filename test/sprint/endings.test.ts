/** Unproven work is never delivered, whatever an agent claims (I7). Each test breaks one thing in an honest sprint. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it, afterEach } from 'mocha';
import { trustOf } from '../../src/engine/judge/trust.ts';
import { InputError } from '../../src/engine/ground/errors.ts';
import type { Event } from '../../src/engine/state/events.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { build, verifications, evaluation, writeVerifications, honest, script, withSessions, type Session } from '../support/greeter.ts';
import { fingerprint } from '../host/git/fingerprint.ts';
import { absent, FakePerson } from '../support/person.ts';
import { ground, ofPerson, run, write, type Ground, type RunOptions } from '../support/sprint.ts';

/** A fixer that gives up. */
const idle: Session = { role: 'fixer', purpose: 'fix/cli/name', turns: [{ text: 'I cannot.', repeat: true }] };

describe('endings of a sprint', () => {
  let at: Ground;
  let fingerprintBefore: Record<string, string>;
  afterEach(async () => {
    const after = await fingerprint(at.repo);
    await at.dispose();
    assert.deepEqual(ofPerson(after), ofPerson(fingerprintBefore), 'the person’s checkout is as it was (I10)');
  });

  async function runToEnd(sessions: readonly Session[], options: RunOptions = {}) {
    at = await ground(sessions);
    fingerprintBefore = await fingerprint(at.repo);
    return run(at, sessions, options);
  }

  it('delivers the honest sprint', async () => {
    const { ending, state } = await runToEnd(honest);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(
      state.ledger.fixes['cli/world']?.map((f) => f.outcome),
      ['kept'],
    );
    assert.equal(state.ledger.humanActions['H1']?.status, 'fulfilled');
  });

  it('begins another sprint in the place of one that is over, and leaves the runs of pipelines where they are', async () => {
    const first = await runToEnd(honest);
    const journal = join(at.sprintDir, '.loop', 'pipelines', 'three', '.loop', 'journal.jsonl');
    await write(dirname(journal), { 'journal.jsonl': 'of a pipeline\n' });
    const second = await run(at, honest);
    assert.notEqual(second.state.opened.branch, first.state.opened.branch);
    assert.equal(readFileSync(journal, 'utf8'), 'of a pipeline\n');
  });

  it('begins no other sprint while the worktree of the one that is over has changes in no commit', async () => {
    const { state } = await runToEnd(honest);
    const worktree = join(state.opened.worktree ?? '', 'worktree', basename(at.repo));
    await write(worktree, { 'mine.md': 'by hand\n', 'node_modules/a.js': 'ignored\n' });
    const isRefused = (error: unknown) => error instanceof InputError && / in no commit: mine\.md\./.test(error.message);
    await assert.rejects(run(at, honest), isRefused);
    assert.equal(readFileSync(join(worktree, 'mine.md'), 'utf8'), 'by hand\n');
    assert.equal((await readSprint(at.sprintDir))?.opened.branch, state.opened.branch);
    at.git('-C', worktree, 'add', 'mine.md');
    at.git('-C', worktree, 'commit', '-q', '-m', 'Mine');
    assert.notEqual((await run(at, honest)).state.opened.branch, state.opened.branch);
    assert.equal(at.git('show', `${state.opened.branch}:mine.md`), 'by hand\n');
  });

  it('does not deliver without any verification or criterion', async () => {
    const lazy = { role: 'qc', purpose: 'write-verifications/*', turns: [{ text: 'All fine.', repeat: true }] };
    const { ending } = await runToEnd(withSessions(lazy));
    assert.equal(ending.stop, 'failed');
    assert.match(ending.reasons.join('\n'), /Requirement 1\.1 .* no verification covers it/);
  });

  it('does not trust a verification that proves nothing, whatever its trick', async () => {
    const saying = (id: string, ids: string, red: string, line: string) => ({
      write_verification: { path: `${id}.sh`, content: `# TEST: x\n# PRD: ${ids}\n# RED: ${red}\n${line}` },
    });
    const unstated = script('cli/unstated', { prd: '1.1, V1', red: 'wrong greeting', command: 'sh greet.sh Ada', expect: 'Hello, Ada!' });
    unstated.write_verification.content = unstated.write_verification.content.replace('echo "wrong greeting', 'echo "some other text');
    const written = [
      saying('cli/passes', '1.1, V1', 'wrong', 'exit 0'),
      saying('cli/exists', '1.1, V1', 'missing', 'test -f greet.sh || { echo missing; exit 1; }'),
      saying('cli/filled', '1.1, V1', 'missing', '[ -s greet.sh ] || { echo missing; exit 1; }'),
      unstated,
      // Another task creates the file.
      saying('cli/world', '1.2', 'missing', 'test -f greet.sh || { echo missing; exit 1; }'),
      verifications.house,
    ];
    const { ending, state } = await runToEnd(withSessions(writeVerifications(...written)));
    assert.equal(ending.stop, 'partial');
    const reasons = ending.reasons.join('\n');
    assert.match(reasons, /Requirement 1\.1 .*cli\/passes is green but not trusted: it stays green when the work it covers is taken out/);
    assert.match(reasons, /Requirement 1\.2 .*cli\/world is green but not trusted/);
    const judged = Object.values(state.work.verifications).map((verification) => {
      const { trusted, why } = trustOf(state, verification);
      return [verification.id, state.work.results[verification.id]?.verdict, trusted || why.split(' ').slice(0, 7).join(' ')];
    });
    const staysGreen = 'it stays green when the work it';
    assert.deepEqual(Object.fromEntries(judged.map(([id, ...rest]) => [id, rest])), {
      'cli/passes': ['green', staysGreen],
      'cli/exists': ['green', staysGreen],
      'cli/filled': ['green', staysGreen],
      'cli/unstated': ['green', 'it fails without the work, but not'],
      'cli/world': ['green', staysGreen],
      'cli/house': ['green', true],
    });
  });

  it('does not deliver with a requirement that nothing covers', async () => {
    const { ending } = await runToEnd(withSessions(writeVerifications(verifications.name, verifications.world)));
    assert.notEqual(ending.stop, 'delivered');
    assert.match(ending.reasons.join('\n'), /Requirement 1\.3 .* no verification covers it/);
  });

  it('does not believe a builder that changed nothing', async () => {
    const { ending, state } = await runToEnd(withSessions(build('T2')));
    assert.notEqual(ending.stop, 'delivered');
    assert.equal(state.work.tasks['T2']?.status, 'pending');
    assert.match(state.work.tasks['T2']?.setback ?? '', /nothing changed/);
  });

  it('does not deliver work whose verification stays red', async () => {
    const wrong = build('T3', { write_file: { path: 'house.js', content: 'console.log("Salute");\n' } });
    const noFix = { role: 'fixer', purpose: 'fix/cli/house', turns: [{ text: 'I cannot.', repeat: true }] };
    const { ending } = await runToEnd([...withSessions(wrong), noFix]);
    assert.equal(ending.stop, 'partial');
    assert.match(ending.reasons.join('\n'), /cli\/house is red/);
  });

  it('does not deliver without an evaluation, or with a rubber stamp', async () => {
    const stamp: Session = {
      ...evaluation,
      turns: [{ calls: [{ report_evaluation: { summary: 'Works great, ship it, everything is perfect!' } }], repeat: true }],
    };
    const { ending, state } = await runToEnd(withSessions(stamp));
    assert.equal(ending.stop, 'partial');
    assert.match(ending.reasons.join('\n'), /was not used as its user would/);
    assert.ok(state.ledger.assessments.evaluations.every((e) => e.fallback));
  });

  it('waits where nobody can be asked, and goes on once somebody can', async () => {
    const first = await runToEnd(honest, { person: absent });
    assert.equal(first.ending.stop, 'waiting');
    const second = await run(at, honest);
    assert.equal(second.ending.stop, 'delivered');
    assert.equal(second.state.ledger.resumes, 1);
  });

  it('stops at the budget and goes on when the person raises it', async () => {
    const first = await runToEnd(honest, { overrides: { budgetTokens: 40_000 } });
    assert.equal(first.ending.stop, 'out-of-budget');
    const second = await run(at, honest, { overrides: { budgetTokens: 5_000_000 } });
    assert.equal(second.ending.stop, 'delivered');
  });

  it('stops when its hours are over, with what was built kept or undone, and goes on when the person raises them', async () => {
    const first = await runToEnd(honest, { overrides: { maxHours: 0.0004 } });
    assert.equal(first.ending.stop, 'out-of-budget');
    assert.match(first.ending.reasons[0] ?? '', /as long as it may/);
    assert.equal(first.state.work.tree.change, null);
    const second = await run(at, honest, { overrides: { maxHours: 2 } });
    assert.equal(second.ending.stop, 'delivered');
    assert.equal(second.state.ledger.budget.hours, 2);
  });

  it('does not accept the commit history as evidence', async () => {
    const counting = script('cli/name', {
      prd: '1.1, V1',
      red: 'wrong greeting',
      command: 'git rev-list --count HEAD',
      expect: '2',
    });
    const { ending } = await runToEnd([...withSessions(writeVerifications(counting, verifications.world, verifications.house)), idle]);
    assert.notEqual(ending.stop, 'delivered');
  });

  it('does not let the work switch a verification off', async () => {
    const python = [
      '# TEST: greets by name',
      '# PRD: 1.1, V1',
      '# RED: wrong greeting',
      'import subprocess, sys',
      "out = subprocess.run(['sh', 'greet.sh', 'Ada'], capture_output=True, text=True).stdout.strip()",
      "sys.exit(0 if out == 'Hello, Ada!' else 'wrong greeting: ' + out)",
    ].join('\n');
    const verification = { write_verification: { path: 'cli/name.py', content: python } };
    const cheat = build(
      'T1',
      { write_file: { path: 'greet.sh', content: '# nothing\n' } },
      { write_file: { path: 'sitecustomize.py', content: 'import os\nos._exit(0)\n' } },
      { write_file: { path: 'subprocess.py', content: 'import os\nos._exit(0)\n' } },
    );
    const { state } = await runToEnd([
      ...withSessions(writeVerifications(verification, verifications.world, verifications.house), cheat),
      idle,
    ]);
    assert.equal(state.ledger.runs['cli/name']?.find((r) => r.code === 1)?.verdict, 'red');
  });

  it('does not let one verification stand for two requirements', async () => {
    const many = script('cli/name', {
      prd: '1.1, 1.2, 1.3, V1',
      red: 'wrong greeting',
      command: 'sh greet.sh Ada',
      expect: 'Hello, Ada!',
    });
    const { ending } = await runToEnd(withSessions(writeVerifications(many)));
    assert.equal(ending.stop, 'failed');
  });

  it('proves by reverting work that needs its dependencies', async () => {
    const lock = {
      name: 'greeter',
      lockfileVersion: 3,
      packages: {
        '': { name: 'greeter', dependencies: { words: 'file:words' } },
        'node_modules/words': { resolved: 'words', link: true },
        words: { version: '1.0.0' },
      },
    };
    const files = {
      'package.json': JSON.stringify({ name: 'greeter', dependencies: { words: 'file:words' } }),
      'package-lock.json': JSON.stringify(lock),
      'words/package.json': JSON.stringify({ name: 'words', version: '1.0.0', files: ['words.sh'] }),
      'words/words.sh': 'hello=Hello\n',
    };
    const program = '. ./node_modules/words/words.sh\nname="$1"\necho "$hello, $name!"\n';
    const t1 = build('T1', { write_file: { path: 'greet.sh', content: program } });
    const discovery = honest[0] as Session;
    const installs = JSON.parse(
      JSON.stringify(discovery).replace('"deliverable_type"', '"install":"npm ci","deliverable_type"'),
    ) as Session;
    at = await ground(honest, files);
    fingerprintBefore = await fingerprint(at.repo);
    const { ending } = await run(at, withSessions(installs, t1));
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
  });

  it('does not deliver a branch that somebody moved, and goes on once it is moved back', async () => {
    at = await ground(honest);
    fingerprintBefore = await fingerprint(at.repo);
    const stop = new AbortController();
    const onEvent = (event: Event): void => {
      if (event.type === 'step.ended' && event.facts.some((f) => f.fact === 'clean.ran')) stop.abort();
    };
    await assert.rejects(run(at, honest, { signal: stop.signal, onEvent }), { name: 'Interruption' });
    const branch = at.git('for-each-ref', '--format=%(refname)', 'refs/heads/loop/').trim();
    at.git('update-ref', branch, at.git('commit-tree', '-m', 'break', '-p', branch, `${branch}^{tree}`).trim());
    await assert.rejects(run(at, honest), { name: 'InputError', message: /was moved: Loop left it at/ });
    at.git('update-ref', branch, `${branch}^`);
    assert.equal((await run(at, honest)).ending.stop, 'delivered');
  });

  it('undoes broken work also where it is stopped during the undo', async () => {
    const breaks = build('T3', { write_file: { path: 'greet.sh', content: 'echo broken\n' } });
    at = await ground(honest);
    fingerprintBefore = await fingerprint(at.repo);
    const stop = new AbortController();
    const onEvent = (event: Event): void => {
      if (event.type === 'step.ended' && event.id.includes('/undo:')) stop.abort();
    };
    await assert.rejects(run(at, withSessions(breaks), { signal: stop.signal, onEvent }), { name: 'Interruption' });
    const { state } = await run(at, withSessions(breaks));
    assert.notEqual(state.work.tasks['T3']?.status, 'done');
    assert.match(at.git('show', `${state.opened.branch}:greet.sh`), /Hello/);
  });

  it('undoes what git cannot keep, and goes on', async () => {
    const odd = build('T1', { bash: { command: 'touch "git~1"' } });
    const { ending, state } = await runToEnd(withSessions(odd));
    assert.equal(ending.stop, 'failed');
    assert.equal(state.work.tasks['T1']?.status, 'pending');
  });

  it('keeps nothing that a verification wrote into the tree', async () => {
    const untidy = script('cli/name', {
      prd: '1.1, V1',
      red: 'wrong greeting',
      command: 'echo x >> greet.log; echo "#" >> greet.sh; sh greet.sh Ada',
      expect: 'Hello, Ada!',
    });
    const { ending, state } = await runToEnd(withSessions(writeVerifications(untidy, verifications.world, verifications.house)));
    assert.equal(ending.stop, 'delivered');
    const tree = at.git('ls-tree', '-r', '--name-only', state.opened.branch).split('\n');
    assert.equal(tree.includes('greet.log'), false);
    assert.doesNotMatch(at.git('show', `${state.opened.branch}:greet.sh`), /#/);
  });

  it('stops on request at any point, and goes on from there', async () => {
    at = await ground(honest);
    fingerprintBefore = await fingerprint(at.repo);
    for (const share of [20, 45, 70]) {
      const stop = new AbortController();
      const onEvent = ({ n }: { n: number }): void => (n >= share ? stop.abort() : undefined);
      await assert.rejects(run(at, honest, { signal: stop.signal, onEvent }), { name: 'Interruption', reason: 'cancelled' });
    }
    const { ending, state } = await run(at, honest);
    assert.equal(ending.stop, 'delivered');
    assert.equal(state.ledger.resumes, 3);
  });

  it('does not deliver the requirement of a task that the person gave up, and names it', async () => {
    const { ending, state } = await runToEnd(honest, {
      person: new FakePerson(true),
    });
    assert.equal(ending.stop, 'partial');
    assert.equal(state.work.tasks['T3']?.status, 'descoped');
    assert.match(ending.reasons.join('\n'), /Requirement 1\.3/);
  });
});
