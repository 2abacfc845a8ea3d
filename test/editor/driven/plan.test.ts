/** A person looks at the plan before it is built, changes it and approves it, in a real editor and with their own clicks. */
import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import { waitFor } from '../processes.ts';
import { inOrder } from '../in-order.ts';
import { sprintTimeoutMs } from '../step.ts';
import { arriveAtGreeter, chooseToStart, type Detour } from './detours.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

let ground: Ground;
let at: Detour;
let pictures: string;

describe('a plan that waits for its approval', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    ground = await suiteGround({ 'loop.approvePlan': true });
    at = await arriveAtGreeter(ground);
    pictures = await pictureFolder();
  });
  after(() => ground?.close());

  it('is announced before the start, and shown before anything is built', async () => {
    const { workbench } = at;
    await workbench.openContainer('Loop');
    await chooseToStart(workbench);
    assert.match(await workbench.dialog('Start the sprint greeter?'), /It stops after the plan and its review, until you approve the plan/);
    await workbench.pressInDialog('Start the sprint greeter?', 'Start');
    await workbench.tree('Sprint').waitForRow('Needs you Approve the plan', sprintTimeoutMs);
    await workbench.statusBar('Loop: needs you');
    await workbench.tree('Tasks').waitForRow('T2 waits for other tasks');
    await workbench.screenshot(path.join(pictures, 'plan-waits.png'));
    await workbench.pressInNotification('Loop needs you: Approve the plan', 'Show instructions');
    await workbench.tab('Human action H2.md');
    await workbench.screenshot(path.join(pictures, 'plan-shown.png'));
  });

  it('takes another title and another place for a task, from its row', async () => {
    const { workbench, folder } = at;
    await workbench.tree('Tasks').choose('T3', 'Change This Task…');
    await workbench.pick('Title', 'What shall be otherwise?');
    await workbench.answer('The word of the house first <command:x>', 'builders read it as it stands here');
    await workbench.tree('Tasks').waitForRow('The word of the house first');
    const shown = workbench.page.locator('.view-line', { hasText: 'The word of the house first' }).first();
    assert.match((await shown.textContent()) ?? '', /<command\s:x>/, 'a command that the editor would follow');
    await workbench.tree('Tasks').choose('T3', 'Change This Task…');
    await workbench.pick('When it is built', 'What shall be otherwise?');
    await workbench.pick('Before T2', 'never built before what it needs');
    const journal = path.join(folder, 'sprint', '.loop', 'journal.jsonl');
    // The status bar may still show the change of the title.
    const isMoved = (): boolean => /"task\.moved","id":"T3","before":"T2"/.test(readFileSync(journal, 'utf8'));
    await waitFor('the move in the journal', sprintTimeoutMs, () => Promise.resolve(isMoved() || undefined));
    assert.ok(!existsSync(path.join(folder, 'sprint', '.loop', 'verifications', 'cli')), 'something was verified before the approval');
    await workbench.screenshot(path.join(pictures, 'plan-changed.png'));
  });

  it('is built once it is approved', async () => {
    const { workbench } = at;
    await workbench.runCommand('Loop: Approve the Plan');
    await workbench.tree('Tasks').waitForRow('T1 being worked on', sprintTimeoutMs);
    await workbench.runCommand('Loop: Stop Sprint');
    await workbench.statusBar('Loop: interrupted');
  });
});
