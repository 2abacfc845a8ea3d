/** What the person types as an answer, in a command. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { say } from '../../../src/engine/person/say.ts';
import { choiceOf, deedOf, questionOf, type HumanAction } from '../../../src/engine/work/human-action.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { world } from '../../support/fakes.ts';
import { Story } from '../support/events.ts';
import type { Draft } from '../../../src/engine/state/events.ts';
import * as p from '../support/parts.ts';

const points = [p.point({ id: 'P1' }), p.point({ id: 'P2' })];
const choice = choiceOf({ id: 'H1', action: 'Decide 2 points', instructions: '' }, points);
const deed = deedOf({ id: 'H2', action: 'Put prices.csv there', instructions: '', paths: ['prices.csv'] });
const question = questionOf({ id: 'H3', action: 'Say what you know', instructions: '' }, []);

/** The facts of an answer, and what the person reads. */
async function answered(asked: readonly HumanAction[], about: string, ...answers: string[]): Promise<{ facts: Fact[]; text: string }> {
  const { state } = p
    .discovered(new Story())
    .act('review-documents', ...asked.map((humanAction): Fact => ({ fact: 'human-action.asked', humanAction })));
  let facts: Fact[] = [];
  const append = (draft: Draft) => {
    if (draft.type === 'person.said') facts = draft.facts;
    return Promise.resolve();
  };
  const text = await say({ state, append, ports: world().ports }, { kind: 'answer', about, answers });
  return { facts, text };
}

describe('an answer that is typed', () => {
  const [first = { answer: '' }] = points[0]?.options ?? [];
  const rows: { what: string; asked: HumanAction; answers: string[]; fact: object }[] = [
    { what: 'by number of an option', asked: choice, answers: ['P1=1'], fact: { answer: 'done', chosen: { P1: first.answer } } },
    {
      what: 'in words of their own, beside a number',
      asked: choice,
      answers: ['p2= as on the bill', 'P1=1'],
      fact: { answer: 'done', chosen: { P1: first.answer, P2: 'as on the bill' } },
    },
    { what: 'as recommended', asked: choice, answers: ['recommended'], fact: { answer: 'done', chosen: {} } },
    { what: 'as done', asked: deed, answers: ['done'], fact: { answer: 'done' } },
    { what: 'by a skip', asked: deed, answers: ['Skip'], fact: { answer: 'skip' } },
    { what: 'in words', asked: question, answers: ['the port', 'is 8080'], fact: { answer: 'done', said: 'the port is 8080' } },
  ];
  for (const { what, asked, answers, fact } of rows)
    it(`is taken ${what}`, async () => {
      const { facts, text } = await answered([asked], '', ...answers);
      assert.deepEqual(facts, [{ fact: 'human-action.answered', id: asked.id, ...fact }]);
      assert.ok(text.startsWith(`Taken as the answer to ${asked.id} (${asked.action}).`), text);
    });

  const refusals: { what: string; asked: HumanAction[]; about?: string; answers: string[]; why: RegExp }[] = [
    { what: 'nothing is asked', asked: [], answers: ['done'], why: /^Nothing is asked\./ },
    { what: 'two things are asked', asked: [choice, deed], answers: ['done'], why: /^More than one thing is asked\./ },
    { what: 'no such thing is asked', asked: [deed], about: 'H9', answers: ['done'], why: /^There is no human action H9\./ },
    { what: 'a point is unknown', asked: [choice], answers: ['P7=1'], why: /^"P7=1" answers no point of H1\./ },
    { what: 'an option is unknown', asked: [choice], answers: ['P1=9'], why: /^P1 has no option 9\./ },
    { what: 'points are not named', asked: [choice], answers: ['yes'], why: /^"yes" answers no point of H1\./ },
    { what: 'no answer is given', asked: [choice], answers: [], why: /^H1 asks about P1, P2\./ },
    { what: 'a deed is answered in words', asked: [deed], answers: ['later'], why: /^H2 is something to do\.$/ },
    { what: 'a question is answered without a word', asked: [question], answers: [], why: /^H3 is a question\./ },
  ];
  for (const { what, asked, about = '', answers, why } of refusals)
    it(`is refused where ${what}`, async () => {
      await assert.rejects(answered(asked, about, ...answers), ({ message }: Error) => why.test(message));
    });

  it('may name one of several', async () => {
    const { facts } = await answered([choice, deed], 'H2', 'done');
    assert.deepEqual(facts, [{ fact: 'human-action.answered', id: 'H2', answer: 'done' }]);
  });
});
