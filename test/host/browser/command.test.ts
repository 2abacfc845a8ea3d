/** The command `browser` in a real sandbox with a real Chromium: what a verification can do with it in a few lines. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import { callsOf, usage } from '../../../src/host/browser/command-words.ts';
import { World } from '../sandbox/world.ts';
import { browser, runWithBrowser } from './with-browser.ts';

const page = `<!doctype html><title>Guests</title><h1>Guest book</h1>
<form onsubmit="event.preventDefault(); setTimeout(() => (document.querySelector('ul').innerHTML += '<li>' + who.value), 300)">
<label>Name <input id=who></label><button>Sign</button></form><button onclick="nowhere()">Break</button><ul aria-label=Guests></ul>`;

/** It saves a file, and opens one: by a file input, a button and a label. */
const board = `<!doctype html><title>Board</title><button onclick="save()">Save</button><button onclick="setTimeout(save, 1500)">Save later</button>
<input type=file aria-label=Board onchange="show(this)"><button onclick="pick.click()">Open</button><input id=pick type=file hidden onchange="show(this)">
<label>Card <input type=file style="display: none" onchange="show(this)"></label><button onclick="this.textContent = 'Nothing'">Other</button><button disabled>Erase</button>
<fieldset disabled><label>Name <input></label><legend>Group</legend></fieldset><button aria-disabled=true onclick="out.textContent = 'not now'">Send</button><p id=out></p>
<script>
function save() {
  const link = Object.assign(document.createElement('a'), { download: 'board.json', href: URL.createObjectURL(new Blob(['{"cards": ' + count++ + '}'])) });
  link.click();
}
let count = 1;
async function show(input) { out.textContent = input.files[0].name + ': ' + await input.files[0].text(); }
</script>`;

/** What only a screen reader says: today, which habit is done, and that some are. */
const week = `<!doctype html><title>Week</title><nav><a href=# aria-current=page>Week</a> <a href=# aria-current=false>Year</a></nav>
<table><tr><th>Mon<th aria-current=date>Tue</table><button aria-pressed=true>Read</button><button aria-pressed=false>Walk</button>
<input type=checkbox id=all aria-label=All><script>all.indeterminate = true</script>`;

const server = `require('node:http').createServer((request, response) => {
  if (request.url === '/export') return response.writeHead(200, { 'content-disposition': 'attachment; filename="list.csv"' }).end('a,b');
  response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
  response.end('<title>Served</title><h1>At ' + request.url + '</h1>');
}).listen(process.env.PORT);`;

describe('the command browser', () => {
  let world: World;
  before(() => {
    world = new World();
    writeFileSync(join(world.tree, 'page.html'), page);
    writeFileSync(join(world.tree, 'server.cjs'), server);
    writeFileSync(join(world.tree, 'board.html'), board);
    writeFileSync(join(world.tree, 'week.html'), week);
  });
  after(() => world.dispose());

  const run = (lines: readonly string[], more: Partial<Job> = {}): Promise<Finished> => runWithBrowser(world, lines, more);
  const verify = (...lines: string[]): Promise<Finished> => run(lines);

  it('says what is current, pressed, and neither checked nor not', async () => {
    const { output } = await verify('browser open week.html');
    const states = output.split('\n').flatMap((line) => /^ *(\w+ "\w+"(?: \(.*\))?)$/.exec(line)?.[1] ?? []);
    assert.deepEqual(states, [
      'link "Week" (current)',
      'link "Year"',
      'columnheader "Mon"',
      'columnheader "Tue" (current)',
      'button "Read" (pressed)',
      'button "Walk"',
      'checkbox "All" (checked: mixed)',
    ]);
  });

  it('reads a page that replaces what is current all the time', async () => {
    const link = "'<a href=# aria-current=page>' + i++ + '</a>'";
    writeFileSync(
      join(world.tree, 'restless.html'),
      `<title>R</title><nav id=n></nav><p>here</p><script>let i = 0; setInterval(() => (n.innerHTML = Array.from({ length: 20 }, () => ${link}).join('')), 5)</script>`,
    );
    const { output } = await verify('for i in 1 2 3 4 5 6; do browser open restless.html | grep -c here; done');
    assert.equal(output, '1\n'.repeat(6));
  });

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

  it('tells apart what lies in a row of its own elements, and not the parts of a word or a number', async () => {
    const row = (display: string): string => `<div style="display: ${display}"><span>Lunch</span><b>10<small>.00</small></b></div>`;
    const rows = `${row('flex')}<hr>${row('grid')}<hr>${row('block')}<hr><p>Fro<b>st</b> and <i>ice</i></p>`;
    writeFileSync(join(world.tree, 'rows.html'), `<!doctype html><title>Rows</title>${rows}`);
    const { exit, output } = await verify('browser open rows.html');
    assert.equal(exit, 0, output);
    assert.deepEqual(output.match(/^text ".*/gm), [
      'text "Lunch"',
      'text "10.00"',
      'text "Lunch" #2',
      'text "10.00" #2',
      'text "Lunch10.00"',
      'text "Frost and ice"',
    ]);
  });

  it('says that a day has the focus while one of its parts has it', async () => {
    writeFileSync(join(world.tree, 'day.html'), '<!doctype html><title>Day</title><label>Day <input type=date value=2026-03-02></label>');
    const { output } = await verify('browser open day.html then press Tab then press Tab | grep Date');
    assert.equal(output, 'Date "Day" = "2026-03-02" (focused)\n');
  });

  it('waits for, and clicks, what lies below the lines that it prints', async () => {
    const long = `<!doctype html><title>Long</title><ul></ul><script>
for (let i = 0; i < 900; i += 1) document.querySelector('ul').innerHTML += '<li>entry ' + i;
setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button onclick="document.title = 9">All done</button>'), 500);
</script>`;
    writeFileSync(join(world.tree, 'long.html'), long);
    const { exit, output } = await verify(
      'browser open long.html | tail -n 1',
      `browser wait 'button "All done"' 10 >/dev/null || exit 8`,
      `browser click 'button "All done"' | grep Title`,
      "browser read all | grep -c 'text \"entry'",
    );
    assert.equal(exit, 0, output);
    assert.match(output, /^\[the page goes on after 600 lines\]\nTitle: 9\n900$/m);
  });

  it('tells what a page keeps, and damages it', async () => {
    const kept = `<!doctype html><title>Kept</title><p id=out></p><button onclick="localStorage.setItem('trip', JSON.stringify({ days: 3 }))">Keep</button>
<script>try { out.textContent = JSON.parse(localStorage.getItem('trip') ?? '{}').days ?? 'nothing' } catch { out.textContent = 'It cannot be read' }</script>`;
    writeFileSync(join(world.tree, 'kept.html'), kept);
    const { exit, output } = await verify(
      'browser open kept.html then stored',
      `browser click 'button "Keep"' then stored`,
      `browser stored trip '{"days' then open kept.html then wait 'It cannot be read' | grep text`,
      'browser stored trip; browser open about:blank then stored || echo none',
    );
    assert.equal(exit, 0, output);
    assert.match(output, /^\{\}\n\{\n "trip": "\{\\"days\\":3\}"\n\}\ntext "It cannot be read"\n/);
    assert.match(output, /stored takes \[KEY TEXT\][^]*The page has no localStorage[^]*none\n$/);
  });

  it('loads the very same address again, with its fragment, and stays in the page for another fragment', async () => {
    writeFileSync(
      join(world.tree, 'place.html'),
      `<!doctype html><title>Place</title><p id=out></p><script>
localStorage.setItem('loads', Number(localStorage.getItem('loads')) + 1);
const show = () => (out.textContent = 'load ' + localStorage.getItem('loads') + ' at ' + location.hash);
onhashchange = show;
show();
</script>`,
    );
    const addresses = ['place.html#a', 'place.html#a', 'place.html#b', 'place.html', 'place.html#', 'place.html#'];
    const { exit, output } = await verify(
      `for address in ${addresses.join(' ')}; do browser open $address | grep '^text'; done`,
      'node server.cjs & until (: >/dev/tcp/127.0.0.1/$PORT) 2>/dev/null; do sleep 0.1; done',
      'browser open localhost:$PORT/lost#x then open localhost:$PORT/lost#x | grep Status; kill $!; wait $! 2>/dev/null',
      'browser open localhost:$PORT/lost#x',
    );
    assert.equal(exit, 1, output);
    const shown = ['load 1 at #a', 'load 2 at #a', 'load 2 at #b', 'load 3 at', 'load 3 at', 'load 4 at'].map((text) => `text "${text}"\n`);
    assert.ok(output.startsWith(`${shown.join('')}Status: 404\nbrowser: http://localhost:`), output);
    assert.match(output, /\/lost#x could not be opened: net::ERR_CONNECTION_REFUSED\.\n$/);
  });

  it('keeps what a page stored at each of many loads', async () => {
    const again = `<!doctype html><title>Again</title><p id=out></p><script>
const load = Number(location.search.slice(1));
if (load === 0) localStorage.setItem('kept', 'yes');
if (localStorage.getItem('kept') !== 'yes') out.textContent = 'Lost at load ' + load;
else if (load < 150) onload = () => setTimeout(() => location.replace('?' + (load + 1)));
else out.textContent = 'Kept at all loads';
</script>`;
    writeFileSync(join(world.tree, 'again.html'), again);
    const { exit, output } = await verify(`browser open again.html >/dev/null; browser wait 'at ' 600 | grep text`);
    assert.equal(exit, 0, output);
    assert.equal(output, 'text "Kept at all loads"\n');
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

  it('gives a page a file, by a file input and by a button that opens one, relative to where it is called', async () => {
    const { exit, output } = await verify(
      'browser open board.html >/dev/null && mkdir $TEST_DATA_DIR/in && echo one > $TEST_DATA_DIR/one.txt && cd $TEST_DATA_DIR/in',
      `echo two > 'two words.txt' && : > empty.txt`,
      `browser upload Board ../one.txt then wait one.txt: | tail -1`,
      `browser upload 'button "Open"' 'two words.txt' then wait words.txt: | tail -1`,
      `browser upload Card $PWD/empty.txt then wait empty.txt: | tail -1`,
    );
    assert.equal(exit, 0, output);
    assert.equal(output, 'text "one.txt: one"\ntext "two words.txt: two"\ntext "empty.txt:"\n');
  });

  it('says why a page cannot be given a file', async () => {
    const { output } = await verify(
      'browser open board.html >/dev/null; echo one > $TEST_DATA_DIR/one.txt',
      ...['Other $TEST_DATA_DIR/one.txt', 'Open none.txt', 'Open .', 'Nobody $TEST_DATA_DIR/one.txt', 'Erase $TEST_DATA_DIR/one.txt'].map(
        (words) => `browser upload ${words}; echo "status $?"`,
      ),
      `browser type Board one.txt`,
      `browser read | grep -c Nothing`,
    );
    assert.match(output, /^browser: button "Other" was clicked, and no file chooser opened within 2 s\.\nstatus 1\n/);
    assert.match(output, /\nbrowser: There is no file \/\S+\/none\.txt that the browser can read\.\nstatus 1\n/);
    assert.match(output, /\nbrowser: There is no file \/\S+ that the browser can read\.\nstatus 1\nbrowser: There is no element "Nobody"/);
    assert.match(output, /\nbrowser: button "Erase" is disabled, so a click on it does nothing\.\nstatus 1\n/);
    assert.match(output, /cannot be typed into: it takes a file: use upload\.\n1\n$/);
  });

  it('tells what a page saved, and where it lies', async () => {
    const { exit, output } = await verify(
      `browser open board.html then click Save then read | sed -n 3p; cat /tmp/downloads/board.json; echo`,
      `browser read | grep -c downloaded`,
      `browser click Save then console; browser read | sed -n 3p; cat /tmp/downloads/board.json; echo`,
      `browser click 'Save later' > $TEST_DATA_DIR/said; until grep downloaded $TEST_DATA_DIR/said; do browser read >> $TEST_DATA_DIR/said; done`,
      `browser upload Open /tmp/downloads/board.json then wait board.json: | tail -1`,
    );
    assert.equal(exit, 0, output);
    const line = 'downloaded "board.json" as /tmp/downloads/board.json\n';
    assert.equal(
      output,
      `${line}{"cards": 1}\n0\nThe console is empty.\n${line}{"cards": 2}\n${line}text "board.json: {\\"cards\\": 3}"\n`,
    );
  });

  it('takes an address that is a download for one', async () => {
    const { exit, output } = await verify(
      'node server.cjs & until (: >/dev/tcp/127.0.0.1/$PORT) 2>/dev/null; do sleep 0.1; done',
      'browser open localhost:$PORT/ then open localhost:$PORT/export | sed 1d; cat /tmp/downloads/list.csv',
    );
    assert.equal(exit, 0, output);
    assert.equal(output, 'Title: Served\ndownloaded "list.csv" as /tmp/downloads/list.csv\n\nheading "At /"\na,b');
  });

  it('refuses to click what is disabled, but not what only says so', async () => {
    const { output } = await verify(
      'browser open board.html >/dev/null',
      `browser click Erase; echo "status $?"; browser click 'textbox "Name"'; echo "status $?"; browser click Send | grep -e Send -e not`,
    );
    assert.equal(
      output,
      'browser: button "Erase" is disabled, so a click on it does nothing.\nstatus 1\nbrowser: textbox "Name" is disabled, so a click on it does nothing.\nstatus 1\nbutton "Send" (disabled, focused)\ntext "not now"\n',
    );
  });

  it('presses keys that move, delete and have functions', async () => {
    writeFileSync(
      join(world.tree, 'keys.html'),
      `<input aria-label=Word value=abcde><p id=out></p><div style="height: 9000px"></div>
<script>onkeydown = (e) => { if (/^F\\d/.test(e.key)) { e.preventDefault(); out.textContent += [e.key, e.code, e.keyCode] + '; '; } }; setInterval(() => document.title = scrollY > 0 ? 'below' : 'above', 20)</script>`,
    );
    const press = (...keys: string[]): string => keys.map((key) => `then press ${key}`).join(' ');
    const { exit, output } = await verify(
      `browser open keys.html then click Word ${press('Home', 'Delete', 'End', 'Backspace', 'ArrowLeft', 'Delete')} | grep Word`,
      `browser press Escape ${press('F1', 'f2', 'F5', 'F12')} | tail -1`,
      `browser press PageDown then wait below | grep Title; browser press PageUp then wait above | grep Title; browser press F13`,
    );
    assert.equal(exit, 1, output);
    assert.match(output, /^textbox "Word" = "bc" \(focused\)\ntext "F1,F1,112; F2,F2,113; F5,F5,116; F12,F12,123;"\n/);
    assert.match(output, /\nTitle: below\nTitle: above\nbrowser: There is no key "F13"\. Use Enter, [^]*PageDown, [^]*F1 to F12/);
  });

  it('is as its help says: blanks are printed as one, and TZ counts where it starts', async () => {
    writeFileSync(
      join(world.tree, 'zone.html'),
      '<p>a   b</p><textarea aria-label=Note>c   d</textarea><script>document.title = Intl.DateTimeFormat().resolvedOptions().timeZone</script>',
    );
    const { exit, output } = await verify(
      `TZ=Asia/Tokyo browser open zone.html | grep -E 'Title|a b|Note'`,
      'TZ=Europe/Rome browser open zone.html | grep Title',
      'browser help',
    );
    assert.equal(exit, 0, output);
    assert.match(output, /^Title: Asia\/Tokyo\ntext "a b"\ntextbox "Note" = "c {3}d"\nTitle: Asia\/Tokyo\nUse one of:\n/);
    for (const word of [
      'upload TARGET FILE',
      '/tmp/downloads',
      'console tells',
      'Blanks',
      'F1 to F12',
      'ends with the command',
      'TZ',
      'clock WHEN',
    ])
      assert.ok(output.includes(word), word);
  });

  it('takes a picture, and says what to do first', async () => {
    const { exit, output } = await verify(
      'browser read; echo "status $?"',
      'browser viewport 390 844 >/dev/null && browser open page.html >/dev/null && browser screenshot $TEST_DATA_DIR/shot.png >/dev/null',
      'head -c 4 $TEST_DATA_DIR/shot.png | tail -c 3; echo; od -An -tu4 --endian=big -j16 -N4 $TEST_DATA_DIR/shot.png',
    );
    assert.equal(exit, 0, output);
    assert.equal(
      output,
      'browser: No page is open: begin with `browser open ADDRESS`.\nstatus 1\nPNG\n        390\n',
      'as wide as was said before it was opened',
    );
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

  it('tells which lines of a script of the tree a page runs, in a file and in a page, from disk and from a server', async () => {
    writeFileSync(
      join(world.tree, 'app.js'),
      ['debugger;', 'function used() { return 1; }', 'function unused() { return 2; }', 'used();'].join('\n'),
    );
    writeFileSync(
      join(world.tree, 'app.html'),
      '<script src="app.js"></script>\n<p>Hi</p>\n<script>\nif (used() > 1)\n  unused();\n</script>',
    );
    const seen = { 'app.js': [1, 2, 4], 'app.html': [1, 2, 3, 4, 6] };
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
    writeFileSync(join(world.tree, 'copy.html'), readFileSync(join(world.tree, 'app.html')));
    const { reached } = await run(['browser open app.html'], { reach: true });
    assert.deepEqual(reached, { 'app.js': [1, 2, 4] }, 'two pages hold that script');
    rmSync(join(world.tree, 'copy.html'));
  });

  it('is there for commands of agents alike, and takes no options of the work’s Node.js', async () => {
    writeFileSync(join(world.tree, 'hook.cjs'), 'console.log("hooked")');
    const text = 'export NODE_OPTIONS="--require $PWD/hook.cjs"; type -p browser; browser open page.html | head -1';
    const done = await world.run({ command: text }, { timeout: 800 }, { browser });
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
      [['upload', 'Open', 'a b.json'], { action: 'upload', target: 'Open', file: 'a b.json' }],
      [['viewport', '390', '844'], { action: 'viewport', width: 390, height: 844 }],
      [['drag', 'a', 'b', '1,2'], { action: 'drag', points: ['a', 'b', '1,2'] }],
      [['touch', '1,2'], { action: 'touch', points: ['1,2'] }],
      [['stored'], { action: 'stored' }],
      [['stored', 'a', ''], { action: 'stored', entry: { key: 'a', text: '' } }],
      [['clock', '2026-11-25T12:00'], { action: 'clock', when: '2026-11-25T12:00' }],
    ];
    for (const [words, call] of calls) assert.deepEqual(callsOf(words), [call], words.join(' '));
    for (const words of [
      ['click'],
      ['click', 'button', 'Send'],
      ['wait', 'x', '0'],
      ['wait', 'x', '9999'],
      ['viewport', 'wide', '1'],
      ['read', 'x'],
      ['upload', 'Open'],
      ['drag', 'a'],
      ['drag', 'a', ''],
      ['stored', 'a'],
      ['open', ''],
    ])
      assert.match((callsOf(words) as { problem: string }).problem, new RegExp(`^${words[0]} takes `), words.join(' '));
    assert.deepEqual(callsOf(['click', 'a', 'then', 'read']), [{ action: 'click', target: 'a' }, { action: 'read' }]);
    assert.deepEqual(callsOf(['read', 'then']), { problem: 'No action is named.' });
    assert.deepEqual(callsOf(['zoom', 'x']), { problem: 'There is no action "zoom".' });
    assert.match(usage, /^Use one of:\n {2}browser open ADDRESS\n/);
  });
});
