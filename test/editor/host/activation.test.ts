// Covers: the packaged extension comes alive in a real extension host.

import * as assert from 'node:assert/strict';

import * as vscode from 'vscode';

describe('activation', () => {
  it('activates Loop', async () => {
    const extension = vscode.extensions.getExtension('loop.loop');
    assert.ok(extension, 'the extension host does not know loop.loop');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
