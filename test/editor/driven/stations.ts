/**
 * The person's way through the example sprint, station by station, with clicks only. The test and the pictures of the documentation
 * go the same way, so what the pictures show is tested.
 */
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { exampleRepository } from '../../../scripts/example-repository.ts';
import { checkoutRoot } from '../provisioned.ts';
import { sprintTimeoutMs } from '../step.ts';
import type { Workbench } from '../workbench.ts';
import type { Ground } from './ground.ts';

const exampleFolder = path.join(checkoutRoot(), 'examples', 'receipts');
/** Commands that are offered in every state. */
export const generalCommands = [
  'Loop: Create Sprint…',
  'Loop: Try the Example…',
  'Loop: Clean Up…',
  'Loop: Switch Sprint…',
  'Loop: Set API Key',
  'Loop: Show Log',
  'Loop: Open Accessibility Help',
  'Loop: Run Pipeline…',
  'Loop: Resume Pipeline',
  'Loop: Finish Pipeline…',
  'Loop: New Stage…',
  'Loop: New Pipeline…',
];
/** Commands that are offered where no sprint runs. */
export const startCommands = ['Loop: Start Sprint', 'Loop: Queue Sprints…'];
/** The verification that a bug of the first task turns red. */
const brokenVerification = 'written-month';
const requestedFile = 'rates.csv';

export interface Tour {
  readonly workbench: Workbench;
  readonly repo: string;
  /** Saves a picture of the window under this name. */
  picture(name: string): Promise<void>;
}

/** Opens a fresh copy of the example in the editor. */
export async function arrive(ground: Ground, pictures: string): Promise<Tour> {
  const repo = path.join(ground.scratch, 'receipts');
  exampleRepository(exampleFolder, repo);
  const workbench = await ground.open(repo);
  return { workbench, repo, picture: (name) => workbench.screenshot(path.join(pictures, `${name}.png`)) };
}

/** From the palette to the question with the worst case; nothing is written before *Start*. */
export async function start({ workbench, repo, picture }: Tour): Promise<void> {
  await workbench.openContainer('Loop');
  await workbench.page.getByRole('button', { name: 'Start Sprint' }).first().waitFor();
  await picture('welcome');
  await workbench.offers('Loop: ', [...generalCommands, ...startCommands]);
  await workbench.runCommand('Loop: Start Sprint');
  await workbench.pick('Recorded model', 'Which model');
  await workbench.pick('Only to install dependencies', 'reach');
  await workbench.pick('8 hours', 'How long may it run?');
  const text = await workbench.dialog('Start the sprint receipts?');
  assert.match(text, /Worst case: at most \d+ decisions, and 8 hours at work/);
  assert.match(text, /nothing is paid/);
  assert.match(text, /Your checkout is not touched until you choose Finish/);
  await picture('start');
  assert.ok(!existsSync(path.join(repo, 'sprint', '.loop')), 'something was written before Start');
  await workbench.pressInDialog('Start the sprint', 'Start');
}

/** The first task is worked on, and the verification that its bug breaks turns red; its history shows why. */
export async function seeRed({ workbench, picture }: Tour): Promise<void> {
  await workbench.tree('Tasks').waitForRow('being worked on', sprintTimeoutMs);
  const verifications = workbench.tree('Verifications');
  await verifications.waitForRow(`${brokenVerification} failed`, sprintTimeoutMs);
  await verifications.click(brokenVerification);
  const page = await workbench.webview(`The verification`);
  const text = await page.locator('body').innerText();
  assert.match(text, /failed/, 'the page does not say that it failed');
  assert.match(text, /Attempt \d+: red, exit status 1/);
  assert.match(text, /2026-02/, 'the evidence of the wrong month is not there');
  await picture('red-verification');
}

/** Tasks are marked as done while the sprint runs. */
export async function seeTasksTick({ workbench, picture }: Tour): Promise<void> {
  const tasks = workbench.tree('Tasks');
  await tasks.waitForRow('foundation 1 of 1 done', sprintTimeoutMs);
  await tasks.waitForRow('being worked on', sprintTimeoutMs);
  await picture('tasks');
  const running = [
    'Loop: Stop Sprint',
    'Loop: Answer Human Action',
    'Loop: Tell the Agents…',
    'Loop: Pause after This Step',
    'Loop: Take Over Changed Documents…',
    'Loop: Review Proposed Wording…',
    ...sprintCommands,
  ];
  await workbench.offers('Loop: ', [...generalCommands, ...running]);
}

/** A session as a document: the one that is over is whole, with its calls folded. */
export async function followSession({ workbench, picture }: Tour): Promise<void> {
  await workbench.pickAfter('Loop: Follow a Session…', 'Building: T1', 'Whose work');
  await workbench.tab('Building T1.md');
  const lines = workbench.page.locator('.monaco-editor .view-lines').first();
  await lines.filter({ hasText: 'reports its task as done' }).waitFor();
  await lines.filter({ hasNotText: 'Result:' }).waitFor();
  await picture('session');
}

/** Commands that are offered wherever a sprint is shown. */
const sprintCommands = [
  'Loop: Review the Change',
  'Loop: Open Worktree',
  'Loop: Open Report',
  'Loop: Show as Text',
  'Loop: Show Failure History',
  'Loop: Explain Last Decision',
  'Loop: Follow a Session…',
];

/** The human action: reported as done too early, then with an empty file, and then with the real one. */
export async function supply({ workbench, repo, picture }: Tour): Promise<void> {
  const asked = await workbench.notification('Loop needs you', sprintTimeoutMs);
  assert.match(asked, /rates\.csv/);
  await workbench.statusBar(/Loop: .*needs you/);
  await workbench.tree('Tasks').waitForRow('waits for you');
  await picture('needs-you');

  await workbench.pressInNotification('Loop needs you', 'I have done it');
  const missing = await workbench.notification('not done yet', sprintTimeoutMs);
  assert.match(missing, /rates\.csv/);
  await workbench.tree('Sprint').waitForRow('Still missing: ');
  await picture('not-yet');

  writeFileSync(path.join(repo, requestedFile), '');
  await workbench.pressInNotification('not done yet', 'I have done it');
  await workbench.notification('not done yet', sprintTimeoutMs);

  copyFileSync(path.join(exampleFolder, 'supplied', requestedFile), path.join(repo, requestedFile));
  await workbench.pressInNotification('not done yet', 'I have done it');
}

/** Delivered: the notification, the status bar and the tree say so. */
export async function seeDelivered({ workbench, picture }: Tour): Promise<void> {
  const text = await workbench.notification('is delivered', sprintTimeoutMs);
  assert.match(text, /receipts is delivered: every requirement in it is proven/);
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

/** The history of the verification shows what fixed it, and why; a search finds its evidence. */
export async function readHistory({ workbench, picture }: Tour): Promise<void> {
  await workbench.tree('Verifications').click(brokenVerification);
  const page = await workbench.webview('Fix: kept');
  const text = await page.locator('body').innerText();
  assert.match(text, /passed/);
  assert.match(text, /Attempt \d+: red, exit status 1/);
  assert.match(text, /Trusted: /);
  assert.match(text, /Why: .*\s+[^]*What Loop saw\s+src\/receipts\.js modified/);
  assert.match(text, /Why it was kept: nothing that was green broke/);
  await page.locator('h3', { hasText: 'Fix: kept' }).evaluate((heading) => heading.scrollIntoView({ block: 'center' }));
  await picture('failure-history');
  await page.locator('body').press('/');
  await page.getByRole('searchbox').fill('a receipt is in another month');
  await page.locator('#search-count', { hasText: /^1 of \d+, \d+ entries hidden$/ }).waitFor();
  await picture('history-search');
  await page.getByRole('searchbox').press('Escape');
}

/** The change of the fix, in the editor's own view of changes. */
export async function seeChange({ workbench, picture }: Tour): Promise<void> {
  const page = await workbench.webview('Fix: kept');
  await page.locator('.change', { hasText: 'Fix: kept' }).getByRole('button', { name: 'Open Changes' }).first().click();
  const diff = workbench.page.locator('.multiDiffEntry').filter({ hasText: 'receipts.js' }).first();
  for (const side of ['.line-delete', '.line-insert']) await diff.locator(side).first().waitFor({ timeout: sprintTimeoutMs });
  await picture('fix-changes');
}

/** The same verification runs by hand in the editor's own Test Explorer: it passes, and the sprint does not change. */
export async function runByHand({ workbench, picture }: Tour): Promise<void> {
  await workbench.openContainer('Testing');
  await workbench.tests.run('report', brokenVerification);
  await workbench.tests.passed(brokenVerification, '1/1', sprintTimeoutMs);
  await picture('test-explorer');
  // The sprint is over, so no edit can be adopted any more.
  assert.ok(!(await workbench.tests.menu('report', brokenVerification)).includes('Adopt My Edit…'));
  await workbench.tests.press('report', brokenVerification, 'Show Failure History');
  await workbench.webview('By hand: green, not counted');
  await workbench.openContainer('Loop');
  await workbench.statusBar('Loop: delivered');
}

/** *Finish* merges: the checkout has what was built, and it works by hand. */
export async function finish({ workbench, repo, picture }: Tour): Promise<void> {
  const tool = path.join(repo, 'bin', 'receipts.js');
  assert.ok(!existsSync(tool), 'the checkout was touched before Finish');
  await workbench.runCommand('Loop: Finish Sprint…');
  await workbench.pick('Merge', 'What becomes of');
  const text = await workbench.dialog('into main?');
  assert.match(text, /Merge \d+ commits into main\?/);
  assert.match(text, /bin\/receipts\.js/);
  await picture('finish');
  await workbench.pressInDialog('into main?', 'Review the Change');
  await workbench.page.locator('.multiDiffEntry').filter({ hasText: 'receipts.js' }).first().waitFor();
  await picture('review');
  assert.ok(!existsSync(tool), 'a review merged it');
  await workbench.runCommand('Loop: Finish Sprint…');
  await workbench.pick('Merge', 'What becomes of');
  await workbench.pressInDialog('into main?', 'Merge');
  await workbench.statusBar('Loop: merged', sprintTimeoutMs);
  const over = [...startCommands, ...sprintCommands, 'Loop: Run Verifications'];
  await workbench.offers('Loop: ', [...generalCommands, ...over]);
  await picture('merged');
  await workbench.runCommand('Loop: Explain Last Decision');
  await workbench.tab('Last decision.md');
  await picture('decision');
  const report = execFileSync(process.execPath, [tool, 'samples/spring.csv'], { cwd: repo, encoding: 'utf8' });
  assert.match(report, /Grand total {4}2184\.74 EUR/);
}

/** PRD.md in the editor: how its requirements stand is above them; a number that is there twice is underlined, and mended. */
export async function readPrd({ workbench, repo, picture }: Tour): Promise<void> {
  const file = path.join(repo, 'sprint', 'PRD.md');
  appendFileSync(file, '\n### 3.3 The figures are the same each time\n');
  await workbench.openFile('PRD.md', readFileSync(file, 'utf8').split('\n').length - 1);
  await workbench.underlined(1, sprintTimeoutMs);
  await workbench.lens('1 verification, passed', sprintTimeoutMs);
  await picture('prd');
  await workbench.quickFix('Number it 3.4');
  await workbench.underlined(0);
}
