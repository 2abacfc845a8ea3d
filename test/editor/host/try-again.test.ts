/** A sprint that cannot be resumed, although an old notification or a row offers it. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { resumeSprint, tryAgain } from '../../../src/extension/editor/start-sprint.ts';
import { sprintView, type SprintView } from '../../../src/views/model/sprint-view.ts';
import { built, start, stateOf } from '../../views/model/sample.ts';
import { toldBy, whileReplaced } from './replaced.ts';

const view = sprintView(stateOf(...built), start);
const over: SprintView = { ...view, ending: { stop: 'delivered', reasons: [], resumes: false } };
const dir = '/somewhere/sprint';

describe('a sprint that cannot go on', () => {
  const around = (shown: SprintView, resumable = false): never =>
    ({ store: { shown: { dir, view: shown, running: false }, resumable, requireIdle: () => undefined } }) as never;
  /** Fails, so that a start that asks for folders goes no further. */
  const findFiles = (): Promise<never> => Promise.reject(new Error('a new one is asked for'));
  const anew = (work: () => Promise<unknown>): Promise<unknown> => whileReplaced(vscode.workspace, { findFiles }, work);

  it('is said to run elsewhere where it does, and to be over where it is', async () => {
    const elsewhere = { ...view, elsewhere: { process: 7 } };
    for (const act of [resumeSprint, tryAgain]) assert.match((await toldBy(() => act(around(elsewhere)))).join(), /runs elsewhere/);
    assert.match((await toldBy(() => resumeSprint(around(over)))).join(), /this sprint is over/);
  });

  it('is tried again by a start where it was the start of a new one that failed', async () => {
    await assert.rejects(
      anew(() => tryAgain(around(over))),
      /a new one is asked for/,
    );
  });
});
