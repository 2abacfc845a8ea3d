/** Every question at a terminal ends: the person answers, leaves, or the answer is not needed any more. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'mocha';
import { promptFor, terminalPerson } from '../../src/cli/terminal-person.ts';
import { Interruption } from '../../src/engine/ground/errors.ts';
import type { Answer, Desk } from '../../src/engine/person/desk.ts';
import type { Fact } from '../../src/engine/work/facts.ts';
import type { HumanAction } from '../../src/engine/work/human-action.ts';
import { changed } from '../engine/support/events.ts';
import * as p from '../engine/support/parts.ts';
import { world } from '../support/fakes.ts';

const tasks = ['T1', 'T2'];

interface Asked {
  humanAction?: HumanAction;
  tasks?: string[];
  /** How many more times Loop accepts "done" without proof. */
  wait?: number;
}

/** Asks the person once, with the state of a sprint that asked for this human action only. */
function askOnce({ humanAction = p.humanAction(), tasks: ids = tasks, wait = 1 }: Asked = {}) {
  const [input, abort, printed, recorded] = [new PassThrough(), new AbortController(), [] as string[], [] as Fact[]];
  const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction });
  const state = changed(story.state, (s) => void (s.ledger.sizes.wait = wait));
  const append: Desk['append'] = async (draft) => void (draft.type === 'person.said' && recorded.push(...draft.facts));
  const open: { desk: Desk | undefined } = { desk: { state, ports: world().ports, append } };
  const person = terminalPerson({ print: (line) => void printed.push(line), desk: () => open.desk, input });
  return { input, abort, printed, recorded, open, over: person.ask(humanAction, ids, abort.signal) };
}

/** The fact that the answer to H1 records. */
function factOf(answer: Answer): Fact {
  const fields = typeof answer === 'string' ? { answer } : { answer: 'done' as const, ...answer };
  return { fact: 'human-action.answered', id: 'H1', ...fields };
}

async function types(input: PassThrough, text: string): Promise<void> {
  for (const line of text.split(/(?<=\n)/)) {
    input.write(line);
    await new Promise(setImmediate);
  }
}

describe('a person at a terminal', () => {
  const hint = { humanAction: p.asked(['value/total']), tasks: [] };
  const answers: { typed: string; what: string; over: Asked; answer: Answer }[] = [
    { typed: '\n', what: 'a deed', over: {}, answer: 'done' },
    {
      typed: '9\n2\n\nin cents\n',
      what: 'points of the documents',
      over: { humanAction: p.choice(), tasks: [] },
      answer: { chosen: { P1: 'None', P3: 'in cents' } },
    },
    { typed: 'what?\nDone\n', what: 'a deed', over: {}, answer: 'done' },
    { typed: 'SKIP\nskip\n', what: 'a deed', over: {}, answer: 'skip' },
    { typed: 'skip\n\ndone\n', what: 'a deed', over: {}, answer: 'done' },
    { typed: 'skip\nno\nskip\nSkip\n', what: 'a deed', over: {}, answer: 'skip' },
    { typed: 'skip\nskip\n', what: 'a deed that nothing waits for', over: { tasks: [] }, answer: 'skip' },
    {
      typed: 'skip\nask the till\nask the clerk\n',
      what: 'advice about a task',
      over: { humanAction: p.asked() },
      answer: { said: 'ask the clerk' },
    },
    { typed: 'skip\n', what: 'advice that no task waits for', over: { humanAction: p.asked(), tasks: [] }, answer: 'skip' },
    { typed: '\nskip\n', what: 'a hint', over: hint, answer: 'skip' },
    { typed: '\n the locale \n', what: 'a hint', over: hint, answer: { said: 'the locale' } },
    { typed: 'done\n', what: 'a hint', over: hint, answer: { said: 'done' } },
  ];
  for (const { typed, what, over, answer } of answers)
    it(`answers ${JSON.stringify(answer)} to ${what} by typing ${JSON.stringify(typed)}`, async () => {
      const one = askOnce(over);
      await types(one.input, typed);
      await one.over;
      assert.deepEqual(one.recorded, [factOf(answer)], 'it is recorded once');
    });

  it('sees what to do and where, or that it is a question', () => {
    const deed = askOnce({ humanAction: p.humanAction({ missing: 'There is no prices.csv in your checkout yet.' }) });
    assert.deepEqual(deed.printed, [
      '',
      '  Only you can do this: Put prices.csv there',
      '    Export it from the till.',
      '    Put into your checkout: prices.csv',
      '    Still missing: There is no prices.csv in your checkout yet.',
    ]);
    const advice = askOnce({ humanAction: p.asked() });
    assert.deepEqual(advice.printed, ['', '  Loop asks: Say what you know', '    A word is enough.']);
    for (const one of [deed, advice]) {
      one.over.catch(() => undefined);
      one.abort.abort();
    }
  });

  it('sees why an answer is not accepted, and is asked again', async () => {
    const one = askOnce({ wait: 0 });
    await types(one.input, 'done\n');
    assert.match(one.printed.at(-1) ?? '', /your word alone is not accepted any more\. Do it: .* Or skip it\.$/);
    assert.deepEqual(one.recorded, []);
    await types(one.input, 'skip\nskip\n');
    await one.over;
    assert.deepEqual(one.recorded, [factOf('skip')]);
  });

  it('is asked again while no desk is open', async () => {
    const one = askOnce();
    const { desk } = one.open;
    one.open.desk = undefined;
    await types(one.input, 'done\n');
    assert.deepEqual(one.recorded, []);
    one.open.desk = desk;
    await types(one.input, 'done\n');
    await one.over;
    assert.deepEqual(one.recorded, [factOf('done')]);
  });

  it('gets an error that stops the sprint when the answer cannot be recorded', async () => {
    const one = askOnce();
    assert.ok(one.open.desk);
    one.open.desk = { ...one.open.desk, append: () => Promise.reject(new Error('the disk is full')) };
    const over = assert.rejects(one.over, /the disk is full/);
    await types(one.input, 'done\n');
    await over;
  });

  it('sees what a skip drops before it counts, and is not asked any more when the file appears meanwhile', async () => {
    const one = askOnce();
    await types(one.input, 'skip\n');
    assert.equal(one.printed.at(-1), '  What waits for it will be dropped: T1, T2. This cannot be taken back.');
    one.abort.abort();
    await assert.rejects(one.over, (error) => !(error instanceof Interruption));
    assert.deepEqual(one.recorded, []);
  });

  it('stops the sprint by leaving, and the next run continues it', async () => {
    const one = askOnce();
    one.input.end();
    await assert.rejects(one.over, (error) => error instanceof Interruption && error.reason === 'cancelled');
    assert.deepEqual(one.recorded, []);
  });

  it('is not asked any more when the requested file is there', async () => {
    const one = askOnce();
    one.abort.abort();
    await assert.rejects(one.over, (error) => !(error instanceof Interruption));
    assert.deepEqual(one.recorded, []);
  });
});

describe('the prompt at a terminal names the cost of a skip', () => {
  const cases: { what: string; humanAction: HumanAction; prompt: string }[] = [
    {
      what: 'for a deed',
      humanAction: p.humanAction({ task: 'T1' }),
      prompt: 'Loop sees by itself when it is there. Press Enter to say so, or type "skip" to drop what waits for it: ',
    },
    {
      what: 'where a task may be dropped',
      humanAction: p.asked([], { task: 'T1' }),
      prompt: 'Type how it can be done, or "skip" to drop task T1: ',
    },
    { what: 'for a question', humanAction: p.asked(), prompt: 'Type an answer, or "skip" to leave it as it is: ' },
    { what: 'for a hint', humanAction: p.asked(['a']), prompt: 'Type an answer, or "skip" to leave it as it is: ' },
  ];
  for (const { what, humanAction, prompt } of cases) it(what, () => assert.equal(promptFor(humanAction), prompt));
});
