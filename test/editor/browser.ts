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

/** One window of the editor, with storage of its own, as of a person who opens the editor for the first time. */
export interface EditorWindow {
  readonly page: Page;
  /** Opens the address of an `EditorServer` and waits until the workbench is drawn. */
  open(address: string): Promise<Workbench>;
  /** Leaves the editor, and closes what it opened too. */
  close(): Promise<void>;
}

export interface EditorBrowser {
  window(): Promise<EditorWindow>;
  close(): Promise<void>;
}

/** Starts the Chromium at `executable`, since playwright-core has none of its own. */
export async function startBrowser(executable: string): Promise<EditorBrowser> {
  // Playwright would catch these signals and keep this process alive; `startProcess` makes them end everything.
  const signals = { handleSIGHUP: false, handleSIGINT: false, handleSIGTERM: false };
  const browser: Browser = await chromium.launch({ executablePath: executable, args: chromiumFlags, ...signals });
  return { window: () => openWindow(browser), close: () => browser.close() };
}

/** A browser with one window; it closes with its window. */
export async function startWindow(executable: string): Promise<EditorWindow> {
  const browser = await startBrowser(executable);
  const window = await browser.window();
  const close = async (): Promise<void> => {
    await window.close();
    await browser.close();
  };
  return { ...window, close };
}

async function openWindow(browser: Browser): Promise<EditorWindow> {
  const context = await browser.newContext({ viewport: windowSize, reducedMotion: 'reduce' });
  context.setDefaultTimeout(stepTimeoutMs);
  await context.addInitScript(endAnimations);
  const page = await context.newPage();
  return {
    page,
    open: async (address) => {
      await page.goto(address, { timeout: openTimeoutMs });
      const workbench = new Workbench(page);
      await workbench.ready(openTimeoutMs);
      return workbench;
    },
    close: async () => {
      // Leaving a window as a person does lets its extension host deactivate its extensions.
      for (const open of context.pages()) await open.goto('about:blank').catch(() => undefined);
      await context.close();
    },
  };
}

/** Icons that turn for as long as something runs would draw the window many times a second. Runs in each page and frame. */
function endAnimations(): void {
  const style = new CSSStyleSheet();
  style.replaceSync('*, ::before, ::after { animation-iteration-count: 1 !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
}
