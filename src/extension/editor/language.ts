/**
 * Starts the language server when a document of a sprint folder is first open, and tells it how the shown sprint stands. Its
 * client is a bundle of its own, so that activation does not load it.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { placeOf } from '../../language/place.ts';
import { documentsView, type DocumentsView } from '../../views/model/documents-view.ts';
import type * as languageClient from './language-client.ts';
import { pipelinesFolder } from './settings.ts';
import type { SprintStore } from './sprint-store.ts';

type Client = languageClient.RunningClient;

export class LanguageFeatures implements vscode.Disposable {
  private client: Promise<Client> | undefined;
  /** The folder that the server was told of, and what. */
  private told: { dir: string; text: string } | undefined;
  private readonly following: vscode.Disposable;
  private readonly shelf = pipelinesFolder();

  constructor(
    private readonly extensionPath: string,
    private readonly store: Pick<SprintStore, 'shown' | 'onDidChange'>,
    private readonly log: () => vscode.LogOutputChannel,
  ) {
    this.following = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.see(document)),
      store.onDidChange(() => this.tell()),
    );
    vscode.workspace.textDocuments.forEach((document) => this.see(document));
  }

  dispose(): void {
    this.following.dispose();
  }

  /** Ends the server. */
  async stop(): Promise<void> {
    await (await this.client)?.stop();
  }

  private see({ uri }: vscode.TextDocument): void {
    if (this.client || uri.scheme !== 'file' || !placeOf(uri.path, this.shelf)) return;
    this.client = this.start();
    this.client.then(
      () => this.tellAnew(),
      (error: unknown) => this.log().error(`The language server did not start: ${String(error)}`),
    );
  }

  /** Not while the extension is activated, which a restored window with an open document would wait for. */
  private async start(): Promise<Client> {
    await new Promise((resolve) => setImmediate(resolve));
    const dist = path.join(this.extensionPath, 'dist');
    const { startClient } = require(path.join(dist, 'language-client.js')) as typeof languageClient;
    return startClient(path.join(dist, 'language-server.mjs'), this.log(), () => this.tellAnew(), this.shelf);
  }

  /** A server that was started anew knows nothing. */
  private tellAnew(): void {
    this.told = undefined;
    this.tell();
  }

  private tell(): void {
    const { shown } = this.store;
    if (!this.client || !(shown ?? this.told)) return;
    const view = shown?.view ? documentsView(shown.view) : null;
    const next = { dir: shown?.dir ?? this.told?.dir ?? '', text: JSON.stringify(view) };
    if (next.dir === this.told?.dir && next.text === this.told.text) return;
    const { told } = this;
    this.told = next;
    if (told && told.dir !== next.dir) this.send(told.dir, null);
    this.send(next.dir, view);
  }

  private send(dir: string, view: DocumentsView | null): void {
    this.client
      ?.then((client) => client.tell(dir, view))
      .catch((error: unknown) => this.log().warn(`The language server was not told: ${String(error)}`));
  }
}
