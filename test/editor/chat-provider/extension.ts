/**
 * An extension that registers a chat model in a real editor. It answers as a test says, through what `activate` returns; without
 * a test it plays the recording of the sprint in the open folder: the journal tells which turn is asked for.
 */
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';

import type { AskRequest } from '../../../src/engine/ground/messages.ts';
import { createRecorded } from '../../../src/models/recorded.ts';
import type { ContractAnswer } from '../../models/contract.ts';

export interface ChatProviderApi {
  answer(...answers: ContractAnswer[]): void;
  seen(): string;
  gaveUp(): boolean;
  reset(): void;
}

const information: vscode.LanguageModelChatInformation = {
  id: 'played',
  name: 'Played Model',
  family: 'played',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 16_000,
  capabilities: { toolCalling: true, imageInput: true },
};

export function activate(context: vscode.ExtensionContext): ChatProviderApi {
  const answers: ContractAnswer[] = [];
  let seen = '';
  let isGivenUp = false;
  const provider: vscode.LanguageModelChatProvider = {
    provideLanguageModelChatInformation: () => [information],
    provideTokenCount: (_model, text) => Promise.resolve(Math.ceil((typeof text === 'string' ? text : JSON.stringify(text)).length / 4)),
    async provideLanguageModelChatResponse(_model, messages, options, progress, token) {
      seen = JSON.stringify([messages.map(({ content }) => content.map(shown)), options.tools]);
      const answer = answers.shift() ?? (await played());
      if ('fault' in answer)
        throw answer.fault === 'no login' ? vscode.LanguageModelError.NoPermissions('as scripted') : new Error('as scripted');
      if ('hangs' in answer) {
        progress.report(new vscode.LanguageModelTextPart(answer.hangs));
        await new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
        isGivenUp = true;
        return;
      }
      if ('floods' in answer) {
        for (let sent = 0; sent < answer.floods && !token.isCancellationRequested; sent += 100) {
          progress.report(new vscode.LanguageModelTextPart('x'.repeat(100)));
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        return;
      }
      if (answer.text !== undefined) progress.report(new vscode.LanguageModelTextPart(answer.text));
      for (const { id, name, input } of [answer.call ?? [], ...((answer as Turn).more ?? [])].flat())
        progress.report(new vscode.LanguageModelToolCallPart(id, name, input as object));
    },
  };
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('loop-tests', provider));
  return {
    answer: (...given) => void answers.push(...given),
    seen: () => seen,
    gaveUp: () => isGivenUp,
    reset() {
      answers.length = 0;
      [seen, isGivenUp] = ['', false];
    },
  };
}

function shown(part: unknown): unknown {
  if (part instanceof vscode.LanguageModelDataPart) return Buffer.from(part.data).toString('base64');
  return part instanceof vscode.LanguageModelToolResultPart ? { id: part.callId, content: part.content.map(shown) } : part;
}

type Turn = Extract<ContractAnswer, { text?: string }> & { more?: { id: string; name: string; input: unknown }[] };

/** The turn that the sprint's journal asks for last. */
async function played(): Promise<Turn> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const sprint = path.join(folder, 'sprint');
  const journal = path.join(sprint, '.loop', 'journal.jsonl');
  const lines = existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n').reverse() : [];
  for (const line of lines) {
    const { step } = JSON.parse(line) as { step?: AskRequest & { kind: string } };
    if (step?.kind !== 'ask') continue;
    const text = readFileSync(path.join(sprint, 'played.yaml'), 'utf8');
    const model = createRecorded({ name: 'played.yaml', text });
    const { role, purpose, turn } = step;
    const request = { role, purpose, turn, model: 'played', maxTokens: 1000, system: '', tools: [], messages: [] };
    const { content } = await model.ask(request, () => undefined, new AbortController().signal);
    const words = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : []));
    return { ...(words.length > 0 ? { text: words.join('') } : {}), more: calls };
  }
  return { text: 'hello' };
}
