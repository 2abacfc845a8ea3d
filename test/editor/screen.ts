// Owns the description of what the editor shows: every failed wait carries it, so that a log alone tells what went wrong.

import type { Frame, Page } from 'playwright-core';

const WEBVIEW_EXCERPT = 400;

/** What a person would see now, as text, one thing on a line. */
export async function describeScreen(page: Page): Promise<string> {
  const parts = await page.evaluate(readParts, PARTS).catch((error: unknown) => [`(page not readable: ${String(error)})`]);
  const webviews = await Promise.all(webviewFrames(page).map(webviewText));
  const shown = webviews.filter((text) => text !== '').map((text) => `webview: ${text.replace(/\s+/g, ' ').slice(0, WEBVIEW_EXCERPT)}`);
  return [...parts, ...shown].map((line) => `  ${line}`).join('\n');
}

/** The frames that can be webviews: all but the window itself and the one that holds a host for web extensions. */
export function webviewFrames(page: Page): Frame[] {
  const isWebview = (frame: Frame): boolean => frame !== page.mainFrame() && !frame.url().includes('webWorkerExtensionHost');
  return page.frames().filter(isWebview);
}

/** The visible text of a frame; empty when it has none or is just going away. */
export async function webviewText(frame: Frame): Promise<string> {
  return frame.evaluate(() => document.body?.innerText ?? '').catch(() => '');
}

const PARTS: readonly (readonly [name: string, selector: string])[] = [
  ['dialog', '.monaco-dialog-box'],
  ['quick input', '.quick-input-widget'],
  ['notification', '.notifications-toasts .notification-list-item'],
  ['tab', '.editor-group-container .tab'],
  ['view', '.part.sidebar .pane-header'],
  ['tree row', '.part.sidebar .monaco-list-row'],
  ['status bar', '.part.statusbar .statusbar-item'],
];

// Runs in the page: it can refer to nothing but its argument.
function readParts(parts: readonly (readonly [string, string])[]): string[] {
  const lines: string[] = [];
  for (const [name, selector] of parts) {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      if (element.offsetParent === null && element.offsetHeight === 0) continue;
      const typed = element.querySelector('input')?.value ?? '';
      const text = element.innerText.replace(/\s+/g, ' ').trim();
      if (typed + text !== '') lines.push(`${name}: ${typed === '' ? '' : `[${typed}] `}${text}`);
    }
  }
  return lines;
}
