/** The editor's own models in a real editor, with an extension that registers one: the contract of every provider, and consent. */
import * as assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { ChatModels } from '../../../src/extension/editor/chat-models.ts';
import { createEditorModel } from '../../../src/models/editor.ts';
import { describeProvider } from '../../models/contract.ts';
import type { ChatProviderApi } from '../chat-provider/extension.ts';

const name = 'editor:loop-tests/played';
/** Whoever the editor takes the module for, it is asked as the extension asks. */
const chats = new ChatModels({ canSendRequest: () => undefined, onDidChange: () => new vscode.Disposable(() => undefined) });

async function provider(): Promise<ChatProviderApi> {
  const extension = vscode.extensions.getExtension('loop-tests.chat-provider');
  assert.ok(extension, 'the extension with the chat model is not there');
  const api = (await extension.activate()) as ChatProviderApi;
  for (let tries = 0; (await chats.list()).length === 0; tries += 1) {
    assert.ok(tries < 200, 'the editor lists no model');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  api.reset();
  return api;
}

describeProvider('a chat model in the real editor', async () => {
  const api = await provider();
  return {
    model: createEditorModel({ windows: {}, ask: (request, onText, signal) => chats.ask(request, onText, signal as AbortSignal) }),
    name,
    answer: (...given) => api.answer(...given),
    seen: () => api.seen(),
    gaveUp: () => api.gaveUp(),
    close: () => Promise.resolve(),
  };
});

describe("the editor's own models", () => {
  let api: ChatProviderApi;
  before(async () => void (api = await provider()));

  it('are listed with what they take', async () => {
    const [one, ...more] = await chats.list();
    assert.deepEqual([one, more], [{ name, label: 'Played Model', vendor: 'loop-tests', window: 100_000 }, []]);
  });

  it('are tried with one word where the editor has not asked for consent', async () => {
    api.answer({ text: 'hello' });
    assert.equal(await chats.consent(name), undefined);
    assert.match(api.seen(), /one word/);
  });

  it('are refused with the reason where the person does not allow them', async () => {
    api.answer({ fault: 'no login' });
    assert.equal((await chats.consent(name))?.kind, 'refused');
    assert.equal((await chats.consent('editor:loop-tests/gone'))?.kind, 'gone');
  });
});
