/** Addresses of pages, as an agent writes them and as the command `browser` takes them. */
import assert from 'node:assert/strict';
import { it } from 'mocha';
import { addressOf } from '../../../src/host/browser/address.ts';

const addresses: Record<string, string> = {
  ' https://host.test/a ': 'https://host.test/a',
  'localhost:$PORT/a': 'http://localhost:41/a',
  '127.0.0.1:${PORT}': 'http://127.0.0.1:41',
  'localhost:$PORT_WEB/': 'http://localhost:42/',
  'localhost:${PORT_WEB}/$PORT_NONE': 'http://localhost:42/$PORT_NONE',
  '[::1]:8000': 'http://[::1]:8000',
  'about:blank': 'about:blank',
  'dist/a page.html': 'file:///tree/dist/a%20page.html',
  'site/search.html#snails%20caf%C3%A9': 'file:///tree/site/search.html#snails%20caf%C3%A9',
  'list.html?month=2#top': 'file:///tree/list.html?month=2#top',
  '/tmp/page.html': 'file:///tmp/page.html',
};

const ground = { root: '/tree', ports: { PORT: '41', PORT_WEB: '42' } };

it('the address of a page is completed by port, scheme and folder', () => {
  for (const [written, whole] of Object.entries(addresses)) assert.equal(addressOf(written, ground), whole);
});
