/** The clock of pages, in a real sandbox with a real Chromium: what they take for now, from when on, and until when. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Finished } from '../../../src/engine/work/job.ts';
import { World } from '../sandbox/world.ts';
import { runWithBrowser } from './with-browser.ts';

/** What the page says of now, in local time. */
const day = `<!doctype html><title>Day</title><p id=out></p><a href=next.html>Next</a>
<script>setInterval(() => (out.firstChild ?? out.appendChild(new Text())).data = 'it is ' + new Date().toLocaleString('sv'), 50)</script>`;

/** Each check is true whatever the clock says; those of \`ways\` read it. */
const dates = `<!doctype html><title>Dates</title><ul></ul><script>
class Day extends Date { get year() { return this.getFullYear(); } }
const shown = { hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short' };
const format = new Intl.DateTimeFormat('sv', shown);
const ways = {
  'new Date': new Date().toLocaleDateString('sv'),
  'Date()': Date().slice(0, 15),
  'Date.now': new Date(Date.now()).toLocaleDateString('sv'),
  'a subclass': new Day().toLocaleDateString('sv'),
  'the constructor of a date': new (new Date(0).constructor)().toLocaleDateString('sv'),
  'format': format.format().slice(0, 10),
  'formatToParts': format.formatToParts().map(({ value }) => value).join('').slice(0, 10),
  'Temporal': globalThis.Temporal ? [Temporal.Now.plainDateISO(), Temporal.Now.instant()].join().slice(0, 21) : '2026-11-25,2026-11-25',
};
const checks = {
  'arguments': new Date(2020, 0, 1).toLocaleDateString('sv') === '2020-01-01' && new Date('2020-01-01').getTime() === 1577836800000,
  'undefined is no date': isNaN(new Date(undefined)),
  'parse and UTC': Date.parse('2020-01-01') === Date.UTC(2020, 0, 1) && Date.UTC(2020, 0, 1) === 1577836800000,
  'a subclass with arguments': new Day(2020, 0, 1).year === 2020 && new Day() instanceof Day && new Day() instanceof Date,
  'instanceof': new Date() instanceof Date && new Date(0) instanceof Date && !({} instanceof Date),
  'its form': Date.name === 'Date' && Date.length === 7 && new Date().constructor === Date && Object.keys(Date).length === 0,
  'a copy': structuredClone(new Date(5)).getTime() === 5 && Object.prototype.toString.call(new Date()) === '[object Date]',
  'format with a date': format.format(new Date(2020, 0, 1)) === '2020-01-01 00:00',
};
for (const [name, value] of Object.entries({ ...ways, ...checks })) document.querySelector('ul').innerHTML += '<li>' + name + ': ' + value;
</script>`;

describe('the clock of a page', () => {
  let world: World;
  before(() => {
    world = new World();
    writeFileSync(join(world.tree, 'day.html'), day);
    writeFileSync(join(world.tree, 'next.html'), day.replace('Day', 'Next'));
    writeFileSync(join(world.tree, 'dates.html'), dates);
  });
  after(() => world.dispose());

  const verify = (...lines: string[]): Promise<Finished> => runWithBrowser(world, lines);

  it('shows the moment that was set, and runs on over reloads', async () => {
    const { exit, output } = await verify(
      `browser clock 2026-11-25T12:00 >/dev/null && browser open day.html then wait 'it is' | grep text`,
      `browser wait '12:00:03' then open day.html then wait 'it is' | grep text`,
    );
    assert.equal(exit, 0, output);
    assert.match(output, /^text "it is 2026-11-25 12:00:0\d"\ntext "it is 2026-11-25 12:00:(0[3-9]|1\d)"\n$/);
  });

  it('is set at once in a page that is open, with its frames, and taken away by now', async () => {
    const told = `onmessage = ({ data }) => (inner.textContent = 'inside ' + data)`;
    const frame = `setInterval(() => parent.postMessage(new Date().toLocaleDateString('sv'), '*'), 50)`;
    writeFileSync(join(world.tree, 'inner.html'), `<script>${frame}</script>`);
    writeFileSync(
      join(world.tree, 'outer.html'),
      `${day}<p id=inner></p><button onclick="document.body.append(Object.assign(document.createElement('iframe'), { src: 'inner.html' }))">Add</button><script>${told}</script>`,
    );
    const { exit, output } = await verify(
      'browser open outer.html then click Add >/dev/null',
      `browser clock 2026-11-25T23:59:58 then wait 'inside 2026-11-25' >/dev/null && browser wait 'it is 2026-11-26 00:00' | grep 'it is'`,
      `browser clock 2031-01-02 then wait 'inside 2031-01-02' then wait 'it is 2031' | grep 'it is'`,
      `today=$(date +%F); browser clock now then wait "inside $today" then wait "it is $today" >/dev/null && echo real`,
      `browser open day.html then wait "it is $today" >/dev/null && echo real`,
    );
    assert.equal(exit, 0, output);
    assert.match(output, /^text "it is 2026-11-26 00:00:0\d"\ntext "it is 2031-01-02 00:00:\d\d"\nreal\nreal\n$/);
  });

  it('is that of now in a page that comes back as it was left', async () => {
    const { exit, output } = await verify(
      'python3 -m http.server $PORT >/dev/null 2>&1 & until (: >/dev/tcp/127.0.0.1/$PORT) 2>/dev/null; do sleep 0.1; done',
      'browser clock 2026-11-25 then open localhost:$PORT/day.html then click Next then clock 2027-03-04 >/dev/null',
      `browser back then wait 'it is 2027-03-04' | grep Title`,
    );
    assert.equal(exit, 0, output);
    assert.equal(output, 'Title: Day\n');
  });

  it('leaves all else of dates right, with each way to ask for now', async () => {
    const ways = ['new Date', 'Date.now', 'a subclass', 'the constructor of a date', 'format', 'formatToParts'];
    const { exit, output } = await verify('browser clock 2026-11-25T12:00 then open dates.html');
    assert.equal(exit, 0, output);
    for (const way of ways) assert.ok(output.includes(`"${way}: 2026-11-25"`), `${way} in:\n${output}`);
    assert.ok(output.includes('"Date(): Wed Nov 25 2026"'), output);
    assert.ok(output.includes('"Temporal: 2026-11-25,2026-11-25"'), output);
    assert.doesNotMatch(output, /false/);
    assert.equal(output.match(/: true"/g)?.length, 8, output);
  });

  it('takes local time where the browser started, unless an offset stands behind it', async () => {
    const moments = {
      '2026-11-25T00:30Z': '2026-11-25 09:30',
      '2026-11-25T00:30:40.5+01:00': '2026-11-25 08:30',
      '2026-11-25': '2026-11-25 00:00',
    };
    const { exit, output } = await verify(
      `TZ=Asia/Tokyo browser clock 2026-11-25T00:30 then open day.html then wait 'it is 2026-11-25 00:30' >/dev/null || exit 8`,
      ...Object.entries(moments).map(([when, shown]) => `browser clock ${when} then wait 'it is ${shown}' >/dev/null || exit 9`),
    );
    assert.equal(exit, 0, output);
  });

  it('says what a moment looks like where a word is none, and stays as it was', async () => {
    const wrong = ['tomorrow', '2026-02-30', '2026-11-25T24:00', '12:00', '2026-11-25T12'];
    const { output } = await verify(
      'browser clock 2026-11-25 then open day.html >/dev/null',
      ...wrong.map((when) => `browser clock ${when}; echo "status $?"`),
      `browser wait 'it is 2026-11-25' >/dev/null && echo same; browser clock; echo "status $?"`,
    );
    for (const when of wrong) assert.ok(output.includes(`browser: "${when}" is no moment. Use 2026-11-25T12:00 (local time), `), output);
    assert.equal(output.match(/status 1/g)?.length, wrong.length, output);
    assert.match(output, /\nsame\nbrowser: clock takes WHEN, [^]*status 2\n$/);
  });
});
