/** The folder of the test extension that registers a chat model: the bundle, with its manifest beside it. */
import { execFileSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import * as path from 'node:path';

import { checkoutRoot } from './provisioned.ts';

export async function chatProviderFolder(): Promise<string> {
  const folder = path.join(checkoutRoot(), 'out', 'test', 'editor', 'chat-provider');
  await copyFile(path.join(checkoutRoot(), 'test', 'editor', 'chat-provider', 'package.json'), path.join(folder, 'package.json'));
  return folder;
}

/** The same as a file, which is installed as a person would. */
export async function chatProviderVsix(): Promise<string> {
  const folder = await chatProviderFolder();
  const file = path.join(checkoutRoot(), 'out', 'chat-provider.vsix');
  const vsce = path.join(checkoutRoot(), 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', file];
  execFileSync(process.execPath, [vsce, ...args], { cwd: folder, stdio: 'pipe' });
  return file;
}
