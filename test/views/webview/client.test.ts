/** The page in a real Chromium, under its own policy, fed as the panel feeds it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { after, before, describe, it } from 'mocha';
import { chromium, type Browser, type Page } from 'playwright-core';
import { historyView, type HistoryView } from '../../../src/views/model/history-view.ts';
import { pageHtml } from '../../../src/views/webview/page.ts';
import { begun, built, check, ended, run, stateOf } from '../model/sample.ts';

const root = process.cwd();
const panel = { sprintDir: '/w', check: check.id };
const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

describe('the failure-history page', function () {
  this.timeout(30_000);
  let browser: Browser;
  let server: Server;
  let page: Page;
  let refused: string[];

  before(async () => {
    server = await serve();
    const executablePath = await installedBrowser();
    browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : [] });
    page = await browser.newPage();
    refused = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    await page.addInitScript(
      'window.said = []; window.acquireVsCodeApi = () => ({ postMessage: (m) => window.said.push(m), setState: (s) => (window.kept = s) });',
    );
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });

  after(async () => {
    await browser?.close();
    server?.close();
  });

  const show = (history: HistoryView): Promise<void> =>
    page.evaluate((message) => window.postMessage(message, '*'), { type: 'history', state: panel, history } as const);
  const said = (): Promise<unknown> => page.evaluate('window.said');

  it('asks for its content and keeps its state for a restore', async () => {
    assert.deepEqual(await said(), [{ type: 'ready' }]);
    await show(await red());
    await page.getByRole('heading', { name: check.id }).waitFor();
    assert.deepEqual(await page.evaluate('window.kept'), panel);
  });

  it('shows an attempt with its exit status and its evidence', async () => {
    await page.getByRole('heading', { name: 'Attempt 1: red, exit 1 after 400 ms' }).waitFor();
    assert.match(await page.locator('#attempt-1-evidence pre').innerText(), /no note/);
  });

  it('runs nothing and loads nothing that a model wrote', async () => {
    assert.ok((await page.locator('main').innerText()).includes(attack));
    assert.equal(await page.locator('main img, main script').count(), 0);
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.deepEqual(refused, []);
    // The policy holds also if markup got in.
    await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), attack);
    await page.waitForFunction(() => document.querySelector('img')?.complete);
    assert.equal(await page.evaluate('window.hacked'), undefined);
  });

  it('opens evidence by keyboard, and keeps what is open and the focus when news come', async () => {
    await page.locator('#attempt-1-output').focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(((await said()) as unknown[]).at(-1), { type: 'open-payload', ref: '1'.repeat(64), what: 'output' });
    await page.locator('#script summary').click();
    await page.locator('#attempt-1-output').focus();
    await show(await red(run(3, { code: 1 })));
    await page.getByRole('heading', { name: 'Attempt 3: red' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'attempt-1-output');
    assert.equal(await page.locator('#script').getAttribute('open'), '');
    assert.match(await page.locator('#live').innerText(), /value\/adds: .* 3 attempts/);
  });
});

async function red(...more: ReturnType<typeof run>[]): Promise<HistoryView> {
  const facts = more.map((one) => ({ fact: 'check.ran', run: one }) as const);
  const spoiled = { ...check, title: attack };
  const state = stateOf(...built, begun('5', 'run-checks'), ended('5', { fact: 'check.written', check: spoiled }, ...facts));
  const view = await historyView(state, check.id, () => Promise.resolve(attack));
  assert.ok(view);
  return view;
}

/** Loaded when run, not bundled: it finds the checkout by its own place in it. */
async function installedBrowser(): Promise<string> {
  const script = pathToFileURL(path.join(root, 'scripts/provision.mjs')).href;
  const { findBrowser } = (await import(script)) as { findBrowser(): string | undefined };
  const found = findBrowser();
  assert.ok(found, 'no Chromium or Chrome found: install one, or name it in LOOP_TEST_BROWSER');
  return found;
}

async function serve(): Promise<Server> {
  const options = { bundle: true, format: 'iife', write: false } as const;
  const bundled = await build({ ...options, entryPoints: [path.join(root, 'src/views/webview/client.ts')] });
  const files: Record<string, [string, string]> = {
    '/client.js': ['text/javascript', bundled.outputFiles[0]?.text ?? ''],
    '/history.css': ['text/css', await readFile(path.join(root, 'media/history.css'), 'utf8')],
    '/favicon.ico': ['image/x-icon', ''],
  };
  const html = pageHtml({ script: '/client.js', style: '/history.css', cspSource: "'self'", nonce: 'n1' });
  const server = createServer(({ url = '/' }, response) => {
    const [type, body] = files[url] ?? ['text/html', html];
    response.setHeader('content-type', `${type}; charset=utf-8`);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
