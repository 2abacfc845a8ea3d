/**
 * The language server: keeps the open documents of sprint folders and answers from the pure functions beside this folder. It
 * writes nothing, and knows nothing of a sprint but what the editor tells it, so its end does not touch a sprint.
 */
import {
  CodeActionKind,
  CodeLensRefreshRequest,
  ErrorCodes,
  NotificationType,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
  type CodeAction,
  type CodeActionParams,
  type CompletionItem,
  type Connection,
  type InitializeResult,
  type Position,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { DocumentsView } from '../../views/model/documents-view.ts';
import { diagnosticOf } from '../finding.ts';
import { findingsOf } from '../findings.ts';
import { definitionOf, idAt, idCompletions, referencesTo, rename, type Source } from '../ids.ts';
import { placeOf } from '../place.ts';
import { hoverAt, lensesOf } from '../standing.ts';
import { foldsOf, requirementSymbols, symbolsOf } from '../symbols.ts';
import { headerCompletions } from '../verification.ts';
import { yamlCompletions } from '../yaml/completions.ts';
import { isYamlKind } from '../yaml/fields.ts';
import { yamlHover } from '../yaml/hover.ts';
import { Checks } from './checks.ts';
import { Folders } from './folders.ts';

/** From the editor: how the sprint of a folder, given by its URI, stands; null when it shows none. */
const sprintChanged = new NotificationType<{ sprintDir: string; view: DocumentsView | null }>('loop/sprintChanged');

/** Answers until the client says `exit`. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  const folders = new Folders(documents);
  const checks = new Checks(connection, documents, folders);
  let refreshesLenses = false;
  connection.onInitialize(({ capabilities: client }) => {
    refreshesLenses = client.workspace?.codeLens?.refreshSupport === true;
    return capabilities;
  });
  connection.onNotification(sprintChanged, ({ sprintDir, view }) => {
    folders.setView(sprintDir, view);
    checks.addVerifications(sprintDir);
    if (refreshesLenses) void connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
  });
  documents.onDidChangeContent(({ document }) => checks.add(document.uri));
  documents.onDidClose(({ document }) => void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }));
  answerOutlines(connection, documents, folders);
  answerIds(connection, documents, folders);
  connection.onCodeAction((params) => fixesFor(documents.get(params.textDocument.uri), params, folders));
  connection.onCodeLens(({ textDocument: { uri } }) => {
    const source = sourceOf(documents, uri);
    return source?.kind === 'prd' ? lensesOf(source.text, folders.viewOf(uri)?.requirements ?? []) : [];
  });
  connection.onHover(async ({ textDocument: { uri }, position }) => {
    const source = sourceOf(documents, uri);
    const document = documents.get(uri);
    if (document && source && isYamlKind(source.kind))
      return (await isOurs(source, folders)) ? yamlHover(source.kind, document, position) : undefined;
    const standing = folders.viewOf(uri)?.requirements ?? [];
    return source && hoverAt(source, position, { prd: await folders.prdBeside(uri), standing });
  });
  documents.listen(connection);
  connection.listen();
}

const capabilities: InitializeResult = {
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    codeLensProvider: {},
    completionProvider: { triggerCharacters: ['§', ':', ' ', '.'] },
    definitionProvider: true,
    documentSymbolProvider: true,
    foldingRangeProvider: true,
    hoverProvider: true,
    referencesProvider: true,
    renameProvider: { prepareProvider: true },
    workspaceSymbolProvider: true,
  },
};

type Documents = TextDocuments<TextDocument>;

function answerOutlines(connection: Connection, documents: Documents, folders: Folders): void {
  connection.onDocumentSymbol(({ textDocument: { uri } }) => ofMarkdown(sourceOf(documents, uri), symbolsOf));
  connection.onFoldingRanges(({ textDocument: { uri } }) => ofMarkdown(sourceOf(documents, uri), foldsOf));
  connection.onWorkspaceSymbol(async ({ query }) => {
    const prds = await folders.prds();
    return prds.flatMap(({ uri, text }) => requirementSymbols(uri, text, query));
  });
}

function answerIds(connection: Connection, documents: Documents, folders: Folders): void {
  const at = ({ textDocument: { uri }, position }: TextDocumentPositionParams) => {
    const source = sourceOf(documents, uri);
    return source && idAt(source, position);
  };
  connection.onDefinition(async (params) => {
    const found = at(params);
    return found ? definitionOf(await folders.sourcesBeside(params.textDocument.uri), found.id) : [];
  });
  connection.onReferences(async (params) => {
    const found = at(params);
    const sources = found ? await folders.sourcesBeside(params.textDocument.uri) : [];
    return found ? referencesTo(sources, found.id, params.context.includeDeclaration) : [];
  });
  connection.onPrepareRename((params) => {
    const found = at(params);
    return found ? { range: found.range, placeholder: found.id } : null;
  });
  connection.onRenameRequest(async (params) => {
    const found = at(params);
    const sources = found ? await folders.sourcesBeside(params.textDocument.uri) : [];
    const changes = found ? rename(sources, found.id, params.newName.trim()) : 'There is no number of a requirement.';
    return typeof changes === 'string' ? new ResponseError<void>(ErrorCodes.InvalidParams, changes) : { changes };
  });
  connection.onCompletion(async ({ textDocument: { uri }, position }) => {
    const source = sourceOf(documents, uri);
    return source ? completionsAt(source, position, folders) : [];
  });
}

async function completionsAt(source: Source, position: Position, folders: Folders): Promise<CompletionItem[]> {
  const place = placeOf(source.uri);
  if (place && isYamlKind(source.kind))
    return (await isOurs(source, folders)) ? yamlCompletions(source.kind, source.text, position, await folders.namesFor(place)) : [];
  const ids = idCompletions(source, position, await folders.prdBeside(source.uri));
  if (source.kind !== 'verification' || ids.length > 0) return ids;
  const { services } = await folders.around(source.uri);
  return headerCompletions(source.text, position, services ?? []);
}

async function fixesFor(
  document: TextDocument | undefined,
  { range, textDocument: { uri } }: CodeActionParams,
  folders: Folders,
): Promise<CodeAction[]> {
  const place = document && placeOf(uri);
  if (!place) return [];
  const findings = findingsOf(document, place.kind, await folders.around(uri));
  const near = findings.filter((one) => one.range.start.line <= range.end.line && one.range.end.line >= range.start.line);
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

/** A file in a folder `pipelines` that is still empty may become a pipeline. */
async function isOurs({ uri, text }: Source, folders: Folders): Promise<boolean> {
  const place = placeOf(uri);
  return place !== undefined && (await folders.isOurs(place)) && (text.trim() === '' || (await folders.isPipeline(place, text)));
}

function sourceOf(documents: Documents, uri: string): Source | undefined {
  const kind = placeOf(uri)?.kind;
  const document = documents.get(uri);
  return kind && document && { uri, kind, text: document.getText() };
}

function ofMarkdown<T>(source: Source | undefined, of: (text: string) => T[]): T[] {
  return source?.kind === 'vision' || source?.kind === 'prd' ? of(source.text) : [];
}
