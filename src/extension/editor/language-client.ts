/** The editor's end of the language server: a bundle of its own (`language.ts` loads it). */
import { Uri, type LogOutputChannel } from 'vscode';
import { patternsOf } from '../../language/place.ts';
import { memoryFlags } from '../../language/server-memory.ts';
import type { DocumentsView } from '../../views/model/documents-view.ts';
import { LanguageClient, State, TransportKind } from 'vscode-languageclient/node';

export interface RunningClient {
  /** Tells the server how the sprint of a folder stands; null when the window shows none. */
  tell(sprintDir: string, view: DocumentsView | null): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The client starts a server anew that crashed, at most four times in three minutes.
 * @param onRunning called when a server runs, which knows nothing yet. @param shelf the name of folders of stages and pipelines.
 */
export async function startClient(
  server: string,
  outputChannel: LogOutputChannel,
  onRunning: () => void,
  shelf: string,
): Promise<RunningClient> {
  const run = { module: server, transport: TransportKind.ipc, options: { execArgv: memoryFlags } };
  const client = new LanguageClient(
    'loop',
    'Loop Language Server',
    { run, debug: run },
    {
      documentSelector: patternsOf(shelf).map((pattern) => ({ scheme: 'file', pattern })),
      outputChannel,
      initializationOptions: { pipelinesFolder: shelf },
    },
  );
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) onRunning();
  });
  await client.start();
  return {
    tell: (sprintDir, view) => client.sendNotification('loop/sprintChanged', { sprintDir: Uri.file(sprintDir).toString(), view }),
    stop: () => client.stop(),
  };
}
