import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { deedOf, questionOf, type HumanAction } from '../../../src/engine/work/human-action.ts';
import { instructionsOf } from '../../../src/views/model/instructions.ts';
import { ended, stateOf } from './sample.ts';

const deed = deedOf({
  id: 'H1',
  action: 'Put rates.csv there',
  instructions: 'From your bank.',
  paths: ['rates.csv'],
  command: 'test -s rates.csv',
});
const question = questionOf({ id: 'H1', action: 'Which format?', instructions: 'Two are possible.' }, []);

function read(humanAction: HumanAction, ...then: Fact[]): string {
  return instructionsOf(stateOf(ended('1', { fact: 'human-action.asked', humanAction }, ...then)), 'H1') ?? '';
}

describe('instructionsOf', () => {
  it('says what to do, and how Loop knows that it is done', () => {
    const text = read(deed);
    assert.match(text, /^# Put rates\.csv there\n\nFrom your bank\.\n/);
    assert.match(text, /- rates\.csv\n/);
    assert.match(text, /How Loop knows that it is done\n\n {4}test -s rates\.csv/);
    assert.match(text, /choose "I have done it"/);
    assert.match(read(question), /Answer it in words/);
  });

  it('says what is still missing only while it is', () => {
    const missing: Fact = { fact: 'human-action.verified', id: 'H1', fulfilled: false, missing: 'rates.csv is not there' };
    assert.match(read(deed, missing), /## Still missing\n\nrates\.csv is not there/);
    const done = read(deed, missing, { ...missing, fulfilled: true, missing: '' });
    assert.doesNotMatch(done, /missing|I have done it/);
    assert.match(done, /^# Put rates\.csv there\n\n\*\*Done\.\*\*/);
  });

  it('says what became of it', () => {
    const skip: Fact[] = [{ fact: 'human-action.answered', id: 'H1', answer: 'skip' }];
    assert.match(read(deed, ...skip), /You answered/);
    assert.match(read(deed, ...skip, { fact: 'human-action.skipped', id: 'H1' }), /You skipped it/);
    assert.match(read(deed, { fact: 'human-action.not-needed', id: 'H1', why: 'the failure is gone' }), /Not needed any more/);
  });

  it('knows no other human action', () => assert.equal(instructionsOf(stateOf(), 'H1'), undefined));
});
