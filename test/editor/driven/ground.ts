/**
 * The ground of the driven tests: one editor with the packaged extension, its window, and a folder for repositories. Each test opens
 * a folder of its own.
 */
import { mkdir } from 'node:fs/promises';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

import { startBrowser } from '../browser.ts';
import { checkoutRoot, provideTestGround } from '../provisioned.ts';
import { startEditorServer } from '../server.ts';
import { temporaryFolder } from '../temporary.ts';
import type { Workbench } from '../workbench.ts';

export interface Ground {
  /** The folder for repositories, which is removed with the ground. */
  readonly scratch: string;
  open(folder: string): Promise<Workbench>;
  close(): Promise<void>;
}

/** @param beside files of other extensions. Packages the built extension, installs it as a person would, and starts the editor and its window. */
export async function startGround(settings: Readonly<Record<string, unknown>> = {}, beside: readonly string[] = []): Promise<Ground> {
  const { editor, browser: executable } = await provideTestGround();
  const scratch = await temporaryFolder('driven');
  const opened: (() => Promise<void>)[] = [scratch.remove];
  const close = async (): Promise<void> => {
    for (const end of opened.toReversed()) await end();
  };
  try {
    const vsix = await packageVsix();
    // The editor must not use the person's own key or worktrees.
    const env = { LOOP_STATE_HOME: path.join(scratch.path, 'state'), ANTHROPIC_API_KEY: undefined };
    const server = await startEditorServer({ editor, flavour: { kind: 'person', vsix: [vsix, ...beside] }, env, settings });
    opened.push(server.stop);
    const browser = await startBrowser(executable);
    opened.push(browser.close);
    return { scratch: scratch.path, open: (folder) => browser.open(server.address(folder)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The folder, ignored by git, for the pictures of a test run. */
export async function pictureFolder(): Promise<string> {
  const folder = path.join(checkoutRoot(), 'out', 'screenshots');
  await mkdir(folder, { recursive: true });
  return folder;
}

async function packageVsix(): Promise<string> {
  const script = pathToFileURL(path.join(checkoutRoot(), 'scripts', 'package.mjs')).href;
  const { packageExtension } = (await import(script)) as { packageExtension(): string };
  return packageExtension();
}
