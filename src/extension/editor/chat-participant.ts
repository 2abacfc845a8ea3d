/** `@loop` in the editor's chat: says how the sprint stands, why, and what failed. It only reads; *start* is a button. */
import * as vscode from 'vscode';
import { t } from '../../views/words.ts';
import type { EngineClient } from './engine-client.ts';
import { agentFolders } from './agent-tools.ts';
import { chatCommands, chatParticipant, commands } from './names.ts';
import type { SprintStore } from './sprint-store.ts';

type Ground = { store: Pick<SprintStore, 'shown'>; engine: () => Pick<EngineClient, 'request'> };
type Asked = Pick<vscode.ChatRequest, 'command' | 'prompt' | 'model'>;
type Said = Pick<vscode.ChatResponseStream, 'markdown' | 'button' | 'progress'>;

export function registerChatParticipant(ground: Ground, extensionUri: vscode.Uri): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(chatParticipant, (request, _history, stream, token) =>
    answerInChat(request, stream, token, ground),
  );
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
  return participant;
}

export async function answerInChat(
  { command, prompt, model }: Asked,
  stream: Said,
  token: vscode.CancellationToken,
  ground: Ground,
): Promise<void> {
  if (command === 'start') {
    stream.markdown(t('You choose the sprint and its model, and see the worst case, before anything starts.'));
    return stream.button({ command: commands.start, title: t('Start Sprint') });
  }
  const about = { folders: agentFolders(), sprint: ground.store.shown?.dir };
  const question = chatCommands.find(({ name }) => name === command)?.question ?? (prompt.trim() === '' ? 'loop_status' : undefined);
  if (question !== undefined) {
    const asked = about.sprint === undefined ? {} : { sprint: about.sprint };
    const text = await ground.engine().request('agent-question', { folders: about.folders, question, asked });
    return stream.markdown(asWritten(text));
  }
  stream.progress(t('Reading the sprint'));
  const text = await ground.engine().request('chat-prompt', { ...about, asked: prompt });
  const reply = await model.sendRequest([vscode.LanguageModelChatMessage.User(text)], {}, token);
  let words = '';
  for await (const part of reply.text) words += part;
  // A picture would be loaded from any address that an agent's text smuggled in.
  stream.markdown(words.replaceAll(/!+\[/g, '['));
}

/** Agents wrote some of it, so nothing in it is a link, a picture or a heading of the chat. */
function asWritten(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendCodeblock(text, 'text');
}
