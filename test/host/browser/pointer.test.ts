/** What a mouse and a finger do on a page by the command `browser`, in a real sandbox with a real Chromium. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { after, before, describe, it } from 'mocha';
import { colourOf } from '../../../src/host/browser/pixel.ts';
import { spotOf } from '../../../src/host/browser/spots.ts';
import type { Finished } from '../../../src/engine/work/job.ts';
import { World } from '../sandbox/world.ts';
import { runWithBrowser } from './with-browser.ts';

/** It draws where the pointer goes, and lets a card be dropped. */
const page = `<!doctype html><title>Plan</title><body style="margin: 0; background: white">
<canvas aria-label=Plan width=300 height=100 style="display: block; background: #ffffff; border: 4px solid #0000ff; touch-action: none"></canvas>
<button disabled>Send</button><p id=out>Nothing</p>
<ul aria-label=Open><li draggable=true id=card>Tea</li></ul><ul aria-label=Done style="height: 60px"></ul>
<div style="height: 2000px"></div><button id=far style="border: 0; padding: 20px; background: #00ff00">Far</button>
<script>
const canvas = document.querySelector('canvas');
const said = [];
const say = (word) => { said.push(word); out.textContent = said.join(' '); };
const at = (event) => [event.offsetX, event.offsetY];
let down = false;
canvas.onpointerdown = (event) => { down = true; context.beginPath(); context.moveTo(...at(event)); say('down ' + event.pointerType + ' ' + at(event)); };
canvas.onpointermove = (event) => { if (down) { context.lineTo(...at(event)); context.stroke(); } };
canvas.onpointerup = (event) => { down = false; say('up ' + at(event)); };
const context = canvas.getContext('2d');
Object.assign(context, { lineWidth: 6, strokeStyle: '#ff0000' });
const done = document.querySelector('[aria-label=Done]');
card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'card');
done.ondragover = (event) => event.preventDefault();
done.ondrop = (event) => done.append(document.getElementById(event.dataTransfer.getData('text/plain')));
const far = document.getElementById('far');
far.onclick = () => say('click'); far.ondblclick = () => say('double'); far.onmouseenter = () => say('over');
far.oncontextmenu = (event) => { event.preventDefault(); say('menu'); };
</script>`;

/** What is larger than the window, and what lies nearly a window from each other. */
const wide = `<!doctype html><title>Wide</title><body style="margin: 0; height: 2500px"><p id=out>Nothing</p>
<select aria-label=Pick><option>A<option>B</select>
<ul style="position: absolute; top: 60px"><li draggable=true id=card>Tea</li></ul>
<ul aria-label=Done style="position: absolute; top: 800px; width: 200px; height: 60px"></ul>
<button style="position: absolute; left: 600px; top: 20px; width: 100px; height: 2400px">Tall</button>
<script>
const done = document.querySelector('[aria-label=Done]');
card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'card');
done.ondragover = (event) => event.preventDefault();
done.ondrop = () => { out.textContent = 'Dropped'; };
document.querySelector('button').onclick = () => { out.textContent = 'Clicked'; };
</script>`;

describe('the pointer of the command browser', () => {
  let world: World;
  before(() => {
    world = new World();
    writeFileSync(join(world.tree, 'page.html'), page);
    writeFileSync(join(world.tree, 'wide.html'), wide);
  });
  after(() => world.dispose());

  const run = (...lines: string[]): Promise<Finished> => runWithBrowser(world, lines);

  it('draws on a canvas from corner to corner, and tells the colours there', async () => {
    const { exit, output } = await run(
      'browser open page.html >/dev/null || exit 9',
      `browser drag 'Canvas "Plan" @ 20,30' 'Canvas "Plan" @ 220,30' 'Canvas "Plan" @ 220,80' | grep down`,
      `for at in 20,10 120,30 220,70; do browser pixel "Canvas \\"Plan\\" @ $at"; done; browser pixel 1,1`,
    );
    assert.equal(output, 'text "down mouse 16,26 up 216,76"\n#ffffff\n#ff0000\n#ff0000\n#0000ff\n');
    assert.equal(exit, 0);
  });

  it('draws with a finger at points of the window, and taps', async () => {
    const { output } = await run(
      'browser open page.html then touch 24,34 124,34 | grep down; browser touch 54,54 | grep down; browser pixel 84,34',
    );
    assert.match(output, /text "down touch 20,30 up 120,30"\n.*down touch 20,30 up 120,30 down touch 50,50 up 50,50"\n#ff0000\n$/);
  });

  it('drops what can be dropped', async () => {
    const { output } = await run(`browser open page.html then drag 'listitem' 'list "Done"' then read | sed -n '/list "Done"/,$p'`);
    assert.match(output, /^ *list "Done"\n *listitem\n(.*\n)* *text "Tea"/);
  });

  it('hovers, clicks twice and opens a menu of the page, where that lies below the window, too', async () => {
    const { output } = await run(
      'browser open page.html then hover Far then doubleclick Far then rightclick Far | grep over',
      `browser pixel 'button "Far" @ 5,5'`,
    );
    assert.match(output, /"over click click double menu"\n#00ff00\n$/);
  });

  it('clicks what is larger than the window', async () => {
    const { output } = await run('browser open wide.html then click Tall | grep Clicked');
    assert.match(output, /text "Clicked"/);
  });

  it('drags to what fits into the window with where it begins, wherever the page is scrolled to', async () => {
    const { output } = await run(`browser open wide.html then drag listitem 'list "Done"' | grep Dropped`);
    assert.match(output, /text "Dropped"/);
  });

  it('names what cannot be pointed at', async () => {
    const { output } = await run(`browser open wide.html then click 'option "B"'`);
    assert.match(output, /option "B" cannot be pointed at: /);
  });

  it('says why the pointer cannot go there, and does nothing then', async () => {
    const { output, exit } = await run(
      'browser open page.html >/dev/null',
      `browser drag 'Canvas "Plan"' Far; browser drag 10,10 2000,10; browser touch Nowhere; browser hover Send | grep -c down; browser click Send; browser drag 10,10; browser read | grep Nothing`,
    );
    assert.match(output, /lies outside of the window of 1280 by 800 pixels/);
    assert.match(output, /The point 2000,10 lies outside of the window/);
    assert.match(output, /There is no element "Nowhere"/);
    assert.match(output, /button "Send" is disabled, so a click on it does nothing/);
    assert.match(output, /drag takes POINT POINT \[POINT …\], each one word of the shell/);
    assert.match(output, /text "Nothing"/);
    assert.equal(exit, 0);
  });
});

describe('a point', () => {
  const targets = [
    { label: 'button "3,5"', name: '3,5', node: 1 },
    { label: 'Canvas "Plan @ home"', name: 'Plan @ home', node: 2 },
  ];

  it('is an element first, and then one of the window or of an element', () => {
    assert.deepEqual(spotOf(targets, '3,5'), { label: 'button "3,5"', target: targets[0] });
    assert.deepEqual(spotOf(targets, ' 3, 6 '), { label: 'The point 3,6', at: { x: 3, y: 6 } });
    assert.deepEqual(spotOf(targets, 'Plan @ home'), { label: 'Canvas "Plan @ home"', target: targets[1] });
    assert.deepEqual(spotOf(targets, 'Plan @ home @ 4,0'), {
      label: 'Canvas "Plan @ home" @ 4,0',
      target: targets[1],
      at: { x: 4, y: 0 },
    });
    assert.ok('refused' in spotOf(targets, 'Plan @ 4,0'));
    assert.ok('refused' in spotOf(targets, '3.5'));
    assert.deepEqual(spotOf(targets, '3.5,6.25'), { label: 'The point 3.5,6.25', at: { x: 3.5, y: 6.25 } });
  });

  it('that cannot be read is told how it is written', () => {
    for (const wanted of ['20', '-1,5', '3 5', 'Plan @ home @ -3,4'])
      assert.match((spotOf(targets, wanted) as { refused: string }).refused, /A point is an element .*, X,Y in the window/, wanted);
    assert.doesNotMatch((spotOf(targets, 'Nowhere') as { refused: string }).refused, /A point is/);
  });
});

describe('the colour of a pixel', () => {
  it('is read from a picture with and without a channel for what is behind', () => {
    assert.equal(colourOf(pictureOf(6, [0x0a, 0x7f, 0x3c, 0x80])), '#0a7f3c');
    assert.equal(colourOf(pictureOf(2, [0x0a, 0x7f, 0x3c])), '#0a7f3c');
  });
});

/** A PNG of one pixel. @param kind its colour type (ISO/IEC 15948, 11.2.2): 2 without, 6 with a channel for what is behind. */
function pictureOf(kind: number, channels: readonly number[]): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, kind, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixel = deflateSync(Buffer.from([0, ...channels]));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixel), chunk('IEND', Buffer.alloc(0))]);
}
