/**
 * The language server: keeps the open documents of sprint folders and answers from the pure functions beside this folder. It
 * writes nothing, and knows nothing of a sprint but what the editor tells it, so its end does not touch a sprint.
 */
import {
  CodeActionKind,
  TextDocuments,
  TextDocumentSyncKind,
  type CodeAction,
  type CodeActionParams,
  type Connection,
  type InitializeResult,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { messageOf } from '../../engine/ground/errors.ts';
import { diagnosticOf } from '../finding.ts';
import { findingsOf } from '../findings.ts';
import { foldsOf, requirementSymbols, symbolsOf } from '../symbols.ts';
import { placeOf } from '../place.ts';
import { Folders } from './folders.ts';

/** Answers until the client says `exit`. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  const folders = new Folders(documents);
  const checks = new Checks(connection, documents, folders);
  connection.onInitialize(() => capabilities);
  documents.onDidChangeContent(({ document }) => checks.add(document.uri));
  documents.onDidClose(({ document }) => void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }));
  connection.onCodeAction((params) => fixesFor(documents.get(params.textDocument.uri), params));
  connection.onDocumentSymbol(({ textDocument }) => ofMarkdown(documents.get(textDocument.uri), symbolsOf));
  connection.onFoldingRanges(({ textDocument }) => ofMarkdown(documents.get(textDocument.uri), foldsOf));
  connection.onWorkspaceSymbol(async ({ query }) => {
    const prds = await folders.prds();
    return prds.flatMap(({ uri, text }) => requirementSymbols(uri, text, query));
  });
  documents.listen(connection);
  connection.listen();
}

const capabilities: InitializeResult = {
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    documentSymbolProvider: true,
    foldingRangeProvider: true,
    workspaceSymbolProvider: true,
  },
};

/** Documents whose findings are due. Changes that arrive together are checked once. */
class Checks {
  private readonly due = new Set<string>();

  constructor(
    private readonly connection: Connection,
    private readonly documents: TextDocuments<TextDocument>,
    private readonly folders: Folders,
  ) {}

  add(uri: string): void {
    if (this.due.size === 0) setImmediate(() => void this.checkAll());
    this.due.add(uri);
  }

  private async checkAll(): Promise<void> {
    const uris = [...this.due];
    this.due.clear();
    for (const uri of uris) await this.check(uri).catch((error: unknown) => this.connection.console.error(messageOf(error)));
  }

  /** A document that changed meanwhile is due again, so an older one's findings are not sent. */
  private async check(uri: string): Promise<void> {
    const place = placeOf(uri);
    const document = this.documents.get(uri);
    if (!place || !document || !(await this.folders.isSprint(place))) return;
    const { version } = document;
    const diagnostics = findingsOf(document, place.kind).map(diagnosticOf);
    if (this.documents.get(uri)?.version === version) await this.connection.sendDiagnostics({ uri, version, diagnostics });
  }
}

function fixesFor(document: TextDocument | undefined, { range, textDocument: { uri } }: CodeActionParams): CodeAction[] {
  const place = document && placeOf(uri);
  if (!place) return [];
  const near = findingsOf(document, place.kind).filter(
    (one) => one.range.start.line <= range.end.line && one.range.end.line >= range.start.line,
  );
  return near.flatMap((finding) =>
    finding.fixes.map(({ title, edits }, index) => ({
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnosticOf(finding)],
      isPreferred: index === 0,
      edit: { changes: { [uri]: edits } },
    })),
  );
}

function ofMarkdown<T>(document: TextDocument | undefined, of: (text: string) => T[]): T[] {
  const kind = document && placeOf(document.uri)?.kind;
  return document && (kind === 'vision' || kind === 'prd') ? of(document.getText()) : [];
}
