/** Which report is opened, where one of an earlier sprint lies beside the documents. */
import * as assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { openReport } from '../../../src/extension/editor/open-report.ts';
import { sprintView, type SprintView } from '../../../src/views/model/sprint-view.ts';
import { built, start, stateOf } from '../../views/model/sample.ts';
import { temporaryFolder, type TemporaryFolder } from '../temporary.ts';
import { toldBy, whileReplaced } from './replaced.ts';

const view = sprintView(stateOf(...built), start);
const over: SprintView = { ...view, ending: { stop: 'delivered', reasons: [], resumes: false } };

describe('the report', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder('report');
    await writeFile(path.join(folder.path, 'DELIVERY_REPORT.md'), 'that was committed');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await folder.remove();
  });
  const opened = async (shown: SprintView): Promise<string | undefined> => {
    let text: string | undefined;
    const showTextDocument = async (uri: vscode.Uri): Promise<void> => {
      text = (await vscode.workspace.openTextDocument(uri)).getText();
    };
    const told = await whileReplaced(vscode.window, { showTextDocument }, () =>
      toldBy(() => openReport({ shown: { dir: folder.path, view: shown, running: false, activity: null, broke: null } })),
    );
    return text ?? told[0];
  };

  it('is not an earlier sprint’s, which lies beside the documents', async () => {
    assert.match((await opened(view)) ?? '', /there is no report yet/);
    assert.equal(await opened(over), 'that was committed');
  });

  it('is the one of the last stop where there is one', async () => {
    await mkdir(path.join(folder.path, '.loop'));
    await writeFile(path.join(folder.path, '.loop', 'DELIVERY_REPORT.md'), 'of the last stop');
    for (const one of [view, over]) assert.equal(await opened(one), 'of the last stop');
  });
});
