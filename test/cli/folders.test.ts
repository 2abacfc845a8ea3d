/** What a command takes for a folder is told before anything is read in it. Runs the built command line in its own process. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { honest } from '../support/greeter.ts';
import { ground, type Ground } from '../support/sprint.ts';
import { loop } from './loop.ts';

describe('a folder that a command is given', () => {
  let at: Ground;

  before(async () => void (at = await ground(honest)));
  after(() => at.dispose());

  const commands: readonly { words: string[]; more?: string[] }[] = [
    { words: ['status'] },
    { words: ['verify'] },
    { words: ['adopt'] },
    { words: ['amend'] },
    { words: ['tell'], more: ['hello'] },
    { words: ['skip'], more: ['T1'] },
    { words: ['pause'] },
    { words: ['finish'], more: ['keep'] },
    { words: ['guard'] },
    { words: ['new'] },
    { words: ['lint'] },
    { words: ['run'] },
    { words: ['run', '.'] },
    { words: ['list'] },
    { words: ['clean'] },
    { words: ['mcp'] },
    { words: ['pipeline', 'list', '--in'] },
  ];

  for (const { words, more = [] } of commands) {
    it(`may be no file: ${words.join(' ')}`, async () => {
      const path = join(at.sprintDir, 'PRD.md');
      const { code, err } = await loop([...words, path, ...more]);
      assert.equal(err.trim(), `${path} is a file, not a folder. Give the folder, such as ${at.sprintDir}.`);
      assert.equal(code, 4);
    });
  }

  it('may lie in no file', async () => {
    const { code, err } = await loop(['new', join(at.sprintDir, 'PRD.md', 'one'), 'A clerk adds amounts.']);
    assert.match(err, /^There can be no folder .*PRD\.md\/one: a file is in the way\. Give another folder\.\n$/);
    assert.equal(code, 4);
  });

  for (const words of [['list'], ['mcp'], ['clean'], ['pipeline', 'list', '--in']])
    it(`must be there for ${words.join(' ')}`, async () => {
      const { code, err } = await loop([...words, join(at.repo, 'nowhere')]);
      assert.match(err, /^There is no folder .*nowhere\. Give a folder of your repository\.\n$/);
      assert.equal(code, 4);
    });

  it('has a name: an unset variable of the shell begins no sprint where you are', async () => {
    for (const words of [
      ['new', '', 'A clerk adds amounts.'],
      ['run', ''],
      ['run', at.sprintDir, ''],
      ['finish', '', 'drop'],
      ['clean', ''],
    ]) {
      const { code, err } = await loop(words);
      assert.match(err, /^"loop \w+" was given an empty name for a folder\. Name it, or "\." for where you are\.\n$/);
      assert.equal(code, 4);
    }
    assert.equal(existsSync('VISION.md'), false);
  });

  it('and a flag that lacks its value are refused in whole sentences', async () => {
    assert.match((await loop(['verify', at.sprintDir, '--only'])).err, /argument missing\. See "loop help"\.\n$/);
  });
});
