/** From a folder with VISION.md and PRD.md, and nothing else, to a finished sprint without a mouse. */
import * as assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import { honest, prd, supplied, vision } from '../../support/greeter.ts';
import { inOrder } from '../in-order.ts';
import { isFocusSeen, Keyboard } from '../keyboard.ts';
import { waitFor } from '../processes.ts';
import { sprintTimeoutMs } from '../step.ts';
import type { Workbench } from '../workbench.ts';
import { git, writeFiles } from './greeter-folder.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

let ground: Ground;
let folder: string;
let workbench: Workbench;
let keys: Keyboard;
let pressed: () => Promise<number>;

const picture = async (name: string): Promise<void> => workbench.screenshot(path.join(await pictureFolder(), `keys-${name}.png`));

const lines = (text: string) =>
  workbench.page.locator('.editor-instance .view-lines .view-line').filter({ hasText: text, visible: true }).first();

describe('a sprint without a mouse', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    ground = await suiteGround();
    folder = path.join(ground.scratch, 'keys-only');
    const recording = JSON.stringify({ recording: 1, sessions: honest });
    await writeFiles(folder, { 'VISION.md': vision, 'PRD.md': prd, 'recording.yaml': recording });
    workbench = await ground.open(folder);
    keys = new Keyboard(workbench.page);
    pressed = await keys.watchMouse();
  });
  after(() => ground?.close());

  it('starts: each question has the focus, and so has the button that goes on', async () => {
    await keys.command('Loop: Start Sprint');
    await keys.choose('Recorded model', 'Which model');
    await keys.choose('Only to install dependencies', 'reach');
    await keys.choose('8 hours', 'How long may it run?');
    await keys.accept('This folder is no git repository', 'Choose Files…');
    await keys.acceptList('Take away what should not be committed');
    await workbench.dialog('Start the sprint keys-only?');
    await picture('start');
    await keys.accept('Start the sprint keys-only?', 'Start');
    assert.match(git(folder, 'ls-files'), /PRD\.md\n[^]*VISION\.md\n/);
  });

  it('asks, and is answered from the notification', async () => {
    await workbench.statusBar(/Loop: .*needs you/, sprintTimeoutMs);
    writeFileSync(path.join(folder, supplied.path), supplied.text);
    await keys.pressInNotification('Loop needs you', 'I have done it', sprintTimeoutMs);
    await workbench.statusBar('Loop: delivered', sprintTimeoutMs);
  });

  it('opens a failure’s history from its row, which then has the focus, and is searched and walked through', async () => {
    await keys.takeRow('Verifications', 'world');
    const page = await workbench.webview('Fix: kept');
    await waitFor('the focus in the history', sprintTimeoutMs, async () => (await page.evaluate(() => document.hasFocus())) || undefined);
    await keys.press('/');
    const isInSearch = async (): Promise<true | undefined> =>
      (await page.evaluate(() => document.activeElement?.id === 'search')) || undefined;
    await waitFor('the focus in the search', sprintTimeoutMs, isInSearch);
    assert.ok(await isFocusSeen(page), 'the field of the search has no line around it');
    await workbench.page.keyboard.type('wrong default');
    await page.locator('#search-count', { hasText: /^1 of \d+/ }).waitFor();
    await picture('search');
    await keys.press('Escape', 'Tab', 'Tab', 'Tab');
    const isSeen = async (): Promise<true | undefined> => ((await isInSearch()) ? undefined : (await isFocusSeen(page)) || undefined);
    await waitFor('a line around what Tab reaches', sprintTimeoutMs, isSeen);
    await picture('history');
  });

  it('is read as text, and helped with, by the editor’s own keys for that', async () => {
    await keys.press('Alt+F2');
    await workbench.tab('History- cli-world.md');
    await lines('Attempt 1: red, exit status 1').waitFor();
    await picture('history-as-text');
    await keys.focusTree('Tasks');
    await keys.press('Alt+F2');
    await workbench.tab('Sprint keys-only.md');
    await lines('Task T1, Greet by name, done').waitFor();
    await picture('trees-as-text');
    await keys.focusTree('Sprint');
    await keys.press('Alt+F1');
    await workbench.tab('Accessibility help of Loop.md');
    await lines('Every command of Loop is').waitFor();
    await picture('help');
  });

  it('is finished, and what it built is there', async () => {
    assert.ok(!existsSync(path.join(folder, 'greet.sh')), 'the checkout was touched before Finish');
    await keys.command('Loop: Finish Sprint…');
    await keys.choose('Merge', 'What becomes of');
    await workbench.dialog('commits into ');
    await picture('finish');
    await keys.accept('commits into ', 'Merge');
    await workbench.statusBar('Loop: merged', sprintTimeoutMs);
    assert.match(readFileSync(path.join(folder, 'greet.sh'), 'utf8'), /Hello/);
    assert.equal(await pressed(), 0, 'a mouse was used');
  });
});
