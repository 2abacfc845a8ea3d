/** Two sprints, one after the other and unattended, in a real editor; a command of the person's tells them of it. */
import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import { honest, prd, vision } from '../../support/greeter.ts';
import { inOrder } from '../in-order.ts';
import { waitFor } from '../processes.ts';
import { sprintTimeoutMs } from '../step.ts';
import { temporaryFolder } from '../temporary.ts';
import type { Workbench } from '../workbench.ts';
import { commitAll, greeterFolder } from './greeter-folder.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

let ground: Ground;
let workbench: Workbench;
let told: { path: string; remove(): Promise<void> };

const lines = (): string[] => readFileSync(path.join(told.path, 'lines'), 'utf8').trim().split('\n');

describe('a queue of sprints', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    told = await temporaryFolder('told');
    const command = `printf '%s %s %s: %s\\n' "$LOOP_EVENT" "$LOOP_SPRINT" "$LOOP_OUTCOME" "$LOOP_WORDS" >> '${told.path}/lines'`;
    ground = await suiteGround({ 'loop.notifyCommand': command });
    const folder = path.join(ground.scratch, 'greeter');
    await greeterFolder(folder, {
      'second/VISION.md': vision,
      'second/PRD.md': prd,
      'second/recording.yaml': JSON.stringify({ recording: 1, sessions: honest }),
    });
    commitAll(folder);
    workbench = await ground.open(folder);
  });
  after(async () => {
    await ground?.close();
    await told?.remove();
  });

  it('is chosen in its order, and shown as a whole before it begins', async () => {
    await workbench.openContainer('Loop');
    await workbench.runCommand('Loop: Queue Sprints…');
    await workbench.pick('greeter', 'Which sprint runs first?');
    await workbench.back('Which one runs after greeter?');
    await workbench.pick('second', 'Which sprint runs first?');
    await workbench.pick('greeter', 'Which one runs after second?');
    await workbench.pick('Recorded model', 'Which model');
    await workbench.pick('Only to install dependencies', 'reach');
    await workbench.pick('4 hours', 'How long may it run?');
    await workbench.pressInDialog('Start 2 sprints, one after the other?', 'Back');
    await workbench.pick('8 hours', 'How long may it run?');
    const text = await workbench.dialog('Start 2 sprints, one after the other?');
    assert.match(text, /1\. second\s+2\. sprint/);
    assert.match(text, /Worst case of all together: 16 hours at work/);
    assert.match(text, /Nobody is asked while they run/);
    await workbench.screenshot(path.join(await pictureFolder(), 'queue-start.png'));
    await workbench.pressInDialog('Start 2 sprints', 'Start');
  });

  it('goes on with the next where one waits for the person, asks nothing, and tells how each stands', async () => {
    await workbench.statusBar(/Loop: .* · 1 of 2/, sprintTimeoutMs);
    await workbench.statusBar(/Loop: .* · 2 of 2/, sprintTimeoutMs);
    await workbench.screenshot(path.join(await pictureFolder(), 'queue-second.png'));
    const text = await workbench.notification('the queue is over', sprintTimeoutMs);
    assert.match(text, /second: needs you \(.*\); greeter: needs you \(/);
    assert.equal(await workbench.isNotified('Loop needs you'), false);
  });

  it('ran the person’s command for each question and each end', async () => {
    const all = await waitFor('four lines', sprintTimeoutMs, () => Promise.resolve(lines().length >= 4 ? lines() : undefined));
    assert.deepEqual(
      all.map((line) => line.slice(0, line.indexOf(':'))),
      ['needs-you second ', 'ended second waiting', 'needs-you greeter ', 'ended greeter waiting'],
    );
  });
});
