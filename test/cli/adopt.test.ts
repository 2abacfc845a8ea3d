/** `loop adopt` as it is built: nothing is adopted that was not shown, and what is refused is lost nowhere. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isScript } from '../../src/engine/work/verification.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { verifications, honest, supplied } from '../support/greeter.ts';
import { ground, write, type Ground } from '../support/sprint.ts';
import { loop } from './loop.ts';

const id = 'cli/house';
const mine = verifications.house.write_verification.content.replaceAll('wrong word', 'not the word of the house');
const hash = createHash('sha256').update(mine).digest('hex').slice(0, 12);

describe('loop adopt', () => {
  let at: Ground;
  const sprint = (): string[] => ['run', at.sprintDir, '--model', `recorded:${at.recording}`];
  const adopt = (...more: string[]) => loop(['adopt', at.sprintDir, ...more]);
  const file = (): string => join(at.sprintDir, '.loop', 'verifications', 'cli', 'house.sh');
  const writer = async (): Promise<string | undefined> => {
    const verification = (await readSprint(at.sprintDir))?.work.verifications[id];
    return verification && isScript(verification) ? verification.by : undefined;
  };

  /** A sprint that waits for a file of the person. */
  beforeEach(async () => {
    at = await ground(honest);
    assert.equal((await loop(sprint())).code, 3);
  });
  afterEach(() => at.dispose());

  it('shows the edit, adopts it by the hash that was shown, and the sprint is delivered by it', async () => {
    assert.deepEqual(await adopt(), { code: 0, out: 'No verification was edited.\n', err: '' });
    await writeFile(file(), mine);
    const shown = await adopt(id);
    assert.equal(shown.code, 3, shown.err);
    assert.match(shown.out, new RegExp(`kept as \\.loop/verifications/cli/house\\.edited-1\\.sh, text ${hash}:\n`));
    assert.match(shown.out, /\n {2}-# RED: wrong word\n {2}\+# RED: not the word of the house\n/);
    assert.ok(shown.out.endsWith(`--text ${hash}\n`), shown.out);
    assert.equal(await writer(), 'qc', 'without a word nothing is adopted');
    const listed = await adopt();
    assert.deepEqual([listed.code, listed.out.includes(`${id}: edited`)], [3, true]);
    assert.match((await loop(['status', at.sprintDir])).out, /cli\/house: .*edited: adopt or discard/);
    const said = await adopt(id, '--text', hash);
    assert.deepEqual([said.code, said.out], [0, `Adopted: ${id} is yours now. It is run and proven anew when the sprint goes on.\n`]);
    assert.equal(await writer(), 'person');
    await writeFile(file(), verifications.house.write_verification.content);
    assert.match((await adopt(id)).err, /holds an older text of its own, .* change a character of it .* then adopt it\./);
    await write(at.repo, { [supplied.path]: supplied.text });
    const { code, out, err } = await loop(sprint());
    assert.equal(code, 0, out + err);
    assert.match((await loop(['status', at.sprintDir])).out, /cli\/house: passed, trusted, yours/);
  });

  it('leaves it as it was where it is discarded', async () => {
    await writeFile(file(), mine);
    const { code, out } = await adopt(id, '--discard');
    assert.deepEqual([code, /Discarded\. cli\/house stays as it is; your text is kept as /.test(out)], [0, true]);
    assert.equal(await readFile(file(), 'utf8'), verifications.house.write_verification.content);
    assert.match((await adopt(id)).err, /The file of verification cli\/house is as it should be\. Edit and save /);
  });

  const wrong: [string, () => string, string[], RegExp][] = [
    ['a header that cannot be read', () => 'exit 0\n', [id], /house\.edited-1\.sh:1: the header lacks TEST, PRD, RED\. Write it again/],
    [
      'another requirement',
      () => mine.replace('PRD: 1.3', 'PRD: 1.2'),
      [id],
      /house\.edited-1\.sh:3: PRD names 1\.2, and this verification proves 1\.3\./,
    ],
    [
      'a requirement that there is not',
      () => mine.replace('PRD: 1.3', 'PRD: 7'),
      [id],
      /house\.edited-1\.sh:3: there is no requirement 7; there are /,
    ],
    ['another name', () => mine, ['cli/home'], /There is no verification cli\/home\. There are: cli\/name, cli\/world, cli\/house\./],
  ];
  for (const [what, script, args, why] of wrong)
    it(`refuses ${what}, and loses nothing`, async () => {
      const text = script();
      await writeFile(file(), text);
      const by = createHash('sha256').update(text).digest('hex').slice(0, 12);
      const { code, err } = await adopt(...args, '--text', by);
      assert.deepEqual([code, why.test(err)], [4, true], err);
      assert.equal(await writer(), 'qc');
      const kept = args[0] === id ? join(file(), '..', 'house.edited-1.sh') : file();
      assert.equal(await readFile(kept, 'utf8'), text);
    });

  it('refuses a hash of something else, and one that is none', async () => {
    await writeFile(file(), mine);
    assert.match((await adopt(id, '--text', '0'.repeat(12))).err, new RegExp(`that waits is ${hash}, not 0{12}\\. Look at it`));
    assert.match((await adopt(id, '--text', 'yes')).err, /--text is "yes"; give the hash/);
    assert.equal(await writer(), 'qc');
  });
});
