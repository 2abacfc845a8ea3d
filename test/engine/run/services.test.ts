/** The person is asked once to start a service of theirs, and not again while they are asked (I10). */
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

describe('a service on the person’s machine that is down', () => {
  const known = (): Story => p.planned().act('inputs', { fact: 'services.read', services: [db] });
  const asked = (...answers: Fact[]): Story => known().act('run-verifications', ...askForServices(known().state, [down]), ...answers);
  const again = ({ state }: Story): number => askForServices(state, [{ ...down, code: 1 }]).length;

  it('is asked for, and once more when it is down after they started it', () => {
    assert.equal(again(known()), 1);
    assert.equal(again(asked({ fact: 'human-action.verified', id, fulfilled: true, missing: '' })), 1);
  });

  const still: [string, Fact[]][] = [
    ['while that is open', []],
    ['while what they were told stands', [{ fact: 'human-action.shown', id, held: false }]],
    ['while their word is looked at', [{ fact: 'human-action.answered', id, answer: 'done' }]],
    ['once they declined', [{ fact: 'human-action.answered', id, answer: 'skip' }]],
  ];
  for (const [when, answers] of still) it(`is not asked for ${when}`, () => assert.equal(again(asked(...answers)), 0));
});
