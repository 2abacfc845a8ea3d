/** A sprint that stops at its budget in a real editor, and goes on with a higher one. */
import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import { inOrder } from '../in-order.ts';
import { waitFor } from '../processes.ts';
import { sprintTimeoutMs } from '../step.ts';
import { arriveAtGreeter, chooseToStart, type Detour } from './detours.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

let ground: Ground;
let at: Detour;

describe('a budget that is reached', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    ground = await suiteGround({ 'loop.budgetTokens': 1000 });
    at = await arriveAtGreeter(ground);
  });
  after(() => ground?.close());

  it('is raised by a choice of the person, and the sprint goes on with it', async () => {
    const { workbench, folder } = at;
    await chooseToStart(workbench);
    await workbench.pressInDialog('Start the sprint greeter?', 'Start');
    await workbench.pressInNotification('the budget is reached', 'Raise and Resume…', sprintTimeoutMs);
    await workbench.pick('Four times as much', 'How much may it use in all?');
    const raised = (): boolean =>
      readFileSync(path.join(folder, 'sprint', '.loop', 'journal.jsonl'), 'utf8').includes(
        '"fact":"budget.raised","usd":100,"tokens":4000',
      );
    await waitFor('the higher budget in the journal', sprintTimeoutMs, () => Promise.resolve(raised() || undefined));
    await workbench.notification('the budget is reached', sprintTimeoutMs);
    await workbench.screenshot(path.join(await pictureFolder(), 'budget-reached.png'));
  });

  it('stands among the sprints of the workspace, with how it ended and what it cost', async () => {
    const { workbench } = at;
    await workbench.runCommand('Loop: Switch Sprint…');
    await workbench.pick('sprint', 'out of budget · $0.00, 0 tokens');
    await workbench.openContainer('Loop');
    await workbench.tree('Sprint').waitForRow('out of budget');
  });

  it('keeps what it needs on the disk', async () => {
    const { workbench } = at;
    await workbench.runCommand('Loop: Clean Up…');
    const text = await workbench.notification('nothing can be removed here', sprintTimeoutMs);
    assert.match(text, /of 1 sprint stay\. Sprint .*: its sprint can go on; Finish with "keep" or "drop" ends it\./);
  });
});
