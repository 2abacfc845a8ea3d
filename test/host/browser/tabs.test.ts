/** Several tabs of the command `browser`, in a real sandbox with a real Chromium: what they share, and what each has of its own. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import { callsOf } from '../../../src/host/browser/command-words.ts';
import { World } from '../sandbox/world.ts';
import { runWithBrowser } from './with-browser.ts';

/** It tells other tabs what it adds, by the store or by a channel, and paints what it shows. */
const list = `<!doctype html><title>List</title><label>New <input id=what></label><button onclick="add()">Add</button><button onclick="say()">Say</button>
<button onclick="nowhere()">Break</button><button onclick="setTimeout(() => later(), 500)">Break later</button><button onclick="console.log('said by ' + what.value)">Log</button>
<ul></ul><p id=heard></p><p id=seen></p><script>
const read = () => JSON.parse(localStorage.getItem('list') ?? '[]');
const show = () => (document.querySelector('ul').innerHTML = read().map((entry) => '<li>' + entry).join(''));
const channel = new BroadcastChannel('list');
function add() { localStorage.setItem('list', JSON.stringify([...read(), what.value])); show(); }
function say() { channel.postMessage(what.value); }
channel.onmessage = ({ data }) => (heard.textContent = 'heard ' + data);
addEventListener('storage', show);
document.onvisibilitychange = () => (seen.textContent += document.visibilityState + ' ');
show();
</script>`;

/** It opens tabs in each way that a page can. */
const opener = `<!doctype html><title>Opener</title><a href=opened.html target=_blank>Link</a><button onclick="window.open('opened.html?by=script')">Script</button>
<button onclick="window.open('').document.write('<title>Written</title><p>written here')">Written</button><button onclick="window.open('opened.html?by=itself&close')">Closing</button>
<button onclick="window.open('opened.html?quiet')">Quiet</button><p id=got></p><script>
onmessage = ({ data }) => (got.textContent += 'got ' + data + ' ');
const paint = () => { got.dataset.frames = Number(got.dataset.frames ?? 0) + 1; requestAnimationFrame(paint); };
paint();
setInterval(() => (document.title = document.visibilityState + (document.hasFocus() ? ' in focus' : '')), 50);
</script>`;
const opened = `<!doctype html><title>Opened</title><h1>Opened</h1><button onclick="opener.postMessage('word', '*'); window.close()">Choose</button>
<script>if (location.search.endsWith('close')) { opener.postMessage('bye', '*'); close(); } else if (location.search !== '?quiet') early();</script>`;

describe('tabs of the command browser', () => {
  let world: World;
  before(() => {
    world = new World();
    for (const [name, text] of Object.entries({ 'list.html': list, 'opener.html': opener, 'opened.html': opened }))
      writeFileSync(join(world.tree, name), text);
  });
  after(() => world.dispose());

  const run = (lines: readonly string[], more: Partial<Job> = {}): Promise<Finished> => runWithBrowser(world, lines, more);
  const verify = (...lines: string[]): Promise<Finished> => run(lines);

  it('show each other’s changes at once, by the store and by a channel, and stay as they were left', async () => {
    const { exit, output } = await verify(
      'browser open list.html then tab 2',
      'browser open list.html then type New Ada then click Add >/dev/null',
      `browser tab 1 then wait 'text "Ada"' 1 then type New Bo then click Add then click Say >/dev/null || exit 9`,
      `browser tab 2 then wait 'text "Bo"' 1 then wait 'heard Bo' 1 | grep -e New -e text`,
      'browser stored',
    );
    assert.equal(exit, 0, output);
    const shown = ['text "New"', 'textbox "New" = "Ada"', '    text "Ada"', '    text "Bo"', 'text "heard Bo"', 'text "hidden visible"'];
    assert.equal(output, `Tab 2 is new and empty.\n${shown.join('\n')}\n{\n "list": "[\\"Ada\\",\\"Bo\\"]"\n}\n`);
  });

  it('run on while another one is in front', async () => {
    const count = `<!doctype html><title>Count</title><p id=out></p><script>let i = 0; setInterval(() => (out.textContent = ++i > 60 ? 'past 60' : i), 50)</script>`;
    writeFileSync(join(world.tree, 'count.html'), count);
    const { exit, output } = await verify(
      'browser open count.html then tab 2 >/dev/null; sleep 8',
      `browser tab 1 then read | grep text && browser screenshot $TEST_DATA_DIR/shot.png >/dev/null && echo shot`,
    );
    assert.equal(exit, 0, output);
    assert.equal(output, 'text "past 60"\nshot\n');
  });

  it('have one clock, one viewport and one way to answer dialogs, also those that are opened later', async () => {
    const ask = `<!doctype html><title>Ask</title><button onclick="document.title = confirm(1) ? 'gone' : 'kept'">Drop</button><p id=out></p>
<script>setInterval(() => (out.textContent = new Date().toLocaleDateString('sv') + ' at ' + innerWidth + ' and ' + document.title), 50)</script>`;
    writeFileSync(join(world.tree, 'ask.html'), ask);
    const { exit, output } = await verify(
      'browser open ask.html then tab 2 then open ask.html then clock 2026-11-25 then viewport 500 400 then dialogs cancel then tab 1 then click Drop >/dev/null',
      ...[1, 2, 3].map((tab) => `browser tab ${tab} then open ask.html then click Drop then wait 'and kept' | tail -1`),
    );
    assert.equal(exit, 0, output);
    assert.equal(output, 'text "2026-11-25 at 500 and kept"\n'.repeat(3));
  });

  it('have a console, a status and a history each; what one throws fails the call in any other', async () => {
    const { output } = await verify(
      'python3 -m http.server $PORT >/dev/null 2>&1 & until (: >/dev/tcp/127.0.0.1/$PORT) 2>/dev/null; do sleep 0.1; done',
      'browser open localhost:$PORT/none then tab 2 then open list.html then type New Ada then click Log | grep -e Status -e !',
      `browser tab 1 then console | grep -c said; browser read | grep -e Status -e !; browser back; echo "status $?"`,
      `browser tab 2 then click 'Break later' >/dev/null && browser tab 1 then wait 'never there' 3 >/dev/null; echo "status $?"; browser read >/dev/null; echo "status $?"`,
    );
    assert.match(output, /^! console\.log: said by Ada\n0\nStatus: 404\nbrowser: There is no page to go back to\.\nstatus 1\n/);
    assert.match(
      output,
      /The page threw what nobody caught:\ntab 2: uncaught: ReferenceError: later is not defined[^]*?\nstatus 1\nstatus 0\n$/,
    );
  });

  it('are there where a page opens them itself, from their first line on', async () => {
    const { output } = await verify(
      'browser open opener.html then clock 2026-11-25 then viewport 500 400 >/dev/null',
      ...['Link', 'Script'].map((name) => `browser click ${name} | grep !; echo "status \${PIPESTATUS[0]}"`),
      'browser click Written | grep !; browser read | grep Title',
      `browser tab 2 | grep -v console; browser tab 3 | grep Address; browser tab 4 | tail -3`,
    );
    const file = `file://${world.tree}/opened.html`;
    const thrown = (tab: number): RegExp => new RegExp(`tab ${tab}: uncaught: ReferenceError: early is not defined`);
    assert.match(output, thrown(2));
    assert.match(output, thrown(3));
    assert.equal(output.match(/status 1/g)?.length, 2, output);
    for (const line of [`! a new tab was opened as tab 2: ${file}`, `! a new tab was opened as tab 3: ${file}?by=script`])
      assert.ok(output.split('\n').includes(line), `${line} in:\n${output}`);
    assert.match(
      output,
      /! a new tab was opened as tab 4: about:blank\nTitle: visible in focus\nAddress: file:\S+opened\.html\nTitle: Opened\n/,
    );
    assert.match(output, /\nAddress: \S+by=script\nTitle: Written\n\ntext "written here"\n$/);
  });

  it('that close themselves leave the one in front that opened them, and their number is free again', async () => {
    const { exit, output } = await verify(
      'browser open list.html then tab 2 then open opener.html then click Quiet >/dev/null && browser tab 3 then click Choose',
      'browser click Closing | grep !; browser wait "got bye" | grep text; browser tab 3',
      'browser tab 2 >/dev/null; for i in 1 2 3 4 5 6 7; do browser click Quiet | grep !; done; browser read | grep -c "got"',
    );
    assert.equal(exit, 0, output);
    assert.match(output, /^Address: \S+opener\.html\n[^]*! tab 3 was closed\n[^]*text "got word"\n/);
    assert.match(
      output,
      /! a new tab was opened as tab 3: \S+close\n! tab 3 was closed\ntext "got word got bye"\nTab 3 is new and empty\.\n/,
    );
    assert.match(output, /\n! a new tab was opened as tab 9: \S+\n! a new tab was opened, and closed since there are 9: \S+quiet\n1\n$/);
  });

  it('do not wait for what another one reached that is busy for ever', async () => {
    writeFileSync(join(world.tree, 'calm.html'), '<title>Calm</title><p>calm</p><script src=calm.js></script>');
    writeFileSync(join(world.tree, 'calm.js'), 'let n = 1;\nn += 1;\n');
    writeFileSync(join(world.tree, 'busy.html'), '<title>Busy</title><script>setTimeout(() => { for (;;); }, 1500)</script>');
    const { output, reached } = await run(
      ['browser open calm.html then tab 2 then open busy.html >/dev/null; sleep 2', `browser tab 1 | grep -c 'text "calm"'`],
      { reach: true },
    );
    assert.equal(output, '1\n');
    assert.deepEqual(reached?.['calm.js'], [1, 2]);
  });

  it('all count for what pages reach, also two that one process shows', async () => {
    writeFileSync(
      join(world.tree, 'one.js'),
      'function one() { return 1; }\nfunction two() { return 2; }\nfunction three() { return 3; }\n',
    );
    const page = (body: string): string => `<script src=one.js></script>\n${body}`;
    writeFileSync(join(world.tree, 'first.html'), page('<a href=second.html target=_blank rel=opener>Second</a><script>one()</script>'));
    writeFileSync(join(world.tree, 'second.html'), page('<button onclick="two()">Two</button>'));
    writeFileSync(join(world.tree, 'third.html'), page('<script>three()</script>'));
    const { reached, output } = await run(
      ['browser open first.html then click Second then tab 2 then click Two >/dev/null; browser tab 3 then open third.html then tab 1'],
      { reach: true },
    );
    assert.deepEqual(reached?.['one.js'], [1, 2, 3], output);
  });

  it('have a number from 1 to 9', () => {
    assert.deepEqual(callsOf(['tab', '2']), [{ action: 'tab', number: 2 }]);
    for (const word of ['0', '10', 'x', '1.5']) assert.match((callsOf(['tab', word]) as { problem: string }).problem, /^tab takes N/);
  });
});
