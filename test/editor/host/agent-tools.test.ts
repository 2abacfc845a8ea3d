/** What the editor's own agents may ask, asked through the real editor. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { agentTools } from '../../../src/extension/editor/names.ts';

async function ask(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe('the tools for agents of the editor', () => {
  it('are there, each with a description and a schema', () => {
    const own = vscode.lm.tools.filter(({ tags }) => tags.includes('loop'));
    assert.deepEqual(own.map(({ name }) => name).sort(), [...agentTools].sort());
    for (const { description, inputSchema } of own) assert.ok(description.length > 20 && inputSchema !== undefined);
  });

  it('answer from the engine, and say what there is where they are asked for something else', async () => {
    assert.match(await ask('loop_sprints', {}), /^There is no sprint here: /);
    assert.equal(await ask('loop_status', { sprint: 'sprint' }), 'There is no sprint "sprint". There are: none.');
    assert.match(await ask('loop_failure', { sprint: 'sprint' }), /^This cannot be asked: [^]*verification/);
  });
});
