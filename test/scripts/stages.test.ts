/** A test stage first builds the bundles that it needs, and does not run when that build failed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'mocha';

interface Counts {
  file?: string;
  passed: number;
  failing: string[];
}
interface Total {
  passed: number;
  failed: number;
  failing: string[];
  unsteady: string[];
}
interface Stages {
  stages: Record<string, { mocha?: string[] }>;
  withNeeds(names: string[]): string[];
  runAll(
    names: string[],
    run: (name: string, print: (text: string) => void, files?: string[]) => Promise<Counts[]>,
    print: (text: string) => void,
  ): Promise<Total>;
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
    const run = (name: string): Promise<Counts[]> => {
      started.push(name);
      return Promise.resolve([name === 'bundles' ? { passed: 0, failing: [''] } : { passed: 3, failing: [] }]);
    };
    const total = await runAll(withNeeds(['lint', 'unit', 'sprint']), run, (line) => lines.push(line.trim()));
    assert.deepEqual(total, { passed: 3, failed: 3, failing: ['bundles', 'unit', 'sprint'], unsteady: [] });
    assert.deepEqual(started, ['lint', 'bundles']);
    assert.deepEqual(lines, ['== unit: not run, since it needs bundles', '== sprint: not run, since it needs bundles']);
  });

  describe('with failed tests', () => {
    const [sound, tree, leaf] = [
      { file: 'sound', passed: 4, failing: [] },
      { file: 'tree', passed: 1, failing: ['a tree grows\n at once', 'a tree falls'] },
      { file: 'leaf', passed: 0, failing: ['a leaf falls'] },
    ];
    const play = async (first: Counts[], again: Counts[] = []): Promise<{ total: Total; repeated: (string[] | undefined)[] }> => {
      const { runAll } = await load();
      const repeated: (string[] | undefined)[] = [];
      const run = (name: string, _print: unknown, files?: string[]): Promise<Counts[]> => {
        if (name !== 'unit') return Promise.resolve([{ passed: 1, failing: [] }]);
        if (files !== undefined) repeated.push(files);
        return Promise.resolve(files === undefined ? first : again);
      };
      return { total: await runAll(['unit', 'sprint'], run, () => undefined), repeated };
    };

    it('run their files once more, alone, and this counts', async () => {
      const again = [
        { file: 'tree', passed: 2, failing: ['a tree falls\n again'] },
        { ...leaf, passed: 1, failing: [] },
      ];
      const { total, repeated } = await play([sound, tree, leaf], again);
      assert.deepEqual(repeated, [['tree', 'leaf']]);
      assert.deepEqual(total, {
        passed: 4 + 2 + 1 + 1,
        failed: 1,
        failing: ['unit: a tree falls\n again'],
        unsteady: ['unit: a tree grows\n at once', 'unit: a leaf falls'],
      });
    });

    it('list these after all stages have run', async () => {
      const { total } = await play([tree], [tree]);
      const failing = tree.failing.map((title) => `unit: ${title}`);
      assert.deepEqual(total, { passed: 2, failed: 2, failing, unsteady: [] });
    });

    it('count what has no file, or breaks at the second time, as failed', async () => {
      const broken = { passed: 0, failing: ['ended with 1'] };
      assert.deepEqual(await play([sound, tree, broken]), {
        total: { passed: 6, failed: 3, failing: [...tree.failing, ...broken.failing].map((title) => `unit: ${title}`), unsteady: [] },
        repeated: [],
      });
      const { total } = await play([sound, leaf], [broken]);
      assert.deepEqual([total.passed, total.failed], [5, 1]);
    });

    it('repeat nothing where too much failed', async () => {
      const files = Array.from({ length: 11 }, (_, n) => ({ file: `leaf${n}`, passed: 0, failing: ['a leaf falls'] }));
      const { total, repeated } = await play(files);
      assert.deepEqual([total.failed, repeated], [11, []]);
    });
  });

  it('run the tests of every folder', async () => {
    const { stages } = await load();
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'));
    const globs = Object.values(stages).flatMap(({ mocha = [] }) => mocha);
    const folders = [...new Set(files.map((path) => path.split('/')[0] ?? ''))];
    assert.deepEqual(
      folders.filter((folder) => !globs.some((glob) => new RegExp(`^out/test/(${folder}|\\{(.*,)?${folder}(,.*)?\\})/`).test(glob))),
      [],
    );
  });

  it('run beside each other, at most two', async () => {
    const { runAll } = await load();
    let running = 0;
    let most = 0;
    const run = async (): Promise<Counts[]> => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running -= 1;
      return [{ passed: 1, failing: [] }];
    };
    assert.equal((await runAll(['format', 'lint', 'types', 'layers'], run, () => undefined)).passed, 4);
    assert.equal(most, 2);
  });

  const pairs: { one: string; other: string; beside: boolean }[] = [
    { one: 'bundles', other: 'format', beside: true },
    { one: 'unit', other: 'editor by hand', beside: true },
    { one: 'sprint', other: 'simulation', beside: true },
    { one: 'unit', other: 'sprint', beside: false },
    { one: 'bundles', other: 'editor host', beside: false },
    { one: 'bundles', other: 'unit', beside: false },
  ];
  for (const { one, other, beside } of pairs)
    it(`run ${one} and ${other} ${beside ? 'beside' : 'after'} each other`, async () => {
      const { runAll } = await load();
      const story: string[] = [];
      const run = async (name: string): Promise<Counts[]> => {
        story.push(`${name} begins`);
        await new Promise(setImmediate);
        story.push(`${name} ends`);
        return [{ passed: 1, failing: [] }];
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
    const run = async (name: string, print: (text: string) => void): Promise<Counts[]> => {
      print(`${name} begins`);
      if (name === 'lint') {
        assert.deepEqual(printed, ['format begins'], 'format is not at its end');
        print(', lint ends');
        setImmediate(letGo);
        return [{ passed: 1, failing: [] }];
      }
      await held;
      print('format ends');
      assert.deepEqual(printed, ['format begins', 'format ends'], 'as it goes');
      return [{ passed: 1, failing: [] }];
    };
    await runAll(['format', 'lint'], run, (text) => void printed.push(text));
    assert.deepEqual(printed, ['format begins', 'format ends', 'lint begins, lint ends']);
  });

  it('are refused before any of them runs when one is unknown', () => {
    const { stdout, status } = spawnSync(process.execPath, ['scripts/test.mjs', 'layers', 'unity'], { encoding: 'utf8' });
    assert.match(stdout, /^There is no stage "unity"; there are format, lint, types of the engine, .*\n\n0 passed, 1 failed\n$/);
    assert.equal(status, 1);
  });
});
