/** The documents of a sprint in a real editor, with keys and clicks: quick fix, completion, definition, rename, folding, hover. */
import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';

import { prd, verifications, vision } from '../../support/greeter.ts';
import { inOrder } from '../in-order.ts';
import { waitFor } from '../processes.ts';
import { stepTimeoutMs } from '../step.ts';
import type { Workbench } from '../workbench.ts';
import { commitAll, writeFiles } from './greeter-folder.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

const script = 'sprint/.loop/verifications/cli/world.sh';
/** A list of which one item has no number. */
const listed = prd.replaceAll(/^(1\.\d)/gm, '- $1').replace('## 1.', '- 9.1 it ends with a line break\n- it needs no network\n\n## 1.');
const lineOf = (text: string): number => listed.split('\n').findIndex((line) => line.includes(text)) + 1;

let ground: Ground;
let folder: string;
let workbench: Workbench;

const picture = async (name: string): Promise<void> => workbench.screenshot(path.join(await pictureFolder(), `${name}.png`));
const onDisk = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await workbench.page.keyboard.press(key);
};
const line = (text: string): Locator =>
  workbench.page.locator('.editor-instance .view-lines .view-line').filter({ hasText: text, visible: true }).first();
const waitForText = (name: string, text: string): Promise<true> =>
  waitFor(`"${text}" in ${name}`, stepTimeoutMs, () => Promise.resolve(onDisk(name).includes(text) || undefined));

describe('the documents of a sprint, as they are typed', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    ground = await suiteGround();
    folder = path.join(ground.scratch, 'typed');
    await writeFiles(folder, {
      'sprint/VISION.md': `${vision}\nRequirement 1.2 is for those who are shy.\n`,
      'sprint/PRD.md': listed,
      [script]: verifications.world.write_verification.content,
    });
    commitAll(folder);
    workbench = await ground.open(folder);
    await workbench.openContainer('Loop');
  });
  after(() => ground?.close());

  it('get a number by the first quick fix, with keys only', async () => {
    await workbench.openFile('PRD.md', lineOf('it needs no network'));
    // The fixes come a moment after the line is underlined.
    const fix = workbench.page.locator('.action-widget .monaco-list-row.focused').filter({ hasText: 'Number it 9.2' });
    await waitFor('the quick fix', stepTimeoutMs, async () => {
      await press('Escape', 'Control+.');
      return fix.waitFor({ timeout: 3000 }).then(
        () => true,
        () => undefined,
      );
    });
    await picture('quick-fix');
    await press('Enter');
    await line('- 9.2 it needs no network').waitFor();
    await press('Control+S');
    await waitForText('sprint/PRD.md', '- 9.2 it needs no network');
  });

  it('offer the ids where one is about to be named, with the words of their requirements', async () => {
    await workbench.openFile('VISION.md', 1);
    await press('Control+End');
    await workbench.page.keyboard.type('It begins with §');
    const row = workbench.page.locator('.suggest-widget .monaco-list-row').filter({ hasText: '1.1' }).first();
    await row.waitFor();
    await workbench.page.locator('.suggest-widget').getByText('without a name it prints').first().waitFor();
    await picture('completion');
    await row.click();
    await line('It begins with §1.1').waitFor();
    await press('Control+S');
    await waitForText('sprint/VISION.md', 'It begins with §1.1');
  });

  it('lead from the header of a verification to its requirement', async () => {
    await workbench.openFile('world.sh', 3);
    await press('End', 'F12');
    await workbench.tab('PRD.md');
    await line('- 1.2').and(workbench.page.locator(':has-text("without a name")')).waitFor();
    await workbench.statusBar(`Ln ${lineOf('1.2 without')},`);
  });

  it('say at a pointer what an id means', async () => {
    await workbench.openFile('VISION.md', 1);
    const words = 'Requirement 1.2 is for those who are shy.';
    const box = await line(words).locator('span span').first().boundingBox();
    assert.ok(box);
    await workbench.page.mouse.move(box.x + (box.width * (words.indexOf('1.2') + 1)) / words.length, box.y + box.height / 2);
    await workbench.page.locator('.monaco-hover').filter({ hasText: '1.2 without a name it prints' }).first().waitFor();
    await picture('hover');
    await press('Escape');
  });

  it('refuse a number that is taken, and say so', async () => {
    await renameFrom('1.2', '1.3');
    await workbench.page.getByText('1.3 is there already; give a number that is free.').first().waitFor();
    await picture('rename-refused');
    assert.match(onDisk('sprint/PRD.md'), /- 1\.2 without a name/);
    await press('Escape');
  });

  it('get another number for a requirement everywhere, by F2', async () => {
    await renameFrom('1.2', '1.7');
    await waitForText('sprint/PRD.md', '- 1.7 without a name');
    await waitForText('sprint/VISION.md', 'Requirement 1.7 is for');
    await waitForText(script, '# PRD: 1.7');
    await picture('renamed');
  });

  it('fold by a key, and unfold by a click in the margin', async () => {
    await workbench.openFile('PRD.md', lineOf('## 1. Greeting'));
    await press('Control+Shift+[');
    await line('1.7 without').waitFor({ state: 'hidden' });
    await picture('folded');
    await workbench.page.locator('.editor-instance .margin .codicon-folding-collapsed').filter({ visible: true }).first().click();
    await line('1.7 without').waitFor();
  });

  it('list their requirements among the symbols', async () => {
    await press('Control+Shift+O');
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: '1.7 without a name it prints' }).first().waitFor();
    await picture('symbols');
    await press('Escape');
  });
});

/** Opens the box of a new name at the number of a requirement in PRD.md, and gives one. */
async function renameFrom(from: string, to: string): Promise<void> {
  await workbench.openFile('PRD.md', lineOf(`- ${from}`));
  await press('Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'F2');
  const box = workbench.page.locator('.rename-box input');
  await box.waitFor();
  assert.equal(await box.inputValue(), from);
  await box.fill(to);
  await box.press('Enter');
}
