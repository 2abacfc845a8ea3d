// Owns the way of a person through the example sprint, station by station, by clicks only. The test and the pictures of the
// documentation go the same way: what is in the pictures was tested.

import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { exampleRepository } from '../../../scripts/example-repository.ts';
import { checkoutRoot } from '../provisioned.ts';
import type { Workbench } from '../workbench.ts';
import type { Ground } from './ground.ts';

/** How long the sprint itself may take from one station to the next, on a loaded machine. */
const SPRINT_TIMEOUT_MS = 120_000;
const EXAMPLE = path.join(checkoutRoot(), 'examples', 'receipts');
/** Commands that make sense in any state; all others are offered where they apply. */
const ALWAYS = ['Loop: Set API Key', 'Loop: Show Log'];
/** The verification that a bug of the first task turns red; its row stands below its category. */
const BROKEN = 'written-month';
const ASKED_FOR = 'rates.csv';

export interface Tour {
  readonly workbench: Workbench;
  readonly repo: string;
  /** Keeps a picture of the window under this name. */
  picture(name: string): Promise<void>;
}

/** The editor opens at a fresh copy of the example. */
export async function arrive(ground: Ground, pictures: string): Promise<Tour> {
  const repo = path.join(ground.scratch, 'receipts');
  exampleRepository(EXAMPLE, repo);
  const workbench = await ground.open(repo);
  return { workbench, repo, picture: (name) => workbench.screenshot(path.join(pictures, `${name}.png`)) };
}

/** From the palette to the worst case; nothing is written before *Start*. */
export async function start({ workbench, repo, picture }: Tour): Promise<void> {
  await workbench.openContainer('Loop');
  await workbench.page.getByRole('button', { name: 'Start Sprint' }).first().waitFor();
  await picture('welcome');
  await workbench.offers('Loop: ', [...ALWAYS, 'Loop: Start Sprint']);
  await workbench.runCommand('Loop: Start Sprint');
  await workbench.pick('receipts', 'Which sprint?');
  await workbench.pick('Recorded model', 'Which model');
  await workbench.pick('Only to install dependencies', 'reach');
  const words = await workbench.dialog('Start the sprint receipts?');
  assert.match(words, /Worst case: at most \d+ decisions/);
  assert.match(words, /nothing is paid/);
  assert.match(words, /Your checkout is not touched until you choose Finish/);
  await picture('start');
  assert.ok(!existsSync(path.join(repo, 'sprint', '.loop')), 'something was written before Start');
  await workbench.pressInDialog('Start the sprint', 'Start');
}

/** The first task is worked on, and the verification that its bug breaks goes red: its history tells how. */
export async function seeRed({ workbench, picture }: Tour): Promise<void> {
  await workbench.tree('Tasks').waitForRow('being worked on', SPRINT_TIMEOUT_MS);
  const verifications = workbench.tree('Verifications');
  await verifications.waitForRow(`${BROKEN} failed`, SPRINT_TIMEOUT_MS);
  await verifications.click(BROKEN);
  const page = await workbench.webview(`The verification`);
  const words = await page.locator('body').innerText();
  assert.match(words, /failed/, 'the page does not say that it failed');
  assert.match(words, /Attempt \d+: red, exit status 1/);
  assert.match(words, /2026-02/, 'the evidence of the wrong month is not there');
  await picture('red-verification');
}

/** Tasks tick while one looks. */
export async function seeTasksTick({ workbench, picture }: Tour): Promise<void> {
  const tasks = workbench.tree('Tasks');
  await tasks.waitForRow('foundation 1 of 1 done', SPRINT_TIMEOUT_MS);
  await tasks.waitForRow('being worked on', SPRINT_TIMEOUT_MS);
  await picture('tasks');
  const running = ['Loop: Stop Sprint', 'Loop: Answer Human Action', ...SEEN];
  await workbench.offers('Loop: ', [...ALWAYS, ...running]);
}

/** Offered wherever a sprint is shown. */
const SEEN = ['Loop: Open Report', 'Loop: Show Failure History', 'Loop: Explain Last Decision'];

/** What only the person can do: said too early first, with an empty file then, and then really. */
export async function supply({ workbench, repo, picture }: Tour): Promise<void> {
  const asked = await workbench.notification('Loop needs you', SPRINT_TIMEOUT_MS);
  assert.match(asked, /rates\.csv/);
  await workbench.statusBar('Loop: needs you');
  await workbench.tree('Tasks').waitForRow('waits for you');
  await picture('needs-you');

  await workbench.pressInNotification('Loop needs you', 'I have done it');
  const missing = await workbench.notification('not done yet', SPRINT_TIMEOUT_MS);
  assert.match(missing, /rates\.csv/);
  await workbench.tree('Sprint').waitForRow('Still missing: ');
  await picture('not-yet');

  writeFileSync(path.join(repo, ASKED_FOR), '');
  await workbench.pressInNotification('not done yet', 'I have done it');
  await workbench.notification('not done yet', SPRINT_TIMEOUT_MS);

  copyFileSync(path.join(EXAMPLE, 'supplied', ASKED_FOR), path.join(repo, ASKED_FOR));
  await workbench.pressInNotification('not done yet', 'I have done it');
}

/** Delivered: the notification, the status bar and the tree say so. */
export async function seeDelivered({ workbench, picture }: Tour): Promise<void> {
  const words = await workbench.notification('is delivered', SPRINT_TIMEOUT_MS);
  assert.match(words, /receipts is delivered: every requirement is proven/);
  await workbench.statusBar('Loop: delivered');
  await workbench.tree('Sprint').waitForRow('receipts delivered');
  await workbench.tree('Sprint').waitForRow('9 of 9 proven');
  await workbench.tree('Tasks').waitForRow('core 3 of 3 done');
  await picture('delivered');
}

export async function readReport({ workbench, picture }: Tour): Promise<void> {
  await workbench.pressInNotification('is delivered', 'Open Report');
  await workbench.tab('DELIVERY_REPORT.md');
  await picture('report');
}

/** The verification that was red tells what mended it, and why; its evidence is found by search. */
export async function readHistory({ workbench, picture }: Tour): Promise<void> {
  await workbench.tree('Verifications').click(BROKEN);
  const page = await workbench.webview('Fix: kept');
  const words = await page.locator('body').innerText();
  assert.match(words, /passed/);
  assert.match(words, /Attempt \d+: red, exit status 1/);
  assert.match(words, /Trusted: /);
  assert.match(words, /Why: .*\s+[^]*What Loop saw\s+src\/receipts\.js modified/);
  assert.match(words, /Why it was kept: nothing that was green broke/);
  await page.locator('h3', { hasText: 'Fix: kept' }).evaluate((heading) => heading.scrollIntoView({ block: 'center' }));
  await picture('failure-history');
  await page.locator('body').press('/');
  await page.getByRole('searchbox').fill('a receipt is in another month');
  await page.locator('#search-count', { hasText: /^1 of \d+, \d+ entries hidden$/ }).waitFor();
  await picture('history-search');
  await page.getByRole('searchbox').press('Escape');
}

/** What the fix changed, before and after, in the editor's own view of changes. */
export async function seeChange({ workbench, picture }: Tour): Promise<void> {
  const page = await workbench.webview('Fix: kept');
  await page.locator('.change', { hasText: 'Fix: kept' }).getByRole('button', { name: 'Open Changes' }).first().click();
  const shown = workbench.page.locator('.multiDiffEntry').filter({ hasText: 'receipts.js' }).first();
  for (const side of ['.line-delete', '.line-insert']) await shown.locator(side).first().waitFor({ timeout: SPRINT_TIMEOUT_MS });
  await picture('fix-changes');
}

/** The same verification in the editor's own Test Explorer, run by hand: it passes, and nothing of the sprint changes. */
export async function runByHand({ workbench, picture }: Tour): Promise<void> {
  await workbench.openContainer('Testing');
  await workbench.tests.run('report', BROKEN);
  await workbench.tests.passed(BROKEN, '1/1', SPRINT_TIMEOUT_MS);
  await picture('test-explorer');
  // The sprint is over: nothing can become one of its verifications any more.
  assert.ok(!(await workbench.tests.menu('report', BROKEN)).includes('Adopt My Edit…'));
  await workbench.tests.press('report', BROKEN, 'Show Failure History');
  await workbench.webview('Fix: kept');
  await workbench.openContainer('Loop');
  await workbench.statusBar('Loop: delivered');
}

/** Merged by *Finish*: the checkout has what was built, and it works by hand. */
export async function finish({ workbench, repo, picture }: Tour): Promise<void> {
  const tool = path.join(repo, 'bin', 'receipts.js');
  assert.ok(!existsSync(tool), 'the checkout was touched before Finish');
  await workbench.runCommand('Loop: Finish Sprint…');
  await workbench.pick('Merge', 'What becomes of');
  const words = await workbench.dialog('into main?');
  assert.match(words, /Merge \d+ commits into main\?/);
  assert.match(words, /bin\/receipts\.js/);
  await picture('finish');
  await workbench.pressInDialog('into main?', 'Merge');
  await workbench.statusBar('Loop: merged', SPRINT_TIMEOUT_MS);
  const over = ['Loop: Start Sprint', ...SEEN];
  await workbench.offers('Loop: ', [...ALWAYS, ...over]);
  await picture('merged');
  await workbench.runCommand('Loop: Explain Last Decision');
  await workbench.tab('Last decision.md');
  await picture('decision');
  const report = execFileSync(process.execPath, [tool, 'samples/spring.csv'], { cwd: repo, encoding: 'utf8' });
  assert.match(report, /Grand total {4}2184\.74 EUR/);
}
