/** Who is asked at a terminal answers, is not waited for any more, or leaves: no question stays without an end. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'mocha';
import { promptFor, terminalPerson } from '../../src/cli/terminal-person.ts';
import { Interruption } from '../../src/engine/ground/errors.ts';
import type { PersonAnswer } from '../../src/engine/ports.ts';

const action = { id: 'H1', task: 'T1', tasks: ['T1', 'T2'], action: 'Put prices.csv there', instructions: 'Export it.', paths: ['prices.csv'] }; // prettier-ignore

function asked(over: object = {}) {
  const [input, abort, printed] = [new PassThrough(), new AbortController(), [] as string[]];
  const person = terminalPerson((line) => void printed.push(line), true, input);
  return { input, abort, printed, answer: person.waitFor({ ...action, ...over }, abort.signal) };
}

async function types(input: PassThrough, text: string): Promise<void> {
  for (const line of text.split(/(?<=\n)/)) {
    input.write(line);
    await new Promise(setImmediate);
  }
}

describe('a person at a terminal', () => {
  const hint = { task: '', tasks: [], lineages: ['value/total'] };
  const answers: [typed: string, what: string, over: object, answer: PersonAnswer][] = [
    ['\n', 'a deed', {}, 'done'],
    ['what?\nDone\n', 'a deed', {}, 'done'],
    ['SKIP\nskip\n', 'a deed', {}, 'skip'],
    ['skip\n\ndone\n', 'a deed', {}, 'done'],
    ['skip\nno\nskip\nSkip\n', 'a deed', {}, 'skip'],
    ['skip\nskip\n', 'a deed that nothing waits for', { tasks: [] }, 'skip'],
    ['skip\nask the till\nask the clerk\n', 'advice about a task', { lineages: [] }, { said: 'ask the clerk' }],
    ['\nskip\n', 'a hint', hint, 'skip'],
    ['\n the locale \n', 'a hint', hint, { said: 'the locale' }],
  ];
  for (const [typed, what, over, answer] of answers)
    it(`who types ${JSON.stringify(typed)} for ${what} answers ${JSON.stringify(answer)}`, async () => {
      const one = asked(over);
      await types(one.input, typed);
      assert.deepEqual(await one.answer, answer);
      assert.ok(one.printed.some((line) => line.includes('Put into your checkout: prices.csv')));
    });

  it('is told what a skip drops before it is taken, and not waited for any more where it comes to be there meanwhile', async () => {
    const one = asked();
    await types(one.input, 'skip\n');
    assert.equal(one.printed.at(-1), '  What waits for it will be dropped: T1, T2. This cannot be taken back.');
    one.abort.abort();
    await assert.rejects(one.answer, (error) => !(error instanceof Interruption));
  });

  it('who leaves stops the sprint, which goes on with the next run', async () => {
    const one = asked();
    one.input.end();
    await assert.rejects(one.answer, (error) => error instanceof Interruption && error.reason === 'cancelled');
  });

  it('is not waited for once what was asked for is there', async () => {
    const one = asked();
    one.abort.abort();
    await assert.rejects(one.answer, (error) => !(error instanceof Interruption));
  });
});

/** A skip says what it costs. */
describe('what a person at a terminal may type', () => {
  const cases: [what: string, action: Parameters<typeof promptFor>[0], prompt: string][] = [
    ['for a deed', { task: 'T1' }, 'Loop sees by itself when it is there. Press Enter to say so, or type "skip" to drop what waits for it: '],
    ['where a task may be dropped', { task: 'T1', lineages: [] }, 'Type how it can be done, or "skip" to drop task T1: '],
    ['for a question', { task: '', lineages: [] }, 'Type an answer, or "skip" to leave it as it is: '],
    ['for a hint', { task: '', lineages: ['a'] }, 'Type an answer, or "skip" to leave it as it is: '],
  ]; // prettier-ignore
  for (const [what, asks, prompt] of cases) it(what, () => assert.equal(promptFor(asks), prompt));
});
