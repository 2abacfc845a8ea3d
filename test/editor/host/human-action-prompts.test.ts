/** A question's notification in the real editor: its answer goes to the sprint that asked. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { HumanActionPrompts } from '../../../src/extension/editor/human-action-prompts.ts';
import { commands } from '../../../src/extension/editor/names.ts';
import { answering, back, doing, enter, escape, pick, type, type Deed } from './answering.ts';
import { whileReplaced } from './replaced.ts';

const question = { id: 'H1', kind: 'deed', action: 'Plug it in', instructions: '', missing: '', status: 'open', points: [], tasks: [] };
const shown = (dir: string) => ({ dir, running: true, view: { humanActions: [question], current: null, elsewhere: null } });

describe('the notification of a question', () => {
  it('answers the sprint that asked, and none that was chosen meanwhile', async () => {
    assert.deepEqual(await answersAfter((store) => store.shown), ['H1 done']);
    assert.deepEqual(await answersAfter((store) => (store.shown = shown('/work/other'))), []);
  });
});

describe('a question that another sprint has too, by its number', () => {
  const deed = { ...question, tasks: '' };
  const hint = { ...deed, kind: 'hint', action: 'Why?' };
  const view = { humanActions: [hint], current: null, elsewhere: null };
  const choice = { ...deed, kind: 'choice' };
  const cases: { title: string; of: object; skips?: boolean }[] = [
    { title: 'is not answered there by what was typed for this one', of: hint },
    { title: 'is not skipped there by a click about this one', of: deed, skips: true },
    { title: 'is not answered there by the points of this one', of: choice },
  ];
  for (const { title, of, skips = false } of cases)
    it(title, async () => {
      const sent: unknown[] = [];
      const told: string[] = [];
      const own = { dir: '/work/own', running: false, view: { ...view, humanActions: [of] } };
      const store = {
        shown: own,
        resumable: false,
        answer: (id: string, answer: unknown) => Promise.resolve(void sent.push([store.shown.dir, id, answer])),
      };
      let stood = '';
      const switched = <T>(chosen: T): T => ((store.shown = { ...own, dir: '/work/other' }), chosen);
      const restore = answering({
        showQuickPick: (items: unknown[]) => (of === choice ? switched(items[0]) : items.at(skips ? -1 : 0)),
        showInputBox: ({ value }: vscode.InputBoxOptions) => (
          (stood = value ?? ''),
          store.shown === own && stood === '' ? switched('So it is') : value
        ),
        showWarningMessage: (_text: string, _options: unknown, sure: string) => switched(sure),
        showInformationMessage: (text: string) => void told.push(text),
      });
      try {
        const prompts = new HumanActionPrompts(store as never, (work) => work());
        await prompts.choose('H1');
        assert.deepEqual(sent, []);
        assert.match(told.join(), /another sprint asked this/);
        if (of !== hint) return;
        store.shown = own;
        await prompts.choose('H1');
        assert.deepEqual([stood, sent], ['So it is', [['/work/own', 'H1', { said: 'So it is' }]]]);
      } finally {
        restore();
      }
    });
});

describe('an answer', () => {
  const cases: { stop: string | null; why: string; resumes: boolean }[] = [
    { stop: 'waiting', why: 'it stopped to wait for that', resumes: true },
    { stop: null, why: 'the person stopped or paused it', resumes: false },
    { stop: 'out-of-budget', why: 'its budget is reached', resumes: false },
  ];
  for (const { stop, why, resumes } of cases)
    it(`${resumes ? 'resumes the sprint' : 'is kept until the person resumes the sprint, which it offers,'} where ${why}`, async () => {
      const done: string[] = [];
      const ending = stop && { stop, reasons: [], resumes: true };
      const store = {
        shown: { ...shown('/work/sprint'), running: false, view: { humanActions: [question], current: null, elsewhere: null, ending } },
        resumable: true,
        answer: (id: string) => Promise.resolve(void done.push(`answer ${id}`)),
      };
      const executeCommand = (name: string): Promise<void> => Promise.resolve(void done.push(name));
      // The person leaves it as it is, or resumes it there.
      const tell = (text: string, button: string): unknown => (done.push(text), stop === null ? undefined : button);
      const restore = answering({ showInformationMessage: tell });
      try {
        const prompts = new HumanActionPrompts(store as never, (work) => work());
        await whileReplaced(vscode.commands, { executeCommand }, () => prompts.done('H1'));
      } finally {
        restore();
      }
      await new Promise((resolve) => setTimeout(resolve));
      const kept = 'Loop: this is kept, and taken up when you resume the sprint.';
      assert.deepEqual(done, ['answer H1', ...(resumes ? [] : [kept]), ...(stop === null ? [] : [commands.resume])]);
    });
});

describe('the points of a choice', () => {
  it('are gone back to, and answered otherwise', async () => {
    const { answers, asked } = await answerPoints([
      pick('Short'),
      pick('Short'),
      back,
      pick('In my own words…'),
      type(' ', 'As long as it is true'),
      pick('Decide for me'),
      pick('Long'),
    ]);
    assert.deepEqual(answers, [{ chosen: { P1: 'Short', P2: 'As long as it is true' } }]);
    assert.deepEqual(asked, ['1/3', '2/3', '3/3', '2/3', '3/4', '4/4']);
  });

  it('keep what was chosen where the person leaves before the last', async () => {
    const { answers } = await answerPoints([pick('Long'), pick('Short'), escape, enter, enter, pick('Short')]);
    assert.deepEqual(answers, [{ chosen: { P1: 'Long', P2: 'Short', P3: 'Short' } }]);
  });

  it('keep what was chosen where the answer is refused', async () => {
    const view = { elsewhere: null as object | null };
    const last: Deed = (shownNow) => {
      view.elsewhere = { process: 7 };
      return pick('Long')(shownNow);
    };
    const { answers } = await answerPoints([pick('Long'), pick('Short'), last, enter, enter, enter], view);
    assert.deepEqual(answers, [{ chosen: { P1: 'Long', P2: 'Short', P3: 'Long' } }]);
  });
});

/** Three points, asked until they are answered. @param given of the sprint's view. */
async function answerPoints(deeds: Deed[], given = { elsewhere: null as object | null }): Promise<{ answers: unknown[]; asked: string[] }> {
  const point = (id: string) => ({
    id,
    document: 'PRD.md',
    requirement: '1.1',
    quote: '',
    wrong: 'Nobody says how long.',
    proposed: '',
    recommended: 0,
    options: ['Short', 'Long'].map((answer) => ({ answer, follows: '' })),
  });
  const choice = { ...question, kind: 'choice', points: ['P1', 'P2', 'P3'].map(point) };
  const answers: unknown[] = [];
  const store = {
    shown: { ...shown('/work/sprint'), view: Object.assign(given, { humanActions: [choice], current: null }) },
    resumable: false,
    answer: (_id: string, answer: unknown) => Promise.resolve(void answers.push(answer)),
  };
  const prompts = new HumanActionPrompts(store as never, (work) => work());
  const { asked, restore } = doing(deeds);
  const again = answering({
    showQuickPick: ([first]: unknown[]) => first,
    showInformationMessage: () => undefined,
    showWarningMessage: (_text: string, first: string) => (deeds.length > 0 ? first : undefined),
  });
  try {
    await prompts.choose('H1');
    if (given.elsewhere) {
      given.elsewhere = null;
      await prompts.choose('H1');
    }
    return { answers, asked };
  } finally {
    again();
    restore();
  }
}

/** @param meanwhile happens between the question and the click on its first answer. @returns what was answered. */
async function answersAfter(meanwhile: (store: { shown: unknown }) => unknown): Promise<string[]> {
  const answered: string[] = [];
  const changed = new vscode.EventEmitter<void>();
  const store = {
    shown: shown('/work/sprint') as unknown,
    queue: null,
    resumable: false,
    onDidChange: changed.event,
    answer: (id: string, answer: string) => Promise.resolve(void answered.push(`${id} ${answer}`)),
  };
  const { showWarningMessage } = vscode.window;
  const replaced = vscode.window as unknown as Record<string, unknown>;
  replaced['showWarningMessage'] = (_text: string, first: string) => {
    meanwhile(store);
    return Promise.resolve(first);
  };
  const works: Promise<void>[] = [];
  const prompts = new HumanActionPrompts(store as never, (work) => {
    works.push(work());
    return Promise.resolve();
  });
  const following = prompts.follow();
  try {
    changed.fire();
    await Promise.all(works);
    return answered;
  } finally {
    following.dispose();
    replaced['showWarningMessage'] = showWarningMessage;
  }
}
