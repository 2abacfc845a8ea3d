/** Gives the bundled tests what scripts/provision.mjs provides: the editor, the browser and the checkout itself. */
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { EditorInstallation } from './server.ts';

interface Provision {
  ensureSystem(): Promise<void>;
  ensureEditor(): Promise<EditorInstallation>;
  findBrowser(): string | undefined;
}

export interface TestGround {
  readonly editor: EditorInstallation;
  /** Path of the Chromium. */
  readonly browser: string;
}

/** The editor and the browser, installed when missing. @throws one clear line when one of them is not available */
export async function provideTestGround(): Promise<TestGround> {
  const script = pathToFileURL(path.join(checkoutRoot(), 'scripts', 'provision.mjs')).href;
  // The script is not bundled, since it finds the checkout by its own place in it.
  const provision = (await import(script)) as Provision;
  await provision.ensureSystem();
  const editor = await provision.ensureEditor();
  const browser = provision.findBrowser();
  if (browser === undefined) throw new Error('no Chromium or Chrome found: install one, or name it in LOOP_TEST_BROWSER');
  return { editor, browser };
}

/** The checkout in which this bundle was built. */
export function checkoutRoot(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  for (let folder = here; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'scripts', 'provision.mjs'))) return folder;
    if (folder === path.dirname(folder)) throw new Error(`${here} is in no checkout of Loop`);
  }
}
