/** A person at the editor's window who has no mouse: they press keys, and see from the focus where they are. */
import type { Frame, Page } from 'playwright-core';

import { waitFor } from './processes.ts';
import { stepTimeoutMs, step } from './step.ts';

const attemptMs = 5_000;
/** More rows or buttons than any place has that the tests walk through. */
const mostSteps = 40;

export class Keyboard {
  constructor(private readonly page: Page) {}

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Counts what a mouse does from now on. @returns how often it did something */
  async watchMouse(): Promise<() => Promise<number>> {
    await this.page.evaluate(() => {
      const count = (): void => void (document.body.dataset['pressed'] = String(Number(document.body.dataset['pressed'] ?? 0) + 1));
      window.addEventListener('pointerdown', count, true);
    });
    return () => this.page.evaluate(() => Number(document.body.dataset['pressed'] ?? 0));
  }

  /** Runs a command from the palette by its whole label. */
  async command(label: string): Promise<void> {
    await step(this.page, `"${label}" by keys`, () =>
      // An open palette does not get the commands of an extension that is still loading, so it is opened again.
      waitFor('the command', stepTimeoutMs, async () => {
        await this.press('F1');
        await this.until('the palette', async () => (await this.focused()).startsWith('input'), attemptMs);
        await this.page.keyboard.type(label);
        const isThere = await this.until(label, async () => (await this.row()) === label, attemptMs);
        await this.press(isThere ? 'Enter' : 'Escape');
        return isThere || undefined;
      }),
    );
  }

  /** Goes down in the open list to a row by its whole label, and takes it. @param expect a text of the list */
  async choose(label: string, expect: string): Promise<void> {
    await step(this.page, `"${label}" at "${expect}" by keys`, async () => {
      const open = this.page.locator('.quick-input-widget').filter({ visible: true });
      await waitFor('the list', stepTimeoutMs, async () => ((await this.shows(open, expect)) ? true : undefined));
      await this.walk('ArrowDown', async () => (await this.row()) === label);
      await this.press('Enter');
    });
  }

  /** Accepts an open question as it stands. @param expect a text of it */
  async acceptList(expect: string): Promise<void> {
    await step(this.page, `accepting "${expect}" by keys`, async () => {
      const open = this.page.locator('.quick-input-widget').filter({ visible: true });
      await waitFor('the list', stepTimeoutMs, async () => ((await this.shows(open, expect)) ? true : undefined));
      await this.press('Enter');
    });
  }

  /** Presses Enter in a modal dialog whose focus is on this button. */
  async accept(text: string, button: string): Promise<void> {
    await step(this.page, `Enter in the dialog "${text}"`, async () => {
      const dialog = this.page.locator('.monaco-dialog-box').filter({ hasText: text });
      await dialog.waitFor({ timeout: stepTimeoutMs });
      await waitFor(`the focus on "${button}"`, attemptMs * 4, async () =>
        (await this.focused()).endsWith(` ${button}`) ? true : undefined,
      );
      await this.press('Enter');
      await dialog.waitFor({ state: 'hidden', timeout: stepTimeoutMs });
    });
  }

  /** Presses a button of the notification with this text: the editor's own key leads to it, and Tab to its buttons. */
  async pressInNotification(text: string, button: string, timeout = stepTimeoutMs): Promise<void> {
    await step(this.page, `"${button}" in the notification "${text}" by keys`, async () => {
      const toast = this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text }).first();
      await toast.waitFor({ timeout });
      await this.command('Notifications: Focus Notification Toast');
      await this.walk('Tab', async () => (await this.focused()).endsWith(` ${button}`));
      await this.press('Enter');
    });
  }

  /** Takes a row of a tree by the beginning of its label. */
  async takeRow(view: string, label: string): Promise<void> {
    await step(this.page, `the row "${label}" of ${view} by keys`, async () => {
      await this.focusTree(view);
      await this.press('Home');
      await this.walk('ArrowDown', async () => (await this.row()) === label);
      await this.press('Enter');
    });
  }

  /** Goes to a tree of Loop. A view that is opened for the first time has no rows yet which could take the focus. */
  async focusTree(view: string): Promise<void> {
    await step(this.page, `the view ${view} by keys`, () =>
      waitFor('the focus in it', stepTimeoutMs, async () => {
        await this.command(`Loop: Focus on ${view} View`);
        return (await this.until('a tree', async () => (await this.focused()).startsWith('tree'), attemptMs)) || undefined;
      }),
    );
  }

  /** The role and the words of what has the focus. */
  focused(): Promise<string> {
    return this.page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement)) return '';
      const role = element.getAttribute('role') ?? element.tagName.toLowerCase();
      return `${role} ${(element.innerText || element.getAttribute('aria-label') || '').trim()}`;
    });
  }

  private row(): Promise<string> {
    return this.page.evaluate(() => {
      const lists = [...document.querySelectorAll<HTMLElement>('.quick-input-list, [role="tree"]')];
      const shown = lists.filter((list) => list.offsetParent !== null);
      const own = shown.find((list) => list.matches('.quick-input-list')) ?? shown.find((list) => list.contains(document.activeElement));
      return own?.querySelector('.monaco-list-row.focused .label-name')?.textContent?.trim() ?? '';
    });
  }

  private async shows(open: ReturnType<Page['locator']>, text: string): Promise<boolean> {
    if ((await open.count()) === 0) return false;
    const words = await open.first().innerText();
    return `${words}\n${await open.first().locator('input').first().getAttribute('placeholder')}`.includes(text);
  }

  private async walk(key: string, isThere: () => Promise<boolean>): Promise<void> {
    for (let count = 0; count < mostSteps; count += 1) {
      if (await this.until('it', isThere, 300)) return;
      await this.press(key);
    }
    throw new Error(`not reached by ${key}; the focus is on "${await this.focused()}", row "${await this.row()}"`);
  }

  private async until(what: string, isThere: () => Promise<boolean>, ms: number): Promise<boolean> {
    const found = waitFor(what, ms, async () => ((await isThere()) ? true : undefined));
    return found.catch(() => false);
  }
}

/** Whether what has the focus in a page is marked by a line around it, as a keyboard's user needs it. */
export function isFocusSeen(frame: Frame): Promise<boolean> {
  return frame.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  });
}
