/** What the language server is told of the sprint that is shown. */
import * as assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { LanguageFeatures } from '../../../src/extension/editor/language.ts';
import { sprintView } from '../../../src/views/model/sprint-view.ts';
import { built, start, stateOf } from '../../views/model/sample.ts';
import { temporaryFolder } from '../temporary.ts';

const view = sprintView(stateOf(...built), start);
/** In place of the client's bundle: keeps what is told. */
const client = `exports.told = []; exports.startClient = () => Promise.resolve({
  stop: () => Promise.resolve(),
  tell: (dir, view) => Promise.resolve(void exports.told.push([dir, view !== null])),
});`;

describe('the documents of a sprint', () => {
  it('say nothing of it any more once another one is shown', async () => {
    const folder = await temporaryFolder('documents');
    const failures: string[] = [];
    const log = (line: string): number => failures.push(line);
    const changed = new vscode.EventEmitter<void>();
    const store = { shown: { dir: '/a', view } as unknown, onDidChange: changed.event };
    const bundle = path.join(folder.path, 'dist', 'language-client.js');
    await mkdir(path.dirname(bundle));
    await writeFile(bundle, client);
    await mkdir(path.join(folder.path, 'sprint'));
    await writeFile(path.join(folder.path, 'sprint', 'PRD.md'), '');
    const features = new LanguageFeatures(folder.path, store as never, () => ({ error: log, warn: log }) as never);
    try {
      await vscode.workspace.openTextDocument(path.join(folder.path, 'sprint', 'PRD.md'));
      const { told } = await afterStart(bundle);
      for (const dir of ['/b', '/b']) {
        store.shown = { dir, view };
        changed.fire();
      }
      await new Promise(setImmediate);
      assert.deepEqual(failures, []);
      assert.deepEqual(told, [
        ['/a', true],
        ['/a', false],
        ['/b', true],
      ]);
    } finally {
      features.dispose();
      changed.dispose();
      await folder.remove();
    }
  });
});

async function afterStart(bundle: string): Promise<{ told: unknown[] }> {
  const stub = require(bundle) as { told: unknown[] };
  for (let tries = 0; stub.told.length === 0 && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
  return stub;
}
