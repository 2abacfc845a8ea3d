/** The keys of `when` clauses: the editor keeps them where its extension host ends, as when another folder comes first. */
import * as assert from 'node:assert/strict';

import { describe, it } from 'mocha';
import * as vscode from 'vscode';

import { ContextKeys } from '../../../src/extension/editor/contexts.ts';
import { ProposedWording } from '../../../src/extension/editor/proposed-wording.ts';
import { whileReplaced } from './replaced.ts';

describe('the keys of a window', () => {
  it('are told at once, also where nothing is shown: of a sprint that ran before, "Start Sprint" stayed hidden', async () => {
    const told: Record<string, unknown> = {};
    const executeCommand = (_set: string, name: string, value: unknown): Promise<void> => Promise.resolve(void (told[name] = value));
    const never = new vscode.EventEmitter<void>();
    await whileReplaced(vscode.commands, { executeCommand }, async () => {
      const keys = new ContextKeys();
      const store = { shown: null, resumable: false, onDidChange: never.event };
      const wording = new ProposedWording(store as never, undefined as never, undefined as never, keys);
      const pipelines = { running: [], onDidChange: never.event };
      vscode.Disposable.from(keys.follow(store as never), keys.followPipelines(pipelines as never), wording.follow(), never).dispose();
      await Promise.resolve();
    });
    const { 'loop.editable': editable, 'loop.drafts': drafts, ...others } = told;
    assert.deepEqual([editable, drafts], [[], []]);
    const off = ['hasSprint', 'running', 'elsewhere', 'resumable', 'finishable', 'needsPerson', 'planWaits', 'hasVerifications'];
    assert.deepEqual(others, Object.fromEntries([...off, 'pipelineRunning'].map((name) => [`loop.${name}`, false])));
  });
});
