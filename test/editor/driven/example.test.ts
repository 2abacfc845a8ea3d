/** The first minutes of a person: the walkthrough, and the example that it copies and plays to its end. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import * as path from 'node:path';
import * as assert from 'node:assert/strict';

import { after, before, describe, it } from 'mocha';

import { inOrder } from '../in-order.ts';
import { waitFor } from '../processes.ts';
import { sprintTimeoutMs, step } from '../step.ts';
import { Workbench } from '../workbench.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

let ground: Ground;
let workbench: Workbench;
let pictures: string;
let example: string;

describe('a first day', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    ground = await suiteGround();
    pictures = await pictureFolder();
    const empty = path.join(ground.scratch, 'empty');
    mkdirSync(empty);
    workbench = await ground.open(empty);
  });
  after(() => ground?.close());

  it('says in each view what comes next, where there is no sprint', async () => {
    await workbench.openContainer('Loop');
    for (const name of ['Create Sprint…', 'Try the Example…']) await workbench.page.getByRole('button', { name }).first().waitFor();
    await workbench.screenshot(path.join(pictures, 'no-sprint.png'));
  });

  it('copies the example, by keyboard, and opens it', async () => {
    const opened = workbench.page.context().waitForEvent('page', { timeout: sprintTimeoutMs });
    // A step before may fail.
    opened.catch(() => undefined);
    await workbench.runCommand('Loop: Try the Example…');
    await workbench.chooseFolder(`${ground.scratch}/`, 'where shall the example be copied to');
    const page = await step(workbench.page, 'waiting for the window of the example', () => opened);
    workbench = new Workbench(page);
    await workbench.ready(sprintTimeoutMs);
    // The dialog may have taken the folder that was open.
    example = new URL(page.url()).searchParams.get('folder') ?? '';
    for (const file of ['sprint/VISION.md', 'sprint/recording.yaml', 'supplied/rates.csv', '.git'])
      assert.ok(existsSync(path.join(example, file)), file);
  });

  it('plays it, asks for the file that only a person can give, and ends in a real history', async () => {
    await workbench.tree('Tasks').waitForRow('being worked on', sprintTimeoutMs);
    await workbench.tree('Sprint').waitForRow('Needs you', sprintTimeoutMs);
    await workbench.screenshot(path.join(pictures, 'example-asks.png'));
    copyFileSync(path.join(example, 'supplied', 'rates.csv'), path.join(example, 'rates.csv'));
    await waitFor('the report', sprintTimeoutMs, () =>
      Promise.resolve(existsSync(path.join(example, 'sprint', '.loop', 'DELIVERY_REPORT.md')) || undefined),
    );
    const page = await workbench.webview('What the fixer said', sprintTimeoutMs);
    assert.match(await page.locator('body').innerText(), /What Loop saw/);
    await workbench.screenshot(path.join(pictures, 'example-history.png'));
  });
});
