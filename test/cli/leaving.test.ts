/** Questions of `loop adopt` and `loop finish` at a real terminal: who leaves one has decided nothing, and it is no success. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { isPersons } from '../../src/engine/work/verification.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { verifications, honest } from '../support/greeter.ts';
import { ground, type Ground } from '../support/sprint.ts';
import { atTerminal, loop } from './loop.ts';

const id = 'cli/house';
const mine = verifications.house.write_verification.content.replaceAll('wrong word', 'not the word of the house');
const adoptPrompt = 'Adopt it as the verification, to be proven anew? [adopt/discard/Enter for neither] ';
const dropPrompt = 'Throw the branch and all that was made on it away? [y/N] ';
const left = /You left while Loop waited for your answer\. Nothing that was settled is lost/;
const leaves: [how: string, keys: string][] = [
  ['Ctrl+C', '\u0003'],
  ['Ctrl+D', '\u0004'],
];

describe('a question of loop adopt or loop finish', () => {
  let at: Ground;
  const journal = (): Promise<string> => readFile(join(at.sprintDir, '.loop', 'journal.jsonl'), 'utf8');
  const branches = (): string => at.git('branch', '--list', 'loop/*');

  /** A sprint that waits, and an edit of one of its verifications that was noticed. */
  before(async () => {
    at = await ground(honest);
    assert.equal((await loop(['run', at.sprintDir, '--model', `recorded:${at.recording}`])).code, 3);
    await writeFile(join(at.sprintDir, '.loop', 'verifications', 'cli', 'house.sh'), mine);
    assert.equal((await loop(['adopt', at.sprintDir])).code, 3);
  });
  after(() => at.dispose());

  const questions: [command: string, args: () => string[], prompt: string, no: { keys: string; code: number; words: RegExp }][] = [
    [
      'adopt',
      () => ['adopt', at.sprintDir, id],
      adoptPrompt,
      { keys: '\r', code: 3, words: /Nothing is decided\. To adopt it without a terminal: loop adopt / },
    ],
    [
      'finish',
      () => ['finish', at.sprintDir, 'drop'],
      dropPrompt,
      { keys: '\r', code: 4, words: /Nothing was dropped\. Add --yes to drop the work without being asked\./ },
    ],
  ];
  for (const [command, args, prompt, no] of questions) {
    for (const [how, keys] of leaves)
      it(`of ${command} is cancelled by who leaves it with ${how}, and decides nothing`, async () => {
        const [lines, kept] = [await journal(), branches()];
        const { code, out } = await atTerminal(args(), prompt, keys);
        assert.match(out, left);
        assert.equal(code, 130, out);
        assert.deepEqual([await journal(), branches()], [lines, kept]);
      });

    it(`of ${command} decides nothing by Enter, and says how it goes without a terminal`, async () => {
      const [lines, kept] = [await journal(), branches()];
      const { code, out } = await atTerminal(args(), prompt, no.keys);
      assert.match(out, no.words);
      assert.equal(code, no.code, out);
      assert.deepEqual([await journal(), branches()], [lines, kept]);
    });
  }

  it('is carried out as it is answered', async () => {
    const adopted = await atTerminal(['adopt', at.sprintDir, id], adoptPrompt, 'adopt\r');
    const verification = (await readSprint(at.sprintDir))?.work.verifications[id];
    assert.deepEqual([adopted.code, verification && isPersons(verification)], [0, true], adopted.out);
    const dropped = await atTerminal(['finish', at.sprintDir, 'drop'], dropPrompt, 'y\r');
    assert.deepEqual([dropped.code, branches()], [0, ''], dropped.out);
  });
});
