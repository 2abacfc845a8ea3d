/** The command `browser` in a real sandbox with a real Chromium: what a verification can do with it in a few lines. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import { callsOf, usage } from '../../../src/host/browser/command-words.ts';
import { findBrowser } from '../../../src/host/browser/find.ts';
import { World } from '../sandbox/world.ts';

const page = `<!doctype html><title>Guests</title><h1>Guest book</h1>
<form onsubmit="event.preventDefault(); setTimeout(() => (document.querySelector('ul').innerHTML += '<li>' + who.value), 300)">
<label>Name <input id=who></label><button>Sign</button></form><button onclick="nowhere()">Break</button><ul aria-label=Guests></ul>`;

const server = `require('node:http').createServer((request, response) => {
  response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
  response.end('<title>Served</title><h1>At ' + request.url + '</h1>');
}).listen(process.env.PORT);`;

describe('the command browser', () => {
  let world: World;
  before(() => {
    world = new World();
    writeFileSync(join(world.tree, 'page.html'), page);
    writeFileSync(join(world.tree, 'server.cjs'), server);
  });
  after(() => world.dispose());

  const browser = { program: findBrowser([]) ?? '', command: resolve('dist/browser-command.js') };
  const run = (lines: readonly string[], more: Partial<Job> = {}): Promise<Finished> =>
    world.run({ script: `#!/usr/bin/env bash\n${lines.join('\n')}`, ext: 'sh', name: 'page-a' }, { timeout: 120, ...more }, { browser });
  const verify = (...lines: string[]): Promise<Finished> => run(lines);

  it('shows what a page shows, and uses it as a person does', async () => {
    const { exit, output } = await verify(
      'browser open page.html || exit 9',
      `browser type 'textbox "Name"' 'Ada Lovelace' >/dev/null && browser click 'button "Sign"' >/dev/null || exit 8`,
      `browser wait 'text "Ada Lovelace"' | grep -A9 'list "Guests"'`,
    );
    assert.equal(exit, 0, output);
    assert.match(output, /Title: Guests\n\nheading "Guest book"\nform\n {2}text "Name"\n {2}textbox "Name"\n {2}button "Sign"\n/);
    assert.match(output, /list "Guests"\n {2}listitem\n {4}text "Ada Lovelace"\n$/);
  });

  it('reaches what the script started, at its port', async () => {
    const { exit, output } = await verify(
      'node server.cjs & until (: >/dev/tcp/127.0.0.1/$PORT) 2>/dev/null; do sleep 0.1; done',
      'browser open localhost:$PORT/lost; browser open "http://localhost:$PORT/"; browser back | tail -1',
    );
    assert.equal(exit, 0, output);
    assert.match(output, /Title: Served\nStatus: 404\n[^]*heading "At \/lost"\n[^]*heading "At \/"\n[^]*heading "At \/lost"/);
  });

  it('fails where a page throws, where something is not there, and where a text does not come', async () => {
    const { output } = await verify(
      'browser open page.html >/dev/null',
      `browser click 'button "Break"' >/dev/null; echo "status $?"`,
      `browser click 'button "Sing"'; echo "status $?"`,
      `browser wait 'never there' 1 | wc -l; echo "status \${PIPESTATUS[0]}"`,
      'browser read >/dev/null; echo "status $?"',
    );
    assert.match(output, /The page threw what nobody caught:\nuncaught: ReferenceError: nowhere is not defined[^]*?status 1\n/);
    assert.match(output, /There is no element "button \\"Sing\\""\. There are: heading "Guest book"[^]*?status 1\n/);
    assert.match(output, /did not show "never there" within 1 s\. It shows:\n[^]*?\n0\nstatus 1\nstatus 0\n$/);
  });

  it('fails for what a page throws between two calls, however much it prints', async () => {
    // On a busy machine `open` may last longer than the page's own time.
    for (const seconds of [2, 40]) {
      const noisy = `for (let i = 0; i < 200; i += 1) console.log(i); setTimeout(() => nowhere(), ${seconds * 1000})`;
      writeFileSync(join(world.tree, `noisy-${seconds}.html`), `<button>Go</button><script>${noisy}</script>`);
    }
    const { output } = await verify(
      'browser open noisy-2.html >/dev/null 2>&1 || browser open noisy-40.html >/dev/null; echo "status $?"',
      'while browser click Go >/dev/null 2>$TEST_DATA_DIR/said; do sleep 0.5; done; cat $TEST_DATA_DIR/said',
      'browser click Go >/dev/null; echo "status $?"',
    );
    assert.match(output, /^status 0\n[^]*nowhere is not defined[^]*\nstatus 0\n$/);
  });

  it('says that its browser ended, and begins anew', async () => {
    const kill = 'for p in /proc/[0-9]*; do grep -qa remote-debugging-pipe $p/cmdline 2>/dev/null && kill -9 ${p#/proc/}; done';
    const { exit, output } = await verify(
      'browser open page.html >/dev/null',
      `${kill}; until ! browser read >/dev/null 2>$TEST_DATA_DIR/said; do sleep 0.1; done; cat $TEST_DATA_DIR/said`,
      'browser open page.html | sed -n 2p',
    );
    assert.equal(exit, 0, output);
    assert.match(output, /browser: (The browser ended\.|No page is open)[^]*\nTitle: Guests\n$/);
  });

  it('takes a picture, and says what to do first', async () => {
    const { exit, output } = await verify(
      'browser read; echo "status $?"',
      'browser open page.html >/dev/null && browser viewport 390 844 >/dev/null && browser screenshot $TEST_DATA_DIR/shot.png >/dev/null',
      'head -c 4 $TEST_DATA_DIR/shot.png | tail -c 3; echo',
    );
    assert.equal(exit, 0, output);
    assert.equal(output, 'browser: No page is open: begin with `browser open ADDRESS`.\nstatus 1\nPNG\n');
  });

  it('makes several calls in a row, and answers dialogs as it was told', async () => {
    writeFileSync(
      join(world.tree, 'ask.html'),
      "<button onclick=\"document.title = confirm(1) ? 'gone' : 'kept'\">Drop</button><select aria-label=Mood onfocus=\"document.title = 'here'\"><option>fine<option>sad</select>",
    );
    const { exit, output } = await verify(
      `browser open ask.html then dialogs cancel then click Drop | sed -n '2,3p'`,
      `browser dialogs ok then click Drop | sed -n '2,3p'`,
      `browser type Mood sad then read | grep Title`,
      `browser click Nobody then click Drop; echo "status $?"; browser --help | head -1`,
    );
    assert.equal(exit, 0, output);
    assert.match(
      output,
      /^Title: kept\n! dialog: confirm "1", answered with Cancel\nTitle: gone\n! dialog: confirm "1", answered with OK\nTitle: here\n/,
    );
    assert.match(output, /There is no element "Nobody"[^]*\nstatus 1\nUse one of:\n$/);
  });

  it('tells which lines of a script of the tree a page runs, from disk and from a server, and nothing of what stands in the page', async () => {
    writeFileSync(
      join(world.tree, 'app.js'),
      ['debugger;', 'function used() { return 1; }', 'function unused() { return 2; }', 'used();'].join('\n'),
    );
    writeFileSync(
      join(world.tree, 'app.html'),
      '<script src="app.js"></script>\n<p>Hi</p>\n<script>\nif (used() > 1)\n  unused();\n</script>',
    );
    const seen = { 'app.js': [1, 2, 4] };
    for (const address of ['app.html', 'http://localhost:$PORT/app.html']) {
      const { output, reached } = await run(
        [
          'python3 -m http.server $PORT >/dev/null 2>&1 & until (: >/dev/tcp/127.0.0.1/$PORT) 2>/dev/null; do sleep 0.1; done',
          `browser open ${address}`,
        ],
        {
          reach: true,
        },
      );
      assert.deepEqual(reached, seen, output);
    }
  });

  it('is there for commands of agents alike, and takes no options of the work’s Node.js', async () => {
    writeFileSync(join(world.tree, 'hook.cjs'), 'console.log("hooked")');
    const text = 'export NODE_OPTIONS="--require $PWD/hook.cjs"; type -p browser; browser open page.html | head -1';
    const done = await world.run({ command: text }, { timeout: 120 }, { browser });
    assert.equal(done.output, `/run/tools/browser\nAddress: file://${world.tree}/page.html\n`);
    assert.equal(readFileSync(join(world.tree, 'page.html'), 'utf8'), page);
  });

  it('is not there where the machine has no browser', async () => {
    assert.equal(await world.prints('type -p browser; ls -A /run/tools 2>/dev/null; echo none'), 'none');
  });

  it('is read word by word, and says what it takes', () => {
    const calls: [words: string[], call: object][] = [
      [['open', '/a b.html'], { action: 'open', url: '/a b.html' }],
      [['type', 'Name', ''], { action: 'type', target: 'Name', text: '' }],
      [['wait', 'done'], { action: 'wait', text: 'done', seconds: 10 }],
      [['wait', 'done', '30'], { action: 'wait', text: 'done', seconds: 30 }],
      [['viewport', '390', '844'], { action: 'viewport', width: 390, height: 844 }],
    ];
    for (const [words, call] of calls) assert.deepEqual(callsOf(words), [call], words.join(' '));
    for (const words of [
      ['click'],
      ['click', 'button', 'Send'],
      ['wait', 'x', '0'],
      ['wait', 'x', '9999'],
      ['viewport', 'wide', '1'],
      ['read', 'x'],
      ['open', ''],
    ])
      assert.match((callsOf(words) as { problem: string }).problem, new RegExp(`^${words[0]} takes `), words.join(' '));
    assert.deepEqual(callsOf(['click', 'a', 'then', 'read']), [{ action: 'click', target: 'a' }, { action: 'read' }]);
    assert.deepEqual(callsOf(['read', 'then']), { problem: 'No action is named.' });
    assert.deepEqual(callsOf(['hover', 'x']), { problem: 'There is no action "hover".' });
    assert.match(usage, /^Use one of:\n {2}browser open ADDRESS\n/);
  });
});
