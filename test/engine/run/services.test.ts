/** The person is asked once to start their service, and not again while the human action is open (I10). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { askForServices } from '../../../src/engine/run/probe-services.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { serviceLineage, type Service, type ServiceProbe } from '../../../src/engine/work/service.ts';
import { refOf, type Story } from '../support/events.ts';
import * as p from '../support/parts.ts';

const db: Service = { name: 'db', start: { compose: 'db', file: 'compose.yaml' }, ready: { tcp: 5432 }, limit: 30 };
const id = serviceLineage('db');
const down: ServiceProbe = {
  name: 'db',
  code: 0,
  up: false,
  cause: 'exited',
  why: 'nothing answers',
  output: refOf(''),
  excerpt: '',
  exit: 1,
  duration: 9,
};

describe('a dead service on the person’s machine', () => {
  const known = (): Story => p.planned().act('inputs', { fact: 'services.read', services: [db] });
  const askedFor = (...answers: Fact[]): Story => known().act('run-verifications', ...askForServices(known().state, [down]), ...answers);
  const newQuestions = ({ state }: Story): number => askForServices(state, [{ ...down, code: 1 }]).length;

  it('is requested, and again when it is down after the person started it', () => {
    assert.equal(newQuestions(known()), 1);
    assert.equal(newQuestions(askedFor({ fact: 'human-action.verified', id, fulfilled: true, missing: '' })), 1);
  });

  const still: [when: string, answers: Fact[]][] = [
    ['while the human action is open', []],
    ['after the person was told', [{ fact: 'human-action.shown', id, held: false }]],
    ['while the person’s answer is being verified', [{ fact: 'human-action.answered', id, answer: 'done' }]],
    ['after the person skipped it', [{ fact: 'human-action.answered', id, answer: 'skip' }]],
  ];
  for (const [when, answers] of still) it(`is not requested again ${when}`, () => assert.equal(newQuestions(askedFor(...answers)), 0));
});
