/** Above each requirement stands how it stands, with what a click shows and runs. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands } from '../../src/extension/editor/names.ts';
import { hoverAt, lensCommands, lensesOf } from '../../src/language/standing.ts';
import { prd } from './documents.ts';

const text = prd('- 2.1 A total.', '- 2.2 A tax.', '- 2.3 A sum, as §2.1.');
const standing = [
  { id: '2.1', words: '1 task, done', details: ['Task T1, done: add'], verifications: ['cli/a', 'cli/b'], runnable: ['cli/a'] },
  { id: '2.3', words: 'no task', details: [], verifications: [], runnable: [] },
];

describe('lenses', () => {
  it('stand above the requirements that the sprint has', () =>
    assert.deepEqual(
      lensesOf(text, standing).map(({ range, command }) => [range.start.line, command?.title, command?.command, command?.arguments]),
      [
        [5, '1 task, done', '', undefined],
        [5, 'Show Evidence', commands.history, [{ verifications: ['cli/a', 'cli/b'] }]],
        [5, 'Run', commands.runVerifications, [{ verifications: ['cli/a'] }]],
        [7, 'no task', '', undefined],
      ],
    ));
  it('call commands of the extension', () =>
    assert.deepEqual(lensCommands, { evidence: commands.history, run: commands.runVerifications }));
});

describe('a hover', () => {
  const at = (line: number, character: number) => hoverAt({ kind: 'prd', text }, { line, character }, { prd: text, standing })?.contents;
  it('tells all of a requirement, as plain text', () =>
    assert.deepEqual(at(5, 9), { kind: 'plaintext', value: '2.1 A total.\n1 task, done\nTask T1, done: add' }));
  it('on an id tells of that one', () => assert.deepEqual(at(7, 19), at(5, 9)));
  it('tells the words of a requirement that no sprint has', () => assert.deepEqual(at(6, 3), { kind: 'plaintext', value: '2.2 A tax.' }));
  it('is on nothing else', () => assert.equal(at(0, 0), undefined));
});
