/** Loop in the editor's four kinds of themes and at three widths of the side bar: contrast is measured, and pictures are kept. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';

import axe from 'axe-core';
import { after, before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';

import { waitFor } from '../processes.ts';
import { sprintTimeoutMs } from '../step.ts';
import { arriveAtGreeter, chooseToStart, type Detour } from './detours.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

/** By the kind that a webview is told. */
const themes = {
  'vscode-light': 'Light Modern',
  'vscode-dark': 'Dark Modern',
  'vscode-high-contrast': 'Dark High Contrast',
  'vscode-high-contrast-light': 'Light High Contrast',
} as const;
const widths = [175, 300, 500];

let ground: Ground;
let at: Detour;

describe('in each theme', () => {
  before(async () => {
    ground = await suiteGround();
    at = await arriveAtGreeter(ground);
    const { workbench } = at;
    await workbench.openContainer('Loop');
    await chooseToStart(workbench);
    await workbench.pressInDialog('Start the sprint greeter?', 'Start');
    await workbench.tree('Verifications').waitForRow('name passed', sprintTimeoutMs);
    await workbench.statusBar(/Loop: .*needs you/, sprintTimeoutMs);
    await workbench.tree('Verifications').click('name');
  });
  after(() => ground?.close());

  for (const [kind, theme] of Object.entries(themes)) {
    it(`the failure history has a contrast of 4.5:1 or more, and the side bar can be read: ${theme}`, async () => {
      const { workbench } = at;
      await workbench.runCommand('Preferences: Color Theme');
      await workbench.pick(theme, 'Select Color Theme');
      const page = await workbench.webview('History (');
      await waitFor(`the theme ${kind}`, sprintTimeoutMs, async () =>
        (await page.evaluate(() => document.body.dataset['vscodeThemeKind'])) === kind ? true : undefined,
      );
      await page.evaluate(`document.querySelectorAll('details').forEach((details) => (details.open = true))`);
      await page.evaluate(axe.source);
      const { measured, below } = await contrastIn(page);
      assert.ok(measured > 10, `only ${measured} texts were measured`);
      assert.deepEqual(below, []);
      for (const width of widths) {
        await drawSideBar(width);
        await workbench.screenshot(path.join(await pictureFolder(), `theme-${kind}-${width}.png`));
      }
    });
  }

  it('no status is cut off in a side bar of 300 pixels, nor that the person is needed in one of 175', async () => {
    const needed = ['Needs you'];
    const standing = [
      ...needed,
      'greeter needs you',
      'Requirements 3 of 4 verified so far',
      'core 2 of 3 done',
      'T1 done',
      'T3 waits for you',
      'cli 2 of 3 passed',
      'name passed',
      'house red, its work is not done yet',
    ];
    for (const [width, rows] of [[300, standing] as const, [175, needed] as const]) {
      await drawSideBar(width);
      const left = async (): Promise<readonly string[]> => cutOff(rows);
      await waitFor('the rows', sprintTimeoutMs, async () => ((await left()).every((one) => !one.startsWith('no row')) ? true : undefined));
      assert.deepEqual(await left(), [], `at ${width} pixels`);
    }
    const title = 'T3 waits for you · Use the word of the house';
    assert.deepEqual(await cutOff([title]), [title], 'what is cut off is not seen');
  });

  it('a text of too little contrast is seen', async () => {
    const page = await at.workbench.webview('History (');
    await page.evaluate(`document.querySelector('h1').style.color = '#bbb'`);
    assert.notDeepEqual((await contrastIn(page)).below, []);
  });
});

interface Contrast {
  measured: number;
  below: string[];
}

/** Run by the browser's debugger, since the page's policy lets no other script in. */
async function contrastIn(page: Frame): Promise<Contrast> {
  interface Rule {
    nodes: { html: string; any: { data: { contrastRatio: number } | null }[] }[];
  }
  const run = `axe.run({ runOnly: ['color-contrast'] })`;
  const { violations, passes } = (await page.evaluate(run)) as { violations: Rule[]; passes: Rule[] };
  const nodes = (rules: readonly Rule[]) => rules.flatMap((rule) => rule.nodes);
  return {
    measured: nodes(passes).length + nodes(violations).length,
    below: nodes(violations).map(({ html, any }) => `${any[0]?.data?.contrastRatio ?? '?'}:1 ${html.slice(0, 120)}`),
  };
}

/** Draws the edge of the side bar with the mouse, to the nearest width that the editor lets it have. */
async function drawSideBar(width: number): Promise<void> {
  const { page } = at.workbench;
  const box = await page.locator('.part.sidebar').boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + width, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await page.locator('.part.editor').hover({ force: true });
  await waitFor(`a side bar of ${width} pixels`, sprintTimeoutMs, async () => {
    const now = await page.locator('.part.sidebar').boundingBox();
    return now && Math.abs(now.width - width) <= 12 ? true : undefined;
  });
}

/** Rows, given by how they begin, whose beginning does not fit. */
function cutOff(rows: readonly string[]): Promise<string[]> {
  return at.workbench.page.evaluate((wanted) => {
    const drawn = [...document.querySelectorAll('.part.sidebar .monaco-list-row .monaco-icon-label-container')];
    return wanted.flatMap((begin) => {
      const row = drawn.find((one) => (one.textContent ?? '').replaceAll(/\s+/g, '').startsWith(begin.replaceAll(' ', '')));
      if (!row) return [`no row "${begin}"`];
      const room = row.getBoundingClientRect().right;
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      let left = begin.replaceAll(' ', '').length;
      for (let text = texts.nextNode(); text && left > 0; text = texts.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(text);
        let end = 0;
        for (const letter of text.textContent ?? '') {
          if (left === 0) break;
          if (letter.trim() !== '') left -= 1;
          end += letter.length;
        }
        range.setEnd(text, end);
        // The ellipsis, where there is one, needs room too.
        if (range.getBoundingClientRect().right > room - (row.scrollWidth > row.clientWidth ? 10 : 0)) return [begin];
      }
      return [];
    });
  }, rows);
}
