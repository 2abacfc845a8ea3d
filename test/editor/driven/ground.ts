// Owns what the driven tests stand on: the packaged extension installed in an editor, a window of it, and a scratch folder
// for repositories. One editor serves all of them; each opens a folder of its own.

import { mkdir } from 'node:fs/promises';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

import { startBrowser } from '../browser.ts';
import { checkoutRoot, provideTestGround } from '../provisioned.ts';
import { startEditorServer } from '../server.ts';
import { temporaryFolder } from '../temporary.ts';
import type { Workbench } from '../workbench.ts';

export interface Ground {
  /** Repositories go below it; it goes with the ground. */
  readonly scratch: string;
  open(folder: string): Promise<Workbench>;
  close(): Promise<void>;
}

/** Packs what was built, installs it as a person would, and starts the editor and its window. */
export async function startGround(settings: Readonly<Record<string, unknown>> = {}): Promise<Ground> {
  const { editor, browser: executable } = await provideTestGround();
  const scratch = await temporaryFolder('driven');
  const opened: (() => Promise<void>)[] = [scratch.remove];
  const close = async (): Promise<void> => {
    for (const end of opened.toReversed()) await end();
  };
  try {
    const vsix = await packed();
    // Nobody's own key or worktrees: the editor has a state folder of its own.
    const env = { LOOP_STATE_HOME: path.join(scratch.path, 'state'), ANTHROPIC_API_KEY: undefined };
    const server = await startEditorServer({ editor, flavour: { kind: 'person', vsix: [vsix] }, env, settings });
    opened.push(server.stop);
    const browser = await startBrowser(executable);
    opened.push(browser.close);
    return { scratch: scratch.path, open: (folder) => browser.open(server.address(folder)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The ignored folder with the pictures of a test run. */
export async function pictureFolder(): Promise<string> {
  const folder = path.join(checkoutRoot(), 'out', 'screenshots');
  await mkdir(folder, { recursive: true });
  return folder;
}

async function packed(): Promise<string> {
  const script = pathToFileURL(path.join(checkoutRoot(), 'scripts', 'package.mjs')).href;
  const { packageExtension } = (await import(script)) as { packageExtension(): string };
  return packageExtension();
}
