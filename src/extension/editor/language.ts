/**
 * Starts the language server when a document of a sprint folder is first open. Its client is a bundle of its own, so that
 * activation does not load it.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { placeOf } from '../../language/place.ts';
import type * as languageClient from './language-client.ts';

type Client = typeof languageClient;

export class LanguageFeatures implements vscode.Disposable {
  private client: Promise<{ stop(): Promise<void> }> | undefined;
  private readonly opened: vscode.Disposable;

  constructor(
    private readonly extensionPath: string,
    private readonly log: () => vscode.LogOutputChannel,
  ) {
    this.opened = vscode.workspace.onDidOpenTextDocument((document) => this.see(document));
    vscode.workspace.textDocuments.forEach((document) => this.see(document));
  }

  dispose(): void {
    this.opened.dispose();
  }

  /** Ends the server. */
  async stop(): Promise<void> {
    await (await this.client)?.stop();
  }

  private see({ uri }: vscode.TextDocument): void {
    if (this.client || uri.scheme !== 'file' || !placeOf(uri.path)) return;
    this.client = this.start();
    this.client.catch((error: unknown) => this.log().error(`The language server did not start: ${String(error)}`));
  }

  private start(): Promise<{ stop(): Promise<void> }> {
    const dist = path.join(this.extensionPath, 'dist');
    const { startClient } = require(path.join(dist, 'language-client.js')) as Client;
    return startClient(path.join(dist, 'language-server.mjs'), this.log());
  }
}
