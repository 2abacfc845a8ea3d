/** Wording that a review proposes, by the built command line: seen, accepted into the person's documents, and judged once more. */
import assert from 'node:assert/strict';
import { chmod, readFile, readlink, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { readSprint } from '../../src/host/sprint.ts';
import { amending, discovered, honest, judged, prd, raised } from '../support/greeter.ts';
import { ground, type Ground } from '../support/sprint.ts';
import { loop, runOf } from './loop.ts';

const question = { kind: 'question', requirement: '', quote: '', proposed: '', wrong: 'Nobody says in which language.' };
const twice = { weight: 'SOFT', requirement: '1.1', quote: 'prints', proposed: 'shows', wrong: 'Prints where?' };
const sessions = [
  discovered({}, amending(raised(), raised(twice))),
  { ...judged(amending(raised(question))), purpose: 'review-documents/#1' },
  ...honest,
];
const amended = prd.replace('without a name it prints', 'without a name, or with an empty one, it prints');

describe('loop amend accept', () => {
  let at: Ground;
  const amend = (...more: string[]) => loop(['amend', at.sprintDir, ...more]);
  const prdNow = (): Promise<string> => readFile(join(at.sprintDir, 'PRD.md'), 'utf8');

  before(async () => {
    at = await ground(sessions);
  });
  after(() => at.dispose());

  it('is named where a sprint stops for points that only the person can decide: status 3 and the list', async () => {
    const { code, out } = await loop(runOf(at, '--non-interactive'));
    assert.equal(code, 3);
    assert.match(
      out,
      /P1 \(only you can decide it\), PRD\.md, requirement 1\.2, "without a name it prints": Nobody says what an empty name is/,
    );
    assert.match(out, /Proposed: without a name, or with an empty one, it prints/);
    assert.match(out, /loop amend FOLDER accept P1/);
  });

  it('shows what would be written where, and writes nothing', async () => {
    const { code, out } = await amend();
    assert.equal(code, 0);
    assert.match(out, /^Proposed:\nP1, PRD\.md:6\n- without a name it prints\n\+ without a name, or with an empty one, it prints\n/);
    assert.match(out, /To have it so: loop amend .* accept \[P1 …\]/);
    assert.equal(await prdNow(), prd);
  });

  it('refuses what proposes nothing, with what does', async () => {
    const { code, err } = await amend('accept', 'P7');
    assert.deepEqual([code, err], [4, 'P7 proposes no wording for the documents as they are. These do: P1, P2.\n']);
    assert.equal(
      (await amend('accept', 'P2')).err.split('\n')[0],
      `P2: "prints" does not stand in PRD.md once. Change it there yourself, then: loop amend ${at.sprintDir} take`,
    );
    assert.match((await amend('take', 'P1')).err, /"P1" is one argument too many/);
    assert.equal(await prdNow(), prd);
  });

  const unfinished: { what: string; line: string; says: RegExp }[] = [
    { what: 'cannot be taken over', line: '1.1 a name twice', says: /cannot be taken over as it is: PRD\.md:8: requirement 1\.1 / },
    { what: 'would be taken over too', line: '1.9 with `--half` it', says: /If you take it over, 1\.9 is new\./ },
  ];
  for (const { what, line, says } of unfinished)
    it(`writes nothing where what the person was still writing ${what}: status 3, and why`, async () => {
      const document = join(at.sprintDir, 'PRD.md');
      await writeFile(document, `${prd}${line}\n`);
      const { code, err } = await amend('accept', 'P1');
      assert.equal(await prdNow(), `${prd}${line}\n`);
      await writeFile(document, prd);
      assert.equal(code, 3, err);
      assert.match(err, /Nothing was written/);
      assert.match(err, says);
    });

  it('writes it into the document and takes that over, with its hash; a link stays one, and the mode as it was', async () => {
    const [document, real] = [join(at.sprintDir, 'PRD.md'), join(at.sprintDir, 'real.md')];
    await rename(document, real);
    await chmod(real, 0o640);
    await symlink('real.md', document);
    const { code, out, err } = await amend('accept', 'p1');
    assert.equal(code, 0, err);
    assert.match(out, /\nPRD\.md is taken over before the next decision: 1\.2 re-opens\.\n$/);
    assert.equal(await prdNow(), amended);
    assert.deepEqual([await readlink(document), ((await stat(real)).mode & 0o777).toString(8)], ['real.md', '640']);
    await rename(real, document);
  });

  it('is judged once more, and what that asks is asked', async () => {
    const { code, out } = await loop(runOf(at, '--non-interactive'));
    assert.equal(code, 3);
    assert.match(out, /P3 \(only you can decide it\), PRD\.md: Nobody says in which language\./);
    const state = await readSprint(at.sprintDir);
    assert.equal(state?.ledger.documentReviews.length, 2);
    assert.match(state?.work.requirements.find(({ id }) => id === '1.2')?.text ?? '', /or with an empty one/);
    assert.deepEqual((await amend()).out, 'The sprint goes by the documents as they are.\n');
  });

  it('goes on once the rest is answered, and the report names both', async () => {
    assert.equal((await loop(['answer', at.sprintDir, 'P3=In English'])).code, 0);
    const { code } = await loop(runOf(at, '--non-interactive'));
    assert.equal(code, 3, 'it waits for a file now');
    const report = await readFile(join(at.sprintDir, '.loop', 'DELIVERY_REPORT.md'), 'utf8');
    assert.match(report, /you changed PRD\.md: it was taken over, and 1\.2 re-opens\./);
    assert.match(report, /The person decided: In English \(P3, PRD\.md: Nobody says in which language\.\)/);
  });
});
