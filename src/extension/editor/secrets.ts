/** The API key, kept only in the editor's secret store. Without one, the editor's `ANTHROPIC_API_KEY` is used. */
import * as vscode from 'vscode';
import { t } from '../../views/words.ts';

const storedName = 'loop.anthropicApiKey';

export class ApiKey {
  constructor(private readonly store: vscode.SecretStorage) {}

  async read(): Promise<string | null> {
    return (await this.store.get(storedName)) ?? process.env['ANTHROPIC_API_KEY'] ?? null;
  }

  async isStored(): Promise<boolean> {
    return (await this.store.get(storedName)) !== undefined;
  }

  /** @returns whether a key was entered. */
  async ask(): Promise<boolean> {
    const value = await vscode.window.showInputBox({
      title: t('Loop: Set API Key'),
      prompt: t('The API key for Claude. It is kept in the secret store of the editor.'),
      placeHolder: 'sk-ant-…',
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => (/^\S+$/.test(text.trim()) ? undefined : t('A key is one word without spaces.')),
    });
    if (value === undefined) return false;
    await this.store.store(storedName, value.trim());
    void vscode.window.setStatusBarMessage(t('Loop: the API key is stored'), 5000);
    return true;
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
