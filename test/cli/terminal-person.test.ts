/** Who is asked at a terminal answers, is not waited for any more, or leaves: no question stays without an end. */
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
  /** How often their word that something is done is taken yet. */
  wait?: number;
}

/** Asks once, with the record of a sprint that asked for just this. */
function asked({ humanAction = p.humanAction(), tasks: ids = tasks, wait = 1 }: Asked = {}) {
  const [input, abort, printed, written] = [new PassThrough(), new AbortController(), [] as string[], [] as Fact[]];
  const story = p.awaiting().act('plan', { fact: 'human-action.asked', humanAction });
  const state = changed(story.state, ({ ledger }) => (ledger.sizes.wait = wait));
  const append: Desk['append'] = async (draft) => void (draft.type === 'person.said' && written.push(...draft.facts));
  const open: { desk: Desk | undefined } = { desk: { state, ports: world().ports, append } };
  const person = terminalPerson({ print: (line) => void printed.push(line), desk: () => open.desk, input });
  return { input, abort, printed, written, open, over: person.ask(humanAction, ids, abort.signal) };
}

/** What is in the record when that is answered to H1. */
function wordOf(answer: Answer): Fact {
  const word = typeof answer === 'string' ? { answer } : { answer: 'done' as const, ...answer };
  return { fact: 'human-action.answered', id: 'H1', ...word };
}

async function types(input: PassThrough, text: string): Promise<void> {
  for (const line of text.split(/(?<=\n)/)) {
    input.write(line);
    await new Promise(setImmediate);
  }
}

describe('a person at a terminal', () => {
  const hint = { humanAction: p.asked(['value/total']), tasks: [] };
  const answers: [typed: string, what: string, over: Asked, answer: Answer][] = [
    ['\n', 'a deed', {}, 'done'],
    ['what?\nDone\n', 'a deed', {}, 'done'],
    ['SKIP\nskip\n', 'a deed', {}, 'skip'],
    ['skip\n\ndone\n', 'a deed', {}, 'done'],
    ['skip\nno\nskip\nSkip\n', 'a deed', {}, 'skip'],
    ['skip\nskip\n', 'a deed that nothing waits for', { tasks: [] }, 'skip'],
    ['skip\nask the till\nask the clerk\n', 'advice about a task', { humanAction: p.asked() }, { said: 'ask the clerk' }],
    ['skip\n', 'advice that no task waits for', { humanAction: p.asked(), tasks: [] }, 'skip'],
    ['\nskip\n', 'a hint', hint, 'skip'],
    ['\n the locale \n', 'a hint', hint, { said: 'the locale' }],
    ['done\n', 'a hint', hint, { said: 'done' }],
  ];
  for (const [typed, what, over, answer] of answers)
    it(`who types ${JSON.stringify(typed)} for ${what} answers ${JSON.stringify(answer)}`, async () => {
      const one = asked(over);
      await types(one.input, typed);
      await one.over;
      assert.deepEqual(one.written, [wordOf(answer)], 'it is in the record, once');
    });

  it('reads what to do and where, or that it is a question', () => {
    const deed = asked({ humanAction: p.humanAction({ missing: 'There is no prices.csv in your checkout yet.' }) });
    assert.deepEqual(deed.printed, [
      '',
      '  Only you can do this: Put prices.csv there',
      '    Export it from the till.',
      '    Put into your checkout: prices.csv',
      '    Still missing: There is no prices.csv in your checkout yet.',
    ]);
    const advice = asked({ humanAction: p.asked() });
    assert.deepEqual(advice.printed, ['', '  Loop asks: Say what you know', '    A word is enough.']);
    for (const one of [deed, advice]) {
      one.over.catch(() => undefined);
      one.abort.abort();
    }
  });

  it('is told why a word is not taken, and asked again until one is', async () => {
    const one = asked({ wait: 0 });
    await types(one.input, 'done\n');
    assert.match(one.printed.at(-1) ?? '', /as often as it takes anybody's word for it\. Do it: .* Or skip it\.$/);
    assert.deepEqual(one.written, []);
    await types(one.input, 'skip\nskip\n');
    await one.over;
    assert.deepEqual(one.written, [wordOf('skip')]);
  });

  it('is asked again while no record is open', async () => {
    const one = asked();
    const { desk } = one.open;
    one.open.desk = undefined;
    await types(one.input, 'done\n');
    assert.deepEqual(one.written, []);
    one.open.desk = desk;
    await types(one.input, 'done\n');
    await one.over;
    assert.deepEqual(one.written, [wordOf('done')]);
  });

  it('stops the sprint where the record cannot be written', async () => {
    const one = asked();
    assert.ok(one.open.desk);
    one.open.desk = { ...one.open.desk, append: () => Promise.reject(new Error('the disk is full')) };
    const over = assert.rejects(one.over, /the disk is full/);
    await types(one.input, 'done\n');
    await over;
  });

  it('is told what a skip drops before it is taken, and not waited for any more where it comes to be there meanwhile', async () => {
    const one = asked();
    await types(one.input, 'skip\n');
    assert.equal(one.printed.at(-1), '  What waits for it will be dropped: T1, T2. This cannot be taken back.');
    one.abort.abort();
    await assert.rejects(one.over, (error) => !(error instanceof Interruption));
    assert.deepEqual(one.written, []);
  });

  it('who leaves stops the sprint, which goes on with the next run', async () => {
    const one = asked();
    one.input.end();
    await assert.rejects(one.over, (error) => error instanceof Interruption && error.reason === 'cancelled');
    assert.deepEqual(one.written, []);
  });

  it('is not waited for once what was asked for is there', async () => {
    const one = asked();
    one.abort.abort();
    await assert.rejects(one.over, (error) => !(error instanceof Interruption));
    assert.deepEqual(one.written, []);
  });
});

/** A skip says what it costs. */
describe('what a person at a terminal may type', () => {
  const cases: [what: string, asks: HumanAction, prompt: string][] = [
    [
      'for a deed',
      p.humanAction({ task: 'T1' }),
      'Loop sees by itself when it is there. Press Enter to say so, or type "skip" to drop what waits for it: ',
    ],
    ['where a task may be dropped', p.asked([], { task: 'T1' }), 'Type how it can be done, or "skip" to drop task T1: '],
    ['for a question', p.asked(), 'Type an answer, or "skip" to leave it as it is: '],
    ['for a hint', p.asked(['a']), 'Type an answer, or "skip" to leave it as it is: '],
  ];
  for (const [what, asks, prompt] of cases) it(what, () => assert.equal(promptFor(asks), prompt));
});
