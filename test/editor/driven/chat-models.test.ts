/** A sprint on the editor's own models, from the questions of its start with their way back to its delivery. */
import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import { defaults } from '../../../src/engine/ground/config.ts';
import { honest, prd, supplied, vision } from '../../support/greeter.ts';
import { inOrder } from '../in-order.ts';
import { sprintTimeoutMs } from '../step.ts';
import type { Workbench } from '../workbench.ts';
import { commitAll, writeFiles } from './greeter-folder.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

let ground: Ground;
let workbench: Workbench;
let folder: string;

const picture = async (name: string): Promise<void> => workbench.screenshot(path.join(await pictureFolder(), `${name}.png`));
const journal = (): string => readFileSync(path.join(folder, 'sprint', '.loop', 'journal.jsonl'), 'utf8');

describe('a sprint on the editor’s own models', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    // The editor offers no language model where its own features of that kind are off.
    ground = await suiteGround({ 'chat.disableAIFeatures': false });
    folder = path.join(ground.scratch, 'chats');
    await writeFiles(folder, {
      'sprint/VISION.md': vision,
      'sprint/PRD.md': prd,
      'sprint/played.yaml': JSON.stringify({ recording: 1, sessions: honest }),
      'other/VISION.md': vision,
      'other/PRD.md': prd,
    });
    commitAll(folder);
    workbench = await ground.open(folder);
  });
  after(() => ground?.close());

  it('is started by questions with their number and a way back', async () => {
    await workbench.openContainer('Loop');
    await workbench.runCommand('Loop: Start Sprint');
    await workbench.pick('chats', '1/4');
    await workbench.pick('Played Model', 'Which model works?');
    await workbench.back('3/4', () => picture('start-step'));
    await workbench.pick('By Kind of Work…', 'Which model works?');
    await workbench.pick(defaults.models.reasoning, 'plans, judges');
    await workbench.back('4/8');
    await workbench.back('3/8');
    await workbench.pick('Played Model', 'Which model works?');
    // Nobody asks Claude any more, so no key is asked for.
    await workbench.back('3/4');
    await workbench.pick('By Kind of Work…', 'Which model works?');
    await workbench.pick('Played Model', 'plans, judges');
    await workbench.back('4/7');
    await workbench.pick('Played Model', 'plans, judges');
    await workbench.pick('Played Model', 'builds, mends');
    await workbench.pick('Played Model', 'sorts failures');
    await workbench.pick('No network', 'reach');
    await workbench.pick('8 hours', 'How long may it run?');
  });

  it('says tokens where no price is known, and goes back from there too', async () => {
    const text = await workbench.dialog('Start the sprint chats?');
    assert.match(text, /At most 20M tokens, with loop-tests\/played of the editor\. No price is known, so only tokens bound it/);
    assert.match(text, /and 8 hours at work: time in which it waits for you does not count/);
    assert.match(text, /Commands run in a sandbox\. Network: none\./);
    assert.doesNotMatch(text, /\$/);
    await picture('start-without-price');
    await workbench.pressInDialog('Start the sprint chats?', 'Back');
    await workbench.pick('8 hours', 'How long may it run?');
    await workbench.pressInDialog('Start the sprint chats?', 'Start');
  });

  it('is delivered by them, and shows what it used', async () => {
    await workbench.notification('Loop needs you', sprintTimeoutMs);
    writeFileSync(path.join(folder, supplied.path), supplied.text);
    await workbench.pressInNotification('Loop needs you', 'I have done it');
    await workbench.notification('is delivered', sprintTimeoutMs);
    await workbench.tree('Sprint').waitForRow('of 20M tokens');
    await picture('delivered-without-price');
    assert.match(journal(), /"model":"editor:loop-tests\/played","usage":\{[^}]*\},"usd":null/);
  });
});
