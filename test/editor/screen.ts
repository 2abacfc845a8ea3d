/** Describes in text what the editor shows. Every failed wait carries this, so that a log alone shows what went wrong. */
import type { Frame, Page } from 'playwright-core';

const webviewExcerptLength = 400;

/** The visible parts of the window as text, one on each line. */
export async function describeScreen(page: Page): Promise<string> {
  const parts = await page.evaluate(readParts, screenParts).catch((error: unknown) => [`(page not readable: ${String(error)})`]);
  const webviews = await Promise.all(webviewFrames(page).map(webviewText));
  const webviewLines = webviews
    .filter((text) => text !== '')
    .map((text) => `webview: ${text.replace(/\s+/g, ' ').slice(0, webviewExcerptLength)}`);
  return [...parts, ...webviewLines].map((line) => `  ${line}`).join('\n');
}

/** The frames that can be webviews: all except the window itself and the host of web extensions. */
export function webviewFrames(page: Page): Frame[] {
  const isWebview = (frame: Frame): boolean => frame !== page.mainFrame() && !frame.url().includes('webWorkerExtensionHost');
  return page.frames().filter(isWebview);
}

/** The visible text of a frame; empty when it has none or is closing. */
export async function webviewText(frame: Frame): Promise<string> {
  return frame.evaluate(() => document.body?.innerText ?? '').catch(() => '');
}

const screenParts: readonly (readonly [name: string, selector: string])[] = [
  ['dialog', '.monaco-dialog-box'],
  ['quick input', '.quick-input-widget'],
  ['notification', '.notifications-toasts .notification-list-item'],
  ['tab', '.editor-group-container .tab'],
  ['view', '.part.sidebar .pane-header'],
  ['tree row', '.part.sidebar .monaco-list-row'],
  ['status bar', '.part.statusbar .statusbar-item'],
];

// Runs in the page, so it can use only its argument.
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
