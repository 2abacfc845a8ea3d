/**
 * The language server: keeps the open documents of sprint folders and answers from the pure functions beside this folder. It
 * writes nothing, and knows nothing of a sprint but what the editor tells it, so its end does not touch a sprint.
 */
import {
  CodeActionKind,
  CodeLensRefreshRequest,
  DidChangeWatchedFilesNotification,
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
import { definitionOf, idAt, idCompletions, referencesTo, rename, type Source } from '../ids.ts';
import { patternsOf } from '../place.ts';
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
  let watches = false;
  connection.onInitialize(({ capabilities: client, initializationOptions: given }) => {
    folders.pipelinesFolder = folderIn(given);
    refreshesLenses = client.workspace?.codeLens?.refreshSupport === true;
    watches = client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return capabilities;
  });
  connection.onInitialized(() => {
    const watchers = patternsOf(folders.pipelinesFolder).map((globPattern) => ({ globPattern }));
    if (watches) void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch(() => undefined);
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) checks.add(uri);
  });
  connection.onNotification(sprintChanged, ({ sprintDir, view }) => {
    folders.setView(sprintDir, view);
    checks.addVerifications(sprintDir);
    if (refreshesLenses) void connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
  });
  documents.onDidChangeContent(({ document }) => checks.add(document.uri));
  documents.onDidClose(({ document: { uri } }) => {
    void connection.sendDiagnostics({ uri, diagnostics: [] });
    // Others were judged by its unsaved text.
    checks.add(uri);
  });
  answerOutlines(connection, folders);
  answerIds(connection, folders);
  connection.onCodeAction((params) => fixesFor(params, folders));
  connection.onCodeLens(({ textDocument: { uri } }) => {
    const source = folders.sourceOf(uri);
    return source?.kind === 'prd' ? lensesOf(source.text, folders.viewOf(uri)?.requirements ?? []) : [];
  });
  connection.onHover(async ({ textDocument: { uri }, position }) => {
    const source = folders.sourceOf(uri);
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

/** Another editor than VS Code may say nothing. */
function folderIn(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || !('pipelinesFolder' in given)) return undefined;
  return typeof given.pipelinesFolder === 'string' ? given.pipelinesFolder : undefined;
}

function answerOutlines(connection: Connection, folders: Folders): void {
  connection.onDocumentSymbol(({ textDocument: { uri } }) => ofMarkdown(folders.sourceOf(uri), symbolsOf));
  connection.onFoldingRanges(({ textDocument: { uri } }) => ofMarkdown(folders.sourceOf(uri), foldsOf));
  connection.onWorkspaceSymbol(async ({ query }) => {
    const prds = await folders.prds();
    return prds.flatMap(({ uri, text }) => requirementSymbols(uri, text, query));
  });
}

function answerIds(connection: Connection, folders: Folders): void {
  const at = async ({ textDocument: { uri }, position }: TextDocumentPositionParams) => {
    const source = folders.sourceOf(uri);
    return source && idAt(source, position, await folders.prdBeside(uri));
  };
  connection.onDefinition(async (params) => {
    const found = await at(params);
    return found ? definitionOf(await folders.sourcesBeside(params.textDocument.uri), found.id) : [];
  });
  connection.onReferences(async (params) => {
    const found = await at(params);
    const sources = found ? await folders.sourcesBeside(params.textDocument.uri) : [];
    return found ? referencesTo(sources, found.id, params.context.includeDeclaration) : [];
  });
  connection.onPrepareRename(async (params) => {
    const found = await at(params);
    return found ? { range: found.range, placeholder: found.id } : null;
  });
  connection.onRenameRequest(async (params) => {
    const found = await at(params);
    const sources = found ? await folders.sourcesBeside(params.textDocument.uri) : [];
    const changes = found ? rename(sources, found.id, params.newName.trim()) : 'There is no number of a requirement.';
    return typeof changes === 'string' ? new ResponseError<void>(ErrorCodes.InvalidParams, changes) : { changes };
  });
  connection.onCompletion(async ({ textDocument: { uri }, position }) => {
    const source = folders.sourceOf(uri);
    return source ? completionsAt(source, position, folders) : [];
  });
}

async function completionsAt(source: Source, position: Position, folders: Folders): Promise<CompletionItem[]> {
  const place = folders.placeOf(source.uri);
  if (place && isYamlKind(source.kind))
    return (await isOurs(source, folders)) ? yamlCompletions(source.kind, source.text, position, await folders.namesFor(place)) : [];
  const ids = idCompletions(source, position, await folders.prdBeside(source.uri));
  if (source.kind !== 'verification' || ids.length > 0) return ids;
  const { services } = await folders.around(source.uri);
  return headerCompletions(source.text, position, services ?? []);
}

async function fixesFor({ range, textDocument: { uri } }: CodeActionParams, folders: Folders): Promise<CodeAction[]> {
  const findings = (await folders.findingsFor(uri)) ?? [];
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
  const place = folders.placeOf(uri);
  return place !== undefined && (await folders.isOurs(place)) && (text.trim() === '' || (await folders.isPipeline(place, text)));
}

function ofMarkdown<T>(source: Source | undefined, of: (text: string) => T[]): T[] {
  return source?.kind === 'vision' || source?.kind === 'prd' ? of(source.text) : [];
}
