/** VSIX files that benchmarks measure or install: Loop as it is built, and small extensions made for one run. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { checkoutRoot } from '../../editor/provisioned.ts';

interface Packaging {
  packageExtension(file: string): string;
}

/** Packages the built extension. @returns the path of the file */
export async function packLoop(folder: string): Promise<string> {
  const script = pathToFileURL(path.join(checkoutRoot(), 'scripts', 'package.mjs')).href;
  // The script is not bundled, since it finds the checkout by its own place in it.
  const { packageExtension } = (await import(script)) as Packaging;
  return packageExtension(path.join(folder, 'loop.vsix'));
}

/** Packages one bundled module as an extension that is activated after the editor's start. @returns the path of the file */
export async function packModule(module: string, name: string, folder: string): Promise<string> {
  const source = path.join(folder, name);
  const manifest = {
    name,
    version: '0.0.1',
    publisher: 'loop-bench',
    engines: { vscode: '^1.106.0' },
    main: './main.js',
    activationEvents: ['onStartupFinished'],
  };
  await mkdir(source);
  await writeFile(path.join(source, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(source, 'README.md'), 'Made for one benchmark run.\n');
  await copyFile(module, path.join(source, 'main.js'));
  const out = path.join(folder, `${name}.vsix`);
  const vsce = path.join(checkoutRoot(), 'node_modules', '@vscode', 'vsce', 'vsce');
  const options = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', out];
  await promisify(execFile)(process.execPath, [vsce, 'package', ...options], { cwd: source });
  return out;
}
