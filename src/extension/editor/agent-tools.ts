/** The tools by which the editor's own agents ask about sprints: they only read. Their descriptions are in package.json. */
import * as vscode from 'vscode';
import type { EngineClient } from './engine-client.ts';
import { agentTools } from './names.ts';

export function registerAgentTools(engine: () => EngineClient): vscode.Disposable {
  return vscode.Disposable.from(...agentTools.map((name) => vscode.lm.registerTool<object>(name, toolOf(name, engine))));
}

/** The folders whose sprints an agent may ask about. */
export function agentFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

function toolOf(question: string, engine: () => EngineClient): vscode.LanguageModelTool<object> {
  return {
    async invoke({ input }) {
      const text = await engine().request('agent-question', { folders: agentFolders(), question, asked: input });
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}
