/** Questions of `loop adopt` and `loop finish` at a real terminal: leaving one decides nothing and is not a success. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { isPersons } from '../../src/engine/work/verification.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { verifications } from '../support/greeter.ts';
import type { Ground } from '../support/sprint.ts';
import { atTerminal, loop } from './loop.ts';
import { waiting } from './waiting.ts';

const id = 'cli/house';
const personsText = verifications.house.write_verification.content.replaceAll('wrong word', 'not the word of the house');
const adoptPrompt = 'Adopt it as the verification, to be proven anew? [adopt/discard/Enter for neither] ';
const dropPrompt = 'Throw away the branch with all its work? [y/N] ';
const leftMessage = /You left while Loop waited for your answer\. Nothing that was settled is lost/;
const waysToLeave: [how: string, keys: string][] = [
  ['Ctrl+C', '\u0003'],
  ['Ctrl+D', '\u0004'],
];

describe('a question of loop adopt or loop finish', () => {
  let at: Ground;
  const journal = (): Promise<string> => readFile(join(at.sprintDir, '.loop', 'journal.jsonl'), 'utf8');
  const branches = (): string => at.git('branch', '--list', 'loop/*');

  /** A waiting sprint, and an edit of one of its verifications that Loop has noticed. */
  before(async () => {
    ({ at } = await waiting());
    await writeFile(join(at.sprintDir, '.loop', 'verifications', 'cli', 'house.sh'), personsText);
    assert.equal((await loop(['adopt', at.sprintDir])).code, 3);
  });
  after(() => at.dispose());

  const questions: { command: string; args: () => string[]; prompt: string; refusal: { keys: string; code: number; message: RegExp } }[] = [
    {
      command: 'adopt',
      args: () => ['adopt', at.sprintDir, id],
      prompt: adoptPrompt,
      refusal: { keys: '\r', code: 3, message: /Nothing is decided\. To adopt it without a terminal: loop adopt / },
    },
    {
      command: 'finish',
      args: () => ['finish', at.sprintDir, 'drop'],
      prompt: dropPrompt,
      refusal: { keys: '\r', code: 4, message: /Nothing was dropped\. Add --yes to drop the work without being asked\./ },
    },
  ];
  for (const { command, args, prompt, refusal } of questions) {
    for (const [how, keys] of waysToLeave)
      it(`of ${command} is cancelled with ${how} and decides nothing`, async () => {
        const [lines, kept] = [await journal(), branches()];
        const { code, out } = await atTerminal(args(), prompt, keys);
        assert.match(out, leftMessage);
        assert.equal(code, 130, out);
        assert.deepEqual([await journal(), branches()], [lines, kept]);
      });

    it(`of ${command} decides nothing on Enter, and says how to answer without a terminal`, async () => {
      const [lines, kept] = [await journal(), branches()];
      const { code, out } = await atTerminal(args(), prompt, refusal.keys);
      assert.match(out, refusal.message);
      assert.equal(code, refusal.code, out);
      assert.deepEqual([await journal(), branches()], [lines, kept]);
    });
  }

  it('is answered and the answer is carried out', async () => {
    const adopted = await atTerminal(['adopt', at.sprintDir, id], adoptPrompt, 'adopt\r');
    const verification = (await readSprint(at.sprintDir))?.work.verifications[id];
    assert.deepEqual([adopted.code, verification && isPersons(verification)], [0, true], adopted.out);
    const dropped = await atTerminal(['finish', at.sprintDir, 'drop'], dropPrompt, 'y\r');
    assert.deepEqual([dropped.code, branches()], [0, ''], dropped.out);
  });
});
