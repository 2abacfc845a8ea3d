/** A pipeline in a real editor, used with a person's own clicks: the example with ideas, a plan and a queue, from its recording. */
import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import { inOrder } from '../in-order.ts';
import { Keyboard } from '../keyboard.ts';
import { sprintTimeoutMs } from '../step.ts';
import type { Workbench } from '../workbench.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';
import { pipelineFolder } from './pipeline-folder.ts';

const folderName = 'evening';
let ground: Ground;
let pictures: string;
let folder: string;
let workbench: Workbench;

const picture = (name: string): Promise<void> => workbench.screenshot(path.join(pictures, `${name}.png`));
/** Of a comparison: its tab has both names in its title only. */
const tab = (title: string): Promise<void> => workbench.page.locator('.tab', { hasText: title }).first().waitFor();
const tree = () => workbench.tree('Pipelines');

/** All that is asked before the worst case is shown. */
async function choose(name: string, offered: string, inputs: string): Promise<void> {
  await workbench.runCommand('Loop: Run Pipeline…');
  await workbench.pick(name, offered);
  await workbench.answer(inputs, 'What may it read besides');
  await workbench.pick('Recorded model', 'Which model');
  await workbench.pick('No network', 'What may the commands of its agents reach?');
}

describe('a pipeline in the editor', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    pictures = await pictureFolder();
    ground = await suiteGround();
    folder = path.join(ground.scratch, folderName);
    pipelineFolder(folder);
    workbench = await ground.open(folder);
  });
  after(() => ground?.close());

  it('starts from the palette, after showing the worst case', async () => {
    await workbench.openContainer('Loop');
    for (const other of ['Sprint', 'Tasks', 'Verifications']) await workbench.tree(other).fold();
    await choose('evening', 'Which pipeline?', '');
    await workbench.pressInDialog('Start the pipeline evening?', 'Back');
    await workbench.back('What may the commands of its agents reach?');
    await workbench.back('Which model');
    await workbench.answer('TODO.md', 'What may it read besides');
    await workbench.pick('Recorded model', 'Which model');
    await workbench.pick('No network', 'What may the commands of its agents reach?');
    const text = await workbench.dialog('Start the pipeline evening?');
    assert.match(text, /Session evening, 4 stages: ideas\.usual, ideas\.quick, plan, work\./);
    assert.match(text, /Worst case: at most 12 iterations, and 24 hours at work\. The model is a recording: nothing is paid/);
    assert.match(text, /It may read, as it is now: TODO\.md, docs\/vision\.md\./);
    assert.match(text, /It may change any file\./);
    assert.match(text, /Your checkout is not touched until you choose Finish/);
    await picture('pipeline-start');
    assert.ok(!existsSync(path.join(folder, '.loop')), 'something was written before Start');
    await workbench.pressInDialog('Start the pipeline evening?', 'Start');
  });

  it('shows each iteration with its decision while it runs', async () => {
    await tree().waitForRow('1 continue Two ideas that are worth it', sprintTimeoutMs);
    await tree().waitForRow('evening running', sprintTimeoutMs);
    await tree().waitForRow('under way', sprintTimeoutMs);
    await workbench.statusBar(/Loop: evening, \S+ \d · \$/);
    await picture('pipeline-running');
  });

  it('stops on its row, and goes on from there without asking again', async () => {
    await tree().clickAction('evening', 'Stop Pipeline');
    await workbench.notification('the pipeline evening is stopped', sprintTimeoutMs);
    await tree().waitForRow('evening interrupted');
    await tree().clickAction('evening', 'Resume Pipeline');
    await tree().waitForRow('evening running');
  });

  it('says that it is complete, with each stage’s row of decisions', async () => {
    await workbench.notification('the pipeline evening is complete', sprintTimeoutMs);
    await tree().waitForRow('evening complete');
    await tree().waitForRow('plan continue, stop, stop · 3 of at most 5');
    await picture('pipeline-complete');
  });

  it('is read as text, by the key that does so in the other trees', async () => {
    const keys = new Keyboard(workbench.page);
    await keys.focusTree('Pipelines');
    await keys.press('Alt+F2');
    await workbench.tab('Pipelines.md');
    const rows = workbench.page.locator('.monaco-editor .view-lines').filter({ visible: true }).first();
    await rows.filter({ hasText: 'Stage plan, ' }).waitFor();
  });

  it('opens an iteration as a document', async () => {
    await tree().click('2 stop');
    await workbench.tab('plan 2.md');
    const lines = workbench.page.locator('.monaco-editor .view-lines').first();
    await lines.filter({ hasText: 'plan, iteration 2: stop' }).waitFor();
    await lines.filter({ hasText: 'It reads no clock' }).waitFor();
    await picture('pipeline-iteration');
    await workbench.pressInTitle('Compare with the One Before');
    await tab('plan, iteration 1 ↔ plan, iteration 2');
  });

  it('compares any two iterations, and one with that before it', async () => {
    await tree().choose('1 continue', 'Compare with…');
    await workbench.pick('plan, iteration 1', 'With which iteration?');
    await tab('ideas.usual, iteration 1 ↔ plan, iteration 1');
    const diff = workbench.page.locator('.monaco-diff-editor').filter({ visible: true }).first();
    for (const side of ['.line-delete', '.line-insert']) await diff.locator(side).first().waitFor();
    await picture('pipeline-compare');
    await tree().clickAction('2 continue', 'Compare with the One Before');
    await tab('ideas.usual, iteration 1 ↔ ideas.usual, iteration 2');
    await diff.locator('.view-line', { hasText: 'Take no clock' }).first().waitFor();
  });

  it('merges what it made on Finish', async () => {
    assert.ok(!existsSync(path.join(folder, 'greet.sh')), 'the checkout was touched before Finish');
    await tree().clickAction('evening', 'Finish Pipeline…');
    await workbench.pick('Merge', 'What becomes of');
    await workbench.pressInDialog('into main?', 'Merge');
    await tree().waitForRow('evening merged', sprintTimeoutMs);
    assert.match(readFileSync(path.join(folder, 'docs', 'plan.md'), 'utf8'), /^# Plan/);
    assert.ok(existsSync(path.join(folder, 'greet.sh')));
  });

  it('makes a stage and a pipeline of the person’s own, which run as they are', async () => {
    await workbench.runCommand('Loop: New Stage…');
    await workbench.tryAnswer('Not a name', 'Name of the stage', 'Give lower case letters');
    await workbench.answer('my-notes', 'Give lower case letters');
    await workbench.tab('prompt.md');
    await workbench.runCommand('Loop: New Pipeline…');
    await workbench.answer('full-refine', 'Name of the pipeline');
    await workbench.tab('full-refine.yaml');
    await picture('pipeline-new');
    assert.ok(existsSync(path.join(folder, 'pipelines', 'stages', 'my-notes', 'stage.yaml')));
    await choose('my-notes', 'workspace, hides that of the extension', '');
    const text = await workbench.dialog('Start the pipeline my-notes?');
    assert.match(text, /Worst case: at most 6 iterations/);
    assert.match(text, /It changes no file: its outputs are kept with the run\./);
    await workbench.pressInDialog('Start the pipeline my-notes?', 'Cancel');
    assert.ok(!existsSync(path.join(folder, '.loop', 'pipelines', 'my-notes')));
  });
});
