/**
 * The actions of a person at the editor's window: run a command, answer, pick, press a button, read. Every wait is for something
 * visible; none is a pause.
 */
import { mkdir } from 'node:fs/promises';
import * as path from 'node:path';

import type { Frame, Locator, Page } from 'playwright-core';

import { waitFor } from './processes.ts';
import { webviewFrames, webviewText } from './screen.ts';
import { stepTimeoutMs, step, wholeLabel } from './step.ts';
import { TestTree } from './test-tree.ts';
import { Tree } from './tree.ts';

const attemptMs = 1_500;
/** Until a question is asked again. */
const questionMs = 30_000;
const mostAttemptMs = 20_000;
/** Until the window is opened again. */
const lookMs = 30_000;
/** The editor shows a notification for about so long. */
const toastTimeoutMs = 20_000;
const paletteHint = 'name of a command to run';

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
  async ready(timeout = stepTimeoutMs): Promise<void> {
    await step(this.page, 'opening the editor', async () => {
      await this.page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor({ timeout });
      // The explorer, or the container that was open when the window was closed.
      await this.page.locator('.monaco-workbench .part.sidebar .pane').first().waitFor({ timeout });
    });
  }

  /** Waits for a command in the palette by its whole label ("Loop: Start Sprint"), and runs it. */
  async runCommand(label: string, timeout = stepTimeoutMs): Promise<void> {
    const deadline = Date.now() + timeout;
    await step(this.page, `running "${label}" from the palette`, async () => {
      // An open palette does not get the commands of an extension that is still loading, so it is opened again. On a busy machine
      // it takes long to show any.
      for (let ms = attemptMs; !(await this.tryCommand(label, ms)); ms = Math.min(2 * ms, mostAttemptMs)) {
        if (Date.now() > deadline) throw new Error(`no such command was offered within ${timeout} ms`);
        await this.page.keyboard.press('Escape');
      }
    });
  }

  /** Whether the Explorer, which a new window shows, has a folder or file of this name at its top. */
  isInExplorer(name: string): Promise<boolean> {
    const row = this.page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: wholeLabel(name) });
    return row
      .first()
      .waitFor({ timeout: lookMs })
      .then(
        () => true,
        () => false,
      );
  }

  /** Opens a file by its name, or by the end of its path, with the cursor in a line (from 1). */
  async openFile(file: string, line: number): Promise<void> {
    const name = path.basename(file);
    await this.runCommand('Go to File...');
    await step(this.page, `opening ${file}`, async () => {
      await this.quickField.fill(`${file}:${line}`);
      await this.quickItem(name).click({ timeout: stepTimeoutMs });
      await this.page.locator('.editor-instance .monaco-editor.focused').waitFor({ timeout: stepTimeoutMs });
    });
    await this.tab(name);
  }

  /** Writes at the end of a file that is open, as a person types, and saves it. */
  async writeAtEnd(text: string): Promise<void> {
    await step(this.page, `typing "${text}"`, async () => {
      await this.page.keyboard.press('Control+End');
      await this.page.keyboard.type(text);
      await this.page.keyboard.press('Control+S');
      await this.page.locator('.tab.active:not(.dirty)').waitFor({ timeout: stepTimeoutMs });
    });
  }

  /** Applies a quick fix for the line of the cursor, by its whole label. */
  async quickFix(label: string, timeout = stepTimeoutMs): Promise<void> {
    await step(this.page, `the quick fix "${label}"`, async () => {
      const fix = this.page.locator('.action-widget .monaco-list-row').getByText(label, { exact: true });
      await this.page.keyboard.press('Control+.');
      await fix.click({ timeout });
    });
  }

  /** Waits until exactly so many places of the shown text are underlined as errors. */
  async underlined(count: number, timeout = stepTimeoutMs): Promise<void> {
    await step(this.page, `waiting for ${count} underlined places`, () =>
      waitFor('them', timeout, async () => (await this.page.locator('.monaco-editor .squiggly-error').count()) === count || undefined),
    );
  }

  /** Waits for a CodeLens that contains `text`. */
  async lens(text: string, timeout = stepTimeoutMs): Promise<void> {
    await step(this.page, `waiting for a CodeLens with "${text}"`, () =>
      this.page.locator('.monaco-editor .codelens-decoration').filter({ hasText: text, visible: true }).first().waitFor({ timeout }),
    );
  }

  /** Waits until the palette offers exactly these commands of a category ("Loop: "), except those that focus a view. */
  async offers(category: string, labels: readonly string[], timeout = stepTimeoutMs): Promise<void> {
    let offered: string[] = [];
    await step(this.page, `waiting for the palette to offer ${labels.join(', ')}`, () =>
      waitFor('these commands and no others', timeout, async () => {
        offered = await this.offered(category);
        return [...labels].sort().join() === offered.join() ? true : undefined;
      }),
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n  offered: ${offered.join(', ')}`, { cause: error });
    });
  }

  /** Types into an open input box and accepts. @param expect a text of that box: title, prompt or placeholder */
  async answer(text: string, expect = ''): Promise<void> {
    await step(this.page, `answering "${text}" to "${expect}"`, async () => {
      await this.quickInputWith(expect);
      await this.quickField.fill(text);
      const before = await this.quickInputState();
      await this.quickField.press('Enter');
      const accepted = async (): Promise<true | undefined> => ((await this.quickInputState()) === before ? undefined : true);
      await waitFor('the answer to be accepted', stepTimeoutMs, accepted);
    });
  }

  /**
   * Chooses a folder in the editor's own dialog. On a busy machine it may take Enter for a step into the folder that it shows, so what
   * was written is given until the dialog is gone. @param expect a text of it
   */
  async chooseFolder(folder: string, expect: string): Promise<void> {
    await step(this.page, `choosing ${folder} at "${expect}"`, async () => {
      await this.quickInputWith(expect);
      await waitFor('the dialog to take it', stepTimeoutMs, async () => {
        await this.quickField.fill(folder, { timeout: attemptMs }).catch(() => undefined);
        await this.quickField.press('Enter', { timeout: attemptMs }).catch(() => undefined);
        return this.quickInputGone(expect);
      });
    });
  }

  /** Types into an open input box what it does not take. @param words what it says then */
  async tryAnswer(text: string, expect: string, words: string): Promise<void> {
    await step(this.page, `trying "${text}" at "${expect}"`, async () => {
      await this.quickInputWith(expect);
      await this.quickField.fill(text);
      // Some say it while one types, others once it is given.
      await waitFor(`a quick input with "${words}"`, stepTimeoutMs, async () => {
        await this.quickField.press('Enter');
        return (await this.quickInputState())?.includes(words) || undefined;
      });
    });
  }

  /** Picks an item of an open list by its whole label. */
  async pick(label: string, expect = ''): Promise<void> {
    await step(this.page, `picking "${label}" at "${expect}"`, async () => {
      await this.quickInputWith(expect);
      await this.quickItem(label).click({ timeout: stepTimeoutMs });
    });
  }

  /** Runs a command that asks, and picks. A view that is loaded late takes the focus, which ends the question: then it is asked again. */
  async pickAfter(command: string, label: string, expect: string): Promise<void> {
    const deadline = Date.now() + stepTimeoutMs;
    const isAsked = (): Promise<boolean> =>
      this.quickInputWith(expect, questionMs).then(
        () => true,
        () => false,
      );
    do await this.runCommand(command);
    while (!(await isAsked()) && Date.now() < deadline);
    await this.pick(label, expect);
  }

  /** Presses *Back* in a question of several. */
  async back(expect: string, look?: () => Promise<void>): Promise<void> {
    await step(this.page, `going back from "${expect}"`, async () => {
      await this.quickInputWith(expect);
      await look?.();
      await this.quickInput.getByRole('button', { name: 'Back' }).first().click({ timeout: stepTimeoutMs });
    });
  }

  /** Ticks exactly these items of an open list with checkboxes, calls `look`, and accepts. */
  async pickMany(labels: readonly string[], expect = '', look?: (workbench: Workbench) => Promise<void>): Promise<void> {
    await step(this.page, `picking ${labels.join(', ')} at "${expect}"`, async () => {
      await this.quickInputWith(expect);
      const rows = this.quickInput.locator('.quick-input-list .monaco-list-row');
      await rows.first().waitFor({ timeout: stepTimeoutMs });
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

  /** Waits for a notification that contains `text`, and points at it so that it stays. @returns the whole message */
  async notification(text: string, timeout = stepTimeoutMs): Promise<string> {
    return step(this.page, `waiting for the notification "${text}"`, async () => {
      const toast = this.toast(text);
      await toast.waitFor({ timeout });
      const message = toast.locator('.notification-list-item-message');
      await message.hover({ timeout: stepTimeoutMs });
      return message.innerText();
    });
  }

  /** Whether a notification with `text` is shown now. */
  isNotified(text: string): Promise<boolean> {
    return this.toast(text).isVisible();
  }

  /** Presses a button of the notification that contains `text`, and waits until the notification is closed. */
  async pressInNotification(text: string, button: string, timeout = stepTimeoutMs): Promise<void> {
    await step(this.page, `pressing "${button}" in the notification "${text}"`, async () => {
      const note = await this.note(text, timeout);
      const handle = await note.elementHandle();
      await note
        .locator('.monaco-button')
        .filter({ hasText: wholeLabel(button) })
        .click({ timeout: stepTimeoutMs });
      await handle?.waitForElementState('hidden', { timeout: stepTimeoutMs });
    });
  }

  /** Presses a button of the open editor's title. */
  async pressInTitle(label: string): Promise<void> {
    await step(this.page, `pressing "${label}" in the title of the editor`, () =>
      this.page.locator('.editor-actions').getByRole('button', { name: label }).first().click({ timeout: stepTimeoutMs }),
    );
  }

  /** Waits for a modal dialog that contains `text`. @returns its whole text */
  async dialog(text: string, timeout = stepTimeoutMs): Promise<string> {
    return step(this.page, `waiting for the dialog "${text}"`, async () => {
      const dialog = this.dialogBox.filter({ hasText: text });
      await dialog.waitFor({ timeout });
      return dialog.innerText();
    });
  }

  /** Presses a button of the modal dialog that contains `text`. */
  async pressInDialog(text: string, button: string, timeout = stepTimeoutMs): Promise<void> {
    await step(this.page, `pressing "${button}" in the dialog "${text}"`, async () => {
      const dialog = this.dialogBox.filter({ hasText: text });
      await dialog.waitFor({ timeout });
      await dialog
        .locator('.monaco-button')
        .filter({ hasText: wholeLabel(button) })
        .click();
      await dialog.waitFor({ state: 'hidden', timeout: stepTimeoutMs });
    });
  }

  /** Shows a view container by its title in the activity bar. */
  async openContainer(title: string): Promise<void> {
    await step(this.page, `opening "${title}" in the activity bar`, async () => {
      const tab = this.page.locator('.part.activitybar .action-item[role="tab"]').filter({
        has: this.page.locator(`[aria-label="${title}"], [aria-label^="${title} "]`),
      });
      await tab.waitFor({ timeout: stepTimeoutMs });
      // A click on the open container would close it.
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
      // The pointer moves away, or the tooltip covers the container. `force`, since a webview may cover the editor's own part.
      await this.page.locator('.part.editor').hover({ force: true, timeout: stepTimeoutMs });
    });
  }

  /** A tree view by its name. Show it with `openContainer` first. */
  tree(name: string): Tree {
    return new Tree(this.page, name);
  }

  /** The Test Explorer. Show it with `openContainer('Testing')` first. */
  get tests(): TestTree {
    return new TestTree(this.page);
  }

  /** The frame of the webview that shows `text`. */
  async webview(text: string, timeout = stepTimeoutMs): Promise<Frame> {
    return step(this.page, `waiting for a webview with "${text}"`, () =>
      waitFor('that text', timeout, async () => {
        for (const frame of webviewFrames(this.page)) {
          if ((await webviewText(frame)).includes(text)) return frame;
        }
        return undefined;
      }),
    );
  }

  /** Waits for an item of the status bar that contains `text`. @returns its whole text */
  async statusBar(text: string | RegExp, timeout = stepTimeoutMs): Promise<string> {
    return step(this.page, `waiting for "${text}" in the status bar`, async () => {
      const item = this.statusItem(text);
      await item.waitFor({ timeout });
      return (await item.innerText()).trim();
    });
  }

  /** Clicks the item of the status bar that contains `text`. */
  async clickStatusBar(text: string | RegExp): Promise<void> {
    await step(this.page, `clicking "${text}" in the status bar`, () => this.statusItem(text).click({ timeout: stepTimeoutMs }));
  }

  /** Waits for an editor tab with this whole title. */
  async tab(title: string, timeout = stepTimeoutMs): Promise<void> {
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
    const palette = this.quickInput.locator(`input[placeholder*="${paletteHint}"]`);
    const isOpen = await palette.fill(`>${category}`, { timeout: attemptMs }).then(
      () => true,
      () => false,
    );
    if (!isOpen) return [];
    const rows = this.quickInput.locator('.quick-input-list .monaco-list-row');
    const first = rows.filter({ hasText: category }).first();
    await first.waitFor({ timeout: attemptMs }).catch(() => undefined);
    const all = new Set<string>();
    // A list draws only the rows in view, and the first page down only goes to the last of them.
    for (let idle = 0; idle < 3; idle += 1) {
      const drawn = await rows.evaluateAll((elements) =>
        elements.map((row) => row.querySelector('.label-name')?.textContent?.trim() ?? ''),
      );
      if (drawn.some((label) => !all.has(label))) idle = 0;
      for (const label of drawn) all.add(label);
      await this.page.keyboard.press('PageDown');
    }
    await this.page.keyboard.press('Escape');
    return [...all].filter((label) => label.startsWith(category) && !label.startsWith(`${category}Focus on `)).sort();
  }

  private async tryCommand(label: string, ms: number): Promise<boolean> {
    await this.page.keyboard.press('F1');
    const palette = this.quickInput.locator(`input[placeholder*="${paletteHint}"]`);
    try {
      // On a busy machine the palette may still be opening, and then it empties its field once more.
      await waitFor(label, ms, async () => {
        if ((await palette.inputValue({ timeout: ms })) !== `>${label}`) await palette.fill(`>${label}`, { timeout: ms });
        return (await this.quickItem(label).isVisible()) || undefined;
      });
      await this.quickItem(label).click({ timeout: ms });
      return true;
    } catch {
      return false;
    }
  }

  // The palette and later questions use the same widget, so the palette must not count as a question.
  private async quickInputWith(text: string, timeout = stepTimeoutMs): Promise<void> {
    await waitFor(`a quick input with "${text}"`, timeout, async () => {
      const state = await this.quickInputState();
      return state !== undefined && !state.includes(paletteHint) && state.includes(text) ? true : undefined;
    });
  }

  private quickInputGone(text: string): Promise<true | undefined> {
    const isGone = async (): Promise<true | undefined> => ((await this.quickInputState())?.includes(text) ? undefined : true);
    return waitFor('its end', attemptMs, isGone).catch(() => undefined);
  }

  // Returns a text that differs between questions, also between questions with the same words; undefined when none is open.
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

  /** A notification where it is: on a busy machine it may have slipped into the bell before anybody looks. */
  private async note(text: string, timeout: number): Promise<Locator> {
    const isShown = (item: Locator, ms: number): Promise<boolean> =>
      item.waitFor({ timeout: ms }).then(
        () => true,
        () => false,
      );
    const toast = this.toast(text);
    if (await isShown(toast, Math.min(timeout, toastTimeoutMs))) return toast;
    await this.runCommand('Notifications: Show Notifications');
    const inBell = this.page.locator('.notifications-center .notification-list-item').filter({ hasText: text }).first();
    if (await isShown(inBell, 1_000)) return inBell;
    await this.runCommand('Notifications: Hide Notifications');
    await toast.waitFor({ timeout });
    return toast;
  }

  private toast(text: string): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text }).first();
  }

  private statusItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text }).first();
  }
}
