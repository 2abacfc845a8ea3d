// Owns the screen of the editor tests: one Chromium, one window of the editor in it.

import { chromium, type Browser, type Page } from 'playwright-core';

import { Workbench } from './workbench.ts';

const VIEWPORT = { width: 1280, height: 800 };
const OPEN_TIMEOUT_MS = 60_000;

// Nothing that looks for updates or for a GPU; root may not use Chromium's own sandbox.
const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

export interface EditorBrowser {
  readonly page: Page;
  /** Opens the address of an `EditorServer` and waits until the workbench is drawn. */
  open(address: string): Promise<Workbench>;
  /** Leaves the editor and ends the browser. */
  close(): Promise<void>;
}

/** Starts the Chromium at `executable`; playwright-core brings none. */
export async function startBrowser(executable: string): Promise<EditorBrowser> {
  // Playwright would catch the signals and go on living: `startProcess` has them end everything.
  const signals = { handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false };
  const browser: Browser = await chromium.launch({ executablePath: executable, args: FLAGS, ...signals });
  const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  return {
    page,
    open: async (address) => {
      await page.goto(address, { timeout: OPEN_TIMEOUT_MS });
      const workbench = new Workbench(page);
      await workbench.ready(OPEN_TIMEOUT_MS);
      return workbench;
    },
    close: async () => {
      // Leaving the window the way a person does lets the extension host deactivate its extensions.
      await page.goto('about:blank').catch(() => undefined);
      await browser.close();
    },
  };
}
