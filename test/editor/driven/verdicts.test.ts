/** What reviews of documents and plan can say at *standard*, the person's part by clicks: a rejection, a closer look, a descoping. */
import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';

import {
  amending,
  approving,
  completed,
  discovered,
  honest,
  judged,
  lensesPass,
  planned,
  planReviewed,
  prd,
  raised,
  unknowable,
  unknownHouse,
  verifications,
  vision,
  withSessions,
  writeVerifications,
  type Session,
} from '../../support/greeter.ts';
import { inOrder } from '../in-order.ts';
import { sprintTimeoutMs } from '../step.ts';
import type { Workbench } from '../workbench.ts';
import { commitAll, writeFiles } from './greeter-folder.ts';
import { pictureFolder, type Ground } from './ground.ts';
import { suiteGround } from './shared-editor.ts';

const broken = { verdict: 'FAIL', why: 'nobody can know that' };
const rejecting: readonly Session[] = [
  discovered({}, { vision: { ...lensesPass, synthesis: broken }, verdict: 'REJECT', why: 'Nobody can know that', points: [unknowable] }),
  ...honest,
];

const doubtful = { verdict: 'CONDITIONAL', why: 'it does not say who greets' };
const empty = raised({ proposed: '', quote: '' });
const vague = { lens: 'clarity', task_id: 'T1', wrong: 'Nobody knows which greeting', change: 'name the greeting' };
const plan = (purpose: string, report: Record<string, unknown>): Session => ({
  ...planReviewed,
  purpose,
  turns: [{ calls: [{ report_plan_review: { ...approving, ...report } }] }],
});
const [turn] = planned().turns;
const asking = withSessions(
  discovered(
    {},
    {
      vision: { ...lensesPass, forces: doubtful },
      verdict: 'DESCOPE',
      why: 'one part depends on what nobody knows',
      points: [unknownHouse],
    },
  ),
  { ...judged(amending(empty)), purpose: 'review-documents/forces, dependency' },
  // Its first call plans the requirement in spite of the answer, and is refused.
  { ...planned(), turns: [turn ?? {}, completed('Two tasks.')] },
  plan('review-plan/#1', { approves: approving.approves.filter((one) => one !== 'clarity'), findings: [vague] }),
  plan('review-plan/clarity', { approves: ['clarity'] }),
  writeVerifications(verifications.name, verifications.world),
);

let ground: Ground;
let folder: string;
let workbench: Workbench;

const picture = async (name: string): Promise<void> => workbench.screenshot(path.join(await pictureFolder(), `${name}.png`));
const journal = (sprint: string): string => readFileSync(path.join(folder, sprint, '.loop', 'journal.jsonl'), 'utf8');
/** The rows of the table that were decided for, with their targets. */
const looks = (sprint: string): string[] =>
  journal(sprint)
    .split('\n')
    .flatMap((line) => /"decision":\{"action":"(review-[^"]*)","target":"([^"]*)"/.exec(line)?.slice(1).join(' ').trim() ?? []);

async function startSprint(name: string): Promise<void> {
  await workbench.runCommand('Loop: Start Sprint');
  await workbench.pick(name, 'Which sprint');
  await workbench.pick('Recorded model', 'Which model');
  await workbench.pick('Only to install dependencies', 'reach');
  await workbench.pick('8 hours', 'How long may it run?');
  await workbench.pressInDialog(`Start the sprint ${name}?`, 'Start');
}

describe('a review at standard', function () {
  // Each step needs the one before.
  inOrder(this);
  before(async () => {
    ground = await suiteGround({ 'loop.qualify': 'standard' });
    folder = path.join(ground.scratch, 'verdicts');
    const sprint = (name: string, sessions: readonly Session[]) => ({
      [`${name}/VISION.md`]: vision,
      [`${name}/PRD.md`]: prd,
      [`${name}/recording.yaml`]: JSON.stringify({ recording: 1, sessions }),
    });
    await writeFiles(folder, { ...sprint('guests', rejecting), ...sprint('words', asking) });
    commitAll(folder);
    workbench = await ground.open(folder);
  });
  after(() => ground?.close());

  it('that rejects the documents ends the sprint before a plan, with the reason, and asks nothing', async () => {
    await workbench.openContainer('Loop');
    await startSprint('guests');
    const text = await workbench.notification('guests failed', sprintTimeoutMs);
    await picture('rejected');
    assert.match(text, /The documents were rejected before anything was planned: Nobody can know that; PRD\.md, requirement 1\.2/);
    assert.deepEqual(looks('guests'), []);
    assert.doesNotMatch(journal('guests'), /"human-action\.asked"|"action":"plan"/);
    await workbench.pressInNotification('guests failed', 'Open Report');
    await workbench.tab('DELIVERY_REPORT.md');
    await picture('rejected-report');
  });

  it('is followed by a closer look through what it raised, and then all is asked at once', async () => {
    await startSprint('words');
    await workbench.notification('Loop needs you: Decide 2 points', sprintTimeoutMs);
    assert.deepEqual(looks('words'), ['review-documents forces, dependency']);
    await picture('points-of-two-looks');
  });

  it('says what an answer descopes where it is chosen', async () => {
    await workbench.pressInNotification('Loop needs you: Decide 2 points', 'Answer…');
    const option = workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Leave it to a later sprint' });
    await option.getByText('everyone is greeted by Hello. Descopes 1.3.').first().waitFor();
    await picture('descoping-answer');
    assert.doesNotMatch(journal('words'), /"requirement\.descoped"/);
    await workbench.pick('Leave it to a later sprint', 'Nobody has said which house it is.');
    await workbench.pick('An empty name is none', 'Nobody says what an empty name is.');
  });

  it('looks closer at the plan, too, and the rest is delivered by name', async () => {
    const text = await workbench.notification('is delivered', sprintTimeoutMs);
    await picture('delivered-without');
    assert.match(text, /It is without 1\.3 \(descoped by you: Nobody has said which house it is\)/);
    await workbench.statusBar('Loop: delivered, without 1.3');
    assert.deepEqual(looks('words').slice(1), ['review-plan', 'review-plan clarity', 'review-plan']);
    assert.match(journal('words'), /"requirement\.descoped"/);
  });

  it('leaves the descoped requirement visible: in the tree, above its line of PRD.md, and where it is merged', async () => {
    await workbench.tree('Sprint').waitForRow('3 of 3 proven, 1 descoped');
    await workbench.tree('Sprint').expand('Requirements');
    await workbench.tree('Sprint').waitForRow('descoped by you');
    await workbench.openFile('words/PRD.md', 1);
    await workbench.lens('descoped by you: Nobody has said which house it is');
    await picture('prd-without');
    await workbench.runCommand('Loop: Finish Sprint…');
    await workbench.pick('Merge', 'What becomes of');
    assert.match(await workbench.dialog('into main?'), /Descoped: 1\.3/);
    await picture('finish-without');
    await workbench.pressInDialog('into main?', 'Cancel');
    assert.ok(!existsSync(path.join(folder, 'greet.sh')), 'it was merged in spite of Cancel');
    await workbench.runCommand('Loop: Open Report');
    await workbench.tab('DELIVERY_REPORT.md');
    await picture('report-without');
  });
});
