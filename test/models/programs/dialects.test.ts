/** What the programs really print, as versions 2.1.197 of Claude Code and 0.171.0 of Codex did against a local API. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AskRequest } from '../../../src/engine/ground/messages.ts';
import { claudeCode } from '../../../src/models/programs/claude-code.ts';
import { codex } from '../../../src/models/programs/codex.ts';
import { failureOf, type Dialect, type Heard } from '../../../src/models/programs/dialect.ts';

const heard = (dialect: Dialect, name: string): Heard[] =>
  readFileSync(join('test', 'fixtures', 'programs', `${name}.jsonl`), 'utf8')
    .split('\n')
    .map((line) => dialect.read(line));
const textOf = (all: Heard[]): string => all.map(({ text = '' }) => text).join('|');

const request: AskRequest = {
  role: 'builder',
  purpose: 'execute/T1#1',
  turn: 1,
  model: '',
  effort: 'max',
  maxTokens: 1000,
  system: 'You build.',
  context: 'A tool.',
  tools: [],
  messages: [],
};

describe('what a program prints', () => {
  it('tells the text and the tokens of Claude Code', () => {
    const all = heard(claudeCode, 'claude-code');
    assert.equal(textOf(all).replaceAll('|', ' ').replaceAll(/ +/g, ' ').trim(), 'I look. Done.');
    const used = all.flatMap(({ usage }) => (usage ? [usage] : []));
    assert.deepEqual(
      used.map(({ input, output, cacheRead, cacheWrite }) => [input, output, cacheRead, cacheWrite]),
      [
        [100, 0, 5, 7],
        [0, 20, 0, 0],
        [100, 0, 5, 7],
        [0, 20, 0, 0],
      ],
    );
    assert.ok(all.every(({ failure }) => !failure));
  });

  it('tells the text of Codex', () => {
    const all = heard(codex, 'codex');
    assert.equal(textOf(all).replaceAll('|', ''), 'Done.');
    assert.ok(all.every(({ failure }) => !failure));
  });

  for (const [name, dialect, line, kind] of [
    ['Claude Code, not logged in', claudeCode, { type: 'result', is_error: true, result: 'Not logged in · Please run /login' }, 'login'],
    ['Claude Code, refused', claudeCode, { type: 'system', subtype: 'api_retry', attempt: 3, error: 'authentication_failed' }, 'login'],
    ['Claude Code, used up', claudeCode, { type: 'result', is_error: true, result: 'Claude AI usage limit reached|1795706764' }, 'limit'],
    [
      'Claude Code, cut',
      claudeCode,
      { type: 'result', is_error: true, result: "API Error: Claude's response exceeded the 500 output token maximum." },
      'cut',
    ],
    ['Claude Code, overloaded', claudeCode, { type: 'result', is_error: true, result: 'API Error: 529 Overloaded' }, 'failed'],
    [
      'Claude Code, renewing its login',
      claudeCode,
      { type: 'system', subtype: 'api_retry', attempt: 1, error: 'authentication_failed' },
      undefined,
    ],
    [
      'Claude Code, too many at the moment',
      claudeCode,
      {
        type: 'result',
        is_error: true,
        api_error_status: 429,
        result: 'API Error: Server is temporarily limiting requests (not your usage limit)',
      },
      'busy',
    ],
    [
      'Claude Code, an unknown model',
      claudeCode,
      { type: 'result', is_error: true, result: 'There is an issue with the selected model (opsu).' },
      'model',
    ],
    ['Claude Code, too long', claudeCode, { type: 'result', is_error: true, result: 'Prompt is too long' }, 'request'],
    [
      'Codex, too many at the moment',
      codex,
      { type: 'turn.failed', error: { message: 'Rate limit reached for gpt. Please try again in 1.2s.' } },
      'busy',
    ],
    ['Codex, refused', codex, { type: 'turn.failed', error: { message: 'unexpected status 401 Unauthorized: no' } }, 'login'],
    ['Codex, used up', codex, { type: 'turn.failed', error: { message: "You've hit your usage limit. Try again at 9 PM." } }, 'limit'],
    ['Codex, broken off', codex, { type: 'turn.failed', error: { message: 'stream disconnected before completion' } }, 'failed'],
  ] as const)
    it(`tells why it ends: ${name}`, () => assert.equal(dialect.read(JSON.stringify(line)).failure?.kind, kind));

  it('is nothing where it is no line of the protocol', () => {
    for (const line of ['', 'WARNING: proceeding', '{"type":', '[1]', '{"type":"other"}', '{}']) {
      assert.deepEqual(claudeCode.read(line), {});
      assert.deepEqual(codex.read(line), {});
    }
  });

  it('does not take a message about a server for one about the person', () =>
    assert.equal(failureOf('503 Service Unavailable').kind, 'failed'));
});

describe('how a program is called', () => {
  it('gives Claude Code no tools, settings, servers and memory but Loop’s', () => {
    const { args, files, env } = claudeCode.start({ ...request, model: 'claude-code:opus' }, { text: 'Go', pictures: [] }, 'http://x/mcp');
    const words = args.join(' ');
    assert.match(words, /--tools {2}--setting-sources/);
    for (const part of ['--strict-mcp-config', '--no-session-persistence', '--permission-mode dontAsk', '--model opus', '--effort max'])
      assert.ok(words.includes(part), part);
    assert.deepEqual(files['system.md'], { text: 'You build.\n\nA tool.' });
    assert.equal(env['CLAUDE_CODE_MAX_OUTPUT_TOKENS'], '1000');
    const { args: plain } = claudeCode.start({ ...request, model: 'claude-code:default' }, { text: 'Go', pictures: [] }, 'http://x/mcp');
    assert.ok(!plain.includes('--model'));
  });

  it('gives Codex no tools, settings and servers but Loop’s, and its pictures as files', () => {
    const { args, files } = codex.start({ ...request, model: 'codex:gpt' }, { text: 'Go', pictures: ['cG5n'] }, 'http://x/mcp');
    const words = args.join(' ');
    for (const part of [
      '--ignore-user-config',
      '--ephemeral',
      '-m gpt',
      '--disable shell_tool',
      'model_reasoning_effort="xhigh"',
      '-i picture-1.png',
    ])
      assert.ok(words.includes(part), part);
    assert.deepEqual(files, { 'system.md': { text: 'You build.\n\nA tool.' }, 'picture-1.png': { png: 'cG5n' } });
  });
});
