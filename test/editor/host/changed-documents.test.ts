/** VISION.md and PRD.md that are saved at each pause in writing: the person is asked once, until they say what becomes of it. */
import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { ChangedDocuments } from '../../../src/extension/editor/changed-documents.ts';
import { waitFor } from '../processes.ts';
import { answering } from './answering.ts';

/** Longer than a change takes to be seen. */
const pauseMs = 3_000;

describe('a document that is saved at each pause', () => {
  let folder: string;
  let following: vscode.Disposable;
  let documents: ChangedDocuments;
  let goesOn: () => void;
  let restore: () => void;
  let looks = 0;
  let words = 'PRD.md was changed.';
  let asked: string[];
  let answer: (chosen: string | undefined) => void;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'loop-saved-'));
    asked = [];
    restore = answering({
      showInformationMessage: (text: string) => {
        asked.push(text);
        return new Promise<string | undefined>((resolve) => (answer = resolve));
      },
    });
    const changed = new vscode.EventEmitter<void>();
    const store = { shown: { dir: folder, running: true, view: {} }, onDidChange: changed.event, show: () => Promise.resolve() };
    const request = (kind: string) => {
      if (kind !== 'changed-documents') return Promise.resolve('');
      looks += 1;
      return Promise.resolve({ words, canTake: true, isAnswered: false });
    };
    documents = new ChangedDocuments(
      store as never,
      () => ({ request }) as never,
      (work) => work(),
    );
    following = documents.follow();
    goesOn = () => {
      for (const running of [false, true]) {
        store.shown.running = running;
        changed.fire();
      }
    };
    goesOn();
  });
  after(() => {
    following?.dispose();
    restore?.();
    rmSync(folder, { recursive: true, force: true });
  });

  async function save(text: string): Promise<void> {
    const seen = looks;
    writeFileSync(path.join(folder, 'PRD.md'), text);
    await waitFor('a look at what was saved', pauseMs * 5, () => Promise.resolve(looks > seen || undefined));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }

  it('is asked about once while the same would re-open', async () => {
    await waitFor('the look when the sprint goes on', pauseMs * 5, () => Promise.resolve(asked.length === 1 || undefined));
    await save('one');
    await save('one two');
    assert.equal(asked.length, 1);
  });

  it('is asked about again where something else would re-open', async () => {
    words = 'PRD.md was changed. Requirement 1.1 re-opens.';
    await save('one two three');
    assert.equal(asked.length, 2);
  });

  it('is not asked about while what the person accepted is saved, whatever was seen just before', async () => {
    const count = asked.length;
    goesOn();
    await documents.take(folder, () => new Promise((resolve) => setTimeout(resolve, 1_000)));
    assert.equal(asked.length, count);
  });

  it('is asked about again once it was answered', async () => {
    answer('Go On with the Old Text');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await save('one two three four');
    assert.equal(asked.length, 3);
  });
});

describe('the word about a document that was changed once more', () => {
  const [first, second] = ['Requirement 1.1 re-opens.', 'Requirement 1.2 re-opens.'];
  const cases: { what: string; looks: string[]; press: (string | undefined)[]; does: string[] }[] = [
    { what: 'is taken where the same would re-open', looks: [first, first], press: ['Take It Over'], does: ['amend take'] },
    { what: 'is asked for again', looks: [first, second, second], press: ['Take It Over', undefined], does: [] },
    {
      what: 'is about the text that was told last',
      looks: [first, second, second, second],
      press: ['Take It Over', 'Go On with the Old Text'],
      does: ['amend keep'],
    },
    { what: 'is a pause of the sprint that was told of', looks: [first], press: ['Stop after This Step'], does: ['pause /work/told'] },
  ];
  for (const { what, looks, press, does } of cases)
    it(what, async () => {
      const done: string[] = [];
      const told: string[] = [];
      const store = { shown: { dir: '/work/told', running: true, view: null }, show: () => Promise.resolve() };
      const request = (kind: string, { sprintDir, answer }: { sprintDir: string; answer?: string }): Promise<unknown> => {
        if (kind === 'changed-documents') return Promise.resolve({ words: looks.shift(), canTake: true, isAnswered: false });
        done.push(kind === 'say' ? `pause ${sprintDir}` : `${kind} ${answer}`);
        return Promise.resolve('');
      };
      const restore = answering({
        showInformationMessage: (text: string) => {
          told.push(text);
          // Another sprint runs by the time that they press a button.
          store.shown = { dir: '/work/other', running: true, view: null };
          return press.shift();
        },
        setStatusBarMessage: () => undefined,
      });
      try {
        const documents = new ChangedDocuments(
          store as never,
          () => ({ request }) as never,
          (work) => work(),
        );
        await documents.ask();
        assert.deepEqual([done, looks, press], [does, [], []]);
        assert.match(told.at(-1) ?? '', new RegExp(told.length === 1 ? first : second));
      } finally {
        restore();
      }
    });
});

describe('a document of a sprint that another process runs', () => {
  it('can stop it there, too', async () => {
    const said: unknown[] = [];
    const view = { finished: null, ending: null, elsewhere: { process: 7 } };
    const request = (kind: string, params: { said?: unknown }): Promise<unknown> => {
      if (kind === 'changed-documents') return Promise.resolve({ words: 'PRD.md was changed.', canTake: true, isAnswered: false });
      return Promise.resolve(String(said.push(params.said)));
    };
    const stop = (_text: string, ...choices: string[]): string | undefined => choices.find((choice) => choice.startsWith('Stop'));
    const restore = answering({ showInformationMessage: stop, setStatusBarMessage: () => undefined });
    try {
      const store = { shown: { dir: '/work', running: false, view } };
      const documents = new ChangedDocuments(
        store as never,
        () => ({ request }) as never,
        (work) => work(),
      );
      await documents.ask();
    } finally {
      restore();
    }
    assert.deepEqual(said, [{ kind: 'pause' }]);
  });
});
