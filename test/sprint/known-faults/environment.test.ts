/**
 * What real sprints met (issue 13): a red that the environment made, and agents that were called for it again and again. In none
 * of these does such a red reach an agent twice, burn a further attempt or take work back.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import type { State } from '../../../src/engine/state/state.ts';
import { build, discovered, script, verifications, withSessions, writeVerifications, type Session } from '../../support/greeter.ts';
import { api, discovery, greets, plan, server, writes } from '../../support/greeting-service.ts';
import { endIdleLaunchers } from '../../support/launchers.ts';
import { FakePerson } from '../../support/person.ts';
import { ground, run, write, type Ground } from '../../support/sprint.ts';

const decisions = (state: State): string[] =>
  state.ledger.decisions.map(({ decision: { action, target } }) => (target ? `${action} ${target}` : action));
const rows = (state: State, ...names: string[]): string[] => decisions(state).filter((d) => names.includes(d.split(' ')[0] ?? ''));

/** A fixer that changes nothing and gives this answer. */
const answers = (purpose: string, answer: Record<string, unknown> = {}): Session => ({
  role: 'fixer',
  purpose,
  turns: [{ calls: [{ report_fix: { fix_applied: 'nothing', files_changed: [], reasoning: 'it is not the work', ...answer } }] }],
});

describe('known faults: what the environment made', () => {
  let at: Ground;
  const path = process.env['PATH'];
  afterEach(async () => {
    process.env['PATH'] = path;
    await endIdleLaunchers();
    await at.dispose();
  });

  /** A folder on the PATH of commands, empty at first. @returns what puts the tool there. */
  async function toolFolder(): Promise<() => void> {
    const tools = join(at.folder, 'tools', 'bin');
    await mkdir(tools, { recursive: true });
    process.env['PATH'] = `${tools}:${path}`;
    await endIdleLaunchers();
    return () => writeFileSync(join(tools, 'house-tool'), '#!/bin/sh\necho the house\n', { mode: 0o755 });
  }
  /** The greeting of a name, looked at with a tool that nobody declared. */
  const withTool = {
    write_verification: {
      path: 'cli/name.sh',
      content: verifications.name.write_verification.content.replace(
        'out=',
        'house-tool || { echo "house-tool: command not found"; exit 1; }\nout=',
      ),
    },
  };
  const built = [
    build('T1', { write_file: { path: 'greet.sh', content: 'name="${1:-world}"\necho "Hello, $name!"\n' } }),
    build('T2', { write_file: { path: 'usage.md', content: 'Give a name, or none.\n' } }),
    build('T3', {
      write_file: {
        path: 'greet.sh',
        content: 'word=Hello\n[ "$1" = --house ] && shift && word="$(cat house.txt)"\nname="${1:-world}"\necho "$word, $name!"\n',
      },
    }),
  ];
  const toolSessions = (...fixers: Session[]): Session[] =>
    withSessions(...fixers, writeVerifications(withTool, verifications.world, verifications.house), ...built).filter(
      ({ purpose }) => purpose !== 'fix/cli/world',
    );

  it('a tool is missing', async () => {
    const missing = { missing: 'the command house-tool is not installed', how_to_tell: 'command -v house-tool' };
    const sessions = toolSessions(answers('fix/cli/name#1', { environment_at_fault: missing }));
    at = await ground(sessions);
    const install = await toolFolder();
    const person = new FakePerson(true, async (asked) => {
      if (asked.kind !== 'deed') return 'skip';
      await write(at.repo, { 'house.txt': 'Salute\n' });
      if (asked.command.includes('house-tool')) install();
      return 'done';
    });
    const { ending, state } = await run(at, sessions, { person });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(rows(state, 'fix', 'research', 'strategy', 'course-correct'), ['fix cli/name'], 'one agent met it, once');
    assert.deepEqual(state.ledger.undone, []);
    const order = decisions(state);
    assert.equal(order[order.indexOf('fix cli/name') + 1], 'environment cli/name');
    assert.ok(order.indexOf('execute T2') < order.findIndex((d) => d.startsWith('wait')), 'what was ready went on');
    const asked = Object.values(state.ledger.humanActions).find((one) => one.kind === 'deed' && one.lineages.length > 0);
    assert.deepEqual([asked?.action, asked?.status], [`Mend the environment: ${missing.missing}`, 'fulfilled']);
    assert.ok(state.opened.worktree?.startsWith(join(at.folder, 'state')), 'the person can look themselves');
  });

  it('a fix that rightly changed nothing', async () => {
    const sessions = toolSessions(answers('fix/cli/name#1'));
    at = await ground(sessions);
    const install = await toolFolder();
    const { ending, state } = await run(at, sessions, {
      onEvent: (event) => {
        // It comes by itself while the fixer looks.
        if (event.type === 'step.begun' && event.step.kind === 'ask' && event.step.purpose === 'fix/cli/name#1') install();
      },
    });
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(rows(state, 'fix', 'research', 'strategy', 'course-correct'), ['fix cli/name']);
    const order = decisions(state);
    assert.equal(order[order.indexOf('fix cli/name') + 1], 'run-verifications', 'a new run follows, not the same fix');
    assert.deepEqual(state.ledger.undone, []);
  });

  it("a service's declaration is wrong", async () => {
    const wrong = { ...api, start: { command: 'exec node serve.js' } };
    const doubt = { evidence: 'The service is started by node serve.js; the PRD and the plan call it server.js.' };
    const review: Session = {
      role: 'qc',
      purpose: 'write-verifications/service api#1',
      turns: [{ calls: [{ amend_declaration: { services: [api], why: 'It is started by node server.js, as node server.js shows.' } }] }],
    };
    const sessions = withSessions(
      discovery(wrong),
      plan(['T1', ['1.1', '1.2', '1.3', 'V1']]),
      review,
      writeVerifications(greets('Ada', '1.1, V1'), greets('Grace', '1.2'), greets('Alan', '1.3')),
      build('T1', writes(server())),
      answers('service-fix/api#1', { declaration_wrong: doubt }),
    ).filter(({ purpose }) => purpose !== 'fix/cli/world');
    at = await ground(sessions);
    const { ending, state, events } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    const order = decisions(state);
    assert.deepEqual(order.slice(order.indexOf('execute T1'), order.indexOf('prove')), [
      'execute T1',
      'settle 1',
      'service-fix api',
      'write-verifications service api',
      'run-verifications',
    ]);
    assert.deepEqual(state.ledger.undone, []);
    assert.deepEqual(
      state.ledger.amendments.map(({ by, declared }) => [by, declared.services?.map(({ name }) => name)]),
      [['QC', ['api']]],
    );
    assert.ok(events.some((e) => e.type === 'step.ended' && e.facts.some((f) => f.fact === 'context.amended')));
  });

  it('a task adds a dependency', async () => {
    const module = 'vendor/greeting/package.json';
    const work = {
      'package.json': JSON.stringify({ name: 'greeter', dependencies: { greeting: 'file:vendor/greeting' } }),
      [module]: JSON.stringify({ name: 'greeting', version: '1.0.0', main: 'index.js' }),
      'vendor/greeting/index.js': 'exports.hello = (name) => `Hello, ${name}!`;\n',
      'greet.js': "console.log(require('greeting').hello(process.argv[2]));\n",
      'server.js': `require('greeting');\n${server()}`,
    };
    const plain = script('cli/plain', { prd: '1.3', red: 'wrong greeting', command: 'node greet.js Ada', expect: 'Hello, Ada!' });
    const [found] = discovery(api).turns[0]?.calls ?? [];
    const sessions = withSessions(
      discovered({ ...(found?.['report_discovery'] as Record<string, unknown>) }),
      plan(['T1', ['1.1', '1.2', '1.3', 'V1']]),
      writeVerifications(greets('Ada', '1.1, V1'), greets('Grace', '1.2'), plain),
      build('T1', ...Object.entries(work).map(([file, content]) => writes(content, file))),
    ).filter(({ role }) => role !== 'fixer');
    at = await ground(sessions, { '.gitignore': 'ignored/\nnode_modules/\n' });
    const { ending, state } = await run(at, sessions);
    assert.deepEqual(ending, { stop: 'delivered', reasons: [] });
    assert.deepEqual(rows(state, 'fix', 'research', 'triage', 'strategy', 'course-correct'), [], 'no agent was called for it');
    const order = decisions(state);
    assert.deepEqual(
      order.slice(order.indexOf('settle 1'), order.indexOf('prove')),
      ['settle 1'],
      'installed before its verifications ran',
    );
    assert.deepEqual(
      Object.values(state.ledger.installs).map(({ install, exit }) => [install.folder, install.manager, exit]),
      [['', 'npm', 0]],
    );
    const onIt = state.ledger.runs['cli/plain']?.filter(({ code, where }) => code === 1 && where === 'tree') ?? [];
    assert.deepEqual([...new Set(onIt.map(({ verdict }) => verdict))], ['green']);
    assert.deepEqual(state.ledger.burned.lineage, {});
    assert.deepEqual(state.ledger.undone, []);
  });
});
