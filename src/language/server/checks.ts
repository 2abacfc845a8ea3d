/** Sends the findings of documents. Changes that arrive together are checked once. */
import type { Connection, TextDocuments } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { messageOf } from '../../engine/ground/errors.ts';
import { diagnosticOf } from '../finding.ts';
import type { Kind } from '../place.ts';
import { isPipelineKind } from '../yaml/pipeline-findings.ts';
import type { Folders } from './folders.ts';

export class Checks {
  private readonly due = new Set<string>();

  constructor(
    private readonly connection: Connection,
    private readonly documents: TextDocuments<TextDocument>,
    private readonly folders: Folders,
  ) {}

  /** A document of a changed PRD.md's folder may name its requirements, and a pipeline a changed stage. */
  add(uri: string): void {
    const place = this.folders.placeOf(uri);
    if (!place) return;
    this.schedule(uri);
    if (isPipelineKind(place.kind)) this.addAll(place.sprintDir, isPipelineKind);
    else if (place.kind !== 'verification') this.addVerifications(place.sprintDir);
  }

  addVerifications(sprintDir: string): void {
    this.addAll(sprintDir, (kind) => kind === 'verification');
  }

  private addAll(sprintDir: string, isMeant: (kind: Kind) => boolean): void {
    for (const uri of this.documents.keys()) {
      const place = this.folders.placeOf(uri);
      if (place && isMeant(place.kind) && place.sprintDir === sprintDir) this.schedule(uri);
    }
  }

  private schedule(uri: string): void {
    if (this.due.size === 0) setImmediate(() => void this.checkAll());
    this.due.add(uri);
  }

  private async checkAll(): Promise<void> {
    const uris = [...this.due];
    this.due.clear();
    for (const uri of uris) await this.check(uri).catch((error: unknown) => this.connection.console.error(messageOf(error)));
  }

  /** Findings that are not about the document as it is now are not sent: its change is due by itself. */
  private async check(uri: string): Promise<void> {
    const version = this.documents.get(uri)?.version;
    const findings = await this.folders.findingsFor(uri);
    if (!findings || version === undefined || this.documents.get(uri)?.version !== version) return;
    await this.connection.sendDiagnostics({ uri, version, diagnostics: findings.map(diagnosticOf) });
  }
}
