/** Frames in a page of the command `browser`, in a real sandbox with a real Chromium: what lies in them is printed and used as all else. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Finished, Job } from '../../../src/engine/work/job.ts';
import { BrowserProblem, type Connection } from '../../../src/host/browser/connection.ts';
import { wholeTree } from '../../../src/host/browser/frames.ts';
import { outline } from '../../../src/host/browser/outline.ts';
import { World } from '../sandbox/world.ts';
import { runWithBrowser } from './with-browser.ts';

const form = `<!doctype html><title>Form</title><label>Name <input></label><button onclick="said.textContent = 'Hello, ' + document.querySelector('input').value">Greet</button>
<a href=# aria-current=page>Now</a><p id=said></p><div style="display: flex"><span>one</span><span>two</span></div>`;

const outer = `<!doctype html><title>Outer</title><h1>Outer</h1><div style="height: 2000px"></div>
<iframe title=Form src=form.html></iframe><iframe title=Around srcdoc="<h2>Around</h2><iframe title=Inside src=form.html></iframe>"></iframe>
<iframe title=Sandboxed sandbox=allow-scripts src=form.html></iframe><iframe title=Elsewhere src="http://127.0.0.1:PORT/form.html"></iframe><p>below</p>`;

describe('frames in a page', () => {
  let world: World;
  before(() => {
    world = new World();
    writeFileSync(join(world.tree, 'form.html'), form);
    writeFileSync(join(world.tree, 'outer.html'), outer);
  });
  after(() => world.dispose());

  const run = (lines: readonly string[], more: Partial<Job> = {}): Promise<Finished> => runWithBrowser(world, lines, more);
  /** Of two origins, since 127.0.0.1 is another one than localhost. */
  const serve = [
    'mkdir $TEST_DATA_DIR/site; cp form.html $TEST_DATA_DIR/site; sed s/PORT/$PORT/ outer.html > $TEST_DATA_DIR/site/outer.html',
    '(cd $TEST_DATA_DIR/site && exec python3 -m http.server $PORT >/dev/null 2>&1) & until (: >/dev/tcp/127.0.0.1/$PORT) 2>/dev/null; do sleep 0.1; done',
  ];

  it('are printed below their line, also those in frames, without rights, and of another origin', async () => {
    const { exit, output } = await run([...serve, 'browser open localhost:$PORT/outer.html']);
    assert.equal(exit, 0, output);
    const inside = (depth: number, number: string): string[] =>
      [
        `text "Name"${number}`,
        `textbox "Name"${number}`,
        `button "Greet"${number}`,
        `link "Now"${number} (current)`,
        `text "one"${number}`,
        `text "two"${number}`,
      ].map((line) => `${'  '.repeat(depth)}${line}`);
    assert.deepEqual(output.split('\n').slice(3, -1), [
      'heading "Outer"',
      'Iframe "Form"',
      ...inside(1, ''),
      'Iframe "Around"',
      '  heading "Around"',
      '  Iframe "Inside"',
      ...inside(2, ' #2'),
      'Iframe "Sandboxed"',
      ...inside(1, ' #3'),
      'Iframe "Elsewhere"',
      ...inside(1, ' #4'),
      'text "below"',
    ]);
  });

  it('are used as the page around them', async () => {
    const use = (number: string, name: string): string =>
      `browser type 'textbox "Name"${number}' ${name} then click 'button "Greet"${number}' then wait 'Hello, ${name}' | grep -A9 '= "${name}"' | grep -e = -e Hello`;
    const { exit, output } = await run([
      ...serve,
      'browser open localhost:$PORT/outer.html >/dev/null',
      use('', 'Ada'),
      use(' #2', 'Bo'),
      use(' #3', 'Cy'),
      use(' #4', 'Di'),
      'browser click "textbox \\"Name\\" #2" then press End then press x then read | grep Box',
    ]);
    assert.equal(exit, 0, output);
    const names = ['Ada', 'Bo', 'Cy', 'Di'];
    for (const name of names) assert.match(output, new RegExp(`textbox "Name"( #\\d)? = "${name}"\\n *text "Hello, ${name}"`));
    assert.match(output, /textbox "Name" #2 = "Box" \(focused\)/);
  });

  it('say so where what lies in them is not told', async () => {
    const frame = { nodeId: '2', ignored: false, role: { value: 'Iframe' }, name: { value: 'Far' }, backendDOMNodeId: 2, childIds: [] };
    const answers: Record<string, (params: object) => unknown> = {
      'Accessibility.getFullAXTree': (params) => {
        if ((params as { frameId?: string }).frameId !== undefined) throw new BrowserProblem('Frame with the given frameId is not found.');
        return { nodes: [{ nodeId: '1', ignored: false, role: { value: 'RootWebArea' }, childIds: ['2'] }, frame] };
      },
      'DOM.describeNode': () => ({ node: { frameId: 'F' } }),
    };
    const connection = { send: async (method: string, params: object = {}) => answers[method]?.(params) } as Connection;
    assert.deepEqual(outline(await wholeTree(connection)).lines, ['Iframe "Far" (its page is not shown)']);
  });
});
