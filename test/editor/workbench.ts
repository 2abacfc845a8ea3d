// Owns what a person does at the editor's window, in the words of a person: run a command, answer, pick, press a button,
// read. Every wait is for something to be seen; none is a pause.

import { mkdir } from 'node:fs/promises';
import * as path from 'node:path';

import type { Frame, Locator, Page } from 'playwright-core';

import { waitFor } from './processes.ts';
import { webviewFrames, webviewText } from './screen.ts';
import { STEP_TIMEOUT_MS, step, wholeLabel } from './step.ts';
import { TestTree } from './test-tree.ts';
import { Tree } from './tree.ts';

const ATTEMPT_MS = 1_500;
const PALETTE_HINT = 'name of a command to run';

/** The editor's window. */
export class Workbench {
  private readonly quickInput: Locator;
  private readonly quickField: Locator;
  private readonly dialogBox: Locator;

  constructor(readonly page: Page) {
    this.quickInput = page.locator('.quick-input-widget');
    this.quickField = this.quickInput.locator('.quick-input-box input');
    this.dialogBox = page.locator('.monaco-dialog-box');
  }

  /** Waits until the window is drawn and connected to its extension host. */
  async ready(timeout = STEP_TIMEOUT_MS): Promise<void> {
    await step(this.page, 'opening the editor', async () => {
      await this.page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor({ timeout });
      // The explorer, or the container that was open when the window was left.
      await this.page.locator('.monaco-workbench .part.sidebar .pane').first().waitFor({ timeout });
    });
  }

  /** Runs a command from the palette by its whole label ("Loop: Start Sprint"); waits for it to be offered. */
  async runCommand(label: string, timeout = STEP_TIMEOUT_MS): Promise<void> {
    const deadline = Date.now() + timeout;
    await step(this.page, `running "${label}" from the palette`, async () => {
      // The palette does not take up commands of an extension that is still being scanned: open it anew.
      while (!(await this.tryCommand(label))) {
        if (Date.now() > deadline) throw new Error(`no such command was offered within ${timeout} ms`);
        await this.page.keyboard.press('Escape');
      }
    });
  }

  /** Waits until the palette offers exactly these commands of a category ("Loop: "), but for those that show a view. */
  async offers(category: string, labels: readonly string[], timeout = STEP_TIMEOUT_MS): Promise<void> {
    let offered: string[] = [];
    await step(this.page, `looking whether the palette offers ${labels.join(', ')}`, () =>
      waitFor('these commands and no others', timeout, async () => {
        offered = await this.offered(category);
        return [...labels].sort().join() === offered.join() ? true : undefined;
      }),
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n  offered: ${offered.join(', ')}`, { cause: error });
    });
  }

  /** Types into an open input box and accepts; `expect` is a text of that box (title, prompt or placeholder). */
  async answer(text: string, expect = ''): Promise<void> {
    await step(this.page, `answering "${text}" to "${expect}"`, async () => {
      await this.quickInputWith(expect);
      await this.quickField.fill(text);
      const before = await this.quickInputState();
      await this.quickField.press('Enter');
      const accepted = async (): Promise<true | undefined> => ((await this.quickInputState()) === before ? undefined : true);
      await waitFor('the answer to be accepted', STEP_TIMEOUT_MS, accepted);
    });
  }

  /** Picks an item of an open list by its whole label. */
  async pick(label: string, expect = ''): Promise<void> {
    await step(this.page, `picking "${label}" at "${expect}"`, async () => {
      await this.quickInputWith(expect);
      await this.quickItem(label).click({ timeout: STEP_TIMEOUT_MS });
    });
  }

  /** Ticks exactly these items of an open list with checkboxes, looks at it, and accepts. */
  async pickMany(labels: readonly string[], expect = '', look?: (workbench: Workbench) => Promise<void>): Promise<void> {
    await step(this.page, `picking ${labels.join(', ')} at "${expect}"`, async () => {
      await this.quickInputWith(expect);
      const rows = this.quickInput.locator('.quick-input-list .monaco-list-row');
      await rows.first().waitFor({ timeout: STEP_TIMEOUT_MS });
      for (const row of await rows.all()) {
        const label = (await row.locator('.label-name').first().innerText()).trim();
        const box = row.locator('[role="checkbox"]');
        const ticked = (await box.getAttribute('aria-checked')) === 'true';
        if (ticked !== labels.includes(label)) await box.click();
      }
      await look?.(this);
      await this.quickField.press('Enter');
    });
  }

  /** Waits for a notification that contains `text`, and points at it, which keeps it there; gives its whole message. */
  async notification(text: string, timeout = STEP_TIMEOUT_MS): Promise<string> {
    return step(this.page, `waiting for the notification "${text}"`, async () => {
      const toast = this.toast(text);
      await toast.waitFor({ timeout });
      const message = toast.locator('.notification-list-item-message');
      await message.hover({ timeout: STEP_TIMEOUT_MS });
      return message.innerText();
    });
  }

  /** Whether a notification with `text` is shown now. */
  isTold(text: string): Promise<boolean> {
    return this.toast(text).isVisible();
  }

  /** Presses a button of the notification that contains `text`, and waits until it is gone. */
  async pressInNotification(text: string, button: string, timeout = STEP_TIMEOUT_MS): Promise<void> {
    await step(this.page, `pressing "${button}" in the notification "${text}"`, async () => {
      const toast = this.toast(text);
      await toast.waitFor({ timeout });
      const handle = await toast.elementHandle();
      await toast
        .locator('.monaco-button')
        .filter({ hasText: wholeLabel(button) })
        .click({ timeout: STEP_TIMEOUT_MS });
      await handle?.waitForElementState('hidden', { timeout: STEP_TIMEOUT_MS });
    });
  }

  /** Waits for a modal dialog that contains `text`; gives all that it says. */
  async dialog(text: string, timeout = STEP_TIMEOUT_MS): Promise<string> {
    return step(this.page, `waiting for the dialog "${text}"`, async () => {
      const dialog = this.dialogBox.filter({ hasText: text });
      await dialog.waitFor({ timeout });
      return dialog.innerText();
    });
  }

  /** Presses a button of the modal dialog that contains `text`. */
  async pressInDialog(text: string, button: string, timeout = STEP_TIMEOUT_MS): Promise<void> {
    await step(this.page, `pressing "${button}" in the dialog "${text}"`, async () => {
      const dialog = this.dialogBox.filter({ hasText: text });
      await dialog.waitFor({ timeout });
      await dialog
        .locator('.monaco-button')
        .filter({ hasText: wholeLabel(button) })
        .click();
      await dialog.waitFor({ state: 'hidden', timeout: STEP_TIMEOUT_MS });
    });
  }

  /** Shows a view container by its title in the activity bar. */
  async openContainer(title: string): Promise<void> {
    await step(this.page, `opening "${title}" in the activity bar`, async () => {
      const tab = this.page.locator('.part.activitybar .action-item[role="tab"]').filter({
        has: this.page.locator(`[aria-label="${title}"], [aria-label^="${title} "]`),
      });
      await tab.waitFor({ timeout: STEP_TIMEOUT_MS });
      // A click on the one that is open would close it.
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
      // Away from it, or its tooltip stays over what was opened. Forced: a webview may lie over the editor's own part.
      await this.page.locator('.part.editor').hover({ force: true, timeout: STEP_TIMEOUT_MS });
    });
  }

  /** A tree view by its name; shown with `openContainer` first. */
  tree(name: string): Tree {
    return new Tree(this.page, name);
  }

  /** The Test Explorer, shown with `openContainer('Testing')` first. */
  get tests(): TestTree {
    return new TestTree(this.page);
  }

  /** The frame of the webview that shows `text`; use it like a page. */
  async webview(text: string, timeout = STEP_TIMEOUT_MS): Promise<Frame> {
    return step(this.page, `waiting for a webview with "${text}"`, () =>
      waitFor('that text', timeout, async () => {
        for (const frame of webviewFrames(this.page)) {
          if ((await webviewText(frame)).includes(text)) return frame;
        }
        return undefined;
      }),
    );
  }

  /** Waits for an item of the status bar that contains `text`; gives its whole text. */
  async statusBar(text: string | RegExp, timeout = STEP_TIMEOUT_MS): Promise<string> {
    return step(this.page, `waiting for "${text}" in the status bar`, async () => {
      const item = this.statusItem(text);
      await item.waitFor({ timeout });
      return (await item.innerText()).trim();
    });
  }

  /** Clicks the item of the status bar that contains `text`. */
  async clickStatusBar(text: string | RegExp): Promise<void> {
    await step(this.page, `clicking "${text}" in the status bar`, () => this.statusItem(text).click({ timeout: STEP_TIMEOUT_MS }));
  }

  /** Waits for an editor tab with this whole title, for example of an opened file. */
  async tab(title: string, timeout = STEP_TIMEOUT_MS): Promise<void> {
    await step(this.page, `waiting for the tab "${title}"`, () =>
      this.page
        .locator(`.tab[data-resource-name="${title}"], .tab[aria-label="${title}"], .tab[aria-label^="${title},"]`)
        .first()
        .waitFor({ timeout }),
    );
  }

  /** Saves a picture of the window as PNG. */
  async screenshot(file: string): Promise<void> {
    await mkdir(path.dirname(path.resolve(file)), { recursive: true });
    await this.page.screenshot({ path: file, animations: 'disabled' });
  }

  private async offered(category: string): Promise<string[]> {
    await this.page.keyboard.press('F1');
    const palette = this.quickInput.locator(`input[placeholder*="${PALETTE_HINT}"]`);
    await palette.fill(`>${category}`, { timeout: ATTEMPT_MS });
    const rows = this.quickInput.locator('.quick-input-list .monaco-list-row');
    const first = rows.filter({ hasText: category }).first();
    await first.waitFor({ timeout: ATTEMPT_MS }).catch(() => undefined);
    const all = await rows.evaluateAll((found) => found.map((row) => row.querySelector('.label-name')?.textContent?.trim() ?? ''));
    await this.page.keyboard.press('Escape');
    return all.filter((label) => label.startsWith(category) && !label.startsWith(`${category}Focus on `)).sort();
  }

  private async tryCommand(label: string): Promise<boolean> {
    await this.page.keyboard.press('F1');
    const palette = this.quickInput.locator(`input[placeholder*="${PALETTE_HINT}"]`);
    try {
      await palette.fill(`>${label}`, { timeout: ATTEMPT_MS });
      await this.quickItem(label).click({ timeout: ATTEMPT_MS });
      return true;
    } catch {
      return false;
    }
  }

  // The palette and the questions after it are one and the same widget: the palette is no answer to a question.
  private async quickInputWith(text: string): Promise<void> {
    await waitFor(`a quick input with "${text}"`, STEP_TIMEOUT_MS, async () => {
      const state = await this.quickInputState();
      return state !== undefined && !state.includes(PALETTE_HINT) && state.includes(text) ? true : undefined;
    });
  }

  // Undefined when none is open. It tells one question from the next, also when both have the same words.
  private async quickInputState(): Promise<string | undefined> {
    return this.quickInput.evaluateAll((widgets) => {
      const widget = widgets.find((element) => element.getClientRects().length > 0);
      const field = widget?.querySelector('input.input');
      if (!(widget instanceof HTMLElement) || !(field instanceof HTMLInputElement)) return undefined;
      const busy = widget.querySelector('.quick-input-progress.active') !== null;
      return [widget.innerText, field.placeholder, field.value, busy].join('\n');
    });
  }

  private quickItem(label: string): Locator {
    const labels = this.quickInput.locator('.quick-input-list .monaco-list-row .label-name');
    return labels.filter({ hasText: wholeLabel(label) }).first();
  }

  private toast(text: string): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text }).first();
  }

  private statusItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text }).first();
  }
}
