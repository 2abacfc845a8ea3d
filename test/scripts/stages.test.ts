/** A test stage first builds the bundles that it needs, and does not run when that build failed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'mocha';

interface Counts {
  passed: number;
  failed: number;
  failing?: string[];
}
interface Stages {
  stages: Record<string, { mocha?: string[] }>;
  withNeeds(names: string[]): string[];
  runAll(
    names: string[],
    run: (name: string, print: (text: string) => void) => Promise<Counts>,
    print: (text: string) => void,
  ): Promise<Required<Counts>>;
}

/** Imported at run time, not bundled, to test the same module that the script uses. */
const load = async (): Promise<Stages> => (await import(pathToFileURL(resolve('scripts/stages.mjs')).href)) as Stages;

describe('the test stages', () => {
  it('build the bundles that they need once, before the first of them', async () => {
    const { withNeeds } = await load();
    assert.deepEqual(withNeeds(['lint', 'unit', 'sprint', 'bundles', 'unit']), ['lint', 'bundles', 'unit', 'sprint']);
    for (const name of ['frameworks', 'editor host', 'editor by hand']) assert.deepEqual(withNeeds([name]), ['bundles', name]);
    assert.deepEqual(withNeeds(['simulation']), ['simulation'], 'it builds its own bundles');
  });

  it('do not run and count as failed when a stage that they need failed', async () => {
    const { runAll, withNeeds } = await load();
    const started: string[] = [];
    const lines: string[] = [];
    const run = (name: string): Promise<Counts> => {
      started.push(name);
      return Promise.resolve(name === 'bundles' ? { passed: 0, failed: 1 } : { passed: 3, failed: 0 });
    };
    const total = await runAll(withNeeds(['lint', 'unit', 'sprint']), run, (line) => lines.push(line.trim()));
    assert.deepEqual(total, { passed: 3, failed: 3, failing: ['bundles', 'unit', 'sprint'] });
    assert.deepEqual(started, ['lint', 'bundles']);
    assert.deepEqual(lines, ['== unit: not run, since it needs bundles', '== sprint: not run, since it needs bundles']);
  });

  it('list the failed tests after all stages have run', async () => {
    const { runAll } = await load();
    const run = (name: string): Promise<Counts> =>
      Promise.resolve(name === 'unit' ? { passed: 1, failed: 2, failing: ['a tree grows', 'a leaf falls'] } : { passed: 1, failed: 0 });
    const total = await runAll(['unit', 'sprint'], run, () => undefined);
    assert.deepEqual(total, { passed: 2, failed: 2, failing: ['unit: a tree grows', 'unit: a leaf falls'] });
  });

  it('run the tests of every folder but one', async () => {
    const { stages } = await load();
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'));
    const globs = Object.values(stages).flatMap(({ mocha = [] }) => mocha);
    const folders = [...new Set(files.map((path) => path.split('/')[0] ?? ''))];
    assert.deepEqual(
      folders.filter((folder) => !globs.some((glob) => new RegExp(`^out/test/(${folder}|\\{(.*,)?${folder}(,.*)?\\})/`).test(glob))),
      // Its defences are still being built (test/honesty/honesty.test.ts).
      ['honesty'],
    );
  });

  it('run beside each other, at most two', async () => {
    const { runAll } = await load();
    let running = 0;
    let most = 0;
    const run = async (): Promise<Counts> => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running -= 1;
      return { passed: 1, failed: 0 };
    };
    assert.equal((await runAll(['format', 'lint', 'types', 'layers'], run, () => undefined)).passed, 4);
    assert.equal(most, 2);
  });

  const pairs: { one: string; other: string; beside: boolean }[] = [
    { one: 'npm start', other: 'format', beside: true },
    { one: 'unit', other: 'editor by hand', beside: true },
    { one: 'sprint', other: 'simulation', beside: true },
    { one: 'unit', other: 'sprint', beside: false },
    { one: 'npm start', other: 'bundles', beside: false },
    { one: 'npm start', other: 'editor host', beside: false },
    { one: 'frameworks', other: 'npm start', beside: false },
    { one: 'bundles', other: 'unit', beside: false },
  ];
  for (const { one, other, beside } of pairs)
    it(`run ${one} and ${other} ${beside ? 'beside' : 'after'} each other`, async () => {
      const { runAll } = await load();
      const story: string[] = [];
      const run = async (name: string): Promise<Counts> => {
        story.push(`${name} begins`);
        await new Promise(setImmediate);
        story.push(`${name} ends`);
        return { passed: 1, failed: 0 };
      };
      await runAll([one, other], run, () => undefined);
      const expected = [`${one} begins`, `${one} ends`, `${other} begins`, `${other} ends`];
      if (beside) [expected[1], expected[2]] = [`${other} begins`, `${one} ends`];
      assert.deepEqual(story, expected);
    });

  it('print one after the other what they say at the same time, the first as it goes', async () => {
    const { runAll } = await load();
    const printed: string[] = [];
    let letGo = (): void => undefined;
    const held = new Promise<void>((done) => (letGo = done));
    const run = async (name: string, print: (text: string) => void): Promise<Counts> => {
      print(`${name} begins`);
      if (name === 'lint') {
        assert.deepEqual(printed, ['format begins'], 'format is not at its end');
        print(', lint ends');
        setImmediate(letGo);
        return { passed: 1, failed: 0 };
      }
      await held;
      print('format ends');
      assert.deepEqual(printed, ['format begins', 'format ends'], 'as it goes');
      return { passed: 1, failed: 0 };
    };
    await runAll(['format', 'lint'], run, (text) => void printed.push(text));
    assert.deepEqual(printed, ['format begins', 'format ends', 'lint begins, lint ends']);
  });

  it('are refused before any of them runs when one is unknown', () => {
    const { stdout, status } = spawnSync(process.execPath, ['scripts/test.mjs', 'layers', 'unity'], { encoding: 'utf8' });
    assert.match(stdout, /^There is no stage "unity"; there are format, npm start, lint, .*\n\n0 passed, 1 failed\n$/);
    assert.equal(status, 1);
  });
});
