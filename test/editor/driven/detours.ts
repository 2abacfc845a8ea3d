/** The person's way through sprints with interruptions: stops, reloads, skips, and folders that are not ready for a sprint. */
import * as assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { killBusy, waitFor } from '../processes.ts';
import { sprintTimeoutMs } from '../step.ts';
import type { Workbench } from '../workbench.ts';
import { commitAll, git, greeterFolder, writeFiles } from './greeter-folder.ts';
import type { Ground } from './ground.ts';
import { generalCommands, startCommands } from './stations.ts';

export interface Detour {
  readonly workbench: Workbench;
  readonly folder: string;
  /** As `Ground` has it. */
  readonly stateHome: string;
}

/** Opens the small sprint in a repository. */
export async function arriveAtGreeter(ground: Ground): Promise<Detour> {
  const folder = path.join(ground.scratch, 'greeter');
  await greeterFolder(folder);
  commitAll(folder);
  return { folder, stateHome: ground.stateHome, workbench: await ground.open(folder) };
}

/** *Stop* while a task is worked on; the sprint can still be resumed. */
export async function stop({ workbench }: Detour): Promise<void> {
  await workbench.openContainer('Loop');
  await chooseToStart(workbench);
  await workbench.pressInDialog('Start the sprint greeter?', 'Start');
  await workbench.tree('Tasks').waitForRow('T1 being worked on · Greet by name', sprintTimeoutMs);
  await workbench.tree('Verifications').click('name');
  await workbench.webview('History (');
  await workbench.runCommand('Loop: Stop Sprint');
  await workbench.notification('greeter is stopped');
  await workbench.statusBar('Loop: interrupted');
  // A busy machine shows the history so late that the next task has begun.
  await workbench.tree('Tasks').waitForRow('interrupted · Greet ');
}

/** The person adopts their edit of a verification after they see the difference; from then on the verification is theirs. */
export async function adoptEdit({ workbench, folder }: Detour, picture: (workbench: Workbench) => Promise<void>): Promise<void> {
  const file = path.join(folder, 'sprint', '.loop', 'verifications', 'cli', 'world.sh');
  const script = readFileSync(file, 'utf8');
  writeFileSync(file, script.replaceAll('wrong default', 'no greeting for the world'));
  await workbench.openContainer('Testing');
  assert.ok((await workbench.tests.menu('cli', 'world')).includes('Adopt My Edit…'));
  await workbench.openContainer('Loop');
  await workbench.tree('Verifications').choose('world', 'Adopt My Edit…');
  await workbench.notification('adopt this text as verification cli/world?');
  const diff = workbench.page.locator('.monaco-diff-editor').filter({ hasText: 'no greeting for the world' }).first();
  for (const side of ['.line-delete', '.line-insert']) await diff.locator(side).first().waitFor();
  await picture(workbench);
  assert.equal(readFileSync(file, 'utf8'), script, 'it was adopted before the person said so');
  await workbench.pressInNotification('adopt this text as verification cli/world?', 'Adopt');
  await workbench.statusBar('your edit is adopted');
}

/** *Resume* from the notification about the stop; nothing is asked again. */
export async function resume({ workbench }: Detour): Promise<void> {
  await workbench.pressInNotification('greeter is stopped', 'Resume');
  await workbench.tree('Tasks').waitForRow('T1 done · Greet by name', sprintTimeoutMs);
  await workbench.tree('Tasks').waitForRow('T2 being worked on · Greet the world where no name is given', sprintTimeoutMs);
  await workbench.tree('Verifications').waitForRow('trusted · yours');
}

/** The launcher process is killed, as by a system that is short of memory: Loop reports that, and *Resume* goes on. */
export async function loseLauncher({ workbench, stateHome }: Detour): Promise<void> {
  const message = 'starts commands and git ended (SIGKILL). Nothing that was settled is lost: do the same again, and it goes on from here.';
  await waitFor('the notification about the end of the launcher', sprintTimeoutMs, async () => {
    await killBusy('dist/launcher.js', stateHome);
    return (await workbench.isNotified(message)) || undefined;
  });
  await workbench.statusBar('Loop: interrupted');
  await workbench.tree('Sprint').waitForRow('starts commands and git ended');
  await workbench.pressInNotification(message, 'Resume');
  await workbench.tree('Tasks').waitForRow('T2 being worked on · Greet the world where no name is given', sprintTimeoutMs);
}

/** The window is reloaded, which ends its extension host; sprint and history are shown again, and the sprint goes on. */
export async function reload({ workbench }: Detour): Promise<void> {
  await workbench.page.reload();
  await workbench.ready();
  await workbench.openContainer('Loop');
  await workbench.statusBar('Loop: interrupted');
  await workbench.tree('Tasks').waitForRow('T1 done · Greet by name');
  await workbench.webview('History (');
  await workbench.runCommand('Loop: Resume Sprint');
  await workbench.tree('Tasks').waitForRow('waits for you', sprintTimeoutMs);
}

/** *Skip* asks for a confirmation, and the ending says honestly what it costs. */
export async function skip({ workbench, folder }: Detour): Promise<void> {
  await workbench.pressInNotification('Loop needs you', 'Skip', sprintTimeoutMs);
  await workbench.pressInDialog('will be dropped', 'Skip It');
  const message = await workbench.notification('greeter ended partial', sprintTimeoutMs);
  assert.match(message, /Requirement .* is not proven/);
  await workbench.statusBar('Loop: partial');
  await workbench.tree('Tasks').waitForRow('T3 dropped · Use the word of the house');
  await workbench.tree('Sprint').waitForRow('greeter partial');
  await workbench.tree('Sprint').waitForRow('Requirement 1.3');
  assert.ok(!existsSync(path.join(folder, 'greet.sh')), 'the checkout was touched');
}

/** Without a repository a first commit is offered; it holds only the ticked files. */
export async function initialise(ground: Ground, picture: (workbench: Workbench) => Promise<void>): Promise<void> {
  const folder = path.join(ground.scratch, 'fresh');
  await greeterFolder(folder, { 'notes.md': 'mine\n', '.env': 'TOKEN=secret\n', '.gitignore': 'out/\n', 'out/a.js': '1\n' });
  const workbench = await ground.open(folder);
  await chooseToStart(workbench);
  await workbench.pressInDialog('This folder is no git repository', 'Choose Files…');
  await workbench.pickMany(['.gitignore', 'sprint/PRD.md', 'sprint/VISION.md'], 'Take away', picture);
  await workbench.pressInDialog('Start the sprint fresh?', 'Cancel');
  assert.equal(git(folder, 'ls-files'), '.gitignore\nsprint/PRD.md\nsprint/VISION.md\n');
  assert.equal(git(folder, 'rev-list', '--count', 'HEAD').trim(), '1');
  assert.equal(git(folder, 'branch', '--list', 'loop/*'), '');
  assert.ok(!existsSync(path.join(folder, 'sprint', '.loop')), 'a sprint was begun without Start');
}

/** The person types the API key, which is kept in the editor's secret store, used, and removed on request. */
export async function keepKey(ground: Ground): Promise<void> {
  const folder = path.join(ground.scratch, 'keys');
  await greeterFolder(folder);
  commitAll(folder);
  const workbench = await ground.open(folder);
  await workbench.runCommand('Loop: Set API Key');
  await workbench.tryAnswer('hello', 'The API key for Claude', 'begins with sk-ant-');
  await workbench.answer('sk-ant-of-a-test', 'begins with sk-ant-');
  await workbench.notification('the API key is stored, but was not checked', sprintTimeoutMs);
  await workbench.runCommand('Loop: Start Sprint');
  await workbench.pick('Claude', 'Anthropic API, with your key');
  await workbench.pick('Only to install dependencies', 'reach');
  await workbench.pick('8 hours', 'How long may it run?');
  assert.match(await workbench.dialog('Start the sprint keys?'), /At most \$25\.00 and 20M tokens/);
  await workbench.pressInDialog('Start the sprint keys?', 'Cancel');
  await workbench.runCommand('Loop: Remove API Key');
  await workbench.offers('Loop: ', [...generalCommands, ...startCommands]);
}

/** A folder with a Vision but no PRD is offered; starting it says what is missing. */
export async function withoutPrd(ground: Ground): Promise<void> {
  const folder = path.join(ground.scratch, 'half');
  await writeFiles(folder, { 'sprints/billing/VISION.md': 'Everyone gets a bill that they can read and check.\n' });
  commitAll(folder);
  const workbench = await ground.open(folder);
  await workbench.runCommand('Loop: Start Sprint');
  const message = await workbench.notification('has no PRD.md');
  assert.match(message, /billing is not a sprint: it has no PRD\.md\. Write in it what must be true/);
  assert.equal(git(folder, 'branch', '--list', 'loop/*'), '');
  assert.ok(!existsSync(path.join(folder, 'sprints', 'billing', '.loop')));
}

/** There is one sprint, so that it is not asked which. */
export async function chooseToStart(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Loop: Start Sprint');
  await workbench.pick('Recorded model', 'Which model');
  await workbench.pick('Only to install dependencies', 'reach');
  await workbench.pick('8 hours', 'How long may it run?');
}
