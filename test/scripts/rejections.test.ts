/** Tests `scripts/mocha-rejections.cjs`, because mocha alone ignores an unhandled rejection. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';

const rejectingTests = `
const forget = () => void Promise.reject(new Error('nobody waits'));
describe('a', () => {
  it('ends before the rejection is noticed', forget);
    it('runs on after the rejection', () => (forget(), new Promise((done) => setTimeout(done, 100))));
    it('never ends', () => (forget(), new Promise(() => undefined)));
    it('rejects nothing', () => new Promise((done) => setTimeout(done, 200)));
});`;
const late = `it('ends first', () => void setTimeout(() => { throw new Error('later'); }, 30));`;
const lateRejection = `it('ends first', () => void setTimeout(() => void Promise.reject(new Error('later')), 30));`;
const slow = `it('waits', () => new Promise((done) => setTimeout(done, 500)));`;
/** More files than workers, so that each worker runs a second file. */
const names = ['one', 'two', 'three', 'four'];

const modes = [[], ['--parallel', '--jobs', '2']];

describe('an unhandled rejection', () => {
  for (const more of modes)
    it(`fails only the test that caused it${more.length > 0 ? ', also when files run in parallel' : ''}`, () => {
      const run = mocha(
        names.map(() => rejectingTests),
        more,
      );
      assert.match(run.stdout, /4 passing[^]*12 failing/, run.stderr);
      assert.equal(run.stdout.match(/^ +Error: nobody waits$/gm)?.length, 12);
      assert.equal(run.status, 12);
    });
});

describe('what is thrown after the last test of a file', () => {
  for (const [what, text] of Object.entries({ error: late, rejection: lateRejection }))
    for (const more of modes)
      it(`fails that file: an ${what}${more.length > 0 ? ', also when files run in parallel' : ''}`.replace('an rej', 'a rej'), () => {
        // One after the other, the next file begins at once.
        const run = mocha(more.length > 0 ? [text, slow, slow] : [slow, text], more);
        // On a busy machine it may be thrown while that test still ends.
        assert.match(run.stdout, /passing[^]*1 failing\n+ +1\) (after the last test of .*(one|two)\.test\.cjs|ends first)/, run.stderr);
        assert.match(run.stdout, /^ +Error: later$/m);
        assert.equal(run.status, 1);
      });
});

function mocha(texts: readonly string[], more: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'loop-mocha-'));
  try {
    const files = texts.map((_, i) => join(folder, `${names[i]}.test.cjs`));
    for (const [i, file] of files.entries()) writeFileSync(file, texts[i] ?? '');
    const options = ['--no-config', '--timeout', '60000', '--require', 'scripts/mocha-rejections.cjs', ...more];
    return spawnSync(process.execPath, ['node_modules/mocha/bin/mocha.js', ...options, ...files], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
