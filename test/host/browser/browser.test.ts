/** A real Chromium in the real sandbox: what it shows and does, what it cannot reach, and that it leaves no process. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, afterEach, before, describe, it } from 'mocha';
import type { BrowserAction, BrowserAnswer, BrowserGround } from '../../../src/engine/ports.ts';
import { createBrowser } from '../../../src/host/browser/browser.ts';
import { findBrowser, installBrowser } from '../../../src/host/browser/find.ts';
import { createRunner } from '../../../src/host/sandbox/runner.ts';
import { bundleChild, firstOutput, killHard, startChild } from '../children.ts';
import { World } from '../sandbox/world.ts';

const page = `<!doctype html><title>Guests</title><h1>Guest book</h1>
<form onsubmit="event.preventDefault(); document.querySelector('ul').innerHTML += '<li>' + who.value + ' (' + how.value + ')'">
<label>Name <input id=who required></label><label>Mood <select id=how><option>fine<option>splendid</select></label>
<button>Sign</button></form><button disabled>Erase</button><a href="second.html">More</a><a href="#" onclick="alert('careful')">Warn</a>
<ul aria-label=Guests></ul><script>console.error('a font is missing'); setTimeout(() => nowhere(), 0)</script>`;

const server = `const { createServer } = require('node:http');
createServer((request, response) => {
  if (request.url === '/who') return response.end(process.env.SECRET_WORD ?? 'nobody');
  response.statusCode = ['/', '/frames'].includes(request.url) ? 200 : 404;
  response.setHeader('content-type', 'text/html');
  const inner = { '/frames': '/missing', '/lost': '/' }[request.url];
  response.end('<title>Served</title><h1>At ' + request.url + '</h1>' + (inner ? '<iframe src="' + inner + '"></iframe>' : ''));
}).listen(process.env.PORT);
`;

describe('the browser', () => {
  let world: World;
  const signal = new AbortController().signal;
  const opened: { close(): Promise<void> }[] = [];

  before(() => {
    world = new World();
    for (const [name, text] of Object.entries({
      'page.html': page,
      'second.html': '<title>Second</title><p>More of <b>it</b>',
      'server.js': server,
    }))
      writeFileSync(join(world.tree, name), text);
  });
  after(() => world.dispose());
  afterEach(async () => {
    for (const browser of opened.splice(0)) await browser.close();
    assert.deepEqual(browsersOf(process.pid), [], 'no browser is left');
  });

  function createTestBrowser(ground: Partial<BrowserGround> = {}) {
    const browser = createBrowser(createRunner(world.options()), {
      program: findBrowser([]),
      veil: (text) => text.replaceAll('swordfish', '…'),
    });
    opened.push(browser);
    const act = (action: BrowserAction): Promise<BrowserAnswer> =>
      browser.act(action, { at: 'worktree', network: false, readonly: true, services: [], ...ground }, signal);
    const text = async (action: BrowserAction): Promise<string> => {
      const answer = await act(action);
      return 'refused' in answer ? assert.fail(answer.refused) : answer.text;
    };
    const refusal = async (action: BrowserAction): Promise<string> => {
      const answer = await act(action);
      return 'refused' in answer ? answer.refused : assert.fail(answer.text);
    };
    return { browser, act, text, refusal };
  }

  it('describes what a page shows, and what goes wrong in it', async () => {
    const { text } = createTestBrowser();
    const opening = await text({ action: 'open', url: 'page.html' });
    assert.match(
      opening,
      /^Address: file:\/\/\/.*page\.html\nTitle: Guests\n! console\.error: a font is missing\n! uncaught: ReferenceError: nowhere is not defined/,
    );
    assert.match(opening, /\n\nheading "Guest book"\n/);
    for (const line of [
      'textbox "Name" (required)',
      'combobox "Mood" = "fine"',
      'button "Sign"',
      'button "Erase" (disabled)',
      'link "More"',
    ])
      assert.ok(
        opening.split('\n').some((l) => l.trim() === line),
        `${line} in:\n${opening}`,
      );
    assert.match(await text({ action: 'console' }), /^console\.error: a font is missing\nuncaught: /);
    assert.doesNotMatch(await text({ action: 'read' }), /a font is missing/, 'it is reported once');
  });

  it('clicks, types, chooses, presses keys and goes back, as a person would', async () => {
    const { text, refusal } = createTestBrowser();
    await text({ action: 'open', url: 'page.html' });
    assert.match(await text({ action: 'type', target: 'textbox "Name"', text: 'Ada' }), /textbox "Name" = "Ada" \(focused, required\)/);
    assert.match(
      await text({ action: 'type', target: 'Mood', text: 'splendid' }),
      /\n\nThe page is as it was, but only this is new, below line \d+:\n[^]*"splendid"/,
    );
    assert.match(await text({ action: 'click', target: 'button "Sign"' }), /listitem\n\s+text "Ada \(splendid\)"/);
    await text({ action: 'type', target: 'Name', text: 'Grace' });
    assert.match(await text({ action: 'press', key: 'Enter' }), /text "Grace \(splendid\)"/);
    assert.match(await text({ action: 'click', target: 'Warn' }), /! dialog: alert "careful", answered with OK/);
    assert.match(await text({ action: 'click', target: 'More' }), /Title: Second\n\ntext "More of it"/);
    assert.match(await text({ action: 'back' }), /Title: Guests/);
    assert.equal(
      await refusal({ action: 'click', target: 'Submit' }),
      'There is no element "Submit". There are: heading "Guest book", text "Name", textbox "Name", text "Mood", combobox "Mood", option "fine", option "splendid", button "Sign", button "Erase", link "More", link "Warn", list "Guests".',
    );
    assert.equal(
      await refusal({ action: 'type', target: 'Mood', text: 'sad' }),
      'combobox "Mood" cannot be typed into: its options are "fine", "splendid".',
    );
    assert.match(await refusal({ action: 'press', key: 'Hyper+q' }), /^There is no key "Hyper\+q"/);
  });

  it('gives a page a file of the tree, and what it saved itself', async () => {
    const save = `Object.assign(document.createElement('a'), { download: 'list.txt', href: 'data:text/plain,kept' }).click()`;
    const open = `<input type=file aria-label=Pick onchange="this.files[0].text().then((text) => (out.textContent = text))"><p id=out></p>`;
    const files = { 'files.html': `<button onclick="${save}">Save</button><button disabled>Erase</button>${open}`, 'in.txt': 'given' };
    const copy = join(world.folder, 'copy');
    mkdirSync(copy);
    for (const folder of [world.tree, copy]) for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const places: [ground: Partial<BrowserGround>, saved: string][] = [
      [{}, '/tmp/downloads/list.txt'],
      [{ at: { scratch: copy }, readonly: false }, '.downloads/list.txt'],
    ];
    for (const [ground, saved] of places) {
      const { text, refusal } = createTestBrowser(ground);
      await text({ action: 'open', url: 'files.html' });
      assert.match(await text({ action: 'upload', target: 'Pick', file: 'in.txt' }), /text "given"/);
      const said = await text({ action: 'click', target: 'Save' });
      assert.ok(said.split('\n').includes(`downloaded "list.txt" as ${saved}`), said);
      assert.doesNotMatch(await text({ action: 'read' }), /downloaded/, 'it is told once');
      assert.match(await text({ action: 'upload', target: 'Pick', file: saved }), /text "kept"/);
      assert.match(await refusal({ action: 'upload', target: 'Pick', file: 'none.txt' }), /^There is no file \S+none\.txt/);
      assert.equal(await refusal({ action: 'click', target: 'Erase' }), 'button "Erase" is disabled, so a click on it does nothing.');
    }
    assert.equal(readFileSync(join(copy, '.downloads', 'list.txt'), 'utf8'), 'kept', 'the commands of the session see it');
  });

  it('has the size and the clock that were set before a page was open', async () => {
    const { act, text } = createTestBrowser();
    assert.match(await text({ action: 'viewport', width: 390, height: 844 }), /^No page is open yet: it holds for/);
    await text({ action: 'clock', when: '2026-12-05' });
    await text({ action: 'open', url: 'data:text/html,<p id=day></p><script>day.textContent = new Date().toDateString()</script>' });
    assert.match(await text({ action: 'read' }), /Sat Dec 05 2026/);
    assert.deepEqual(sizeOf(await act({ action: 'screenshot' })), [390, 844]);
  });

  it('tells a clock that was wrong with the page, and forgets what was set for a session that is over', async () => {
    const { act, text, refusal, browser } = createTestBrowser();
    await text({ action: 'clock', when: 'soon' });
    assert.match(await refusal({ action: 'open', url: 'http://127.0.0.1:1/' }), /soon[^]*could not be opened/);
    await text({ action: 'clock', when: '2026-12-05' });
    assert.match(await text({ action: 'open', url: 'page.html' }), /heading/);
    await browser.close();
    await text({ action: 'viewport', width: 390, height: 844 });
    await browser.close();
    await text({ action: 'open', url: 'page.html' });
    assert.deepEqual(sizeOf(await act({ action: 'screenshot' })), [1280, 800]);
  });

  it('takes a picture of the page in the size of its window', async () => {
    const { act, text } = createTestBrowser();
    await text({ action: 'open', url: 'page.html' });
    assert.deepEqual(sizeOf(await act({ action: 'screenshot' })), [1280, 800]);
    await text({ action: 'viewport', width: 390, height: 844 });
    assert.deepEqual(sizeOf(await act({ action: 'screenshot' })), [390, 844]);
  });

  it('says how wide a page is that has to be scrolled sideways, and goes to the link of a heading', async () => {
    writeFileSync(join(world.tree, 'wide.html'), '<title>W</title><h1><a href=second.html>More</a></h1><p style="width: 500px">wide');
    const { text } = createTestBrowser();
    assert.match(await text({ action: 'open', url: 'wide.html' }), /Title: W\n\nheading "More"\n {2}link "More"\n/);
    assert.match(await text({ action: 'viewport', width: 360, height: 640 }), /\nTitle: W\nWidth: 508 px, in a window of 360 px\n/);
    assert.match(await text({ action: 'click', target: 'More' }), /\nTitle: Second\n\n/);
    for (const which of ['html', 'body']) {
      writeFileSync(
        join(world.tree, 'cut.html'),
        `<title>C</title><style>${which} { overflow-x: hidden }</style><p style="width: 500px">wide`,
      );
      assert.match(await text({ action: 'open', url: 'cut.html' }), /Title: C\n\n/);
    }
  });

  it('goes to a tab that a page opened, and to one that is new', async () => {
    writeFileSync(join(world.tree, 'links.html'), '<title>Links</title><a href=second.html target=_blank>More</a>');
    const { text } = createTestBrowser();
    await text({ action: 'open', url: 'links.html' });
    assert.match(await text({ action: 'click', target: 'More' }), /Title: Links\n! a new tab was opened as tab 2: \S+second\.html\n/);
    assert.match(await text({ action: 'tab', number: 2 }), /Title: Second\n\ntext "More of it"$/);
    assert.equal(await text({ action: 'tab', number: 3 }), 'Tab 3 is new and empty.');
    await text({ action: 'open', url: 'page.html' });
    assert.match(await text({ action: 'tab', number: 1 }), /Title: Links\n\nlink "More"/);
  });

  it('sets the clock of the page that is open, and of those that are opened then', async () => {
    writeFileSync(join(world.tree, 'today.html'), `<p id=out></p><script>out.textContent = new Date().toDateString()</script>`);
    const { text, refusal } = createTestBrowser();
    await text({ action: 'open', url: 'today.html' });
    await text({ action: 'clock', when: '2031-05-06' });
    assert.match(await text({ action: 'open', url: 'today.html' }), /text "Tue May 06 2031"/);
    assert.match(await refusal({ action: 'clock', when: 'noon' }), /^"noon" is no moment\. Use 2026-11-25T12:00 /);
    await text({ action: 'clock', when: 'now' });
    assert.doesNotMatch(await text({ action: 'open', url: 'today.html' }), /2031/);
  });

  it('reaches the services beside it, and neither this machine nor the internet', async () => {
    const outside = createServer((_, response) => response.end('outside')).listen(0, '127.0.0.1');
    try {
      await new Promise((done) => outside.once('listening', done));
      const { port } = outside.address() as AddressInfo;
      const service = {
        name: 'web',
        start: { command: 'SECRET_WORD=swordfish node server.js' },
        ready: { http: 'http://127.0.0.1:$PORT/' },
        limit: 20,
      };
      const { text, refusal } = createTestBrowser({ services: [service] });
      assert.match(await text({ action: 'open', url: 'http://localhost:$PORT/' }), /Title: Served\n\nheading "At \/"/);
      assert.match(await text({ action: 'open', url: 'localhost:$PORT/nothing' }), /Status: 404/);
      // `/frames` is found and embeds a missing page; `/lost` is missing and embeds a page that is found.
      assert.doesNotMatch(await text({ action: 'open', url: 'localhost:$PORT/frames' }), /Status/);
      assert.match(await text({ action: 'open', url: 'localhost:$PORT/lost' }), /Status: 404/);
      assert.match(await text({ action: 'open', url: 'localhost:$PORT/who' }), /text "…"/, 'values of variables are redacted');
      assert.match(await refusal({ action: 'open', url: `http://127.0.0.1:${port}/` }), /ERR_CONNECTION_REFUSED/);
      assert.match(await refusal({ action: 'open', url: 'http://example.com/' }), /could not be opened: net::ERR_/);
    } finally {
      outside.close();
    }
  });

  it('serves the deliverable with the given command, and says why where that does not come up', async () => {
    const { text, refusal } = createTestBrowser();
    const url = 'http://localhost:$PORT/';
    assert.match(
      await refusal({ action: 'open', url, serve: 'node no-server.js' }),
      /^serve did not come up: .*It printed:\n[^]*Cannot find module/,
    );
    assert.match(await text({ action: 'open', url, serve: 'node server.js' }), /Title: Served/);
    assert.match(await text({ action: 'open', url: `${url}again` }), /At \/again/, 'it is still served');
  });

  it('answers where no browser is installed, and where no page is open', async () => {
    const { refusal } = createTestBrowser();
    assert.equal(await refusal({ action: 'read' }), 'No page is open: open one first. A browser that ended keeps nothing.');
    const none = createBrowser(createRunner(world.options()), {
      program: findBrowser([], '/nowhere') && undefined,
      veil: (t) => t,
    });
    assert.equal(none.problem(), installBrowser);
    const ground = { at: 'worktree' as const, network: false, readonly: true, services: [] };
    assert.deepEqual(await none.act({ action: 'open', url: 'page.html' }, ground, signal), { refused: installBrowser });
  });

  it('ends when the person stops it, also while it starts', async () => {
    for (const wait of [false, true]) {
      const { browser } = createTestBrowser();
      const stop = new AbortController();
      const ground = { at: 'worktree' as const, network: false, readonly: true, services: [] };
      const opening = browser.act({ action: 'open', url: 'page.html' }, ground, stop.signal);
      if (wait) await opening;
      while (browsersOf(process.pid).length === 0) await delay(50);
      stop.abort();
      await opening;
      while (browsersOf(process.pid).length > 0) await delay(50);
    }
  });

  it('ends with Loop, even where Loop is killed', async () => {
    const child = startChild(bundleChild('hold-browser', world.folder), world.tree, join(world.repo, '.git'), world.outside);
    assert.match(await firstOutput(child), /Title: Guests/);
    const browsers = browsersOf(child.pid ?? 0);
    assert.notDeepEqual(browsers, []);
    await killHard(child);
    while (browsers.some(isAlive)) await delay(100);
  });
});

function sizeOf(answer: BrowserAnswer): number[] {
  const bytes = Buffer.from(('png' in answer && answer.png) || assert.fail('there is no picture'), 'base64');
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** Process ids of the browsers that a process started, directly or not. */
function browsersOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  const all = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)/.exec(line)).filter((match) => match !== null);
  const below = new Set([parent]);
  for (const [, pid, from] of all) if (below.has(Number(from))) below.add(Number(pid));
  return all
    .filter(([, pid, , stat, args]) => below.has(Number(pid)) && !stat?.startsWith('Z') && args?.includes('--user-data-dir=/tmp/browser'))
    .map(([, pid]) => Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
