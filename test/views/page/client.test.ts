/** The page in a real Chromium, with its own content security policy and the panel's messages. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import { after, before, beforeEach, describe, it } from 'mocha';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import type { Draft } from '../../../src/engine/state/events.ts';
import type { Fact } from '../../../src/engine/work/facts.ts';
import { byHandView, historyView, type HistoryView } from '../../../src/views/model/history-view.ts';
import { begun, built, verification, ended, green, ref, run, stateOf } from '../model/sample.ts';
import { mended, other, payloads, told } from '../model/story-sample.ts';
import { installedBrowser, serve } from './ground.ts';

const panel = { sprintDir: '/w', verification: verification.id };
const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

describe('the failure-history page', () => {
  let browser: Browser;
  let server: Server;
  let page: Page;
  let pageErrors: string[];

  before(async () => {
    server = await serve();
    const executablePath = await installedBrowser();
    browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : [] });
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });
  beforeEach(async () => {
    await page?.close();
    page = await browser.newPage();
    pageErrors = [];
    page.on('console', (message) => {
      if (message.type() === 'error') pageErrors.push(message.text());
    });
    page.on('pageerror', (error) => pageErrors.push(error.message));
    await page.addInitScript(`window.posted = []; window.acquireVsCodeApi = () => ({
      postMessage: (m) => window.posted.push(m),
      getState: () => JSON.parse(sessionStorage.getItem('kept') ?? 'null') ?? undefined,
      setState: (s) => sessionStorage.setItem('kept', JSON.stringify(s)),
    });`);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });

  const show = async (history: HistoryView): Promise<void> => {
    await page.evaluate((message) => window.postMessage(message, '*'), { type: 'history', state: panel, history } as const);
    await page.getByRole('heading', { level: 1, name: history.verification }).waitFor();
  };
  const posted = async (): Promise<unknown[]> => (await page.evaluate('window.posted')) as unknown[];
  const kept = async (): Promise<Record<string, unknown>> =>
    (await page.evaluate(`JSON.parse(sessionStorage.getItem('kept'))`)) as Record<string, unknown>;
  const field = (): Locator => page.getByRole('searchbox', { name: 'Search this history' });
  const count = (): Promise<string> => page.locator('#search-count').innerText();
  /** The marked texts: all matches, or the current one. */
  const highlighted = (name: 'found' | 'current'): Promise<string[]> =>
    page.evaluate((n) => [...(CSS.highlights.get(n) ?? [])].map((r) => (r as Range).toString()), name);
  const visible = (): Promise<string[]> => page.locator('.story > li:visible > h3, .story > li:visible > h4').allInnerTexts();

  it('asks for its content and keeps its state for a restore', async () => {
    assert.deepEqual(await posted(), [{ type: 'ready' }]);
    await show(await viewOf(...told));
    const { sprintDir, verification: id } = await kept();
    assert.deepEqual({ sprintDir, verification: id }, panel);
  });

  it('shows its words in the language of the editor', async () => {
    const german = JSON.parse(await readFile('l10n/bundle.l10n.de.json', 'utf8')) as Record<string, string>;
    const inGerman = await serve(german);
    try {
      await page.goto(`http://127.0.0.1:${(inGerman.address() as AddressInfo).port}/`);
      await show(await viewOf(...told));
      assert.deepEqual(await page.locator('h2').allInnerTexts(), [
        'Jetzt',
        'Vertrauen',
        'Verlauf (5 Versuche, 2 Reparaturen)',
        'Die Prüfung',
      ]);
      await page.getByRole('searchbox', { name: 'In diesem Verlauf suchen' }).waitFor();
      const outputs = await page.locator('details[id$="-evidence"] pre').evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
      assert.deepEqual(new Set(outputs.map((label) => label?.replace(/\d+$/, ''))), new Set(['Ausgabe von Versuch ']));
    } finally {
      inGerman.close();
    }
  });

  it('shows a run by hand as not counted, apart from the attempts', async () => {
    const view = await viewOf(...told);
    await show({ ...view, byHand: byHandView({ verdict: 'red', summary: 'expected 3, got 4' }, 1000) });
    const own = page.locator('.by-hand');
    await own.waitFor();
    assert.match(await own.innerText(), /^By hand: red, not counted · .*1970[^]*expected 3, got 4$/);
    assert.equal(await own.locator('time').getAttribute('datetime'), '1970-01-01T00:00:01.000Z');
    await show(view);
    await own.waitFor({ state: 'detached' });
  });

  it('shows the story in order, with the evidence of the latest failure open', async () => {
    await show(await viewOf(...told));
    assert.deepEqual(await visible(), [
      'Attempt 1: red, exit status 1 after 400 ms',
      'Attempt 2: green, exit status 0 after 400 ms',
      'Attempt 3: red, exit status 1 after 400 ms',
      'Change by T2: undone',
      'Attempt 4: red, exit status 1 after 400 ms',
      'Fix: undone',
      'Attempt 5: red, exit status 1 after 400 ms',
      'Fix: changed nothing',
      'Its file was edited',
    ]);
    assert.deepEqual(await page.locator('details[open]').evaluateAll((all) => all.map(({ id }) => id)), ['attempt-5-evidence']);
    for (const attempt of await page.locator('.attempt').all())
      assert.match((await attempt.locator('time').first().getAttribute('datetime')) ?? '', /^1970-01-01T00:16:\d\d/, 'no time');
    const fix = await page.locator('.change', { hasText: 'Fix: undone' }).innerText();
    for (const part of [
      'Made for 2 verifications with the same cause: value/adds, value/lists',
      'Files: src/a.ts, src/b.ts',
      'Why it was undone: it broke value/adds, value/counts',
      'src/a.ts modified',
    ])
      assert.ok(fix.includes(part), `${part}: ${fix}`);
    const doubt = await page.locator('.change', { hasText: 'changed nothing' }).innerText();
    assert.match(doubt, /The verification is wrong: The PRD says two notes\.[^]*QC looked at it and answered that it is right/);
  });

  it('offers to adopt or discard an edit while it waits for an answer, and then shows the outcome', async () => {
    const edit = { lineage: verification.lineage, text: ref('d') };
    const edited: Fact = {
      fact: 'verification.edited',
      id: verification.id,
      kept: '.loop/verifications/value/adds.edited-2.sh',
      atWork: false,
      ...edit,
    };
    const open = [...told, begun('99', 'run-verifications'), ended('99', edited)];
    await show(await viewOf(...open));
    const entry = page.locator('.change', { hasText: 'adds.edited-2.sh' });
    assert.match(await entry.innerText(), /and did not run\. It waits for the person's word: adopt or discard\./);
    assert.equal(await page.getByRole('button', { name: 'Adopt My Edit…' }).count(), 1, 'the older edit does not wait any more');
    await entry.getByRole('button', { name: 'Adopt My Edit…' }).click();
    await entry.getByRole('button', { name: 'Discard My Edit' }).click();
    assert.deepEqual((await posted()).slice(-2), [{ type: 'adopt-edit' }, { type: 'discard-edit' }]);
    const answered: Fact[] = [
      { fact: 'edit.answered', ...edit, answer: 'adopt' },
      { fact: 'verification.adopted', verification: { ...verification, script: ref('d'), by: 'person' } },
    ];
    await show(await viewOf(...open, begun('100', 'run-verifications'), ended('100', ...answered)));
    assert.equal(await entry.getByRole('button').count(), 0);
    assert.match(await entry.innerText(), /The person adopted it: it is the verification since, and earns its trust anew\./);
    assert.match(await page.locator('header').innerText(), /Written by\s+you: adopted from your edit/);
  });

  it('shows failed cases with place and values, open with the evidence, and research findings', async () => {
    const failedCases = [
      {
        name: 'adds › <b>milk</b>',
        file: 'test/add.js',
        line: 3,
        verdict: 'failed' as const,
        message: 'not equal',
        expected: '1',
        actual: '',
      },
    ];
    const cases = { total: 9, failed: 1, skipped: 0, shown: failedCases, ref: ref('9') };
    const brief = {
      lineages: [verification.lineage],
      topic: 'Version 2',
      findings: 'milk is cream now',
      sources: [],
      by: 'person' as const,
    };
    const facts: Fact[] = [
      { fact: 'verification.ran', run: run(6, { verdict: 'red', exit: 1, cases }) },
      { fact: 'research.reported', brief },
    ];
    await show(await viewOf(...told, begun('99', 'run-verifications'), ended('99', ...facts)));
    const list = page.locator('#attempt-6-cases');
    assert.equal(await list.getAttribute('open'), '');
    assert.match(
      await list.innerText(),
      /Cases: 1 of 9 failed\s+adds › <b>milk<\/b> test\/add\.js:3\s+not equal\s+Expected: 1\s+Actual: \(nothing\)/,
    );
    assert.match(await page.locator('.change', { hasText: 'Version 2' }).innerText(), /milk is cream now\s+Source: the person/);
  });

  it('shows the present status and links to the attempt behind it', async () => {
    await show(await viewOf(...told));
    const now = page.getByRole('region', { name: 'Now' });
    assert.match(
      await now.innerText(),
      /It fails\.[^]*3 fixes are left[^]*Others fail for the same cause now \(the same failure: expected: 1 note\)/,
    );
    await now.getByRole('button', { name: other.id }).click();
    assert.deepEqual((await posted()).at(-1), { type: 'open-history', verification: other.id });
    await now.getByRole('button', { name: 'Go to Attempt 4' }).press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'attempt-4');
  });

  it('groups consecutive green runs', async () => {
    await show(await viewOf(...told, ...mended));
    await page.getByRole('heading', { name: 'Attempts 6 to 9: green, 4 times in a row' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Attempt 8: green' }).isVisible(), false);
    await page.getByRole('button', { name: 'Go to Attempt 9' }).click();
    assert.equal(await page.evaluate('document.activeElement.id'), 'attempt-9');
    assert.equal(await page.getByRole('heading', { name: 'Attempt 8: green' }).isVisible(), true);
  });

  it('never runs or loads text of a model', async () => {
    await show(await attackedView());
    assert.ok((await page.locator('main').innerText()).includes(attack));
    assert.equal(await page.locator('main img, main script').count(), 0);
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.deepEqual(pageErrors, []);
    // The content security policy holds even if markup got in.
    await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), attack);
    await page.waitForFunction(() => document.querySelector('img')?.complete);
    assert.equal(await page.evaluate('window.hacked'), undefined);
  });

  it('opens evidence and changes by keyboard, and keeps focus, selection and scroll position on an update', async () => {
    await show(await viewOf(...told));
    await page.locator('#attempt-5-output').press('Enter');
    assert.deepEqual((await posted()).at(-1), { type: 'open-payload', ref: ref('5'), what: 'output' });
    await page.locator('#script summary').click();
    await page.locator('#proofs summary').click();
    await page.locator('#fix-8-open').press('Enter');
    assert.deepEqual((await posted()).at(-1), { type: 'open-payload', ref: ref('c'), what: 'diff' });
    const top = (): Promise<number> => page.locator('#fix-8-open').evaluate((e) => Math.round(e.getBoundingClientRect().top));
    const topBefore = await top();
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('#attempt-5-evidence pre'))`);
    await show(await viewOf(...told, ...mended));
    await page.getByRole('heading', { name: 'Attempts 6 to 9' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'fix-8-open');
    assert.match(String(await page.evaluate('getSelection().toString()')), /adding milk/);
    assert.equal(await top(), topBefore);
    assert.equal(await page.locator('#script').getAttribute('open'), '');
    assert.equal(await page.locator('#proofs li').count(), 2);
    assert.equal(await page.locator('#proofs').getAttribute('open'), '', 'a redrawn part stays open');
    assert.match(await page.locator('#live').innerText(), /value\/adds: passed, 9 attempts, 3 fixes/);
  });

  it('searches the whole story by keyboard: hides entries without a match, opens the others, and steps through the matches', async () => {
    await show(await viewOf(...told, ...mended));
    await page.keyboard.press('/');
    await page.keyboard.type('ADDING.milk');
    assert.deepEqual([await count(), await highlighted('found')], ['no match, 11 entries hidden', []], 'the search text is no pattern');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('ADDING milk');
    assert.deepEqual(
      await visible(),
      [3, 4, 5].map((n) => `Attempt ${n}: red, exit status 1 after 400 ms`),
    );
    assert.deepEqual(
      [await count(), await highlighted('found'), await highlighted('current')],
      ['1 of 3, 8 entries hidden', Array.from({ length: 3 }, () => 'adding milk'), ['adding milk']],
    );
    assert.equal(await page.locator('#attempt-3-evidence').getAttribute('open'), '');
    for (const place of ['2 of 3', '3 of 3', '1 of 3']) {
      await page.keyboard.press('Enter');
      assert.equal((await count()).split(',')[0], place);
    }
    await page.keyboard.press('Shift+Enter');
    assert.match(await count(), /^3 of 3/);
    assert.equal(await isOnScreen(page), true);
    await page.keyboard.press('Escape');
    assert.deepEqual([await field().inputValue(), await count(), (await visible()).length], ['', '', 11]);
    assert.equal(await page.locator('#attempt-3-evidence').getAttribute('open'), null, 'a part that the search opened is closed again');
    assert.equal(await page.locator('#attempt-5-evidence').getAttribute('open'), '', 'a part that was open before stays open');
  });

  it('searches new entries too', async () => {
    await show(await viewOf(...told));
    await field().fill('Waits until');
    assert.match(await count(), /^1 of 1,/);
    await show(await viewOf(...told, ...mended));
    assert.match(await count(), /^1 of 2,/);
    assert.deepEqual(await visible(), ['Fix: undone', 'Fix: kept']);
  });

  it('saves its scroll position when a click hides it at once', async () => {
    await show(await viewOf(...told));
    await page.evaluate(() => {
      window.scrollTo(0, 500);
      document.getElementById('attempt-5-output')?.click();
      Object.assign(window, { at: sessionStorage.getItem('kept') });
    });
    assert.match(String(await page.evaluate('window.at')), /"scrollY":500/);
  });

  it('restores search, open parts and scroll position after it was hidden', async () => {
    const view = await viewOf(...told);
    await show(view);
    await page.locator('#attempt-1-evidence summary').click();
    await field().fill('note');
    await page.evaluate('window.scrollTo(0, 400)');
    await page.waitForFunction(() => (JSON.parse(sessionStorage.getItem('kept') ?? '{}') as { scrollY?: number }).scrollY === 400);
    await page.reload();
    await show(view);
    assert.deepEqual([await field().inputValue(), await page.evaluate('window.scrollY')], ['note', 400]);
    assert.match(await count(), /^1 of \d+, /);
    await field().press('Escape');
    const open = await page.locator('details[open]').evaluateAll((all) => all.map(({ id }) => id));
    assert.deepEqual(open, ['attempt-1-evidence', 'attempt-5-evidence']);
  });

  it('searches a hundred long outputs, and marks a limited number of matches', async () => {
    const long = `${'an ordinary line of output\n'.repeat(700)}needle\n`;
    const runs = Array.from(
      { length: 100 },
      (_, i) => ({ fact: 'verification.ran', run: run(i + 3, { code: 1, excerpt: long }) }) as const,
    );
    await show(await viewOf(...built, begun('5', 'run-verifications'), ended('5', ...runs)));
    await field().fill('ordinary line');
    assert.match(await count(), /^1 of 2000\+/);
    await field().fill('needle');
    assert.match(await count(), /^1 of 100, /);
    for (let i = 0; i < 5; i++) await field().press('Enter');
    assert.equal(await isOnScreen(page), true);
  });

  it('passes axe, with all that it can hold', async () => {
    await show(await viewOf(...told, ...mended));
    await page.evaluate(`document.querySelectorAll('details').forEach((details) => (details.open = true))`);
    const { violations } = await analysed(page);
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      [],
    );
    await page.evaluate(`document.querySelector('main').append(document.createElement('input'))`);
    assert.notDeepEqual((await analysed(page)).violations, [], 'axe sees nothing');
  });

  it('names every control, and has no duplicate ids', async () => {
    await show(await viewOf(...told, ...mended));
    const unnamed = await page
      .locator('button, input, pre')
      .evaluateAll((all) => all.filter((e) => !(e.getAttribute('aria-label') ?? e.textContent?.trim())).map((e) => e.outerHTML));
    assert.deepEqual(unnamed, []);
    const ids = await page.locator('main [id]').evaluateAll((all) => all.map(({ id }) => id));
    assert.deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      [],
    );
  });
});

async function viewOf(...drafts: Draft[]): Promise<HistoryView> {
  const view = await historyView(stateOf(...drafts), verification.id, (address) => Promise.resolve(payloads[address] ?? ''));
  assert.ok(view);
  return view;
}

async function attackedView(): Promise<HistoryView> {
  const fact = { fact: 'verification.written', verification: { ...verification, title: attack } } as const;
  const view = await historyView(
    stateOf(
      ...built,
      begun('5', 'run-verifications'),
      ended('5', fact, { fact: 'verification.ran', run: run(3, { ...green, excerpt: attack }) }),
    ),
    verification.id,
    () => Promise.resolve(attack),
  );
  assert.ok(view);
  return view;
}

/** Whether the current match is visible on the screen, also inside its scrolled evidence. */
async function isOnScreen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const [current] = [...(CSS.highlights.get('current') ?? [])] as Range[];
    const { x, y, height } = current?.getBoundingClientRect() ?? new DOMRect(-1, -1);
    const topmost = document.elementFromPoint(x + 1, y + height / 2);
    return topmost !== null && topmost === current?.startContainer.parentElement;
  });
}

interface Analysis {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** Run by the browser's debugger, since the page's policy lets no other script in. */
async function analysed(page: Page): Promise<Analysis> {
  await page.evaluate(axe.source);
  return (await page.evaluate('axe.run()')) as Analysis;
}
