/** Proposed wording that is refused when the person accepts it: they mend the draft and accept that. */
import * as assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { ChangedDocuments } from '../../../src/extension/editor/changed-documents.ts';
import { ProposedWording } from '../../../src/extension/editor/proposed-wording.ts';
import { temporaryFolder, type TemporaryFolder } from '../temporary.ts';
import { answering } from './answering.ts';
import { whileReplaced } from './replaced.ts';

const proposal = { id: 'P1', document: 'PRD.md', quote: 'a name', proposed: 'one name' };

describe('proposed wording', () => {
  let folder: TemporaryFolder;
  let told: string[];
  let asked: [string, unknown][];
  let refusal: Error | undefined;
  let canTake: boolean;
  let wording: ProposedWording;
  let restore: () => void;
  beforeEach(async () => {
    folder = await temporaryFolder('wording');
    writeFileSync(file(), '1.1 It greets a name.\n');
    [told, asked, refusal, canTake] = [[], [], undefined, true];
    const request = (kind: string, params: { texts?: unknown }): Promise<unknown> => {
      asked.push([kind, params.texts]);
      if (kind === 'proposed-wording') return Promise.resolve({ proposals: [proposal], held: { 'PRD.md': 'abc' } });
      if (kind === 'changed-documents')
        return Promise.resolve({ words: 'It cannot be taken over: too short.', canTake, isAnswered: false });
      return refusal ? Promise.reject(refusal) : Promise.resolve('taken');
    };
    const store = { shown: { dir: folder.path, running: true, view: null }, resumable: false, show: () => Promise.resolve() } as never;
    const engine = (): never => ({ request }) as never;
    const documents = new ChangedDocuments(store, engine, (work) => work());
    wording = new ProposedWording(store, engine, documents, { set: () => undefined } as never);
    restore = answering({ showInformationMessage: () => undefined, showWarningMessage: (text: string) => void told.push(text) });
    await whileReplaced(vscode.commands, { executeCommand: () => Promise.resolve() }, () => wording.review());
  });
  afterEach(async () => {
    await wording.decline();
    restore();
    await folder.remove();
  });
  const file = (): string => path.join(folder.path, 'PRD.md');
  const text = (): string => readFileSync(file(), 'utf8');
  const mend = async (): Promise<void> => {
    const draft = vscode.workspace.textDocuments.findLast((one) => one.isUntitled && one.getText().includes('one name'));
    assert.ok(draft, 'there is no draft');
    const change = new vscode.WorkspaceEdit();
    change.replace(draft.uri, new vscode.Range(0, 0, 1, 0), '1.1 It greets one name, and no other.\n');
    await vscode.workspace.applyEdit(change);
  };

  /** The editor keeps at most fifty documents that nobody shows. */
  const letGo = async (): Promise<void> => {
    for (let number = 0; number < 60; number += 1) {
      const other = path.join(folder.path, `other-${number}.md`);
      writeFileSync(other, '');
      await vscode.workspace.openTextDocument(vscode.Uri.file(other));
    }
    const isOpen = (): boolean => vscode.workspace.textDocuments.some(({ uri }) => uri.fsPath === file());
    for (let waited = 0; isOpen() && waited < 5_000; waited += 100) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(!isOpen(), 'the editor keeps the document open');
  };

  it('is not written where it could not be taken over, and can be mended', async () => {
    canTake = false;
    await wording.accept();
    assert.equal(text(), '1.1 It greets a name.\n');
    assert.deepEqual(told, ['Loop: nothing was written. It cannot be taken over: too short.']);
    assert.deepEqual(asked.at(-1), ['changed-documents', { 'PRD.md': '1.1 It greets one name.\n' }]);
    canTake = true;
    await mend();
    await wording.accept();
    assert.equal(text(), '1.1 It greets one name, and no other.\n');
  });

  it('is accepted also where the editor has let go of their document, as it does three minutes after it was read', async () => {
    await letGo();
    await wording.accept();
    assert.deepEqual([text(), told, asked.at(-1)?.[0]], ['1.1 It greets one name.\n', [], 'amend']);
  });

  it('is not written over what somebody else wrote there meanwhile', async () => {
    await letGo();
    writeFileSync(file(), '1.1 It greets a name.\n1.2 It ends.\n');
    await wording.accept();
    assert.equal(text(), '1.1 It greets a name.\n1.2 It ends.\n');
    assert.deepEqual(told, ['Loop: PRD.md was changed meanwhile, so nothing was written. Review the wording again.']);
  });

  it('is not taken over where it cannot be written, and is accepted once it can', async () => {
    const applyEdit = (): Promise<boolean> => Promise.resolve(false);
    await whileReplaced(vscode.workspace, { applyEdit }, () => assert.rejects(wording.accept(), /PRD\.md could not be written/));
    assert.ok(!asked.some(([kind]) => kind === 'amend'));
    await wording.accept();
    assert.deepEqual([text(), asked.at(-1)?.[0]], ['1.1 It greets one name.\n', 'amend']);
  });

  it('is accepted once more where it was written and refused then', async () => {
    refusal = new Error('Verifications run.');
    await assert.rejects(wording.accept(), refusal);
    refusal = undefined;
    await mend();
    await wording.accept();
    assert.equal(text(), '1.1 It greets one name, and no other.\n');
    assert.deepEqual([told, asked.at(-1)?.[0]], [[], 'amend']);
  });
});
