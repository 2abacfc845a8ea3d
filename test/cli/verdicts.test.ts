/** Verdicts of the documents' review that take work away, by the built command line: REJECT, and DESCOPE by the person's answer. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { readSprint } from '../../src/host/sprint.ts';
import {
  completed,
  discovered,
  honest,
  planned,
  unknowable,
  unknownHouse,
  verifications,
  withSessions,
  writeVerifications,
} from '../support/greeter.ts';
import { ground, type Ground } from '../support/sprint.ts';
import { loop, runOf } from './loop.ts';

describe('loop run, where a review rejects the documents', () => {
  let at: Ground;
  before(async () => {
    at = await ground([discovered({}, { verdict: 'REJECT', why: 'Nobody can know that', points: [unknowable] }), ...honest]);
  });
  after(() => at.dispose());

  it('fails with the reason before a plan is paid for, and asks nobody', async () => {
    const { code, out } = await loop(runOf(at, '--non-interactive'));
    assert.equal(code, 1, out);
    assert.match(out, /^FAILED:/m);
    assert.match(out, /The documents were rejected before anything was planned: Nobody can know that; PRD\.md, requirement 1\.2/);
    const state = await readSprint(at.sprintDir);
    assert.deepEqual([Object.keys(state?.work.tasks ?? {}), state?.ledger.humanActions], [[], {}]);
  });
});

describe('loop run, where a review would take a requirement out', () => {
  let at: Ground;
  /** Its first call plans the requirement in spite of that, and is refused. */
  const [turn] = planned().turns;
  const plan = { ...planned(), turns: [turn ?? {}, completed('Two tasks.')] };
  const review = discovered({}, { verdict: 'DESCOPE', why: 'one part depends on what nobody knows', points: [unknownHouse] });
  before(async () => {
    at = await ground(withSessions(review, plan, writeVerifications(verifications.name, verifications.world)));
  });
  after(() => at.dispose());

  it('stops with status 3, and says what would be descoped before it is', async () => {
    const { code, out } = await loop(runOf(at, '--non-interactive'));
    assert.equal(code, 3, out);
    assert.match(out, /what is recommended descopes 1\.3/);
    assert.match(out, /2\. Leave it to a later sprint \(recommended\): everyone is greeted by Hello\. Descopes 1\.3\./);
    assert.deepEqual((await readSprint(at.sprintDir))?.work.descoped, []);
  });

  it('takes it out by the answer alone, delivers the rest, and says without what', async () => {
    const answered = await loop(['answer', at.sprintDir, 'P1=2']);
    assert.equal(answered.code, 0, answered.err);
    const { code, out } = await loop(runOf(at, '--non-interactive'));
    assert.equal(code, 0, out);
    assert.match(out, /DELIVERED, without 1\.3 \(descoped by you: Nobody has said which house it is\)/);
    assert.deepEqual(
      (await readSprint(at.sprintDir))?.work.descoped.map(({ requirement }) => requirement.id),
      ['1.3'],
    );
  });
});
