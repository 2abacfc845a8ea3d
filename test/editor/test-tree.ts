/** Clicks in the editor's own Test Explorer: a category, and the tests below it. */
import type { Locator, Page } from 'playwright-core';

import { stepTimeoutMs, step } from './step.ts';

export class TestTree {
  constructor(private readonly page: Page) {}

  /** Presses *Run Test* of a test. */
  run(category: string, label: string): Promise<void> {
    return this.press(category, label, 'Run Test');
  }

  /** Presses a button of a test. */
  async press(category: string, label: string, button: string): Promise<void> {
    await step(this.page, `pressing "${button}" of the test "${label}"`, async () => {
      const row = await this.visibleRow(category, label);
      await row.hover({ timeout: stepTimeoutMs });
      await row.locator(`[aria-label^="${button}"]`).first().click({ timeout: stepTimeoutMs });
    });
  }

  /** Waits until a test has passed and the summary of the last run shows this count, such as `1/1`. */
  async passed(label: string, count: string, timeout = stepTimeoutMs): Promise<void> {
    await step(this.page, `waiting for the test "${label}" to pass, ${count}`, async () => {
      await this.page.locator('.test-explorer .result-summary').filter({ hasText: count }).waitFor({ timeout });
      await this.row(label).locator('.codicon-testing-passed-icon').waitFor({ timeout });
    });
  }

  /** The items of a test's context menu, which is closed again. */
  async menu(category: string, label: string): Promise<string[]> {
    return step(this.page, `reading the menu of the test "${label}"`, async () => {
      await (await this.visibleRow(category, label)).click({ button: 'right', timeout: stepTimeoutMs });
      const items = this.page.locator('.monaco-menu .action-label');
      await items.filter({ hasText: 'Show Failure History' }).waitFor({ timeout: stepTimeoutMs });
      const texts = await items.allInnerTexts();
      await this.page.keyboard.press('Escape');
      await items.first().waitFor({ state: 'hidden', timeout: stepTimeoutMs });
      return texts;
    });
  }

  private async visibleRow(category: string, label: string): Promise<Locator> {
    const parent = this.row(category);
    await parent.waitFor({ timeout: stepTimeoutMs });
    if ((await parent.getAttribute('aria-expanded')) === 'false') await parent.locator('.monaco-tl-twistie').click();
    return this.row(label);
  }

  private row(label: string): Locator {
    return this.page.locator('.test-explorer-tree .monaco-list-row').filter({ hasText: label }).first();
  }
}
