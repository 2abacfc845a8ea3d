/** The screen of the editor tests: one Chromium with one window of the editor. */
import { chromium, type Browser, type Page } from 'playwright-core';

import { stepTimeoutMs } from './step.ts';
import { Workbench } from './workbench.ts';

const windowSize = { width: 1280, height: 1400 };
const openTimeoutMs = 180_000;

// Chromium looks for neither updates nor a GPU. Root cannot use Chromium's own sandbox.
const chromiumFlags = [
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
  /** Leaves the editor and closes the browser. */
  close(): Promise<void>;
}

/** Starts the Chromium at `executable`, since playwright-core has none of its own. */
export async function startBrowser(executable: string): Promise<EditorBrowser> {
  // Playwright would catch these signals and keep this process alive; `startProcess` makes them end everything.
  const signals = { handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false };
  const browser: Browser = await chromium.launch({ executablePath: executable, args: chromiumFlags, ...signals });
  const page = await browser.newPage({ viewport: windowSize, reducedMotion: 'reduce' });
  page.setDefaultTimeout(stepTimeoutMs);
  return {
    page,
    open: async (address) => {
      await page.goto(address, { timeout: openTimeoutMs });
      const workbench = new Workbench(page);
      await workbench.ready(openTimeoutMs);
      return workbench;
    },
    close: async () => {
      // Leaving the window as a person does lets the extension host deactivate its extensions.
      await page.goto('about:blank').catch(() => undefined);
      await browser.close();
    },
  };
}
