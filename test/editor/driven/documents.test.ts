/** What a review of Vision and PRD leaves open, answered in a real editor: wording by the view of changes, points by dialogs. */
import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import { amending, discovered, honest, judged, raised } from '../../support/greeter.ts';
import { waitFor } from '../processes.ts';
import { inOrder } from '../in-order.ts';
import { sprintTimeoutMs } from '../step.ts';
import type { Workbench } from '../workbench.ts';
import { chooseToStart } from './detours.ts';
import { commitAll, greeterFolder } from './greeter-folder.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

const language = { kind: 'question', requirement: '', quote: '', proposed: '', wrong: 'Nobody says in which language.' };
const options = [
  { answer: 'English', follows: 'As in the examples' },
  { answer: 'That of the system', follows: 'More to build' },
];
const sessions = [
  discovered({}, amending(raised())),
  {
    ...judged(
      amending(
        raised({ ...language, options }),
        raised({ ...language, wrong: 'Nobody says who it is for.', options }),
        raised({ ...language, wrong: 'Nobody says for how long.', options }),
      ),
    ),
    purpose: 'review-documents/#1',
  },
  ...honest,
];

let ground: Ground;
let folder: string;
let workbench: Workbench;
let pictures: string;

const prdFile = (): string => path.join(folder, 'sprint', 'PRD.md');
const prdNow = (): string => readFileSync(prdFile(), 'utf8');
const journal = (): string => readFileSync(path.join(folder, 'sprint', '.loop', 'journal.jsonl'), 'utf8');
const said = (line: RegExp): Promise<true> =>
  waitFor(`${line} in the journal`, sprintTimeoutMs, () => Promise.resolve(line.test(journal()) || undefined));
// Where a line wraps, which depends on the width, no blank stands between its words.
const changes = () =>
  workbench.page
    .locator('.monaco-diff-editor')
    .filter({ hasText: /with\s*an\s*empty\s*one/ })
    .first();

describe('the documents of a sprint', () => {
  before(async () => {
    ground = await suiteGround();
    folder = path.join(ground.scratch, 'greeter');
    await greeterFolder(folder, { 'sprint/recording.yaml': JSON.stringify({ recording: 1, sessions }) });
    commitAll(folder);
    workbench = await ground.open(folder);
    pictures = await pictureFolder();
  });
  after(() => ground?.close());

  describe('documents that leave something open', function () {
    // Each step needs the one before.
    inOrder(this);

    it('are shown with the proposed wording beside the text that holds, and nothing is saved', async () => {
      await workbench.openContainer('Loop');
      await chooseToStart(workbench);
      await workbench.pressInDialog('Start the sprint greeter?', 'Start');
      await workbench.pressInNotification('Loop needs you: Decide 1 point', 'Review Wording…', sprintTimeoutMs);
      await workbench.notification('P1: proposed wording for PRD.md');
      for (const side of ['.line-delete', '.line-insert']) await changes().locator(side).first().waitFor();
      await workbench.screenshot(path.join(pictures, 'proposed-wording.png'));
      assert.doesNotMatch(prdNow(), /with an empty one/);
    });

    it('are as they were where the person declines', async () => {
      const untouched = prdNow();
      await workbench.pressInNotification('P1: proposed wording for PRD.md', 'Decline');
      await waitFor('the closed draft', sprintTimeoutMs, async () => ((await changes().count()) === 0 ? true : undefined));
      assert.equal(prdNow(), untouched);
      assert.doesNotMatch(journal(), /documents\.(answered|taken)/);
    });

    it('are made anew where the person changed the document meanwhile', async () => {
      const untouched = prdNow();
      await workbench.runCommand('Loop: Review Proposed Wording…');
      await workbench.notification('P1: proposed wording for PRD.md');
      writeFileSync(prdFile(), `${untouched}\nThat is all.\n`);
      await workbench.openFile('sprint/PRD.md', 1);
      await workbench.page
        .locator('.view-lines')
        .filter({ hasText: /That\s*is\s*all/ })
        .first()
        .waitFor();
      await workbench.pressInNotification('P1: proposed wording for PRD.md', 'Accept');
      await workbench.notification('PRD.md was changed meanwhile, so nothing was written. Review the wording again.');
      assert.equal(prdNow(), `${untouched}\nThat is all.\n`);
      await workbench.runCommand('Loop: Review Proposed Wording…');
      await changes()
        .filter({ hasText: /That\s*is\s*all/ })
        .waitFor();
      await workbench.pressInTitle('Decline Proposed Wording');
      await waitFor('the closed draft', sprintTimeoutMs, async () => ((await changes().count()) === 0 ? true : undefined));
      writeFileSync(prdFile(), untouched);
      await workbench.runCommand('Notifications: Clear All Notifications');
    });

    it('are edited there, are shown once more as the person left them, accepted, taken over and judged once more', async () => {
      await workbench.runCommand('Loop: Review Proposed Wording…');
      await workbench.notification('P1: proposed wording for PRD.md');
      await changes().locator('.editor.modified .view-lines').click();
      await workbench.page.keyboard.press('Control+End');
      await workbench.page.keyboard.type('Both end with a dot.');
      await workbench.runCommand('Loop: Review Proposed Wording…');
      await changes()
        .filter({ hasText: /end\s*with\s*a\s*dot/ })
        .waitFor();
      await workbench.screenshot(path.join(pictures, 'edited-wording.png'));
      await workbench.pressInTitle('Accept Proposed Wording');
      await said(/"documents\.taken"/);
      assert.match(prdNow(), /1\.2 without a name, or with an empty one, it prints[^]*Both end with a dot\./);
      assert.ok(!(await workbench.isNotified('PRD.md was changed')), 'it was asked a second time');
      await workbench.notification('Loop needs you: Decide 3 points', sprintTimeoutMs);
    });

    it('are answered by an option, in words of their own, and by leaving it to Loop', async () => {
      await workbench.pressInNotification('Loop needs you: Decide 3 points', 'Answer…');
      await workbench.pick('That of the system', 'Nobody says in which language.');
      await workbench.pick('Decide for me', 'Nobody says who it is for.');
      await workbench.back('Nobody says for how long.');
      await workbench.pick('In my own words…', 'Nobody says who it is for.');
      await workbench.answer('For guests', 'Nobody says who it is for.');
      await workbench.pick('Decide for me', 'Nobody says for how long.');
      await said(/"human-action\.answered".*"chosen":\{"P2":"That of the system","P3":"For guests"\}/);
      await workbench.tree('Tasks').waitForRow('T1', sprintTimeoutMs);
      await workbench.runCommand('Loop: Stop Sprint');
      await workbench.statusBar(/Loop: /);
    });
  });

  describe('a new sprint from a sentence', function () {
    inOrder(this);

    it('is shown as what it became', async () => {
      await workbench.runCommand('Loop: Create Sprint…');
      await workbench.pick('A sentence…', 'What does it begin with?');
      await workbench.answer('A host adds a guest.', 'Who should be able to do what?');
      await workbench.back('Name of the sprint');
      await workbench.answer('A host adds a guest. `guests` prints all of them.', 'Who should be able to do what?');
      await workbench.answer('guests', 'Name of the sprint');
      const text = await workbench.notification('PRD.md was read as 2 requirements');
      assert.match(text, /the source does not say who it is for and how you will know/);
      await workbench.tab('PRD.md');
      const prd = readFileSync(path.join(folder, 'sprints', 'guests', 'PRD.md'), 'utf8');
      assert.match(prd, /\n1\. A host adds a guest\.\n2\. `guests` prints all of them\.\n$/);
    });
  });
});
