/** What a person says to a running sprint in a real editor, with their own clicks. */
import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

const journal = (): string => readFileSync(path.join(at.folder, 'sprint', '.loop', 'journal.jsonl'), 'utf8');

describe('the person’s word to a running sprint', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    ground = await suiteGround();
    at = await arriveAtGreeter(ground);
  });
  after(() => ground?.close());

  it('is taken while a task is worked on, from the palette', async () => {
    const { workbench } = at;
    await workbench.openContainer('Loop');
    await chooseToStart(workbench);
    await workbench.pressInDialog('Start the sprint greeter?', 'Start');
    await workbench.tree('Tasks').waitForRow('T1 being worked on', sprintTimeoutMs);
    await workbench.runCommand('Loop: Tell the Agents…');
    await workbench.pick('The whole sprint', 'What is it about?');
    await workbench.answer('Keep it small.', 'about the whole sprint');
    await workbench.tree('Sprint').waitForRow('You said 1 word');
    assert.match(journal(), /"word\.said".*Keep it small\./);
  });

  it('is said to one task from its row, and shown as read once its builder has it', async () => {
    const { workbench } = at;
    await workbench.tree('Tasks').choose('T2', 'Tell the Agents…');
    await workbench.answer('Use printf.', 'about task T2');
    await workbench.tree('Sprint').waitForRow('You said 2 words');
    await workbench.tree('Tasks').waitForRow('T2 being worked on', sprintTimeoutMs);
    await workbench.tree('Sprint').waitForRow('Read about task T2: Use printf.', sprintTimeoutMs);
  });

  it('pauses it after the running step, and it goes on from there', async () => {
    const { workbench } = at;
    await workbench.runCommand('Loop: Pause after This Step');
    await workbench.statusBar('Loop: paused', sprintTimeoutMs);
    await workbench.tree('Sprint').waitForRow('greeter paused');
    await workbench.pressInNotification('greeter is paused, as you asked', 'Resume');
    await workbench.statusBar(/Loop: .*needs you/, sprintTimeoutMs);
  });

  it('is asked for when the Vision is changed while the sprint waits, and what was changed is taken over', async () => {
    const { workbench } = at;
    await workbench.openFile('VISION.md', 1);
    await workbench.writeAtEnd('Nobody is greeted twice.');
    const text = await workbench.notification('VISION.md was changed');
    assert.match(text, /no requirement re-opens, and the whole is judged anew\. Until you say so, the sprint goes on with the old text\./);
    await workbench.screenshot(path.join(await pictureFolder(), 'changed-vision.png'));
    await workbench.pressInNotification('VISION.md was changed', 'Take It Over');
    await waitFor('the line about it in the journal', sprintTimeoutMs, () =>
      Promise.resolve(/"documents\.taken"/.test(journal()) || undefined),
    );
    await workbench.statusBar(/Loop: .*needs you/, sprintTimeoutMs);
  });

  it('is not asked for a second time, and is told where nothing was changed', async () => {
    const { workbench } = at;
    await workbench.runCommand('Loop: Take Over Changed Documents…');
    await workbench.notification('the sprint goes by VISION.md and PRD.md as they are saved');
  });

  it('is taken while the sprint does not run', async () => {
    const { workbench } = at;
    await workbench.runCommand('Loop: Stop Sprint');
    await workbench.notification('greeter is stopped');
    await workbench.tree('Sprint').waitForRow('Interrupted: Waiting for you');
    await workbench.tree('Tasks').choose('T3', 'Tell the Agents…');
    await workbench.answer('Mind the case.', 'about task T3');
    await workbench.tree('Sprint').waitForRow('Taken about task T3: Mind the case.');
  });

  it('gives a hint for the next attempt at a task, and then gives the task up', async () => {
    const { workbench } = at;
    await workbench.tree('Tasks').choose('T3', 'Retry with a Hint…');
    await workbench.answer('It ends with a dot.', 'try task T3 again');
    await workbench.tree('Sprint').waitForRow('Taken about task T3: It ends with a dot.');
    await workbench.tree('Tasks').choose('T3', 'Skip This Task…');
    await workbench.pressInDialog('Skip task T3?', 'Skip It');
    await workbench.runCommand('Loop: Resume Sprint');
    await workbench.tree('Tasks').waitForRow('T3 dropped', sprintTimeoutMs);
    await workbench.notification('greeter ended partial', sprintTimeoutMs);
    await workbench.tree('Sprint').waitForRow('Requirement 1.3');
  });

  it('shows what was built for one task, and a merge has the name of what is missing', async () => {
    const { workbench } = at;
    await workbench.runCommand('Loop: Review the Change');
    await workbench.pick('T1 Greet by name', 'The whole of it');
    await workbench.tab('T1 Greet by name (1 file)');
    await workbench.runCommand('Loop: Finish Sprint…');
    await workbench.pick('Merge', 'What becomes of');
    const text = await workbench.dialog('into main?');
    assert.match(text, /Failed when they last ran: cli\/house\./);
    assert.match(text, /Not proven: .*1\.3/);
    assert.match(text, /Dropped tasks: T3/);
    await workbench.screenshot(path.join(await pictureFolder(), 'finish-with-gaps.png'));
    const [named = 'none'] = /Merge with 1 Failed, \d Unproven, 1 Dropped/.exec(text) ?? [];
    await workbench.pressInDialog('into main?', named);
    await workbench.notification("These verifications fail on the sprint's work: cli/house", sprintTimeoutMs);
  });
});
