/** The buttons of a notification, pressed after the person chose another sprint: they act on the one that it told of. */
import * as assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { registerCommands } from '../../../src/extension/editor/commands.ts';
import type { EngineClient } from '../../../src/extension/editor/engine-client.ts';
import { commands } from '../../../src/extension/editor/names.ts';
import { tellOutcome } from '../../../src/extension/editor/notifications.ts';
import { SprintStore, type End } from '../../../src/extension/editor/sprint-store.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import { built, start, stateOf } from '../../views/model/sample.ts';
import { temporaryFolder, type TemporaryFolder } from '../temporary.ts';
import { answering } from './answering.ts';
import { whileReplaced } from './replaced.ts';

const view = { ...sprintView(stateOf(...built), start), ending: { stop: 'waiting' as const, reasons: [], resumes: true } };
const choice = { model: { kind: 'recorded' as const, file: 'recording.yaml' }, network: 'installs', overrides: {}, baseURL: null };

describe('a notification about a sprint, while another one is shown', () => {
  let folder: TemporaryFolder;
  let asked: string[];
  let told: string[];
  let store: SprintStore;
  let restore: () => void;
  let press: string;
  beforeEach(async () => {
    folder = await temporaryFolder('about');
    await mkdir(path.join(at('told'), '.loop'), { recursive: true });
    await writeFile(path.join(at('told'), '.loop', 'DELIVERY_REPORT.md'), '');
    [asked, told] = [[], []];
    const request = (kind: string, { sprintDir }: { sprintDir: string }): Promise<unknown> => {
      const name = path.basename(sprintDir);
      if (kind !== 'read') asked.push(`${kind} ${name}`);
      if (kind === 'finish-preview') return Promise.reject(new Error('that is all'));
      return kind === 'run' ? new Promise(() => undefined) : Promise.resolve(name === 'new' ? null : view);
    };
    store = new SprintStore(() => ({ request }) as unknown as EngineClient);
    await store.show(at('shown'));
    const tell = (text: string, ...buttons: unknown[]): unknown => {
      told.push(text);
      return buttons.includes(press) ? press : undefined;
    };
    restore = answering({
      showInformationMessage: tell,
      showWarningMessage: tell,
      showErrorMessage: tell,
      showQuickPick: ([first]: unknown[]) => first,
      showTextDocument: ({ fsPath }: vscode.Uri) => asked.push(`open ${path.relative(folder.path, fsPath)}`),
    });
  });
  afterEach(async () => {
    restore();
    store.dispose();
    await folder.remove();
  });
  const at = (name: string): string => path.join(folder.path, name);
  const log = { error: () => undefined, info: () => undefined, show: () => undefined };

  /** With the commands of Loop in the place of the editor's. */
  async function withCommands(work: () => Promise<unknown>): Promise<void> {
    const handlers = new Map<string, (argument: unknown) => Promise<void>>();
    const registerCommand = (name: string, handler: (argument: unknown) => Promise<void>): vscode.Disposable => {
      handlers.set(name, handler);
      return { dispose: () => undefined };
    };
    const executeCommand = (name: string, argument: unknown): unknown => handlers.get(name)?.(argument);
    const around = { store, log: () => log, engine: () => ({ request: engineOf(store) }), memento: { get: () => choice } };
    await whileReplaced(vscode.commands, { registerCommand, executeCommand }, async () => {
      registerCommands(around as never);
      await work();
    });
  }
  const engineOf = (one: SprintStore): unknown => (one as unknown as { engine: () => { request: unknown } }).engine().request;

  async function pressed(button: string, end: End, name = 'told'): Promise<void> {
    press = button;
    await withCommands(() => tellOutcome({ dir: at(name), view, queued: false, ...end }, log as never));
  }
  const ended = (stop: 'waiting' | 'out-of-budget' | 'partial'): End => ({ ending: { stop, reasons: [] } });
  const broke: End = { failure: { kind: 'error', message: 'the thread ended', detail: '' } };

  const cases: { button: string; end: End; does: string }[] = [
    { button: 'Resume', end: ended('waiting'), does: 'run told' },
    { button: 'Raise and Resume…', end: ended('out-of-budget'), does: 'run told' },
    { button: 'Finish…', end: ended('partial'), does: 'finish-preview told' },
    { button: 'Open Report', end: ended('partial'), does: 'open told/.loop/DELIVERY_REPORT.md' },
    { button: 'Try Again', end: broke, does: 'run told' },
  ];
  for (const { button, end, does } of cases) {
    it(`acts on the sprint that it told of: ${button}`, async () => {
      await pressed(button, end);
      assert.deepEqual(asked, [does]);
      assert.equal(store.shown?.dir, at('told'));
    });

    it(`does nothing to the one that runs by then: ${button}`, async () => {
      store.run(at('shown'), choice);
      await pressed(button, end);
      assert.deepEqual(asked, ['run shown']);
      assert.match(told.at(-1) ?? '', /runs in this window/);
    });
  }

  it('tries the start of that sprint again which did not get as far as a journal', async () => {
    const files = ['shown', 'new'].map((name) => vscode.Uri.file(path.join(at(name), 'VISION.md')));
    // Nobody is asked which one: what is wrong in its documents is looked for at once.
    await whileReplaced(vscode.workspace, { findFiles: () => Promise.resolve(files) }, () => pressed('Try Again', broke, 'new'));
    assert.equal(asked[0], 'inputs new');
  });

  for (const argument of [undefined, null, 'raise', { id: 'row' }, { sprintDir: 7 }])
    it(`leaves a command of the palette, a menu or a key with the one that is shown: ${JSON.stringify(argument)}`, async () => {
      await withCommands(async () => vscode.commands.executeCommand(commands.resume, argument));
      assert.deepEqual(asked, ['run shown']);
    });
});
