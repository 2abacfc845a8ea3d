/** A sprint by a program of the person's that asks models with their own login, started by clicks. */
import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import { prd, supplied, vision } from '../../support/greeter.ts';
import { inOrder } from '../in-order.ts';
import { waitFor } from '../processes.ts';
import { sprintTimeoutMs } from '../step.ts';
import type { Workbench } from '../workbench.ts';
import { commitAll, writeFiles } from './greeter-folder.ts';
import type { Played } from './editor-programs.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

let ground: Ground;
let workbench: Workbench;
let folder: string;
let played: Played | undefined;

const picture = async (name: string): Promise<void> => workbench.screenshot(path.join(await pictureFolder(), `${name}.png`));

describe('a sprint by Codex', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    ground = await suiteGround({ 'loop.keepAwake': 'ask' });
    folder = path.join(ground.scratch, 'programs');
    await writeFiles(folder, { 'sprint/VISION.md': vision, 'sprint/PRD.md': prd });
    commitAll(folder);
    played = ground.play(path.join(folder, 'sprint'));
    workbench = await ground.open(folder);
  });
  after(async () => {
    played?.takeAway();
    await ground?.close();
  });

  it('is offered where the program is found, also by kind of work, and needs no key', async () => {
    await workbench.openContainer('Loop');
    await workbench.runCommand('Loop: Start Sprint');
    await workbench.pick('By Kind of Work…', 'Which model works?');
    await workbench.pick('Codex', 'plans, judges');
    await workbench.back('3/6', () => picture('start-program'));
    await workbench.pick('Codex', 'plans, judges');
    await workbench.pick('Codex', 'builds, mends');
    await workbench.pick('Codex', 'sorts failures');
    await workbench.pick('No network', 'reach');
    await workbench.pick('8 hours', 'How long may it run?');
    const text = await workbench.dialog('Start the sprint');
    assert.match(text, /At most 20M tokens, with default by Codex(, default by Codex)*\. No price is known/);
    await workbench.pressInDialog('Start the sprint', 'Start');
  });

  it('asks once whether the machine stays awake meanwhile, and keeps it awake', async () => {
    await workbench.pressInNotification('shall this computer stay awake', 'Keep It Awake');
    await waitFor('the machine to be kept awake', sprintTimeoutMs, async () => played?.isAwake() || undefined);
  });

  it('is delivered by it, and lets the machine sleep then', async () => {
    await workbench.notification('Loop needs you', sprintTimeoutMs);
    writeFileSync(path.join(folder, supplied.path), supplied.text);
    await workbench.pressInNotification('Loop needs you', 'I have done it');
    await workbench.notification('is delivered', sprintTimeoutMs);
    const journal = readFileSync(path.join(folder, 'sprint', '.loop', 'journal.jsonl'), 'utf8');
    assert.ok(journal.includes('"model":"codex:default"'));
    await waitFor('the machine to be let go', sprintTimeoutMs, async () => played?.isAwake() === false || undefined);
    assert.equal(await workbench.isNotified('shall this computer stay awake'), false);
  });
});
