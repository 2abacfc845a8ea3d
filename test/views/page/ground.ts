/** The environment of the page's test: an installed browser, and a server for the page with the panel's HTML. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { pageHtml } from '../../../src/views/page/page-html.ts';

const root = process.cwd();

/** Imports the script at run time, because it locates the checkout by its own path and a bundle would move it. */
export async function installedBrowser(): Promise<string> {
  const script = pathToFileURL(path.join(root, 'scripts/provision.mjs')).href;
  const { findBrowser } = (await import(script)) as { findBrowser(): string | undefined };
  const browser = findBrowser();
  assert.ok(browser, 'no Chromium or Chrome found: install one, or name it in LOOP_TEST_BROWSER');
  return browser;
}

export async function serve(words: Record<string, string> = {}): Promise<Server> {
  const options = { bundle: true, format: 'iife', write: false } as const;
  const bundled = await build({ ...options, entryPoints: [path.join(root, 'src/views/page/client.ts')] });
  const files: Record<string, [type: string, body: string]> = {
    '/client.js': ['text/javascript', bundled.outputFiles[0]?.text ?? ''],
    '/history.css': ['text/css', await readFile(path.join(root, 'media/history.css'), 'utf8')],
    '/favicon.ico': ['image/x-icon', ''],
  };
  const html = pageHtml({ script: '/client.js', style: '/history.css', cspSource: "'self'", nonce: 'n1', language: 'en', words });
  const server = createServer(({ url = '/' }, response) => {
    const [type, body] = files[url] ?? ['text/html', html];
    response.setHeader('content-type', `${type}; charset=utf-8`);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
