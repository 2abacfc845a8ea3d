/** The API key, kept only in the editor's secret store. Without one, the editor's `ANTHROPIC_API_KEY` is used. */
import * as vscode from 'vscode';
import type { KeyAnswer } from '../../models/load.ts';
import { plain } from '../../views/model/display-text.ts';
import { t } from '../../views/words.ts';
import { baseUrlFromSettings } from './settings.ts';
import { typeIn, type Move, type Place } from './steps.ts';

const storedName = 'loop.anthropicApiKey';

export class ApiKey {
  /** @param check asks the API. */
  constructor(
    private readonly store: vscode.SecretStorage,
    private readonly check: (key: string) => Promise<KeyAnswer>,
  ) {}

  async read(): Promise<string | null> {
    return (await this.store.get(storedName)) ?? process.env['ANTHROPIC_API_KEY'] ?? null;
  }

  async isStored(): Promise<boolean> {
    return (await this.store.get(storedName)) !== undefined;
  }

  /** @returns whether a key was entered. */
  async ask(): Promise<boolean> {
    return (await this.askAt({ title: t('Loop: Set API Key'), step: 1, of: 1 })) === 'next';
  }

  /** As a step among others. A key that the API refuses is not kept; one that it cannot be asked about is, and that is said. */
  async askAt(place: Place): Promise<Move> {
    const asked: { answer: KeyAnswer } = { answer: { kind: 'taken' } };
    const given = await typeIn(place, {
      prompt: t('The API key for Claude. It is kept in the secret store of the editor.'),
      placeholder: 'sk-ant-…',
      password: true,
      check: async (text) => {
        const problem = shapeProblem(text.trim(), baseUrlFromSettings() !== null);
        if (problem !== undefined) return problem;
        asked.answer = await this.check(text.trim());
        return asked.answer.kind === 'refused' ? plain(asked.answer.why) : undefined;
      },
    });
    if (typeof given === 'string') return given;
    await this.store.store(storedName, given.text.trim());
    const { answer } = asked;
    if (answer.kind === 'unreached')
      void vscode.window.showWarningMessage(t('Loop: the API key is stored, but was not checked. {0}', plain(answer.why)));
    else void vscode.window.setStatusBarMessage(t('Loop: the API takes the key; it is stored'), 5000);
    return 'next';
  }

  async remove(): Promise<void> {
    await this.store.delete(storedName);
    void vscode.window.setStatusBarMessage(t('Loop: the API key is removed'), 5000);
  }

  onDidChange(listener: () => void): vscode.Disposable {
    return this.store.onDidChange(({ key }) => {
      if (key === storedName) listener();
    });
  }
}

/** Another address may take keys of any shape. */
function shapeProblem(key: string, hasOwnAddress: boolean): string | undefined {
  if (!/^\S+$/.test(key)) return t('A key is one word without spaces.');
  if (hasOwnAddress || /^sk-ant-[\w-]{8,}$/.test(key)) return undefined;
  return t('This is no key for Claude: such a key begins with sk-ant- and is longer. Copy it again, whole.');
}
