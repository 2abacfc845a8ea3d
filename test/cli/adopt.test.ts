/** The built `loop adopt`: it adopts only an edit that it showed before, and a refused edit is never lost. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isScript } from '../../src/engine/work/verification.ts';
import { readSprint } from '../../src/host/sprint.ts';
import { verifications, supplied } from '../support/greeter.ts';
import { write, type Ground } from '../support/sprint.ts';
import { loop, runOf } from './loop.ts';
import { waiting } from './waiting.ts';

const id = 'cli/house';
const personsText = verifications.house.write_verification.content.replaceAll('wrong word', 'not the word of the house');
const hash = createHash('sha256').update(personsText).digest('hex').slice(0, 12);

describe('loop adopt', () => {
  let at: Ground;
  const adopt = (...more: string[]) => loop(['adopt', at.sprintDir, ...more]);
  const file = (): string => join(at.sprintDir, '.loop', 'verifications', 'cli', 'house.sh');
  const author = async (): Promise<string | undefined> => {
    const verification = (await readSprint(at.sprintDir))?.work.verifications[id];
    return verification && isScript(verification) ? verification.by : undefined;
  };

  beforeEach(async () => void ({ at } = await waiting()));
  afterEach(() => at.dispose());

  it('shows the edit, adopts it by the shown hash, and the sprint delivers with it', async () => {
    assert.deepEqual(await adopt(), { code: 0, out: 'No verification was edited.\n', err: '' });
    await writeFile(file(), personsText);
    const shown = await adopt(id);
    assert.equal(shown.code, 3, shown.err);
    assert.match(shown.out, new RegExp(`kept as \\.loop/verifications/cli/house\\.edited-1\\.sh, text ${hash}:\n`));
    assert.match(shown.out, /\n {2}-# RED: wrong word\n {2}\+# RED: not the word of the house\n/);
    assert.ok(shown.out.endsWith(`--text ${hash}\n`), shown.out);
    assert.equal(await author(), 'qc', 'nothing is adopted without the hash');
    const listed = await adopt();
    assert.deepEqual([listed.code, listed.out.includes(`${id}: edited`)], [3, true]);
    assert.match((await loop(['status', at.sprintDir])).out, /cli\/house: .*edited: adopt or discard/);
    const adopted = await adopt(id, '--text', hash);
    assert.deepEqual([adopted.code, adopted.out], [0, `Adopted: ${id} is yours now. It is run and proven anew when the sprint goes on.\n`]);
    assert.equal(await author(), 'person');
    await writeFile(file(), verifications.house.write_verification.content);
    assert.match((await adopt(id)).err, /holds an older text of its own, .* change a character of it .* then adopt it\./);
    await write(at.repo, { [supplied.path]: supplied.text });
    const { code, out, err } = await loop(runOf(at));
    assert.equal(code, 0, out + err);
    assert.match((await loop(['status', at.sprintDir])).out, /cli\/house: passed, trusted, yours/);
  });

  it('restores the old text when the edit is discarded', async () => {
    await writeFile(file(), personsText);
    const { code, out } = await adopt(id, '--discard');
    assert.deepEqual([code, /Discarded\. cli\/house stays as it is; your text is kept as /.test(out)], [0, true]);
    assert.equal(await readFile(file(), 'utf8'), verifications.house.write_verification.content);
    assert.match((await adopt(id)).err, /The file of verification cli\/house is as it should be\. Edit and save /);
  });

  const wrong: { what: string; script: () => string; args: string[]; why: RegExp }[] = [
    {
      what: 'an unreadable header',
      script: () => 'exit 0\n',
      args: [id],
      why: /house\.edited-1\.sh:1: the header lacks TEST, PRD, RED\. Write it again/,
    },
    {
      what: 'another requirement',
      script: () => personsText.replace('PRD: 1.3', 'PRD: 1.2'),
      args: [id],
      why: /house\.edited-1\.sh:3: PRD names 1\.2, and this verification proves 1\.3\./,
    },
    {
      what: 'a requirement that does not exist',
      script: () => personsText.replace('PRD: 1.3', 'PRD: 7'),
      args: [id],
      why: /house\.edited-1\.sh:3: there is no requirement 7; there are /,
    },
    {
      what: 'the id of an unknown verification',
      script: () => personsText,
      args: ['cli/home'],
      why: /There is no verification cli\/home\. There are: cli\/name, cli\/world, cli\/house\./,
    },
  ];
  for (const { what, script, args, why } of wrong)
    it(`refuses ${what}, and keeps the edit`, async () => {
      const text = script();
      await writeFile(file(), text);
      const textHash = createHash('sha256').update(text).digest('hex').slice(0, 12);
      const { code, err } = await adopt(...args, '--text', textHash);
      assert.deepEqual([code, why.test(err)], [4, true], err);
      assert.equal(await author(), 'qc');
      const kept = args[0] === id ? join(file(), '..', 'house.edited-1.sh') : file();
      assert.equal(await readFile(kept, 'utf8'), text);
    });

  it('refuses the hash of another text and a value that is not a hash', async () => {
    await writeFile(file(), personsText);
    assert.match((await adopt(id, '--text', '0'.repeat(12))).err, new RegExp(`that waits is ${hash}, not 0{12}\\. Look at it`));
    assert.match((await adopt(id, '--text', 'yes')).err, /--text is "yes"; give the hash/);
    assert.equal(await author(), 'qc');
  });
});
