/** Workspaces of other kinds: several folders, each a repository with a sprint, and a folder that the person does not trust yet. */
import * as assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import { honest } from '../../support/greeter.ts';
import { inOrder } from '../in-order.ts';
import { waitFor } from '../processes.ts';
import { sprintTimeoutMs } from '../step.ts';
import type { Workbench } from '../workbench.ts';
import { commitAll, greeterFolder } from './greeter-folder.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

const recording = JSON.stringify({ recording: 1, sessions: honest });

describe('a workspace of several folders', function () {
  // Each step needs the one before.
  inOrder(this);
  let ground: Ground;
  let workbench: Workbench;
  const folders = ['shop', 'tools'] as const;
  const at = (...names: string[]): string => path.join(ground.scratch, ...names);
  before(async () => {
    ground = await suiteGround();
    for (const name of folders) {
      await greeterFolder(at(name), { 'sprint/recording.yaml': recording });
      commitAll(at(name));
    }
    writeFileSync(at('both.code-workspace'), JSON.stringify({ folders: folders.map((name) => ({ path: name })) }));
    // On a busy machine the editor may fail to read the file, and then shows a workspace without folders until it is opened again.
    workbench = await waitFor('the folders of the workspace', sprintTimeoutMs, async () => {
      const opened = await ground.open(at('both.code-workspace'));
      return (await opened.isInExplorer(folders[1])) ? opened : undefined;
    });
  });
  after(() => ground?.close());

  it('offers the sprints of each, and runs the one that is chosen in its own repository', async () => {
    await workbench.openContainer('Loop');
    await workbench.runCommand('Loop: Start Sprint');
    await workbench.pick('tools', 'Which sprint?');
    await workbench.pick('Recorded model', 'Which model');
    await workbench.pick('No network', 'reach');
    await workbench.pick('8 hours', 'How long may it run?');
    await workbench.pressInDialog('Start the sprint', 'Start');
    await workbench.notification('Loop needs you', sprintTimeoutMs);
    assert.deepEqual(
      folders.map((name) => existsSync(at(name, 'sprint', '.loop', 'journal.jsonl'))),
      [false, true],
    );
    await workbench.screenshot(path.join(await pictureFolder(), 'several-folders.png'));
  });
});

describe('a folder that is not trusted', function () {
  inOrder(this);
  let ground: Ground;
  let workbench: Workbench;
  before(async () => {
    ground = await suiteGround({
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
    });
    await greeterFolder(path.join(ground.scratch, 'foreign'), { 'sprint/recording.yaml': recording });
    commitAll(path.join(ground.scratch, 'foreign'));
    workbench = await ground.open(path.join(ground.scratch, 'foreign'));
  });
  after(() => ground?.close());

  it('has nothing of Loop, and runs nothing', async () => {
    await workbench.statusBar('Restricted Mode');
    await workbench.offers('Loop: ', []);
    await workbench.screenshot(path.join(await pictureFolder(), 'restricted.png'));
  });

  it('has all of it once the person trusts the folder', async () => {
    await workbench.runCommand('Workspaces: Manage Workspace Trust');
    await workbench.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    await workbench.page.locator('.monaco-modal-editor-block .codicon-close').first().click();
    await workbench.openContainer('Loop');
    await workbench.runCommand('Loop: Start Sprint');
    await workbench.answer('', 'Which model');
  });
});
