/** The built `loop mcp`, asked over its standard input as an agent's client asks it: it answers from the journal, and changes nothing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'mocha';
import { fingerprint } from '../host/git/fingerprint.ts';
import { honest } from '../support/greeter.ts';
import { ground, type Ground } from '../support/sprint.ts';
import { loop, runOf } from './loop.ts';

interface Answer {
  result: { content: { text: string }[]; isError?: boolean };
}

const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a test', version: '1' } };

describe('loop mcp', () => {
  let at: Ground;
  before(async () => {
    at = await ground(honest);
  });
  after(() => at.dispose());

  const ask = async (...calls: [tool: string, input?: object][]): Promise<Answer['result'][]> => {
    const messages = [
      { id: 0, method: 'initialize', params: hello },
      { method: 'notifications/initialized' },
      ...calls.map(([name, input = {}], i) => ({ id: i + 1, method: 'tools/call', params: { name, arguments: input } })),
    ];
    const answers = await talk(dirname(at.sprintDir), messages);
    return calls.map((_, i) => (answers.get(i + 1) as Answer).result);
  };
  const textOf = ({ content: [first] }: Answer['result']): string => first?.text ?? '';

  it('lists what may be asked, all of it only to read', async () => {
    const answers = await talk(dirname(at.sprintDir), [
      { id: 0, method: 'initialize', params: hello },
      { id: 1, method: 'tools/list' },
    ]);
    const { tools } = (answers.get(1) as { result: { tools: { name: string; annotations: { readOnlyHint: boolean } }[] } }).result;
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations.readOnlyHint]),
      ['loop_sprints', 'loop_status', 'loop_why', 'loop_issues', 'loop_failure', 'loop_report'].map((name) => [name, true]),
    );
  });

  it('says that nothing was started, and what there is', async () => {
    const [sprints, status, other] = await ask(['loop_sprints'], ['loop_status'], ['loop_status', { sprint: '../elsewhere' }]);
    assert.ok(sprints && status && other);
    assert.equal(textOf(sprints), 'sprint: not started');
    assert.deepEqual(
      [status.isError, textOf(status)],
      [true, 'No sprint was started in sprint. The person starts one with Loop: Start Sprint, or loop run.'],
    );
    assert.deepEqual([other.isError, textOf(other)], [true, 'There is no sprint "../elsewhere". There are: sprint.']);
  });

  it('answers as the person reads it, and changes nothing', async () => {
    assert.equal((await loop(runOf(at))).code, 3, 'it waits for a file');
    const untouched = await fingerprint(at.repo);
    const [sprints, status, issues, failure, unknown, report] = await ask(
      ['loop_sprints'],
      ['loop_status', { sprint: 'sprint' }],
      ['loop_issues'],
      ['loop_failure', { verification: 'cli/name' }],
      ['loop_failure', { verification: 'cli/nobody' }],
      ['loop_report'],
    );
    assert.ok(sprints && status && issues && failure && unknown && report);
    assert.match(textOf(sprints), /^sprint: waiting/);
    assert.equal(`${textOf(status)}\n`, (await loop(['status', at.sprintDir])).out);
    assert.match(textOf(status), /Needs you: /);
    assert.match(textOf(failure), /wrong greeting/);
    assert.match(textOf(unknown), /There is no verification "cli\/nobody"\. There are: cli\/name, /);
    assert.match(textOf(report), /^# Delivery report: /);
    assert.deepEqual(await fingerprint(at.repo), untouched);
  });

  it('ends at the first signal, as loop lsp does, though its client is still there', async () => {
    const opening = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { capabilities: {}, processId: null, rootUri: null } };
    const body = JSON.stringify(opening);
    for (const [args, words] of [
      [['mcp', at.repo], `${JSON.stringify({ ...opening, params: hello })}\n`],
      [['lsp'], `Content-Length: ${body.length}\r\n\r\n${body}`],
    ] as const) {
      const child = spawn(process.execPath, [resolve('dist/cli.mjs'), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.write(words);
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      assert.deepEqual(await once(child, 'exit'), [130, null], args[0]);
      clearTimeout(late);
    }
  });
});

function talk(folder: string, messages: readonly object[]): Promise<Map<number, unknown>> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [resolve('dist/cli.mjs'), 'mcp', folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    const answers = new Map<number, unknown>();
    const wanted = messages.filter((message) => 'id' in message).length;
    createInterface(child.stdout).on('line', (line) => {
      const answer = JSON.parse(line) as { id: number };
      answers.set(answer.id, answer);
      // A client ends the server by ending its input.
      if (answers.size === wanted) child.stdin.end();
    });
    child.once('error', failed).once('close', (code) => (code === 0 ? done(answers) : failed(new Error(`exit ${code}`))));
    child.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  });
}
