/** A requirement that the person takes out before anything is planned: the rest is delivered, and everywhere it is said without what. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Event } from '../../src/engine/state/events.ts';
import type { Ending, State } from '../../src/engine/state/state.ts';
import { finishSprint, previewFinish } from '../../src/host/finish-sprint.ts';
import { status } from '../../src/cli/status.ts';
import { completed, discovered, planned, verifications, withSessions, writeVerifications } from '../support/greeter.ts';
import { FakePerson } from '../support/person.ts';
import { ground, run, type Ground } from '../support/sprint.ts';

const wrong = 'Nobody has said which house it is.';
const review = discovered(
  {},
  {
    verdict: 'DESCOPE',
    why: 'one part of it depends on what nobody knows',
    points: [
      {
        weight: 'HARD',
        kind: 'dependency',
        verdict: 'DESCOPE',
        document: 'PRD.md',
        requirement: '1.3',
        quote: 'the one in `house.txt`',
        wrong,
        options: [
          { answer: 'Leave it to a later sprint', follows: 'everyone is greeted by Hello', descopes: ['1.3'] },
          { answer: 'Keep it', follows: 'the file is asked for' },
        ],
        recommended: 1,
      },
    ],
  },
);
/** Its first call plans the requirement in spite of that. */
const [turn] = planned().turns;
const plan = { ...planned(), turns: [turn ?? {}, completed('Two tasks.')] };
const sessions = withSessions(review, plan, writeVerifications(verifications.name, verifications.world));

describe('a sprint whose person lets Loop decide, which recommended to descope', () => {
  const without = `without 1.3 (descoped, as you let Loop decide: ${wrong.replace('.', '')})`;
  let at: Ground;
  let events: Event[];
  let ending: Ending;
  let state: State;
  before(async () => {
    at = await ground(sessions);
    ({ events, ending, state } = await run(at, sessions, { person: new FakePerson(true) }));
  });
  after(() => at.dispose());

  it('is delivered', () => assert.deepEqual([ending.stop, ending.reasons], ['delivered', []]));

  it('has it in the journal by the word of the person, and by nothing else', () => {
    const telling = events.filter((event) => 'facts' in event && event.facts.some(({ fact }) => fact === 'requirement.descoped'));
    assert.deepEqual(
      telling.map((event) => event.type),
      ['person.said'],
    );
  });

  it('refuses a task and a verification for it', () => {
    assert.deepEqual(Object.keys(state.work.tasks), ['T1', 'T2']);
    assert.deepEqual(Object.keys(state.work.verifications), ['cli/name', 'cli/world']);
  });

  it('says without what in the first line of the report, in the status and in the preview of what is merged', async () => {
    const report = readFileSync(join(at.sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8');
    assert.ok(report.split('\n')[2]?.startsWith(`Delivered, ${without}. 3 of 3 requirements`), report.split('\n')[2]);
    let text = '';
    assert.equal(await status({ name: 'status', sprintDir: at.sprintDir, json: false }, (more) => (text += more)), 0);
    assert.ok(text.split('\n')[0]?.endsWith(`: delivered, ${without}`), text);
    assert.deepEqual((await previewFinish(at.sprintDir)).descoped, ['1.3']);
  });

  it('says so where it is merged', async () => {
    const { summary } = await finishSprint(at.sprintDir, 'squash');
    assert.match(summary, / Descoped: 1\.3\.$/);
    assert.match(at.git('log', '-1', '--format=%s', 'main'), /: delivered, without 1\.3$/m);
  });
});
