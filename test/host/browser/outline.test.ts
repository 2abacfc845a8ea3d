/** The outline of a page in lines of text, how a line names an element, the names of keys, and which browser is used. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { findBrowser } from '../../../src/host/browser/find.ts';
import { keyOf } from '../../../src/host/browser/keys.ts';
import { changedPart, findTarget, outline, printed, type AxNode } from '../../../src/host/browser/outline.ts';

let last = 0;
interface Shape {
  name?: string;
  value?: unknown;
  is?: Record<string, unknown>;
  ignored?: boolean;
}

/** An element with everything inside it; the element itself comes first. */
function element(role: string, { name, value, is = {}, ignored = false }: Shape = {}, ...inside: AxNode[][]): AxNode[] {
  const nodeId = String((last += 1));
  const properties = Object.entries(is).map(([key, state]) => ({ name: key, value: { value: state } }));
  const node: AxNode = {
    nodeId,
    ignored,
    role: { value: role },
    properties,
    backendDOMNodeId: last,
    childIds: inside.flatMap(([first]) => first?.nodeId ?? []),
  };
  if (name !== undefined) node.name = { value: name };
  if (value !== undefined) node.value = { value };
  return [node, ...inside.flat()];
}
const text = (words: string): AxNode[] => element('StaticText', { name: words }, element('InlineTextBox', { name: words }));

const page = element(
  'RootWebArea',
  { name: 'Guests' },
  element('none', { ignored: true }, element('heading', { name: 'Guest  book' }, text('Guest book'))),
  element(
    'LabelText',
    {},
    text('Name'),
    element('textbox', { name: 'Name', value: 'Ada', is: { required: true, invalid: 'true', focused: false } }),
  ),
  element('button', { name: 'Go', is: { disabled: true } }, text('Go')),
  element('button', { name: 'Go' }, text('Go')),
  element(
    'combobox',
    { name: 'Mood', value: 'fine' },
    element('MenuListPopup', {}, element('option', { name: 'fine', is: { selected: true } })),
  ),
  element('paragraph', {}, text('some '), element('generic', { ignored: true }, text('bold')), text(' words')),
  element('list', {}, element('listitem', {}, text('one'))),
  text('   '),
);

describe('the outline of a page', () => {
  const { lines, targets } = outline(page);

  it('shows what can be acted on within a heading or a tab, and no other part of it', () => {
    const nodes = element(
      'RootWebArea',
      {},
      element(
        'heading',
        { name: 'Summer party' },
        element('generic', { ignored: true }, element('link', { name: 'Summer party' }, text('Summer party'))),
      ),
      element('tab', { name: 'Notes Close' }, text('Notes'), element('button', { name: 'Close', is: { focused: true } }, text('Close'))),
      element('link', { name: 'Home' }, element('heading', { name: 'Home' }, text('Home'))),
    );
    const shown = outline(nodes);
    assert.deepEqual(shown.lines, [
      'heading "Summer party"',
      '  link "Summer party"',
      'tab "Notes Close"',
      '  button "Close" (focused)',
      'link "Home"',
    ]);
    assert.ok(!('refused' in findTarget(shown.targets, 'link "Summer party"')));
  });

  it('has lines only for what a person would notice', () => {
    assert.deepEqual(lines, [
      'heading "Guest book"',
      'text "Name"',
      'textbox "Name" = "Ada" (required, invalid)',
      'button "Go" (disabled)',
      'button "Go" #2',
      'combobox "Mood" = "fine"',
      '  option "fine" (selected)',
      'text "some bold words"',
      'list',
      '  listitem',
      '    text "one"',
    ]);
  });

  it('says what stands in a table once', () => {
    const cell = (role: string, name: string): AxNode[] => element(role, { name }, text(name));
    const table = element(
      'table',
      {},
      element('row', { name: 'Item Sum' }, cell('columnheader', 'Item'), cell('columnheader', 'Sum')),
      element('row', { name: 'Rye bread 4.20' }, cell('rowheader', 'Rye bread'), cell('cell', '4.20')),
      element('row', { name: 'all of them' }, element('cell', { name: 'Send' }, element('button', { name: 'Send' }, text('Send')))),
    );
    assert.deepEqual(outline(table).lines, [
      'table',
      '  row',
      '    columnheader "Item"',
      '    columnheader "Sum"',
      '  row #2',
      '    rowheader "Rye bread"',
      '    cell "4.20"',
      '  row "all of them"',
      '    cell "Send"',
      '      button "Send"',
    ]);
  });

  const labelled = (label: string) => targets.find((t) => t.label === label);
  const targetNames: [wanted: string, label: string][] = [
    ['button "Go" #2', 'button "Go" #2'],
    ['button "Go"', 'button "Go"'],
    ['mood', 'combobox "Mood"'],
    ['Name', 'textbox "Name"'],
    ['one', 'text "one"'],
  ];
  for (const [wanted, label] of targetNames)
    it(`finds ${label} by ${wanted}`, () => {
      assert.deepEqual(findTarget(targets, wanted), labelled(label) ?? assert.fail());
    });

  it('lists the elements where a name fits two or none', () => {
    assert.deepEqual(findTarget(targets, 'Go'), {
      refused: '2 elements have the name "Go". There are: button "Go", button "Go" #2.',
    });
    assert.match(JSON.stringify(findTarget(targets, 'Send')), /There is no element .*Send.*There are: heading/);
    assert.deepEqual(findTarget([], 'Send'), { refused: 'There is no element "Send". There are: none with a name.' });
  });

  it('says all that a text says and a field holds, or how much more there is', () => {
    const said = (length: number): string[] =>
      outline(element('RootWebArea', {}, text('t'.repeat(length)), element('textbox', { name: 'Notes', value: 'v'.repeat(length * 10) })))
        .lines;
    assert.deepEqual(said(2000), [`text "${'t'.repeat(2000)}"`, `textbox "Notes" = "${'v'.repeat(20_000)}"`]);
    const more = said(2001).map((line) => line.replaceAll(/(.)\1+/g, '$1'));
    assert.deepEqual(more, ['text "t [1 more characters]"', 'textbox "Notes" = "v [10 more characters]"']);
  });

  it('says where it stops reading', () => {
    const { lines: all } = outline(element('RootWebArea', {}, ...Array.from({ length: 20_001 }, () => element('separator'))));
    assert.deepEqual([all.length, all.at(-1)], [20_001, '[the page goes on after 20000 lines]']);
  });

  it('is bounded for every page', () => {
    const { lines: all } = outline(
      element('RootWebArea', {}, ...Array.from({ length: 5000 }, (_, i) => element('heading', { name: `line ${i} ${'x'.repeat(2000)}` }))),
    );
    const many = printed(all);
    assert.equal(all.length, 5000, 'all are read');
    assert.ok(many.split('\n').length <= 601 && many.length < 230_000, `${many.length}`);
    const [, count = ''] = /\[the page goes on after (\d+) lines\]$/.exec(many) ?? [];
    assert.equal(many.split('\n').length, Number(count) + 1);
    assert.match(printed(all.map((line) => line.slice(0, 20))), /\[the page goes on after 600 lines\]$/);
    assert.deepEqual(outline([]), { lines: [], targets: [] });
  });
});

describe('what changed on a page', () => {
  const before = ['heading "A"', 'list', '  text "one"', '  text "two"', 'button "Go"', 'text "end"'];
  const without = (n: number) => before.toSpliced(n, 1);
  const rows: [what: string, now: string[], told: string | undefined][] = [
    ['nothing', before, 'The page shows what it showed before.'],
    [
      'a new line',
      before.toSpliced(4, 0, '  text "three"'),
      'The page is as it was, but only this is new, below line 4:\nlist\n  text "three"',
    ],
    ['another line', before.toSpliced(3, 1, '  text "2"'), 'The page is as it was, but only this is new, below line 3:\nlist\n  text "2"'],
    ['a line that is gone', without(3), 'The page is as it was, but 1 line below line 3 is gone.'],
    [
      'two equal lines where there was one',
      before.toSpliced(3, 0, '  text "two"'),
      'The page is as it was, but only this is new, below line 4:\nlist\n  text "two"',
    ],
    ['the first and the last line', ['x', ...before.slice(1, -1), 'y'], undefined],
    ['another page', ['heading "B"', 'text "b"'], undefined],
    ['the first page', before, undefined],
  ];
  for (const [what, now, told] of rows)
    it(`is told for ${what}`, () => assert.equal(changedPart(what === 'the first page' ? [] : before, now)?.join('\n'), told));
});

describe('the key', () => {
  const keys: [string, ReturnType<typeof keyOf>][] = [
    ['Enter', { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, modifiers: 0, text: '\r' }],
    ['shift+tab', { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9, modifiers: 8 }],
    ['Control+a', { key: 'a', code: 'KeyA', windowsVirtualKeyCode: 65, modifiers: 2 }],
    ['7', { key: '7', code: 'Digit7', windowsVirtualKeyCode: 55, modifiers: 0, text: '7' }],
    ['+', { key: '+', code: '+', windowsVirtualKeyCode: 43, modifiers: 0, text: '+' }],
    ['Space', { key: ' ', code: 'Space', windowsVirtualKeyCode: 32, modifiers: 0, text: ' ' }],
    ['Hyper+a', undefined],
    ['Entr', undefined],
    ['constructor', undefined],
  ];
  for (const [name, key] of keys)
    it(`${name} is ${key ? key.key : 'not known'}`, () => {
      assert.deepEqual(keyOf(name), key);
    });
});

describe('findBrowser', () => {
  it('takes a browser on the PATH, but none that agents could have written', () => {
    const folder = mkdtempSync(join(tmpdir(), 'loop-browser-'));
    try {
      const program = join(folder, 'microsoft-edge');
      writeFileSync(program, '#!/bin/sh\n');
      chmodSync(program, 0o755);
      const usual = findBrowser([], '/nowhere');
      assert.equal(findBrowser(['/usr', '/opt'], folder), program);
      assert.equal(findBrowser(['/usr', '/opt', folder], folder), undefined);
      assert.equal(findBrowser([folder], folder), usual);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
