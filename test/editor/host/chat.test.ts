/** `@loop` and the server for other agents, in the real editor: what is said comes from the engine, and nothing is started. */
import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { answerInChat } from '../../../src/extension/editor/chat-participant.ts';
import { mcpServers } from '../../../src/extension/editor/mcp-servers.ts';

const asked: string[] = [];
const engine = {
  request: (kind: string, params: { question?: string; asked: unknown; sprint?: string }) => {
    asked.push(`${kind} ${params.question ?? ''} ${JSON.stringify(params.asked)} ${params.sprint ?? ''}`.replaceAll('  ', ' ').trim());
    return Promise.resolve(kind === 'chat-prompt' ? 'the prompt' : 'building T2\n```\n![](https://elsewhere.test/x)');
  },
};
const ground = { store: { shown: { dir: '/work/sprint' } as never }, engine: () => engine as never };

/** What the person sees: markdown, buttons. */
async function chat(request: { command?: string; prompt?: string; reply?: string[] }): Promise<string[]> {
  const said: string[] = [];
  const stream = {
    markdown: (text: string | vscode.MarkdownString) => void said.push(typeof text === 'string' ? text : text.value),
    button: ({ command }: vscode.Command) => void said.push(`[${command}]`),
    progress: () => undefined,
  };
  const model = { sendRequest: () => Promise.resolve({ text: pieces(request.reply ?? []) }) };
  const { token } = new vscode.CancellationTokenSource();
  const full = { command: request.command, prompt: request.prompt ?? '', model } as never;
  asked.length = 0;
  await answerInChat(full, stream, token, ground);
  return said;
}

async function* pieces(words: readonly string[]): AsyncGenerator<string> {
  for (const word of words) yield word;
}

describe('@loop in the chat', () => {
  it('reads the shown sprint for a command, and shows it as written: no picture, no link', async () => {
    const [text = ''] = await chat({ command: 'why' });
    assert.deepEqual(asked, ['agent-question loop_why {"sprint":"/work/sprint"}']);
    const fence = /^\s*(`{3,})text/.exec(text)?.[1] ?? '';
    assert.ok(fence.length > 3, 'a fence in the text would close the block');
    await chat({});
    assert.deepEqual(asked, ['agent-question loop_status {"sprint":"/work/sprint"}']);
  });

  it('lets the chat’s model answer a question, and keeps pictures out of what it says', async () => {
    assert.deepEqual(await chat({ prompt: 'why is T2 red?', reply: ['it fails !', '[a](https://elsewhere.test/x)'] }), [
      'it fails [a](https://elsewhere.test/x)',
    ]);
    assert.deepEqual(asked, ['chat-prompt "why is T2 red?" /work/sprint']);
  });

  it('lets no picture through by another mark before it', async () => {
    assert.deepEqual(await chat({ prompt: 'why?', reply: ['red!!![a](https://elsewhere.test/x)'] }), ['red[a](https://elsewhere.test/x)']);
  });

  it('starts nothing: it shows the button of the command that asks', async () => {
    const said = await chat({ command: 'start' });
    assert.deepEqual([said.length, said[1], asked], [2, '[loop.startSprint]', []]);
  });
});

describe('the server for agents that do not see the editor’s tools', () => {
  const extension = vscode.extensions.all.find(({ packageJSON }) => (packageJSON as { name: string }).name === 'loop');

  it('is offered only where the person chose it, and then the tools are not', async () => {
    assert.ok(extension);
    const context = { extensionPath: extension.extensionPath, extension } as never;
    assert.deepEqual(mcpServers(context), []);
    const settings = vscode.workspace.getConfiguration('loop');
    await settings.update('agentTools', 'mcp', vscode.ConfigurationTarget.Global);
    try {
      const [server, ...others] = mcpServers(context);
      assert.ok(server && others.length === (vscode.workspace.workspaceFolders?.length ?? 1) - 1);
      assert.ok(existsSync(server.args[0] ?? ''), server.args[0]);
      assert.deepEqual([server.args[1], server.command], ['mcp', process.execPath]);
    } finally {
      await settings.update('agentTools', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
