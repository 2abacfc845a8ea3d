/** The language server beside a real extension host: it is killed, and what the editor shows comes back. */
import * as assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { childrenOf, waitFor } from '../processes.ts';
import { temporaryFolder } from '../temporary.ts';

const limitMs = 180_000;

describe('the language server beside the editor', function () {
  this.timeout(4 * limitMs);
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  before(async () => {
    folder = await temporaryFolder('language');
    await vscode.extensions.getExtension('loop.loop')?.activate();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await folder.remove();
  });

  it('starts again after it was killed, and checks what was written since', async () => {
    const file = path.join(folder.path, 'sprint', 'PRD.md');
    await mkdir(path.dirname(file));
    await writeFile(file, 'Too short.\n');
    const document = await vscode.workspace.openTextDocument(file);
    const shows = (code: string): Promise<true> =>
      waitFor(`the finding ${code}`, limitMs, async () => {
        return vscode.languages.getDiagnostics(document.uri).some((one) => one.code === code) || undefined;
      });
    await shows('too-short');
    const [first] = await servers();
    assert.ok(first !== undefined, 'the server is no process of the extension host');
    process.kill(first, 'SIGKILL');
    const edit = new vscode.WorkspaceEdit();
    const twice = '\n## 2. Output\n\n- 2.1 The total is printed, rounded to the cent.\n- 2.1 The tax is printed.\n';
    edit.insert(document.uri, document.positionAt(document.getText().length), twice);
    await vscode.workspace.applyEdit(edit);
    await shows('duplicate-number');
    const running = await servers();
    assert.ok(running.length === 1 && !running.includes(first), `${running.length} servers run`);
  });
});

function servers(): Promise<number[]> {
  return childrenOf(process.pid, 'language-server.mjs');
}
