/** What the person typed is not lost where it is refused, and is not asked for where it would be. */
import * as assert from 'node:assert/strict';

import { beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';

import { HumanActionPrompts } from '../../../src/extension/editor/human-action-prompts.ts';
import { changeTask } from '../../../src/extension/editor/plan-commands.ts';
import { retryTask, tellAgents } from '../../../src/extension/editor/say-commands.ts';
import { answering } from './answering.ts';

const hint = { id: 'H1', kind: 'hint', action: 'Why?', instructions: '', missing: '', status: 'open', answers: 0, points: [], tasks: '' };
const task = { id: 'T1', title: 'Greet', description: '', value: '', acceptance: '', status: 'open' };

describe('what the person typed', () => {
  let refusals: Error[];
  let taken: unknown[];
  let shown: { dir: string; running: boolean; view: { humanActions: object[]; elsewhere: object | null } };
  const send = (said: unknown): Promise<string> => {
    const refusal = refusals.shift();
    return refusal ? Promise.reject(refusal) : Promise.resolve(String(taken.push(said)));
  };
  const store = () => ({ shown, resumable: false, answer: (_id: string, answer: unknown) => send(answer) }) as never;
  const engine = { request: (_kind: string, { said }: { said: unknown }) => send(said) } as never;
  beforeEach(() => {
    [refusals, taken] = [[new Error('Verifications run.')], []];
    const view = { humanActions: [hint], current: null, elsewhere: null, ending: null, phases: [{ name: '', tasks: [task] }] };
    shown = { dir: '/work/sprint', running: true, view };
  });

  /** @returns what stood in the box each time. */
  async function typing(texts: string[], work: () => Promise<void>): Promise<string[]> {
    const stood: string[] = [];
    const restore = answering({
      showInputBox: ({ value }: vscode.InputBoxOptions) => {
        stood.push(value ?? '');
        return texts.shift() ?? value;
      },
      showQuickPick: ([first]: unknown[]) => first,
      showInformationMessage: () => undefined,
      showWarningMessage: () => undefined,
      setStatusBarMessage: () => undefined,
    });
    try {
      if (refusals.length > 0) await assert.rejects(work());
      await work();
      return stood;
    } finally {
      restore();
    }
  }

  const cases: { where: string; first: string; ask: () => Promise<void>; said: unknown }[] = [
    {
      where: 'an answer',
      first: '',
      ask: () => new HumanActionPrompts(store(), (work) => work()).choose('H1'),
      said: { said: 'So it is' },
    },
    {
      where: 'a word to the agents',
      first: '',
      ask: () => tellAgents(store(), engine, 'task T1'),
      said: { kind: 'tell', words: 'So it is', about: 'task T1' },
    },
    {
      where: 'a hint for a task',
      first: '',
      ask: () => retryTask(store(), engine, 'task T1'),
      said: { kind: 'retry', task: 'T1', hint: 'So it is' },
    },
    {
      where: 'a change of the plan',
      first: 'Greet',
      ask: () => changeTask(store(), engine, 'task T1'),
      said: { kind: 'change', task: 'T1', change: { title: 'So it is' } },
    },
  ];
  for (const { where, first, ask, said } of cases) {
    it(`stands there the next time where it was refused: ${where}`, async () => {
      assert.deepEqual(await typing(['So it is'], ask), [first, 'So it is']);
      assert.deepEqual(taken, [said]);
    });

    it(`does not stand there any more once it was taken: ${where}`, async () => {
      refusals = [];
      assert.deepEqual(await typing(['So it is', ''], ask), [first]);
      assert.deepEqual(await typing([''], ask).catch(String), [first]);
    });
  }

  it('is not asked for where another process runs the sprint', async () => {
    refusals = [];
    shown.view.elsewhere = { process: 7 };
    const [{ ask }] = cases as [(typeof cases)[number]];
    assert.deepEqual(await typing(['So it is'], ask), []);
  });
});
