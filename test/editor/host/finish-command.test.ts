/** *Finish* in the real editor: what goes out to others is asked for first, under the name of what is missing. */
import * as assert from 'node:assert/strict';

import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';

import { finishSprint } from '../../../src/extension/editor/finish-command.ts';
import { answering } from './answering.ts';

const preview = {
  into: 'main',
  moved: false,
  made: null,
  red: [],
  unproven: ['1.1', '1.2'],
  dropped: ['T3'],
  descoped: [],
  commits: ['One', 'Two'],
  files: ['greet.sh', '.env'],
  pullRequest: 'gh',
  problems: ['It holds a secret in .env.'],
};

let restore: () => void = () => undefined;

/** @param press picks one of the buttons. */
async function requestPull(
  press: (buttons: string[]) => string | undefined,
  over: { made?: 'squash' } = {},
): Promise<{ asked: string[]; requests: string[] }> {
  const asked: string[] = [];
  const requests: string[] = [];
  restore = answering({
    showQuickPick: (items: readonly (vscode.QuickPickItem & { how?: string })[]) => items.find(({ how }) => how === 'pull-request'),
    showWarningMessage: (question: string, { detail }: { detail: string }, ...buttons: string[]) => {
      asked.push(question, detail, ...buttons);
      return press(buttons);
    },
    showInformationMessage: () => undefined,
  });
  const answers: Record<string, unknown> = {
    'finish-preview': { ...preview, ...over },
    finish: { summary: 'Kept it.' },
    'pull-request': 'https://example.org/1',
  };
  const engine = {
    request: (kind: string, { how }: { how?: string }) => {
      requests.push(how === undefined ? kind : `${kind} ${how}`);
      return Promise.resolve(answers[kind] ?? null);
    },
  };
  const store = {
    shown: { dir: '/work/sprint', view: { finished: null, name: 'greeter', branch: 'loop/greeter' }, running: false },
    show: () => Promise.resolve(),
  };
  await finishSprint(store as never, engine as never);
  return { asked, requests };
}

describe('Finish', () => {
  afterEach(() => restore());

  it('pushes nothing before the person has read what a pull request brings, and what it lacks', async () => {
    const { asked, requests } = await requestPull(() => undefined);
    assert.deepEqual(requests, ['finish-preview']);
    const [question, detail, ...buttons] = asked;
    assert.equal(question, 'Push loop/greeter to origin, and ask for 2 commits to be merged into main?');
    for (const part of ['greet.sh\n.env', 'Not proven: 1.1, 1.2.', 'Dropped tasks: T3.', 'A merge would be refused now: It holds a secret'])
      assert.ok(detail?.includes(part), `"${part}" is not in: ${detail}`);
    assert.deepEqual(buttons, ['Pull Request with 2 Unproven, 1 Dropped', 'Review the Change']);
  });

  it('only completes an earlier one that was interrupted after its merge', async () => {
    const { asked, requests } = await requestPull(([first]) => first, { made: 'squash' });
    assert.deepEqual(
      [asked[0], requests],
      ['loop/greeter is in main already. Complete the earlier Finish?', ['finish-preview', 'finish squash']],
    );
  });

  it('opens it on the word of the person', async () => {
    assert.deepEqual((await requestPull(([first]) => first)).requests, ['finish-preview', 'finish keep', 'pull-request']);
  });
});
