/** The built extension in a real extension host: it activates, and contributes what its manifest declares. */
import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';

import { commands as names } from '../../../src/extension/editor/names.ts';

interface Manifest {
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { scope: string; default: unknown }> };
    views: { loop: { id: string }[] };
  };
  capabilities: { untrustedWorkspaces: { supported: unknown }; virtualWorkspaces: { supported: unknown } };
}

describe('the extension in its host', () => {
  let extension: vscode.Extension<unknown>;
  let manifest: Manifest;
  let loaded: string[];

  before(async () => {
    const loop = vscode.extensions.getExtension('loop.loop');
    assert.ok(loop, 'the extension host does not know loop.loop');
    extension = loop;
    manifest = loop.packageJSON as Manifest;
    const earlier = new Set(Object.keys(require.cache));
    await extension.activate();
    loaded = Object.keys(require.cache).filter((file) => !earlier.has(file) || isOurs(file));
  });

  const isOurs = (file: string): boolean => file.startsWith(path.join(extension.extensionPath, 'dist'));

  it('is active', () => assert.equal(extension.isActive, true));

  it('registers exactly the commands that it contributes', async () => {
    const registered = (await vscode.commands.getCommands(true)).filter((command) => /^loop\.[a-z]\w*$/i.test(command));
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual(registered.sort(), contributed.sort());
    assert.deepEqual(registered, Object.values(names).sort());
  });

  it('has its views', async () => {
    const commands = new Set(await vscode.commands.getCommands(true));
    for (const { id } of manifest.contributes.views.loop) assert.ok(commands.has(`${id}.focus`), `${id} is no view`);
  });

  it('accepts commands of a sprint where there is none', async () => {
    // A command without anything to do or ask returns; one that fails rejects.
    for (const command of [names.stop, names.finish, names.history, names.report, names.answer, names.removeKey]) {
      await vscode.commands.executeCommand(command);
    }
  });

  it('loads only its own bundle, and nothing of the engine', () => {
    assert.deepEqual(loaded.filter(isOurs), [path.join(extension.extensionPath, 'dist', 'extension.js')]);
    assert.deepEqual(
      loaded.filter((file) => file.includes('node_modules') && file.startsWith(extension.extensionPath)),
      [],
      'a module from outside of the bundle was loaded',
    );
    const source = readFileSync(path.join(extension.extensionPath, 'dist', 'extension.js'), 'utf8');
    assert.ok(!/ZodError|anthropic-version|isomorphic|yaml\.org/i.test(source), 'a library is in the bundle');
  });

  it('does not run in untrusted or virtual workspaces', () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, false);
    assert.equal(manifest.capabilities.virtualWorkspaces.supported, false);
  });

  it('has no workspace settings, so that a repository cannot set one', async () => {
    const settings = Object.entries(manifest.contributes.configuration.properties);
    assert.ok(settings.length > 10);
    for (const [name, { scope, default: value }] of settings) {
      assert.ok(['application', 'machine'].includes(scope), name);
      assert.deepEqual(vscode.workspace.getConfiguration().get(name), value, name);
    }
    const budget = vscode.workspace.getConfiguration('loop');
    await assert.rejects(async () => budget.update('budgetUsd', 1000, vscode.ConfigurationTarget.Workspace));
    assert.equal(budget.inspect('budgetUsd')?.workspaceValue, undefined);
  });

  it('ships the files that it needs', () => {
    for (const file of [
      'dist/worker.mjs',
      'dist/webview.js',
      'media/history.css',
      'media/templates/PRD.md',
      'media/templates/pipeline/stage.yaml',
    ])
      assert.ok(existsSync(path.join(extension.extensionPath, file)), file);
  });
});
