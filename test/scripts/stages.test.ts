/** A test stage first builds the bundles that it needs, and does not run when that build failed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'mocha';

interface Counts {
  passed: number;
  failed: number;
  failing?: string[];
}
interface Stages {
  withNeeds(names: string[]): string[];
  runAll(names: string[], run: (name: string) => Promise<Counts>, print: (line: string) => void): Promise<Required<Counts>>;
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

  it('are refused before any of them runs when one is unknown', () => {
    const { stdout, status } = spawnSync(process.execPath, ['scripts/test.mjs', 'layers', 'unity'], { encoding: 'utf8' });
    assert.match(stdout, /^There is no stage "unity"; there are format, lint, .*\n\n0 passed, 1 failed\n$/);
    assert.equal(status, 1);
  });
});
