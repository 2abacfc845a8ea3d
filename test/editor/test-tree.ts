// Owns the clicking of the editor's own Test Explorer: a category, and below it the tests.

import type { Locator, Page } from 'playwright-core';

import { STEP_TIMEOUT_MS, step } from './step.ts';

export class TestTree {
  constructor(private readonly page: Page) {}

  /** Presses *Run Test* of a test. */
  run(category: string, label: string): Promise<void> {
    return this.press(category, label, 'Run Test');
  }

  /** Presses a button of a test. */
  async press(category: string, label: string, button: string): Promise<void> {
    await step(this.page, `pressing "${button}" of the test "${label}"`, async () => {
      const row = await this.shown(category, label);
      await row.hover({ timeout: STEP_TIMEOUT_MS });
      await row.locator(`[aria-label^="${button}"]`).first().click({ timeout: STEP_TIMEOUT_MS });
    });
  }

  /** Waits until a test has passed and the last run says this of itself: `1/1`. */
  async passed(label: string, count: string, timeout = STEP_TIMEOUT_MS): Promise<void> {
    await step(this.page, `waiting for the test "${label}" to pass, ${count}`, async () => {
      await this.page.locator('.test-explorer .result-summary').filter({ hasText: count }).waitFor({ timeout });
      await this.row(label).locator('.codicon-testing-passed-icon').waitFor({ timeout });
    });
  }

  /** What the context menu of a test offers; it is closed again. */
  async menu(category: string, label: string): Promise<string[]> {
    return step(this.page, `looking at the menu of the test "${label}"`, async () => {
      await (await this.shown(category, label)).click({ button: 'right', timeout: STEP_TIMEOUT_MS });
      const items = this.page.locator('.monaco-menu .action-label');
      await items.filter({ hasText: 'Show Failure History' }).waitFor({ timeout: STEP_TIMEOUT_MS });
      const texts = await items.allInnerTexts();
      await this.page.keyboard.press('Escape');
      await items.first().waitFor({ state: 'hidden', timeout: STEP_TIMEOUT_MS });
      return texts;
    });
  }

  private async shown(category: string, label: string): Promise<Locator> {
    const parent = this.row(category);
    await parent.waitFor({ timeout: STEP_TIMEOUT_MS });
    if ((await parent.getAttribute('aria-expanded')) === 'false') await parent.locator('.monaco-tl-twistie').click();
    return this.row(label);
  }

  private row(label: string): Locator {
    return this.page.locator('.test-explorer-tree .monaco-list-row').filter({ hasText: label }).first();
  }
}
