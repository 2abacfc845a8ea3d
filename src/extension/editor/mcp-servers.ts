/** Offers `loop mcp` to agents that do not see the editor's tools, where the person chose that; else each tool would be there twice. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { agentFolders } from './agent-tools.ts';
import { mcpProvider } from './names.ts';
import { agentToolsFromSettings } from './settings.ts';

export function registerMcpServers(context: vscode.ExtensionContext): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('loop.agentTools') && changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(mcpProvider, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => mcpServers(context),
    }),
  );
}

/** One for each folder of the workspace. */
export function mcpServers({
  extensionPath,
  extension,
}: Pick<vscode.ExtensionContext, 'extensionPath' | 'extension'>): vscode.McpStdioServerDefinition[] {
  if (agentToolsFromSettings() !== 'mcp') return [];
  const folders = agentFolders();
  const { version } = extension.packageJSON as { version: string };
  const cli = path.join(extensionPath, 'dist', 'cli.mjs');
  // The editor's own program, which is Node.js with this variable.
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  return folders.map((folder) => {
    const name = folders.length > 1 ? `Loop: ${path.basename(folder)}` : 'Loop';
    return new vscode.McpStdioServerDefinition(name, process.execPath, [cli, 'mcp', folder], env, version);
  });
}
