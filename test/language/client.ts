/** A client of the real language server, which runs as `loop lsp` in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  RegistrationRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type ClientCapabilities,
  type Diagnostic,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver-protocol/node';

export interface Client {
  connection: ProtocolConnection;
  pid: number;
  /** Sends the text as version 1, and returns the document's URI. */
  open(file: string, text: string): string;
  change(uri: string, version: number, changes: TextDocumentContentChangeEvent[]): void;
  close(uri: string): void;
  /** The diagnostics of a version, when they have come. */
  diagnosticsOf(uri: string, version: number): Promise<Diagnostic[]>;
  /** Waits until something that was published makes this true. */
  until(isTrue: () => boolean): Promise<void>;
  /** Everything that was published, in order. */
  published: PublishDiagnosticsParams[];
  /** What the server asked to be told of. */
  registered: string[];
  /** Shuts the server down, and returns its exit status. */
  stop(): Promise<number | null>;
}

/** @param program below `dist`, with its arguments. @param flags of Node. @param initializationOptions what the editor says at the start. */
export async function startClient(
  program: readonly [string, ...string[]] = ['cli.mjs', 'lsp', '--stdio'],
  flags: readonly string[] = [],
  initializationOptions?: object,
  capabilities: ClientCapabilities = {},
): Promise<Client> {
  const [bundle, ...args] = program;
  const child = spawn(process.execPath, [...flags, path.resolve('dist', bundle), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const published: PublishDiagnosticsParams[] = [];
  const waiting: { uri: string; version: number; resolve: (found: Diagnostic[]) => void }[] = [];
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    published.push(params);
    for (const one of waiting.splice(0)) {
      if (one.uri === params.uri && one.version === params.version) one.resolve(params.diagnostics);
      else waiting.push(one);
    }
  });
  const registered: string[] = [];
  connection.onRequest(RegistrationRequest.type, ({ registrations }) => {
    registered.push(...registrations.map(({ method }) => method));
  });
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities, initializationOptions });
  await connection.sendNotification(InitializedNotification.type, {});
  return {
    connection,
    pid: child.pid ?? 0,
    published,
    registered,
    open(file, text) {
      const uri = pathToFileURL(file).href;
      void connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri, languageId: 'markdown', version: 1, text },
      });
      return uri;
    },
    change: (uri, version, contentChanges) =>
      void connection.sendNotification(DidChangeTextDocumentNotification.type, { textDocument: { uri, version }, contentChanges }),
    close: (uri) => void connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } }),
    diagnosticsOf(uri, version) {
      const known = published.find((one) => one.uri === uri && one.version === version);
      if (known) return Promise.resolve(known.diagnostics);
      return new Promise((resolve) => void waiting.push({ uri, version, resolve }));
    },
    async until(isTrue) {
      while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    async stop() {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      const [status] = await ended;
      connection.dispose();
      return status;
    },
  };
}
