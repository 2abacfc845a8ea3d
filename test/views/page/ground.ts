/** What the page's test stands on: the browser that is installed, and a server for the page as the panel makes it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { pageHtml } from '../../../src/views/page/page-html.ts';

const root = process.cwd();

/** Loaded when run, not bundled: it finds the checkout by its own place in it. */
export async function installedBrowser(): Promise<string> {
  const script = pathToFileURL(path.join(root, 'scripts/provision.mjs')).href;
  const { findBrowser } = (await import(script)) as { findBrowser(): string | undefined };
  const found = findBrowser();
  assert.ok(found, 'no Chromium or Chrome found: install one, or name it in LOOP_TEST_BROWSER');
  return found;
}

export async function serve(): Promise<Server> {
  const options = { bundle: true, format: 'iife', write: false } as const;
  const bundled = await build({ ...options, entryPoints: [path.join(root, 'src/views/page/client.ts')] });
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
