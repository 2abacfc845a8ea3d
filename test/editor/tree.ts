/** Reads and clicks one tree view. A tree draws only its visible rows: rows out of view or inside a collapsed row are missing. */
import type { Locator, Page } from 'playwright-core';

import { waitFor } from './processes.ts';
import { stepTimeoutMs, step, wholeLabel } from './step.ts';

export interface TreeRow {
  readonly label: string;
  readonly description: string;
  /** 1 for a row at the top level. */
  readonly level: number;
  /** Undefined for a row without children. */
  readonly expanded: boolean | undefined;
}

/** Milliseconds after which a view that was expanded is looked at again. */
const shownWithinMs = 5000;

/** One tree view in the side bar, found by its name (`contributes.views[].name`). */
export class Tree {
  private readonly list: Locator;

  constructor(
    private readonly page: Page,
    private readonly name: string,
  ) {
    this.list = page.locator(`[role="tree"][aria-label="${name}"]`);
  }

  /** The drawn rows, from the top. */
  async rows(): Promise<TreeRow[]> {
    await this.show();
    return this.list.evaluate(readRows);
  }

  /** Waits for a row whose label and description together contain `text`. */
  async waitForRow(text: string, timeout = stepTimeoutMs): Promise<TreeRow> {
    return step(this.page, `tree "${this.name}": waiting for a row with "${text}"`, () =>
      waitFor('it', timeout, async () => (await this.rows()).find(({ label, description }) => `${label} ${description}`.includes(text))),
    );
  }

  /** Clicks the row with this label, which runs its command. */
  async click(label: string): Promise<void> {
    await step(this.page, `tree "${this.name}": clicking "${label}"`, async () => {
      await (await this.row(label)).locator('.label-name').click({ timeout: stepTimeoutMs });
    });
  }

  /** Expands the row with this label. */
  async expand(label: string): Promise<void> {
    await step(this.page, `tree "${this.name}": expanding "${label}"`, async () => {
      const row = await this.row(label);
      if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
      await this.list
        .locator('.monaco-list-row[aria-expanded="true"]')
        .filter({ has: this.label(label) })
        .waitFor();
    });
  }

  /** Collapses this view, so that the others have room. */
  async fold(): Promise<void> {
    await step(this.page, `folding the view "${this.name}"`, async () => {
      const header = this.page.locator(`.pane-header[aria-label^="${this.name}"]`).filter({ visible: true }).first();
      await header.waitFor({ timeout: stepTimeoutMs });
      if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
      await header.and(this.page.locator('[aria-expanded="false"]')).waitFor({ timeout: stepTimeoutMs });
    });
  }

  /** Clicks an inline button of a row by its title (`view/item/context`, group `inline`). */
  async clickAction(label: string, action: string): Promise<void> {
    await step(this.page, `tree "${this.name}": "${action}" of "${label}"`, async () => {
      const row = await this.row(label);
      await row.hover({ timeout: stepTimeoutMs });
      await row.locator(`.actions [aria-label^="${action}"]`).first().click({ timeout: stepTimeoutMs });
    });
  }

  /** Chooses an item in the context menu of the row with this label. */
  async choose(label: string, item: string): Promise<void> {
    await step(this.page, `tree "${this.name}": choosing "${item}" for "${label}"`, async () => {
      await (await this.row(label)).locator('.label-name').click({ button: 'right', timeout: stepTimeoutMs });
      const chosen = this.page.locator('.monaco-menu').getByText(item, { exact: true });
      await chosen.hover({ timeout: stepTimeoutMs });
      // A menu ignores a click that comes at once.
      await this.page.keyboard.press('Enter');
      await chosen.waitFor({ state: 'hidden', timeout: stepTimeoutMs });
    });
  }

  /** Clicks a button in the view's title bar by its title (`view/title`, group `navigation`). */
  async clickTitleAction(action: string): Promise<void> {
    await step(this.page, `view "${this.name}": "${action}"`, async () => {
      await this.list.hover({ timeout: stepTimeoutMs });
      const pane = this.page.locator('.part.sidebar .pane').filter({ has: this.list });
      const bars = pane.or(this.page.locator('.part.sidebar > .composite.title')).locator('.actions-container');
      const button = bars.locator(`[aria-label^="${action}"]`).filter({ visible: true });
      await button.first().click({ timeout: stepTimeoutMs });
    });
  }

  // A view may be a collapsed pane. In a container with one view the header is hidden.
  private async show(): Promise<void> {
    await step(this.page, `finding the tree "${this.name}"`, async () => {
      const header = this.page.locator(`.pane-header[aria-label^="${this.name}"]`);
      const visible = { visible: true };
      await header.or(this.list).filter(visible).first().waitFor({ timeout: stepTimeoutMs });
      const collapsed = header.and(this.page.locator('[aria-expanded="false"]')).filter(visible);
      // Loop may expand the view itself just then: the click finds nothing to expand, or collapses it.
      await waitFor('its rows', stepTimeoutMs, async () => {
        if ((await collapsed.count()) > 0) {
          await collapsed
            .first()
            .click({ timeout: shownWithinMs })
            .catch(() => undefined);
        }
        const shown = this.list.waitFor({ timeout: shownWithinMs }).then(() => true);
        return shown.catch(() => undefined);
      });
    });
  }

  private async row(label: string): Promise<Locator> {
    await this.show();
    const row = this.list
      .locator('.monaco-list-row')
      .filter({ has: this.label(label) })
      .first();
    await row.waitFor({ timeout: stepTimeoutMs });
    return row;
  }

  private label(label: string): Locator {
    return this.page.locator('.label-name').filter({ hasText: wholeLabel(label) });
  }
}

// Runs in the page, so it can use only its argument.
function readRows(list: HTMLElement | SVGElement): TreeRow[] {
  const rows = [...list.querySelectorAll<HTMLElement>('.monaco-list-row')];
  rows.sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index));
  return rows.map((row) => {
    const expanded = row.getAttribute('aria-expanded');
    return {
      label: row.querySelector('.label-name')?.textContent?.trim() ?? '',
      description: row.querySelector('.label-description')?.textContent?.trim() ?? '',
      level: Number(row.getAttribute('aria-level')),
      expanded: expanded === null ? undefined : expanded === 'true',
    };
  });
}
