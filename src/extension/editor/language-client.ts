/** The editor's end of the language server: a bundle of its own (`language.ts` loads it). */
import type { LogOutputChannel } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

/** The client starts a server anew that crashed, at most four times in three minutes. */
export async function startClient(server: string, outputChannel: LogOutputChannel): Promise<LanguageClient> {
  const run = { module: server, transport: TransportKind.ipc, options: { execArgv: [] } };
  const client = new LanguageClient('loop', 'Loop Language Server', { run, debug: run }, { documentSelector, outputChannel });
  await client.start();
  return client;
}

const documentSelector = ['**/{VISION,PRD}.md', '**/{loop.config,services}.yaml', '**/.loop/verifications/**'].map((pattern) => ({
  scheme: 'file',
  pattern,
}));
